import jax
import jax.numpy as jnp
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from unabases.features.cosine import fast_cosine

ANGLES = np.r_[np.linspace(-100, 100, 20_001), np.pi * np.arange(-20, 21)].astype(np.float32)


def test_it_is_the_cosine():
    assert_allclose(fast_cosine(jnp.asarray(ANGLES)), np.cos(ANGLES.astype(np.float64)), atol=3e-7)


@pytest.mark.parametrize("mode", [jax.jacfwd, jax.grad])
def test_its_slope_is_minus_the_sine(mode):
    slopes = jax.jit(jax.vmap(mode(fast_cosine)))(jnp.asarray(ANGLES))
    assert_allclose(slopes, -np.sin(ANGLES.astype(np.float64)), atol=3e-7)


def test_large_angles_lose_digits_but_stay_cosines():
    large = np.linspace(1e4, 2e4, 1001, dtype=np.float32)
    assert_allclose(fast_cosine(jnp.asarray(large)), np.cos(large.astype(np.float64)), atol=2e-3)


def test_in_float64_it_is_that_of_jax():
    with jax.enable_x64(True):
        x = jnp.asarray(ANGLES, jnp.float64)
        assert_array_equal(fast_cosine(x), jnp.cos(x))
        assert_array_equal(jax.vmap(jax.grad(fast_cosine))(x), -jnp.sin(x))
