"""Cut the tails off real data: hold out both ends of one input and see whether a model knows that it goes too far."""

from typing import NamedTuple

import numpy as np
import pandas as pd
from jaxtyping import Int
from numpy.typing import ArrayLike

from unabases.datasets.gaps import GapSplit, checked_column, divisions

__all__ = ["Tail", "make_tail", "tail_splits"]


class Tail(NamedTuple):
    """Rows in the tails and between them, each in ascending order."""

    tail: Int[np.ndarray, " outer"]
    not_tail: Int[np.ndarray, " inner"]
    borders: tuple[float, float]
    """The column's lowest and highest kept values."""
    n_ties: int
    """Number of held-out rows with a value that also occurs in the kept rows."""


def make_tail(
    X: ArrayLike | pd.DataFrame, y: ArrayLike, column: int | str, fraction: float = 1 / 3, clean: bool = False
) -> Tail:
    """Hold out the rows at both ends of one column, so that a model has to go beyond its data.

    The rows are sorted by the column, and equally many are held out at the lower end and at the upper: by default the
    outer sixths. If values repeat, a border can fall among equal ones; `Tail.n_ties` counts the held-out rows that then
    have a kept row with the same value.

    Parameters
    ----------
    X : array or DataFrame of shape (n, d)
        Inputs.
    y : array of shape (n,)
        Targets; only their number is checked.
    column : int or str
        Position of the column or, if X is a DataFrame, its name.
    fraction : float
        Share of the rows to hold out, half of it at each end, to the nearest number of rows.
    clean : bool
        Whether to put all rows that share a border's value on one side of it, so that no held-out value occurs in the
        kept rows: where most of them are, and with the kept rows if it is half and half or nothing else would be kept.
        Then the tails have only about the sizes that `fraction` asks for, and one of them may be empty: that of a
        column whose lowest value is also very common, for instance.

    Returns
    -------
    Tail
        The rows in the tails and between them, and the borders.

    See Also
    --------
    make_gap : hold out the middle instead.

    Examples
    --------
    >>> rooms = np.array([[6.0], [2.0], [4.0], [1.0], [5.0], [3.0]])
    >>> make_tail(rooms, np.zeros(6), column=0)
    Tail(tail=array([0, 3]), not_tail=array([1, 2, 4, 5]), borders=(2.0, 5.0), n_ties=0)
    """
    x = checked_column(X, y, column, fraction)
    n = len(x)
    side = round(n * fraction / 2)
    if side == 0 or 2 * side >= n:
        raise ValueError(
            f"{n} rows are too few for tails of {fraction:.3g} of them: {side} rows would be held out at each end and "
            f"{n - 2 * side} kept."
        )
    order = np.argsort(x, kind="stable")
    outside = np.ones(n, dtype=bool)
    outside[order[side : n - side]] = False
    if clean:
        for value in np.unique(x[order[[side, n - side - 1]]]):  # the borders
            tied = x == value
            outside[tied] = 2 * np.sum(tied & outside) > np.sum(tied) and np.any(~outside & ~tied)
        if not outside.any():
            raise ValueError(
                f"column {column!r} has no clean tails of {fraction:.3g} of the rows: its {len(np.unique(x))} values "
                "repeat too often. Choose another column or fraction."
            )
    tail, not_tail = np.flatnonzero(outside), np.flatnonzero(~outside)
    kept = x[not_tail]
    n_ties = int(np.isin(x[tail], kept).sum())
    return Tail(tail, not_tail, (float(kept.min()), float(kept.max())), n_ties)


def tail_splits(
    X: ArrayLike | pd.DataFrame,
    y: ArrayLike,
    column: int | str,
    k: int = 10,
    fraction: float = 1 / 3,
    clean: bool = False,
) -> list[GapSplit]:
    """Cut the tails off any table and divide the rest 80/10/10 at random, k times.

    Parameters
    ----------
    X : array or DataFrame of shape (n, d)
        Inputs; columns without names are called x0, x1 and so on.
    y : array of shape (n,)
        Targets.
    column : int or str
        The column whose ends are held out, by position or name.
    k : int
        Number of divisions; the i-th has the seed i.
    fraction : float
        Share of the rows to hold out, half of it at each end.
    clean : bool
        Whether to put all rows that share a border's value on one side of it, see `make_tail`.

    Returns
    -------
    list of GapSplit
        The divisions, all with the same tails, which are in `X_gap` and `y_gap`.

    Examples
    --------
    >>> rows = np.linspace(0, 1, 90)
    >>> first = tail_splits(rows[:, None], rows**2, column=0)[0]
    >>> len(first.X_train), len(first.X_gap), bool(first.X_gap.min() < first.X_train.min())
    (48, 30, True)
    """
    tail = make_tail(X, y, column, fraction, clean)
    return divisions(X, y, tail.tail, tail.not_tail, k)
