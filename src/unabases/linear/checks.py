"""What linear regression accepts: real, finite arrays whose shapes agree; they are used in float64."""

from typing import TypeAlias

import numpy as np
from jaxtyping import Float
from numpy.typing import ArrayLike

Scalar: TypeAlias = float | int | np.floating | np.integer


def positive(name: str, value: Scalar) -> float:
    """The variance called `name` as a float; it has to be finite and above zero."""
    value = float(value)
    if not (np.isfinite(value) and value > 0):
        raise ValueError(
            f"`{name}` is a variance and must be finite and above zero, but is {value}; "
            "pass a positive number, or choose it from the data with `maximise_evidence`."
        )
    return value


def real(name: str, values: ArrayLike) -> np.ndarray:
    """`values` as an array of real numbers, in the precision it came in."""
    array = np.asarray(values)
    if array.dtype.kind not in "fiub":
        raise ValueError(f"`{name}` must hold real numbers, but has dtype {array.dtype}; encode or convert it first.")
    return array


def finite(name: str, array: np.ndarray) -> None:
    """Refuse NaN and infinities, saying how many there are and where the first is."""
    with np.errstate(over="ignore", invalid="ignore"):
        if np.isfinite(np.sum(array)):  # then all of them are, and a sum is soon made
            return
    bad = ~np.isfinite(array)
    if bad.any():
        first = tuple(int(i) for i in np.argwhere(bad)[0])
        raise ValueError(
            f"`{name}` must be finite, but {int(bad.sum())} of its {array.size} values are NaN or infinite "
            f"(the first at index {first}); drop or impute those rows, or check the feature map."
        )


def matrix(name: str, values: ArrayLike) -> np.ndarray:
    """A matrix of features, shape (n, k) with k >= 1, in its own precision; its values are not checked."""
    Phi = real(name, values)
    if Phi.ndim != 2 or Phi.shape[1] == 0:
        raise ValueError(
            f"`{name}` must have shape (n, k) with one row per observation and at least one column, "
            f"but has shape {Phi.shape}; reshape a single row with `{name}[None, :]`."
        )
    return Phi


def features(Phi: ArrayLike, *, k: int | None = None, name: str = "Phi") -> Float[np.ndarray, "n k"]:
    """A finite float64 matrix of features, with `k` columns where a posterior already fixed their number."""
    array = matrix(name, Phi)
    if k is not None and array.shape[1] != k:
        raise ValueError(
            f"`{name}` has {array.shape[1]} columns but the posterior has {k} weights; "
            "use the feature map it was conditioned with, bias column included."
        )
    finite(name, array)
    return array.astype(np.float64, copy=False)


def observations(
    Phi: ArrayLike, y: ArrayLike, *, k: int | None = None
) -> tuple[Float[np.ndarray, "n k"], Float[np.ndarray, " n"]]:
    """Finite float64 rows (Phi, y) of one output."""
    Phi = features(Phi, k=k)
    y = real("y", y)
    if y.ndim != 1 or len(y) != len(Phi):
        raise ValueError(
            f"`y` must have shape ({len(Phi)},), one value per row of `Phi` {Phi.shape}, "
            f"but has shape {y.shape}; pass one output at a time, as `y[:, j]`."
        )
    finite("y", y)
    return Phi, y.astype(np.float64, copy=False)


def row_weights(weight: ArrayLike, n: int) -> Float[np.ndarray, " n"]:
    """How often each of `n` rows counts: finite float64 numbers that are zero or more."""
    array = real("weight", weight)
    if array.shape != (n,):
        raise ValueError(f"`weight` must have shape ({n},), one for each row, but has shape {array.shape}.")
    finite("weight", array)
    if np.any(array < 0):
        raise ValueError(f"`weight` must not be negative, but its smallest value is {array.min():g}.")
    return array.astype(np.float64, copy=False)


def output_index(output: int, p: int) -> int:
    """The index of one of `p` outputs, or an error that says how many there are."""
    if not 0 <= output < p:
        raise ValueError(f"`output` is {output} but the statistics hold {p} output(s), numbered from 0.")
    return output
