"""Small networks, and penalties computed the long way."""

import functools
import itertools

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.flatten_util import ravel_pytree
from numpy.testing import assert_allclose

from unabases.features import MLP
from unabases.objectives import Batch, Heads, Points

quick_jit = functools.partial(jax.jit, compiler_options={"xla_backend_optimization_level": 0})


@pytest.fixture
def float64():
    with jax.enable_x64(True):
        yield


def as_float64(tree):
    return jax.tree.map(lambda leaf: jnp.asarray(leaf, jnp.float64) if eqx.is_array(leaf) else leaf, tree)


def smooth_heads(d, k, M, p, seed=0):
    """M heads with p outputs on k features, of a network with smooth activations."""
    phi = MLP(d, (4, k), "tanh", key=jax.random.key(seed))
    W = np.random.default_rng(seed).normal(size=(M, p, k + 1))
    return Heads(as_float64(phi), jnp.asarray(W))


def random_points(P, d, n_padding=0, seed=1):
    """Random points, the last `n_padding` of weight 0."""
    X = np.random.default_rng(seed).normal(size=(P + n_padding, d))
    return Points(jnp.asarray(X), jnp.asarray(np.arange(P + n_padding) < P, jnp.float64))


def padded_batch(n, d, p, n_padding, seed=3):
    """A batch with rows of nonsense under the real ones."""
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(n + n_padding, d)), rng.normal(size=(n + n_padding, p))
    y[n:] -= 50
    weight = np.arange(n + n_padding) < n
    return Batch(*(jnp.asarray(a, jnp.float64) for a in (X, y, weight, n)))


def slopes_by_autodiff(heads, X):
    """Gradients (P, M, p, d), one head, output and point at a time."""
    M, p, _ = heads.W.shape
    slope = quick_jit(jax.grad(lambda x, i, q: heads(x)[i, q]))
    out = np.zeros((len(X), M, p, X.shape[1]))
    for n, i, q in itertools.product(range(len(X)), range(M), range(p)):
        out[n, i, q] = slope(X[n], i, q)
    return out


def slopes_by_differences(heads, X, delta):
    """(f(x + δ_j e_j) − f(x)) / δ_j, as (P, M, p, d)."""
    f = quick_jit(lambda x: heads(x))
    columns = []
    for j in range(X.shape[1]):
        step = np.zeros(X.shape[1])
        step[j] = delta[j]
        columns.append([(np.asarray(f(x + step)) - np.asarray(f(x))) / delta[j] for x in np.asarray(X)])
    return np.stack(columns, axis=-1)


def values(f, X):
    """A function of one input on rows of NumPy."""
    return np.asarray(quick_jit(lambda X: jax.vmap(f)(X))(jnp.asarray(X)))


def cos2(u, v):
    return np.dot(u, v) ** 2 / (np.dot(u, u) * np.dot(v, v))


def field_penalty(slopes, weight):
    """Mean over outputs and pairs of heads of the cos² of gradients stacked over real points and inputs."""
    real = slopes[np.asarray(weight) > 0]
    _, M, p, _ = real.shape
    pairs = itertools.product(range(p), itertools.combinations(range(M), 2))
    return np.mean([cos2(real[:, i, q].ravel(), real[:, j, q].ravel()) for q, (i, j) in pairs])


def pointwise_penalty(slopes, weight):
    """Mean over real points of the penalty of each."""
    return np.mean([field_penalty(slopes[n : n + 1], [1]) for n in np.flatnonzero(weight)])


def assert_gradient_matches_differences(function, tree, step=1e-5, rtol=1e-6, atol=1e-8):
    """Every coordinate of the gradient against a central difference."""
    flat, restore = ravel_pytree(eqx.filter(tree, eqx.is_array))
    static = eqx.filter(tree, eqx.is_array, inverse=True)
    at = lambda v: function(eqx.combine(restore(v), static))  # noqa: E731
    value, gradient = quick_jit(at), quick_jit(jax.grad(at))(flat)
    differences = np.zeros(flat.size)
    for i in range(flat.size):
        e = np.zeros(flat.size)
        e[i] = step
        differences[i] = (value(flat + e) - value(flat - e)) / (2 * step)
    assert np.any(np.abs(differences) > 1e-3)
    assert_allclose(gradient, differences, rtol=rtol, atol=atol)
