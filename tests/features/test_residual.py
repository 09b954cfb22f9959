import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from unabases.features import SpectralResidual, count_features, trainable
from unabases.features.residual import norm_above, with_bounded_norm

RNG = np.random.default_rng(0)


def random_matrix(n, scale=1.0, rank=None):
    rank = rank or n
    return jnp.asarray((scale * RNG.standard_normal((n, rank)) @ RNG.standard_normal((rank, n))).astype(np.float32))


def largest(W):
    return np.linalg.norm(np.asarray(W, np.float64), 2)


@pytest.mark.parametrize("scale", [1e-12, 1e-3, 1.0, 1e3, 1e12])
@pytest.mark.parametrize(("n", "rank"), [(1, 1), (8, 1), (8, 8), (50, 3), (50, 50)])
def test_the_bound_is_never_below_the_spectral_norm_and_close_above(n, rank, scale):
    W = random_matrix(n, scale, rank)
    ratio = float(norm_above(W)) / largest(W)
    assert 1 - 2e-6 <= ratio <= n ** (1 / 128) * (1 + 1e-5)


def test_equal_singular_values_are_the_worst_case():
    W = jnp.asarray(np.linalg.qr(RNG.standard_normal((50, 50)))[0].astype(np.float32))
    assert_allclose(norm_above(W), 50 ** (1 / 128), rtol=1e-5)


def test_the_gradient_of_the_bound_is_that_of_the_schatten_norm():
    W = random_matrix(6)
    U, s, Vt = np.linalg.svd(np.asarray(W, np.float64))
    norm = np.sum(s**128.0) ** (1 / 128)
    by_hand = U @ np.diag((s / norm) ** 127) @ Vt
    assert_allclose(jax.grad(norm_above)(W), by_hand, atol=1e-5)


@pytest.mark.parametrize("W", [np.zeros((4, 4)), np.full((4, 4), 1e-30), np.eye(4) * 1e30])
def test_extreme_matrices_have_finite_values_and_gradients(W):
    W = jnp.asarray(W.astype(np.float32))
    assert np.isfinite(with_bounded_norm(W, 0.5)).all()
    assert np.isfinite(jax.jacobian(lambda V: with_bounded_norm(V, 0.5))(W)).all()


def test_a_small_matrix_is_left_as_it_is():
    W = random_matrix(8)
    W = W / largest(W) * 0.5
    assert_array_equal(with_bounded_norm(W, 0.95), W)


@pytest.mark.parametrize("c", [1e-3, 0.95, 20.0])
@pytest.mark.parametrize("scale", [1.0, 1000.0])
def test_no_singular_value_passes_the_bound(c, scale):
    phi = SpectralResidual(3, (50, 50, 50), norm_bound=c, key=jax.random.key(0))
    phi = eqx.tree_at(lambda m: m.weights, phi, tuple(W * scale for W in phi.weights))
    for W in phi.bounded_weights:
        assert largest(W) <= c * (1 + 1e-5)
    if scale == 1000.0:
        assert largest(phi.bounded_weights[0]) > 0.96 * c  # and the bound is nearly reached


@pytest.mark.parametrize("d", [1, 3, 8])
@pytest.mark.parametrize("activation", ["relu", "tanh", "sine"])
def test_distances_stay_within_the_powers_of_the_bound(d, activation):
    c = 0.6
    phi = SpectralResidual(d, (8, 8), activation, c, key=jax.random.key(1))
    phi = eqx.tree_at(lambda m: m.weights, phi, tuple(W * 100 for W in phi.weights))
    X, Y = RNG.standard_normal((2, 200, d)).astype(np.float32) * 3
    ratio = np.linalg.norm(jax.vmap(phi)(X) - jax.vmap(phi)(Y), axis=1) / np.linalg.norm(X - Y, axis=1)
    assert ratio.min() >= (1 - c) ** 2 * (1 - 1e-4)
    assert ratio.max() <= (1 + c) ** 2 * (1 + 1e-4)


@pytest.mark.parametrize("d", [1, 8, 20])
def test_the_projection_is_orthonormal_and_not_trained(d):
    phi = SpectralResidual(d, (8, 8), key=jax.random.key(0))
    P = np.asarray(phi.projection.value)
    assert P.shape == (8, d)
    assert_allclose(P.T @ P if d <= 8 else P @ P.T, np.eye(min(d, 8)), atol=1e-6)
    trained = jax.tree.leaves(eqx.filter(phi, trainable(phi)))
    assert [leaf.shape for leaf in trained] == [(8, 8), (8, 8), (8,), (8,)]
    assert count_features(phi, d) == 8


def test_features_are_those_of_a_plain_forward_pass():
    phi = SpectralResidual(3, (6, 6), "tanh", 0.7, key=jax.random.key(2))
    x = RNG.standard_normal(3)
    h = np.asarray(phi.projection.value, np.float64) @ x
    for W, b in zip(phi.weights, phi.biases, strict=True):
        W = np.asarray(W, np.float64)
        schatten = np.sum(np.linalg.svd(W)[1] ** 128.0) ** (1 / 128)
        h = h + np.tanh(W * min(1, 0.7 / schatten) @ h + np.asarray(b, np.float64))
    assert_allclose(phi(jnp.asarray(x.astype(np.float32))), h, atol=2e-6)


def test_the_key_decides_the_weights():
    same, again, other = (SpectralResidual(3, (4,), key=jax.random.key(seed)) for seed in (0, 0, 1))
    assert_array_equal(same.projection.value, again.projection.value)
    assert_array_equal(same.weights[0], again.weights[0])
    assert not np.any(np.isclose(same.weights[0], other.weights[0]))


def test_unequal_widths_and_impossible_bounds_are_refused():
    with pytest.raises(ValueError, match=r"must be equal, such as \(50, 50\).*got \(50, 20\)"):
        SpectralResidual(3, (50, 20), key=jax.random.key(0))
    with pytest.raises(ValueError, match=r"`norm_bound` must be a positive number; got 0"):
        SpectralResidual(3, (4,), norm_bound=0.0, key=jax.random.key(0))
    with pytest.raises(ValueError, match="unknown activation"):
        SpectralResidual(3, (4,), "rleu", key=jax.random.key(0))
