"""What predictions of every kind accept: arrays whose shapes agree, and numbers that make sense."""

import numpy as np
from jaxtyping import Float, Int

from unabases.predictive.base import Numbers

EXTREMES = (1e-150, 1e150)
"""Sizes of targets whose variances are numbers."""


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


def refuse_infinite(*moments: np.ndarray) -> None:
    """Refuse a prediction that no number can hold, or its variance, as for rows much farther away than any data."""
    with np.errstate(over="ignore"):  # the largest decides, and NaN is larger than all
        ends = [end for values in moments if values.size for end in (np.max(values), np.min(values))]
        finite = all(np.isfinite(np.square(10 * end)) for end in ends)
    if not finite:
        raise ValueError(
            "the prediction of some rows is too large for any number: they are too far from the rows of the fit. Are "
            "their units the same?"
        )


def checked_factor(name: str, factor: Numbers, shape: tuple[int, ...]) -> Float[np.ndarray, "*shape"]:
    """Square root of a factor on variances, for each element: what standard deviations are multiplied by."""
    factor = np.asarray(factor, dtype=np.float64)
    if factor.shape not in {(), shape[1:], shape}:
        raise ValueError(
            f"`{name}` must be a number, one for each output or one for each element of a prediction of shape {shape}; "
            f"got shape {factor.shape}."
        )
    if not np.all(np.isfinite(factor) & (factor >= 0)):
        raise ValueError(f"`{name}` is a factor on variances, so zero or positive; got {factor}.")
    return np.broadcast_to(np.sqrt(factor), shape)


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


def checked_probabilities(q: Numbers) -> Float[np.ndarray, "*more"]:
    """Probabilities from 0 to 1 as an array."""
    q = np.asarray(q, dtype=np.float64)
    if not np.all((q >= 0) & (q <= 1)):
        raise ValueError(f"`q` must lie between 0 and 1, got {q}.")
    return q


def generator_for(n: int, random_state: int | np.random.Generator | None) -> np.random.Generator:
    """The source of random numbers of n draws."""
    if n < 0:
        raise ValueError(f"`n` must not be negative, got {n}.")
    return np.random.default_rng(random_state)


def freeze(record: object, **arrays: np.ndarray | None) -> None:
    """Set the fields of a frozen dataclass, with its arrays read-only."""
    for name, value in arrays.items():
        if value is not None:
            value.setflags(write=False)
        object.__setattr__(record, name, value)


def row_index(rows: object, n: int) -> Int[np.ndarray, " r"]:
    """Indices of the rows that a slice, a mask, a list or one integer selects out of n."""
    if isinstance(rows, tuple):
        raise TypeError(f"a prediction is indexed by rows only, got {rows}; index its arrays instead.")
    index = np.atleast_1d(np.arange(n)[rows])  # pyright: ignore[reportArgumentType, reportCallIssue]
    if index.ndim != 1:
        raise TypeError(f"rows must be a slice, a mask or a list of indices, got shape {index.shape}.")
    return index
