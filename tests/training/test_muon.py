"""Muon: orthogonal steps of matrices, Adam for the rest."""

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest

from unabases.objectives import map_objective
from unabases.training import Recipe, make_batch, train
from unabases.training.muon import _orthogonal, muon


@pytest.mark.parametrize("shape", [(50, 10), (10, 50), (20, 20)])
def test_directions_of_a_step_are_equally_long(shape):
    M = np.random.default_rng(0).standard_normal(shape).astype(np.float32)
    M *= np.geomspace(1, 0.05, shape[1])  # some columns have much smaller gradients
    U, _, V = np.linalg.svd(M, full_matrices=False)
    step = U.T @ np.asarray(_orthogonal(jnp.asarray(M))) @ V.T / min(1, shape[0] / shape[1]) ** 0.5
    lengths = np.diag(step)
    assert np.all((lengths > 0.6) & (lengths < 1.3))
    np.testing.assert_allclose(step, np.diag(lengths), atol=1e-4)  # only the lengths of its directions change


def test_a_step_turns_with_its_matrix():
    rng = np.random.default_rng(0)
    M, Q = rng.standard_normal((6, 4)), np.linalg.qr(rng.standard_normal((6, 6)))[0]
    with jax.enable_x64(True):
        np.testing.assert_allclose(_orthogonal(jnp.asarray(Q @ M)), Q @ _orthogonal(jnp.asarray(M)), atol=1e-10)


def test_what_is_no_matrix_has_adam():
    params, gradients = {"bias": jnp.ones(3), "W": jnp.ones((2, 3))}, {"bias": jnp.arange(3.0), "W": jnp.ones((2, 3))}
    ours, adam = muon(0.1), optax.nadam(0.2)
    found, _ = ours.update(gradients, ours.init(params), params)
    expected, _ = adam.update(gradients["bias"], adam.init(params["bias"]), params["bias"])
    np.testing.assert_array_equal(found["bias"], expected)


def test_it_trains_in_the_loop():
    X = np.linspace(-1, 1, 40)[:, None]
    objective = map_objective(np.array([0.01]), 0.0)
    start = objective.init(lambda x: x, 1, 1, key=jax.random.key(0))
    stacked = jax.tree.map(lambda leaf: np.asarray(leaf)[None] if hasattr(leaf, "shape") else leaf, start)
    recipe = Recipe(steps=300, learning_rate=0.05, decay="cosine")
    rngs, batch = [np.random.default_rng(0)], make_batch(X, 2 * X + 1)
    trained = train([objective], stacked, batch, rngs=rngs, recipe=recipe, optimizer=muon)
    np.testing.assert_allclose(trained.params.W[0, 0, 0], [2.0, 1.0], atol=0.01)
