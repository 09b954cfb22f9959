import equinox as eqx
import jax
import jax.numpy as jnp
import pytest

from unabases.features import MLP, count_features
from unabases.features.base import repeated


class Spectrum(eqx.Module):
    """A user's map: a small convolution over the input seen as a signal."""

    conv: eqx.nn.Conv1d

    def __init__(self, channels, *, key):
        self.conv = eqx.nn.Conv1d(1, channels, kernel_size=3, key=key)

    def __call__(self, x):
        return jnp.tanh(self.conv(x[None])).ravel()


def test_counts_the_features_of_the_network():
    assert count_features(MLP(3, (5, 4), key=jax.random.key(0)), 3) == 4


def test_counts_the_features_of_a_convolution():
    assert count_features(Spectrum(2, key=jax.random.key(0)), 8) == 2 * (8 - 2)


def test_counts_the_features_of_a_plain_function():
    assert count_features(lambda x: jnp.concatenate([x, x**2]), 3) == 6


def test_counting_does_not_compute():
    def explode(x):
        jax.debug.callback(lambda: pytest.fail("computed"))
        return x

    assert count_features(explode, 2) == 2


def test_an_input_of_the_wrong_length_is_named():
    with pytest.raises(ValueError, match=r"MLP could not be called on one input of length 2"):
        count_features(MLP(3, (4,), key=jax.random.key(0)), 2)


@pytest.mark.parametrize(
    ("phi", "shape"), [(lambda x: x[None], r"\(1, 3\)"), (jnp.sum, r"\(\)"), (lambda x: (x, x), "tuple")]
)
def test_outputs_that_are_not_a_vector_are_refused(phi, shape):
    with pytest.raises(ValueError, match=rf"into a vector \(k,\).*gave {shape}. Flatten its output"):
        count_features(phi, 3)


def test_copies_are_added_on_the_way_back():
    a, b = jax.random.normal(jax.random.key(0), (2, 5, 7))
    g = jax.random.normal(jax.random.key(1), (3, 5, 7))
    expected = jax.grad(lambda a: jnp.sum(g * (jnp.broadcast_to(a, (3, 5, 7)) + b) ** 2))(a)
    found = jax.grad(lambda a: jnp.sum(g * (repeated(a, 3) + b) ** 2))(a)
    assert jnp.array_equal(repeated(a, 3), jnp.stack([a, a, a]))
    assert jnp.allclose(found, expected, rtol=1e-5, atol=1e-5)
