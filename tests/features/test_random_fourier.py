import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.distance import cdist

from unabases.features import MLP, RandomFourier, count_features, trainable

X = np.random.default_rng(0).standard_normal((20, 3)).astype(np.float32)


def rbf(H, length_scale):
    return np.exp(-cdist(H, H, "sqeuclidean") / (2 * length_scale**2))


def matrix(phi):
    return np.asarray(jax.vmap(phi)(X), np.float64)


@pytest.mark.parametrize("length_scale", [0.7, 3.0])
def test_the_kernel_error_falls_as_one_over_the_root_of_the_width(length_scale):
    widths = [64, 256, 1024, 4096]
    errors = [
        np.mean(
            [
                np.sqrt(np.mean((Phi @ Phi.T - rbf(X, length_scale)) ** 2))
                for seed in range(10)
                for Phi in [matrix(RandomFourier(lambda x: x, 3, k, length_scale, key=jax.random.key(seed)))]
            ]
        )
        for k in widths
    ]
    slope = np.polyfit(np.log(widths), np.log(errors), 1)[0]
    assert abs(slope + 0.5) < 0.1
    assert errors[-1] < 0.02


def test_it_stands_on_any_map():
    below = MLP(3, (5, 4), "tanh", key=jax.random.key(0))
    phi = RandomFourier(below, 3, 20000, 0.5, key=jax.random.key(1))
    assert phi.frequencies.value.shape == (20000, 4)
    assert count_features(phi, 3) == 20000
    Phi = matrix(phi)
    assert_allclose(Phi @ Phi.T, rbf(np.asarray(jax.vmap(below)(X)), 0.5), atol=0.05)


def test_only_the_map_below_is_trained():
    phi = RandomFourier(MLP(3, (5,), key=jax.random.key(0)), 3, 16, key=jax.random.key(1))
    grads = eqx.filter_grad(lambda arrays, rest: jnp.sum(eqx.combine(arrays, rest)(jnp.asarray(X[0]))))(
        *eqx.partition(phi, trainable(phi))
    )
    assert [leaf.shape for leaf in jax.tree.leaves(grads)] == [(5, 3), (5,)]
    assert grads.frequencies.value is None
    assert grads.phases.value is None


def test_the_key_decides_the_frequencies():
    same, again, other = (RandomFourier(jnp.tanh, 3, 8, key=jax.random.key(seed)) for seed in (0, 0, 1))
    assert_array_equal(same.frequencies.value, again.frequencies.value)
    assert not np.any(np.isclose(same.phases.value, other.phases.value))
