import dataclasses

import equinox as eqx
import jax
import numpy as np
import optax
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from unabases.features import MLP
from unabases.objectives import AtData, Batch, Marginal, Term, Una, luna_objective
from unabases.training import LEARNING_RATES, Recipe, make_batch, train

from .conftest import D, N, descend, fit_ridge, generators, linear_data, ridge, starts, weights


def test_reaches_the_ridge_solution():
    assert_allclose(weights(fit_ridge())[0], ridge(*linear_data(), 0.5), rtol=1e-9)


def test_adam_with_a_falling_rate_reaches_it_too():
    trained = fit_ridge(steps=600, learning_rate=0.1, decay="cosine", optimizer=optax.adam)
    assert_allclose(weights(trained)[0], ridge(*linear_data(), 0.5), rtol=1e-4)


@pytest.mark.parametrize("decay", LEARNING_RATES)
def test_every_step_is_that_of_plain_gradient_descent(decay):
    T = 30
    share = {"constant": np.ones(T), "cosine": (1 + np.cos(np.pi * np.arange(T) / T)) / 2}
    share["linear"] = 1 - np.arange(T) / T
    X, y = linear_data()
    w, design, losses = np.zeros(D + 1), np.column_stack([X, np.ones(N)]), []
    for t in range(T):
        residual = design @ w - y[:, 0]
        losses.append((residual @ residual / 2 + 0.5 * w @ w) / N + np.log(2 * np.pi) / 2)
        w = w - 0.1 * share[decay][t] * (design.T @ residual + w) / N
    trained = fit_ridge(steps=T, learning_rate=0.1, decay=decay)
    assert_allclose(weights(trained)[0], w, rtol=1e-10)
    assert_allclose(trained.history["loss"][0], losses, rtol=1e-10)


def test_each_model_has_its_own_penalty():
    gammas = (0.0, 0.5, 5.0, 50.0)
    found = weights(fit_ridge(gammas, learning_rate=0.2, steps=1500))
    for gamma, w in zip(gammas, found, strict=True):
        assert_allclose(w, ridge(*linear_data(), gamma), rtol=1e-7)
    assert np.ptp(found[:, 0]) > 0.5


def test_each_model_may_have_its_own_rows_by_weight():
    X, y = linear_data()
    batch = make_batch(X, y, "float64")
    parts = [np.arange(0, 12), np.arange(8, 20)]
    weight = np.zeros((2, 32))
    for row, part in zip(weight, parts, strict=True):
        row[part] = 1
    found = weights(fit_ridge((0.5, 0.5), Batch(batch.X, batch.y, weight, weight.sum(axis=1))))
    for part, w in zip(parts, found, strict=True):
        assert_allclose(w, ridge(X[part], y[part], 0.5), rtol=1e-9)


def test_shared_rows_are_the_same_as_stacked_ones():
    batch = make_batch(*linear_data(), "float64")
    stacked = Batch(*(np.stack([leaf, leaf]) for leaf in batch))
    a, b = fit_ridge((0.5, 5.0), batch), fit_ridge((0.5, 5.0), stacked)
    assert_allclose(weights(a), weights(b), rtol=1e-12)


def test_each_model_may_have_its_own_learning_rate():
    trained = fit_ridge((0.5, 0.5), steps=30, learning_rate=np.array([0.1, 0.02]))
    for rate, w in zip((0.1, 0.02), weights(trained), strict=True):
        assert_allclose(w, descend(*linear_data(), 0.5, rate, 30)[-1], rtol=1e-10)


def luna_models(B):
    """A small network with everything random about it: LUNA with finite differences at a few points."""
    objective = luna_objective(
        sigma2=np.array([0.1]),
        gamma=np.float64(0.01),
        lam=np.float64(1.0),
        epsilon=np.float64(0.5),
        spread=np.ones(D),
        n_heads=3,
        where=AtData(8),
    )
    objective = dataclasses.replace(objective, dtype="float64")
    keys = [jax.random.split(jax.random.key(i)) for i in range(B)]
    models = [objective.init(MLP(D, (5, 4), key=a), 4, 1, key=b) for a, b in keys]
    params = jax.tree.map(lambda *v: np.stack(v) if eqx.is_array(v[0]) else v[0], *models)
    return [objective] * B, params


def train_luna(members=slice(None), B=4, seed=0, **options):
    """Some of B models; each has the same start and random numbers whatever else is trained beside it."""
    objectives, params = luna_models(B)
    recipe = Recipe(steps=60, batch_size=options.pop("batch_size", None))
    return train(
        objectives[members],
        jax.tree.map(lambda leaf: leaf[members] if eqx.is_array(leaf) else leaf, params),
        make_batch(*linear_data(), "float64"),
        rngs=generators(B, seed)[members],
        recipe=recipe,
        **options,
    )


def arrays(trained):
    return jax.tree.leaves(eqx.filter((trained.params, trained.history), eqx.is_array))


def test_a_batch_of_models_is_the_models_one_at_a_time():
    together = train_luna(slice(0, 2), batch_size=6, threads=1)
    for i in range(2):
        alone = train_luna(slice(i, i + 1), batch_size=6)
        for a, b in zip(arrays(together), arrays(alone), strict=True):
            assert_allclose(a[i], b[0], rtol=1e-6, atol=1e-8)


def test_threads_change_nothing():
    pair = train_luna(slice(0, 2), threads=2)  # a model in each thread
    for i in range(2):
        alone = train_luna(slice(i, i + 1), threads=1)
        for a, b in zip(arrays(pair), arrays(alone), strict=True):
            assert_array_equal(a[i], b[0])


def test_an_odd_number_of_models_over_two_threads():
    three = train_luna(slice(0, 3), threads=2)
    assert [len(leaf) for leaf in arrays(three)] == [3] * len(arrays(three))
    for a, b in zip(arrays(three), arrays(train_luna(threads=2)), strict=True):
        assert_array_equal(a, b[:3])


def test_the_same_seed_gives_the_same_numbers():
    first, again, other = (train_luna(threads=2, seed=seed) for seed in (0, 0, 1))
    for a, b in zip(arrays(first), arrays(again), strict=True):
        assert_array_equal(a, b)
    assert np.all(first.history["diversity"][:, 1] != other.history["diversity"][:, 1])


def test_a_diverging_model_is_reported_and_disturbs_no_neighbour():
    trained = fit_ridge((0.5, 0.5, 0.5), learning_rate=np.array([0.4, 1e6, 0.4]), threads=1)
    assert_array_equal(trained.finite, [True, False, True])
    for i in (0, 2):
        assert_allclose(weights(trained)[i], ridge(*linear_data(), 0.5), rtol=1e-9)
        assert np.all(np.isfinite(trained.history["loss"][i]))


def test_missing_values_are_reported_and_disturb_no_neighbour():
    batch = make_batch(*linear_data(), "float64")
    y = np.stack([batch.y] * 3)
    y[1, 4] = np.nan
    trained = fit_ridge((0.5, 0.5, 0.5), batch._replace(y=y), threads=1)
    assert_array_equal(trained.finite, [True, False, True])
    assert_allclose(weights(trained)[[0, 2]], [ridge(*linear_data(), 0.5)] * 2, rtol=1e-9)


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
