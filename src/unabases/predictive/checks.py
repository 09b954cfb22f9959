"""What predictions of every kind ask of the arrays they are given."""

import numpy as np
from jaxtyping import Float, Int

from unabases.predictive.base import Numbers


def checked_noise(noise_std: Numbers, shape: tuple[int, ...]) -> Float[np.ndarray, "*shape"]:
    """A copy of the noise broadcast to the shape of the mean."""
    noise_std = np.array(noise_std, dtype=np.float64)
    try:
        noise_std = np.broadcast_to(noise_std, shape)
    except ValueError:
        raise ValueError(
            f"`noise_std` of shape {noise_std.shape} does not broadcast to the shape {shape} of "
            "`mean`; give a number, one per output, or one per element."
        ) from None
    checked_positive("noise_std", noise_std)
    return noise_std


def checked_positive(name: str, std: np.ndarray) -> None:
    """Refuse a negative standard deviation."""
    if np.any(std < 0):
        raise ValueError(f"`{name}` must not be negative, got {np.nanmin(std)}.")


def checked_targets(y: Numbers, shape: tuple[int, ...]) -> Float[np.ndarray, "*more"]:
    """Outcomes as an array that is a number or whose last axes have the prediction's shape.

    Not left to broadcasting: (n, 1) against (n,) would quietly become (n, n).
    """
    y = np.asarray(y, dtype=np.float64)
    if y.ndim and y.shape[-len(shape) :] != shape:
        raise ValueError(
            f"`y` has shape {y.shape} but the prediction has {shape}; "
            "give a number or an array whose last axes have that shape."
        )
    return y


def row_index(rows: object, n: int) -> Int[np.ndarray, " r"]:
    """Indices of the rows that a slice, a mask, a list or one integer selects out of n."""
    if isinstance(rows, tuple):
        raise TypeError(f"a prediction is indexed by rows only, got {rows}; index its arrays instead.")
    index = np.atleast_1d(np.arange(n)[rows])  # pyright: ignore[reportArgumentType, reportCallIssue]
    if index.ndim != 1:
        raise TypeError(f"rows must be a slice, a mask or a list of indices, got shape {index.shape}.")
    return index
