import numpy as np
import pytest
from numpy.testing import assert_allclose

from unabases.objectives import Marginal, Term, Una
from unabases.training import Recipe, make_batch, train, training_progress

from .conftest import fit_ridge, generators, linear_data, starts


def spread_of_heads(heads, points, key):
    return -points.mean(points.X[:, 0])


def test_every_named_term_has_a_value_for_each_step():
    objective = Una(
        sigma2=np.array([1.0]),
        gamma=np.float64(0.5),
        terms=(
            Term("one", spread_of_heads, 2.0, n_points=0),
            Term("two", spread_of_heads, 3.0, schedule="sqrt"),
        ),
        n_heads=2,
        dtype="float64",
    )
    batch = make_batch(*linear_data(), "float64")
    trained = train([objective] * 2, starts(2, M=2), batch, rngs=generators(2), recipe=Recipe(25, chunk=10))
    history = trained.history
    assert set(history) == {"loss", "fit", "weight_penalty", "one", "two"}
    assert {values.shape for values in history.values()} == {(2, 25)}
    annealed = np.sqrt(np.arange(1, 26) / 25)
    total = history["fit"] + history["weight_penalty"] + 2 * history["one"] + 3 * annealed * history["two"]
    assert_allclose(history["loss"], total, rtol=1e-6)
    assert_allclose(history["one"], -np.mean(linear_data()[0][:, 0]), rtol=1e-6)


@pytest.mark.parametrize("threads", [1, 2])
def test_progress_counts_every_step_once(threads):
    calls = []
    fit_ridge((0.5, 0.5), steps=57, chunk=10, threads=threads, on_chunk=lambda n, terms: calls.append((n, terms)))
    assert [n for n, _ in calls] == [10] * 5 + [7]
    assert set(calls[0][1]) == {"loss", "fit", "weight_penalty"}
    assert calls[-1][1]["loss"] < calls[0][1]["loss"]


@pytest.mark.parametrize("threads", [1, 2])
def test_progress_may_stop_training(threads):
    calls = []

    def stop(steps, terms):
        calls.append(steps)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fit_ridge((0.5, 0.5), steps=10_000, chunk=10, threads=threads, on_chunk=stop)
    assert calls == [10]


def test_the_progress_bar_shows_label_steps_and_loss(capsys):
    with training_progress("a fit", total=57) as on_chunk:
        fit_ridge(steps=57, chunk=10, on_chunk=on_chunk)
    shown = capsys.readouterr().out
    assert "a fit" in shown
    assert "57/57" in shown
    assert "loss" in shown


def test_no_progress_bar_when_it_is_not_wanted(capsys):
    with training_progress("a fit", total=57, enabled=False) as on_chunk:
        assert on_chunk is None
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"steps": 0}, "`steps` must be at least 1; got 0"),
        ({"learning_rate": -0.1}, "`learning_rate` must be positive.*got -0.1"),
        ({"learning_rate": np.nan}, "`learning_rate` must be positive"),
        ({"decay": "exponential"}, "unknown decay 'exponential'; known ones are constant, cosine, linear"),
        ({"batch_size": 0}, "`batch_size` must be at least 1; got 0"),
    ],
)
def test_bad_recipes_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        fit_ridge(**options)


def test_each_model_needs_a_generator():
    batch = make_batch(*linear_data(), "float64")
    with pytest.raises(ValueError, match="one random generator for each model; got 1 for 0 models"):
        train([], starts(1), batch, rngs=generators(1))


def test_the_marginal_likelihood_needs_all_rows():
    batch = make_batch(*linear_data(), "float64")
    objective = Marginal(alpha=1.0, sigma2=1.0, gamma=0.0)
    message = "Marginal needs all rows at each step"
    with pytest.raises(ValueError, match=message):
        train([objective], None, batch, rngs=generators(1), recipe=Recipe(batch_size=5))
    with pytest.raises(ValueError, match=message):
        train([objective], None, batch, rngs=generators(1), validation=batch)
