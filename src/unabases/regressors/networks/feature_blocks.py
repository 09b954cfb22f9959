"""A feature map applied to any number of rows, in blocks of few sizes that are each compiled once."""

from typing import Any

import equinox as eqx
import jax
import numpy as np
from jaxtyping import Float

from unabases.training import pad_rows

ROWS = 8192  # of the largest block
_SIZES = (16, 128, 1024)  # of smaller ones: at most eight of them make the next


def apply_rows(phi: Any, Z: Float[np.ndarray, "n d"]) -> Float[np.ndarray, "n k"]:
    """Features of all rows, in the precision of `Z`."""
    return apply_block(phi, Z, len(Z))


def apply_block(phi: Any, Z: Float[np.ndarray, "b d"], n: int) -> Float[np.ndarray, "b k"]:
    """Features of some of `n` rows in all."""
    size = max((size for size in (*_SIZES, ROWS) if size <= n), default=min(_SIZES))
    blocks = [np.asarray(_apply(phi, pad_rows(Z[i : i + size], size))) for i in range(0, len(Z), size)]
    return (blocks[0] if len(blocks) == 1 else np.concatenate(blocks))[: len(Z)]


@eqx.filter_jit
def _apply(phi: Any, X: Any) -> Any:
    return jax.vmap(phi)(X)
