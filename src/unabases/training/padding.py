"""Rows padded to a few sizes, so that data sets of similar size share a compilation."""

from typing import Any

import numpy as np
from jaxtyping import Float

from unabases.objectives.base import Batch


def bucket(n: int) -> int:
    """Smallest size in the series 16, 32, … with eight sizes an octave that holds `n` rows.

    Padding costs at most an eighth above 128 rows.

    Examples
    --------
    >>> bucket(100), bucket(270), bucket(1000)
    (112, 288, 1024)
    """
    step = max(16, 2 ** (max(int(n), 1).bit_length() - 4))
    return -(-max(int(n), 1) // step) * step


def pad_rows(array: np.ndarray, size: int) -> np.ndarray:
    """Copies of the last row below a matrix up to `size` rows: like real rows, so that nothing is undefined there.

    Of an array with more axes the last two are the matrix.
    """
    missing = size - array.shape[-2]
    return np.pad(array, [(0, 0)] * (array.ndim - 2) + [(0, missing), (0, 0)], mode="edge")


def make_batch(X: Float[np.ndarray, "n d"], y: Float[np.ndarray, "*models n p"], dtype: str = "float32") -> Batch:
    """All rows as one padded batch in the precision that training uses."""
    n, size = len(X), bucket(len(X))
    arrays: dict[str, Any] = {
        "X": pad_rows(X.astype(dtype), size),
        "y": pad_rows(y.astype(dtype), size),
        "weight": (np.arange(size) < n).astype(dtype),
        "total": np.asarray(n, dtype),
    }
    return Batch(**arrays)
