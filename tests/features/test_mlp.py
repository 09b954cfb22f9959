import jax
import jax.numpy as jnp
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import erf, expit

from unabases.features import ACTIVATIONS, MLP, activation_function
from unabases.features.mlp import check_widths

BY_HAND = {
    "relu": lambda z: np.maximum(z, 0),
    "tanh": np.tanh,
    "gelu": lambda z: z * (1 + np.tanh(np.sqrt(2 / np.pi) * (z + 0.044715 * z**3))) / 2,
    "silu": lambda z: z * expit(z),
    "softplus": lambda z: np.log1p(np.exp(z)),
    "sine": np.sin,
}
X = np.random.default_rng(0).normal(size=(7, 3)).astype(np.float32)


def test_every_activation_has_an_oracle():
    assert set(BY_HAND) == set(ACTIVATIONS)


@pytest.mark.parametrize("name", BY_HAND)
def test_features_are_those_of_a_plain_forward_pass(name):
    phi = MLP(3, (5, 4), name, key=jax.random.key(1))
    h = X.astype(np.float64)
    for W, b in zip(phi.weights, phi.biases, strict=True):
        h = BY_HAND[name](h @ np.asarray(W, np.float64).T + np.asarray(b, np.float64))
    assert_allclose(jax.vmap(phi)(X), h, atol=2e-6)


def test_gelu_is_close_to_the_exact_one():
    z = np.linspace(-3, 3, 50)
    assert_allclose(ACTIVATIONS["gelu"](z), z * (1 + erf(z / np.sqrt(2))) / 2, atol=2e-3)


def test_activation_may_be_any_function():
    phi = MLP(3, (5, 4), jnp.square, key=jax.random.key(1))
    h = X
    for W, b in zip(phi.weights, phi.biases, strict=True):
        h = (h @ np.asarray(W).T + np.asarray(b)) ** 2
    assert_allclose(jax.vmap(phi)(X), h, rtol=1e-4)


def test_one_width_may_be_a_bare_number():
    assert MLP(3, 6, key=jax.random.key(0))(jnp.asarray(X[0])).shape == (6,)


def test_initial_weights_fill_the_stated_interval():
    phi = MLP(4, (100, 100), key=jax.random.key(2))
    for W, b, fan_in in zip(phi.weights, phi.biases, (4, 100), strict=True):
        bound = 1 / np.sqrt(fan_in)
        for values in (np.asarray(W).ravel(), np.asarray(b)):
            assert np.all(np.abs(values) <= bound)
            assert np.min(values) < -0.9 * bound
            assert np.max(values) > 0.9 * bound
            assert abs(np.mean(values)) < 4 * bound / np.sqrt(3 * len(values))


def test_the_key_decides_the_weights():
    same, again, other = (MLP(3, (4,), key=jax.random.key(seed)) for seed in (0, 0, 1))
    assert_array_equal(same.weights[0], again.weights[0])
    assert not np.any(np.isclose(same.weights[0], other.weights[0]))


@pytest.mark.parametrize("widths", [(), (0,), (5, -1), (2.5,), None, "wide", np.nan, [[5, 4]]])
def test_bad_widths_are_refused_with_an_example(widths):
    with pytest.raises(ValueError, match=r"positive whole numbers, such as \(50, 20\)"):
        check_widths(widths)


def test_the_network_refuses_bad_widths():
    with pytest.raises(ValueError, match="positive whole numbers"):
        MLP(3, (5, 0), key=jax.random.key(0))


def test_unknown_activation_lists_the_known_ones():
    with pytest.raises(ValueError, match=r"unknown activation 'rleu'.*relu, tanh, gelu, silu, softplus, sine"):
        activation_function("rleu")
