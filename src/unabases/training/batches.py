"""Rows for training: padded to a few sizes, so that data sets of similar size share a compilation, and shuffled."""

from typing import Any

import numpy as np
from jaxtyping import Float

from unabases.objectives.base import Batch


def bucket(n: int) -> int:
    """Round a number of rows up to one of few sizes: 16, 32, … with eight sizes an octave.

    Parameters
    ----------
    n : int
        How many rows there are.

    Returns
    -------
    int
        The smallest size that holds them. Above 128 rows it is at most an eighth larger than `n`.

    Examples
    --------
    >>> bucket(100), bucket(270), bucket(1000)
    (112, 288, 1024)
    """
    step = max(16, 2 ** (max(int(n), 1).bit_length() - 4))
    return -(-max(int(n), 1) // step) * step


def pad_rows(array: np.ndarray, size: int) -> np.ndarray:
    """Make a matrix `size` rows long by repeating its last row.

    Padding that looks like a real row cannot make a feature map undefined, as zeros might.

    Parameters
    ----------
    array : array of shape (..., n, c)
        The last two axes are the matrix.
    size : int
        Rows wanted, at least n.

    Examples
    --------
    >>> pad_rows(np.array([[1.0], [2.0]]), 4).ravel()
    array([1., 2., 2., 2.])
    """
    missing = size - array.shape[-2]
    if missing == 0:
        return array
    return np.pad(array, [(0, 0)] * (array.ndim - 2) + [(0, missing), (0, 0)], mode="edge")


def make_batch(
    X: Float[np.ndarray, "n d"],
    y: Float[np.ndarray, "*models n p"],
    dtype: str = "float32",
    weight: Float[np.ndarray, "... n"] | None = None,
) -> Batch:
    """Put all rows into one padded batch, in the precision that training uses.

    Parameters
    ----------
    X : array of shape (n, d)
        Inputs.
    y : array of shape (n, p) or (B, n, p)
        Targets; with a leading axis, those of B models.
    dtype : {"float32", "float64"}
        The precision.
    weight : array of shape (n,) or (B, n), optional
        How often each row counts; with a leading axis, in each of B models.

    Returns
    -------
    Batch
        `bucket(n)` rows, of which the padding has weight 0.

    Examples
    --------
    >>> batch = make_batch(np.zeros((20, 3)), np.zeros((20, 1)))
    >>> batch.X.shape, float(batch.weight.sum())
    ((32, 3), 20.0)
    """
    n, size = len(X), bucket(len(X))
    arrays: dict[str, Any] = {
        "X": pad_rows(X.astype(dtype), size),
        "y": pad_rows(y.astype(dtype), size),
        "weight": (np.arange(size) < n).astype(dtype),
        "total": np.asarray(n, dtype),
    }
    if weight is not None:
        padded = np.pad(weight, [(0, 0)] * (weight.ndim - 1) + [(0, size - n)]).astype(dtype)
        arrays |= {"weight": padded, "total": np.asarray(padded.sum(axis=-1))}
    return Batch(**arrays)


class Shuffle:
    """Rows in a new random order each epoch, dealt out in mini batches; the tail of an epoch joins the next."""

    def __init__(self, rows: np.ndarray, rng: np.random.Generator):
        self._rows, self._rng, self._left = rows, rng, np.empty(0, rows.dtype)

    def take(self, batches: int, size: int) -> np.ndarray:
        """The next `batches` mini batches of `size` rows, as indices of shape (batches, size)."""
        wanted = batches * size
        pieces = [self._left]
        while sum(map(len, pieces)) < wanted:
            pieces.append(self._rng.permutation(self._rows))
        dealt = np.concatenate(pieces)
        self._left = dealt[wanted:]
        return dealt[:wanted].reshape(batches, size).astype(np.int32)
