"""A feature map applied to any number of rows, in blocks of few shapes that are each compiled once."""

from typing import Any

import equinox as eqx
import jax
import numpy as np
from jaxtyping import Float

from unabases.training import bucket, pad_rows

ROWS = 8192  # of a block


def apply_rows(phi: Any, Z: Float[np.ndarray, "n d"]) -> Float[np.ndarray, "n k"]:
    """Features of all rows, in the precision of `Z`."""
    return np.concatenate([apply_block(phi, Z[i : i + ROWS], len(Z)) for i in range(0, len(Z), ROWS)])


def apply_block(phi: Any, Z: Float[np.ndarray, "b d"], n: int) -> Float[np.ndarray, "b k"]:
    """Features of one block of `n` rows in all."""
    size = bucket(len(Z)) if n <= ROWS else ROWS
    return np.asarray(_apply(phi, pad_rows(Z, size)))[: len(Z)]


@eqx.filter_jit
def _apply(phi: Any, X: Any) -> Any:
    return jax.vmap(phi)(X)
