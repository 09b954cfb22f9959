import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from unabases.training import make_batch

from .conftest import descend, fit_ridge, linear_data, weights

RATE, CHUNK, PATIENCE, STEPS = 0.05, 10, 3, 500
X, Y = linear_data()
HELD_OUT = linear_data(12, seed=1)[0], linear_data(12, seed=1)[1] / 2  # best half way to the training optimum


def validation_path():
    """Held-out loss at the end of each chunk of plain gradient descent."""
    path = descend(X, Y, 0.5, RATE, STEPS)[CHUNK - 1 :: CHUNK]
    design = np.column_stack([HELD_OUT[0], np.ones(12)])
    return path, np.mean((path @ design.T - HELD_OUT[1][:, 0]) ** 2, axis=1) / 2


def train_watched(patience, **options):
    held_out = make_batch(*HELD_OUT, "float64")
    return fit_ridge(steps=STEPS, learning_rate=RATE, chunk=CHUNK, patience=patience, validation=held_out, **options)


def test_keeps_the_weights_that_were_best_on_held_out_rows_and_stops():
    path, losses = validation_path()
    best = np.argmin(losses)
    assert 0 < best < len(losses) - PATIENCE - 1
    trained = train_watched(PATIENCE)
    assert_allclose(weights(trained)[0], path[best], rtol=1e-9)
    assert trained.stopped[0] == (best + 1) * CHUNK
    taken = (best + 1 + PATIENCE) * CHUNK
    after = np.arange(STEPS) >= taken
    between = np.arange(1, STEPS + 1) % CHUNK != 0  # held-out rows are looked at when a chunk of steps is done
    for name, values in trained.history.items():
        assert values.shape == (1, STEPS)
        assert_array_equal(np.isnan(values[0]), after | between if name == "validation" else after)
    seen = trained.history["validation"][0, CHUNK - 1 : taken : CHUNK]  # in nats, so with the density's constant
    assert_allclose(seen, losses[: taken // CHUNK] + 0.5 * np.log(2 * np.pi), rtol=1e-6)


def test_without_patience_trains_on_but_keeps_the_best():
    path, losses = validation_path()
    trained = train_watched(None)
    assert_allclose(weights(trained)[0], path[np.argmin(losses)], rtol=1e-9)
    assert np.all(np.isfinite(trained.history["loss"]))


@pytest.mark.parametrize("threads", [1, 2])
def test_models_stop_one_by_one(threads):
    gammas = (0.5, 500.0)  # the second shrinks to less than half: it never turns
    trained = train_watched(PATIENCE, gammas=gammas, threads=threads)
    alone = train_watched(PATIENCE)
    assert_allclose(weights(trained)[0], weights(alone)[0], rtol=1e-9)
    assert trained.stopped[0] == alone.stopped[0]
    taken = np.sum(np.isfinite(trained.history["loss"]), axis=1)
    assert taken[0] == np.sum(np.isfinite(alone.history["loss"]))
    assert taken[1] != taken[0]


def test_without_held_out_rows_the_last_weights_are_kept():
    trained = fit_ridge(steps=35, learning_rate=RATE, chunk=CHUNK)
    assert_allclose(weights(trained)[0], descend(X, Y, 0.5, RATE, 35)[-1], rtol=1e-10)
    assert trained.stopped[0] == 35


def test_a_model_that_diverges_keeps_the_best_weights_before():
    trained = fit_ridge(learning_rate=3.0, steps=3000, validation=make_batch(*HELD_OUT, "float64"))
    assert trained.finite[0]
    assert trained.stopped[0] == 100
    assert_allclose(weights(trained)[0], descend(X, Y, 0.5, 3.0, 100)[-1], rtol=1e-6)
    assert np.isnan(trained.history["loss"][0, -1])


def test_a_model_whose_every_look_is_undefined_is_reported():
    trained = fit_ridge(learning_rate=1e6, steps=300, validation=make_batch(*HELD_OUT, "float64"))
    assert not trained.finite[0]
