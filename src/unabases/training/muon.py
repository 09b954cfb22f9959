"""Muon: an optimiser that learns all directions of a matrix of weights equally fast, for short training."""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import optax
from jaxtyping import Array, Float

__all__ = ["muon"]

_MATRICES, _OTHERS = 6.0, 2.0  # how far weights and all other parameters go, in units of the learning rate
_MOMENTUM = 0.95
_CUBIC = (3.4445, -4.7750, 2.0315)  # of Jordan et al.: they push every singular value to about 1, the fastest way
_ITERATIONS = 5


def muon(learning_rate: Any) -> optax.GradientTransformation:
    """Make the optimiser of Jordan et al. (2024).

    Each step of a weight matrix is its averaged gradient with all singular values made about equal, so that directions
    with small gradients are learned as fast as those with large ones. Biases and all else that is not a matrix have
    Adam. On tables of many rows that needs fewer and smaller batches than Adam alone (docs/defaults.md).

    Parameters
    ----------
    learning_rate
        A rate that suits Adam. Matrices go six times as far and the rest twice, so that the same rate does for
        both optimisers.

    References
    ----------
    Jordan, Jin, Boza, You, Cesista, Newhouse, Bernstein (2024). Muon: an optimizer for hidden layers in neural
    networks.
    """
    return optax.multi_transform(
        {
            "matrix": optax.chain(_orthogonal_momentum(), optax.scale_by_learning_rate(_MATRICES * learning_rate)),
            "other": optax.nadam(_OTHERS * learning_rate),
        },
        lambda params: jax.tree.map(lambda leaf: "matrix" if leaf.ndim == 2 else "other", params),
    )


class _Momentum(NamedTuple):
    average: Any


def _orthogonal_momentum() -> optax.GradientTransformation:
    """Nesterov's momentum of each matrix (out, in), made orthogonal."""

    def init(params: Any) -> _Momentum:
        return _Momentum(jax.tree.map(jnp.zeros_like, params))

    def update(updates: Any, state: Any, params: Any = None) -> tuple[Any, _Momentum]:
        del params
        average = jax.tree.map(lambda m, g: _MOMENTUM * m + (1 - _MOMENTUM) * g, state.average, updates)
        ahead = jax.tree.map(lambda m, g: _MOMENTUM * m + (1 - _MOMENTUM) * g, average, updates)
        return jax.tree.map(_orthogonal, ahead), _Momentum(average)

    return optax.GradientTransformation(init, update)


def _orthogonal(M: Float[Array, "out in"]) -> Float[Array, "out in"]:
    """The matrix with all singular values near 1, times √(out / in) if that is below 1."""
    rows, columns = M.shape
    X = M.T if rows > columns else M
    X = X / (jnp.linalg.norm(X) + 1e-12)
    a, b, c = _CUBIC
    for _ in range(_ITERATIONS):
        A = X @ X.T
        X = a * X + (b * A + c * A @ A) @ X
    return min(1.0, rows / columns) ** 0.5 * (X.T if rows > columns else X)
