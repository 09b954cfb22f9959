"""Weights of rows: how often each row counts."""

import warnings
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from jaxtyping import Float, Shaped
from sklearn.utils import _safe_indexing as take_rows
from sklearn.utils.validation import _num_samples as count_rows

from unabases.datasets.encoder import Encoded

__all__ = [
    "WeightedRows",
    "as_keyword",
    "check_weights",
    "counts_of",
    "part_of",
    "present_rows",
    "relative_noise",
    "weighted_mean",
]

_EXTREMES = (1e-15, 1e15)  # of weights: beyond, sums of float64 numbers lose what other rows say


class WeightedRows(NamedTuple):
    """Rows that count, their targets, and how often each counts; None if each counts once."""

    X: Any
    y: Any
    weight: Float[np.ndarray, " n"] | None = None

    def take(self, rows: Any) -> "WeightedRows":
        """Some of the rows, which are arrays."""
        return WeightedRows(self.X[rows], self.y[rows], part_of(self.weight, rows))


def check_weights(sample_weight: Any, n: int) -> Float[np.ndarray, " n"] | None:
    """Weights of n rows as float64 numbers, or an error that says what is wrong; None if each row counts once.

    A row of weight 2 counts as if it came twice, and a row of weight 0 as if it were not there.

    Parameters
    ----------
    sample_weight : array of shape (n,) or None
        Finite numbers that are zero or more, and not all zero.
    n : int
        How many rows there are.

    Examples
    --------
    >>> check_weights([0, 2, 0.5], 3)
    array([0. , 2. , 0.5])
    >>> check_weights([1, 1, 1], 3) is None
    True
    """
    if sample_weight is None:
        return None
    if np.ma.is_masked(sample_weight):
        raise ValueError("`sample_weight` has values that are masked; use 0 to leave a row out.")
    try:
        weight = np.asarray(sample_weight)
        if weight.dtype.kind in "cmM":  # complex, or dates and lengths of time
            raise TypeError
        weight = weight.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(
            "`sample_weight` must hold a number for each row, but some of its values are not numbers."
        ) from None
    if weight.shape != (n,):
        raise ValueError(
            f"`sample_weight` must have shape ({n},), one number for each row, but has shape {weight.shape}. Give a "
            "list, a Series or a vector."
        )
    bad, negative = int(np.sum(~np.isfinite(weight))), int(np.sum(weight < 0))
    if bad:
        raise ValueError(f"`sample_weight` has {bad} of {n} values that are NaN or infinite; use 0 to leave a row out.")
    if negative:
        raise ValueError(
            f"`sample_weight` has {negative} of {n} values below 0, the smallest {weight.min():g}. A weight says how "
            "often a row counts; use 0 to leave a row out, and `forget` to take one back."
        )
    if np.any((weight > 0) & (weight < _EXTREMES[0])) or weight.max(initial=0.0) > _EXTREMES[1]:
        raise ValueError(
            f"`sample_weight` has values from {weight[weight > 0].min():.3g} to {weight.max():.3g}; those between "
            f"{_EXTREMES[0]:g} and {_EXTREMES[1]:g}, and 0, are accepted. A weight says how often a row counts: divide "
            "them by their mean."
        )
    if not np.any(weight):
        raise ValueError("`sample_weight` is zero for all rows, so there is nothing to learn from.")
    return None if np.all(weight == 1) else weight


def present_rows(X: Any, y: Any, sample_weight: Any) -> WeightedRows:
    """Leave rows of weight 0 out: nothing of them, not even their scale or their categories, is learned.

    Parameters
    ----------
    X, y
        Rows and targets: arrays, lists or tables.
    sample_weight : array of shape (n,) or None
        How often each row counts.

    Examples
    --------
    >>> present_rows(np.array([[1.0], [2.0], [3.0]]), [4.0, 5.0, 6.0], [2, 0, 1]).X.ravel()
    array([1., 3.])
    """
    _warn_of_order(X, y)
    if sample_weight is None:
        return WeightedRows(X, y)
    weight = check_weights(sample_weight, len(X.X) if isinstance(X, Encoded) else count_rows(X))
    if weight is None or np.all(weight > 0):
        return WeightedRows(X, y, weight)
    there = np.flatnonzero(weight)
    if y is not None and count_rows(y) != len(weight):
        raise ValueError(f"`y` has {count_rows(y)} values, but there are {len(weight)} rows and weights.")
    X = X.take(there) if isinstance(X, Encoded) else take_rows(X, there)
    y = None if y is None else take_rows(y, there)
    return WeightedRows(X, y, None if np.all(weight[there] == 1) else weight[there])


def _warn_of_order(X: Any, y: Any) -> None:
    """Warn if rows and targets have the same labels in another order: they are matched by their place."""
    if not isinstance(X, pd.DataFrame) or not isinstance(y, pd.Series | pd.DataFrame) or len(X) != len(y):
        return
    if X.index.equals(y.index) or not (X.index.is_unique and y.index.is_unique and y.index.isin(X.index).all()):
        return
    warnings.warn(
        "`X` and `y` have the same row labels in another order, but rows are matched by their place, as everywhere in "
        "scikit-learn. If the labels say which belong together, pass `y.loc[X.index]`.",
        stacklevel=2,
    )


def weighted_mean(values: Shaped[np.ndarray, "n *more"], weight: Float[np.ndarray, " n"] | None) -> Any:
    """Mean over rows, each counted as often as its weight says.

    Examples
    --------
    >>> float(weighted_mean(np.array([1.0, 4.0]), np.array([2.0, 1.0])))
    2.0
    """
    return np.mean(values, axis=0) if weight is None else np.average(values, axis=0, weights=weight)


def relative_noise(weight: Float[np.ndarray, " n"] | None) -> Any:
    """Noise variance of each row, relative to that of a row of weight 1: the mean of w rows has 1/w of it.

    Examples
    --------
    >>> relative_noise(np.array([1.0, 4.0])).tolist(), relative_noise(None)
    ([1.0, 0.25], 1.0)
    """
    return 1.0 if weight is None else 1 / weight


def part_of(weight: Float[np.ndarray, "*more n"] | None, rows: Any) -> Any:
    """Weights of some of the rows; None if each row counts once.

    Examples
    --------
    >>> part_of(np.array([2.0, 1.0, 3.0]), [0, 2]), part_of(None, [0, 2])
    (array([2., 3.]), None)
    """
    return None if weight is None else weight[..., rows]


def counts_of(weight: Float[np.ndarray, " n"] | None, n: int) -> Float[np.ndarray, " n"]:
    """How often each of n rows counts, in numbers also where each counts once.

    Examples
    --------
    >>> counts_of(None, 3)
    array([1., 1., 1.])
    """
    return np.ones(n) if weight is None else weight


def as_keyword(weight: Any, place: str = "") -> dict[str, Any]:
    """Weights for another model's `fit`; nothing if each row counts once, since not every model takes them.

    Parameters
    ----------
    weight : array of shape (n,) or None
        How often each row counts.
    place : str
        The step of a pipeline that is to have them, such as `una__`.

    Examples
    --------
    >>> as_keyword([2.0, 1.0], "una__"), as_keyword(None)
    ({'una__sample_weight': [2.0, 1.0]}, {})
    """
    return {} if weight is None else {f"{place}sample_weight": weight}
