import numpy as np
import pytest
from scipy.special import expit

from unabases.features.mlp import ACTIVATIONS as KNOWN
from unabases.runtime.networks import ACTIVATIONS, bounded, layers_from, residual_from

RNG = np.random.default_rng(0)
X = 3 * RNG.normal(size=(20, 3)).astype(np.float32)
CLOSED = {
    "relu": lambda x: np.where(x > 0, x, 0.0),
    "tanh": lambda x: 2 * expit(2 * x) - 1,
    "gelu": lambda x: x * expit(2 * np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)),
    "silu": lambda x: x * expit(x),
    "softplus": lambda x: np.log1p(np.exp(x)),
    "sine": np.sin,
}


def perceptron():
    """The saved arrays of a network of layers of 5 and 4 units: weights, then biases."""
    return [RNG.normal(size=shape).astype(np.float32) for shape in ((5, 3), (4, 5), (5,), (4,))]


def by_hand(leaves, x, masks=(1.0, 1.0)):
    W, V, b, c = (leaf.astype(float) for leaf in leaves)
    first = np.maximum(W @ x + b, 0) * masks[0]
    return np.maximum(V @ first + c, 0) * masks[1]


def test_every_activation_of_training_is_known():
    assert set(ACTIVATIONS) == set(KNOWN)


@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_an_activation_is_what_its_name_says(activation):
    x = np.linspace(-12, 12, 101, dtype=np.float32)
    found = ACTIVATIONS[activation](x)
    np.testing.assert_allclose(found, CLOSED[activation](x.astype(float)), rtol=1e-5, atol=1e-6)
    assert found.dtype == np.float32


def test_a_perceptron_has_the_features_of_its_weights():
    leaves = perceptron()
    np.testing.assert_allclose(layers_from(leaves, "relu")(X), [by_hand(leaves, x) for x in X], rtol=1e-4, atol=1e-5)


def test_perceptrons_side_by_side_are_those_perceptrons():
    each = [perceptron(), perceptron()]
    together = layers_from([np.stack(leaves) for leaves in zip(*each, strict=True)], "tanh")(X)
    np.testing.assert_allclose(together, [layers_from(leaves, "tanh")(X) for leaves in each], rtol=1e-5, atol=1e-6)


def test_masks_drop_units_of_every_layer():
    leaves, masks = perceptron(), np.ones((2, 9), np.float32)
    masks[1] = [2, 0, 2, 0, 0, 0, 2, 2, 0]
    found = layers_from(leaves, "relu", masks)(X)
    known = [[by_hand(leaves, x, (mask[:5], mask[5:])) for x in X] for mask in masks]
    np.testing.assert_allclose(found, known, rtol=1e-4, atol=1e-5)


def test_fourier_features_are_cosines_of_a_residual_network():
    P, W, b, F, u = (RNG.normal(size=shape) for shape in ((4, 3), (4, 4), (4,), (6, 4), (6,)))
    W /= 4 * np.linalg.norm(W, 2)  # within the bound
    leaves = [np.asarray(leaf, np.float32) for leaf in (P, W, b, 0.9, F, u)]
    h = (P @ X.T).T
    h = h + np.tanh(h @ W.T + b)
    np.testing.assert_allclose(residual_from(leaves, "tanh")(X), np.sqrt(2 / 6) * np.cos(h @ F.T + u), atol=1e-4)


@pytest.mark.parametrize("size", [0.0, 1e-3, 5.0])
def test_a_norm_is_bounded_by_the_sum_of_high_powers_of_singular_values(size):
    W = size * RNG.normal(size=(6, 6)).astype(np.float32)
    values = np.linalg.svd(W.astype(float), compute_uv=False)
    norm = values[0] * np.sum((values / max(values[0], 1e-300)) ** 128) ** (1 / 128)
    np.testing.assert_allclose(bounded(W, 0.9), W * min(1.0, 0.9 / max(norm, 1e-300)), rtol=1e-5)
