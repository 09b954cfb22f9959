"""Cut gaps into real data: hold out the middle of one input and see whether a model notices.

Foong, Li, Hernández-Lobato and Turner (2019), 'In-Between' Uncertainty in Bayesian Neural Networks.
"""

import os
from typing import NamedTuple

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float, Int
from numpy.typing import ArrayLike

from unabases.datasets.uci import load_uci

__all__ = ["GAP_SETS", "Gap", "GapSplit", "Split", "gap_splits", "load_gap", "make_gap", "split"]

GAP_SETS: dict[str, tuple[str, str]] = {
    "yacht-froude": ("yacht", "froude_number"),
    "concrete-cement": ("concrete", "cement"),
    "concrete-super": ("concrete", "superplasticizer"),
    "boston-rm": ("boston", "RM"),
    "boston-lstat": ("boston", "LSTAT"),
    "boston-ptratio": ("boston", "PTRATIO"),
}
"""The UCI gap sets by name: the table and the column with the gap."""


class Gap(NamedTuple):
    """Rows inside and outside a gap, each in ascending order."""

    gap: Int[np.ndarray, " inside"]
    not_gap: Int[np.ndarray, " outside"]
    borders: tuple[float, float]
    """The column's last kept value below the gap and its first kept value above."""
    n_ties: int
    """Number of held-out rows with a value that also occurs in the kept rows."""


class Split(NamedTuple):
    """Numbers of training, validation and test rows, each in ascending order."""

    train: Int[np.ndarray, " train"]
    validation: Int[np.ndarray, " validation"]
    test: Int[np.ndarray, " test"]


class GapSplit(NamedTuple):
    """One split of a table with a gap, or without its tails; X_gap and y_gap are the rows held out there."""

    X_train: Float[np.ndarray, "train d"]
    y_train: Float[np.ndarray, " train"]
    X_val: Float[np.ndarray, "validation d"]
    y_val: Float[np.ndarray, " validation"]
    X_test: Float[np.ndarray, "test d"]
    y_test: Float[np.ndarray, " test"]
    X_gap: Float[np.ndarray, "inside d"]
    y_gap: Float[np.ndarray, " inside"]
    columns: tuple[str, ...]


def make_gap(
    X: ArrayLike | pd.DataFrame, y: ArrayLike, column: int | str, fraction: float = 1 / 3, clean: bool = False
) -> Gap:
    """Hold out the rows in the middle of one column.

    The rows are sorted by the column, and equally many are kept below the gap and above. If values repeat, a border
    can fall among equal ones; `Gap.n_ties` counts the held-out rows that then have a kept row with the same value.

    Parameters
    ----------
    X : array or DataFrame of shape (n, d)
        Inputs.
    y : array of shape (n,)
        Targets; only their number is checked.
    column : int or str
        Position of the column or, if X is a DataFrame, its name.
    fraction : float
        Share of the rows to hold out, to the nearest number that leaves both sides equal.
    clean : bool
        Whether to put all rows that share a border's value on one side of it, so that no held-out value occurs in the
        kept rows: where most of them are, and with the kept rows if it is half and half or nothing else would be kept
        on that side. Then the gap and the sides have only about the sizes that `fraction` asks for.

    Returns
    -------
    Gap
        The rows inside and outside, and the borders.

    Examples
    --------
    >>> rooms = np.array([[6.0], [2.0], [4.0], [1.0], [5.0], [3.0]])
    >>> make_gap(rooms, np.zeros(6), column=0)
    Gap(gap=array([2, 5]), not_gap=array([0, 1, 3, 4]), borders=(2.0, 5.0), n_ties=0)
    """
    x = checked_column(X, y, column, fraction)
    n = len(x)
    side = round(n * (1 - fraction) / 2)
    if side == 0 or 2 * side >= n:
        raise ValueError(
            f"{n} rows are too few for a gap of {fraction:.3g} of them: {n - 2 * side} rows would be held out and "
            f"{side} kept on each side."
        )
    order = np.argsort(x, kind="stable")
    inside = np.zeros(n, dtype=bool)
    inside[order[side : n - side]] = True
    borders = float(x[order[side - 1]]), float(x[order[n - side]])
    if clean:
        inside = _without_ties(x, inside, borders)
        if not inside.any():
            raise ValueError(
                f"column {column!r} has no clean gap of {fraction:.3g} of the rows: none of its {len(np.unique(x))} "
                f"values lies between {borders[0]:g} and {borders[1]:g}. Choose another column or fraction."
            )
        borders = float(x[x < x[inside].min()].max()), float(x[x > x[inside].max()].min())
    gap, not_gap = np.flatnonzero(inside), np.flatnonzero(~inside)
    return Gap(gap, not_gap, borders, n_ties=int(np.isin(x[gap], x[not_gap]).sum()))


def _without_ties(
    x: Float[np.ndarray, " n"], inside: Bool[np.ndarray, " n"], borders: tuple[float, float]
) -> Bool[np.ndarray, " n"]:
    """Move all rows with a border's value to one side of it."""
    inside = inside.copy()
    low, high = borders
    for value, others in ((low, x < low), (high, x > high)):
        tied = x == value
        mostly_inside = 2 * np.sum(tied & inside) > np.sum(tied)
        inside[tied] = mostly_inside and others.any() and low < high
    return inside


def split(
    indices: ArrayLike,
    random_state: int | np.random.Generator | None,
    parts: tuple[float, float, float] = (0.8, 0.1, 0.1),
) -> Split:
    """Divide rows at random into training, validation and test rows.

    The order comes from the raw bits of the generator, which are the same in all versions of NumPy, so an integer
    `random_state` always gives the same rows.

    Parameters
    ----------
    indices : array of int
        Numbers of the rows.
    random_state : int or Generator, optional
        Seed for the order.
    parts : tuple of three floats
        Shares of the parts, which sum to 1; a part may be 0.

    Returns
    -------
    Split
        The numbers of the rows of each part.
    """
    indices = np.asarray(indices)
    if indices.ndim != 1 or not np.issubdtype(indices.dtype, np.integer):
        raise ValueError(
            f"`indices` must be a vector of integers, got {indices.dtype} of shape {indices.shape}; "
            "for a boolean mask use `np.flatnonzero`."
        )
    if len(parts) != 3 or min(parts) < 0 or not np.isclose(sum(parts), 1):
        raise ValueError(f"`parts` must be three shares that sum to 1, got {parts}.")
    n = len(indices)
    n_validation, n_test = (round(n * part) for part in parts[1:])
    sizes = (n - n_validation - n_test, n_validation, n_test)
    if any(part > 0 and size <= 0 for part, size in zip(parts, sizes, strict=True)):
        raise ValueError(f"{n} rows are too few for parts of {parts}: they would hold {sizes} rows.")
    raw = np.asarray(np.random.default_rng(random_state).bit_generator.random_raw(n))
    shuffled = indices[np.argsort(raw, kind="stable")]
    train, validation, test = np.split(shuffled, np.cumsum(sizes)[:-1])
    return Split(np.sort(train), np.sort(validation), np.sort(test))


_split = split  # `load_gap` has an argument of that name


def gap_splits(
    X: ArrayLike | pd.DataFrame,
    y: ArrayLike,
    column: int | str,
    k: int = 10,
    fraction: float = 1 / 3,
    clean: bool = False,
) -> list[GapSplit]:
    """Cut a gap into any table and divide the rest 80/10/10 at random, k times.

    Parameters
    ----------
    X : array or DataFrame of shape (n, d)
        Inputs; columns without names are called x0, x1 and so on.
    y : array of shape (n,)
        Targets.
    column : int or str
        The column with the gap, by position or name.
    k : int
        Number of divisions; the i-th has the seed i.
    fraction : float
        Share of the rows to hold out.
    clean : bool
        Whether to put all rows that share a border's value on one side of it, see `make_gap`.

    Returns
    -------
    list of GapSplit
        The divisions, all with the same gap.
    """
    gap = make_gap(X, y, column, fraction, clean)
    return divisions(X, y, gap.gap, gap.not_gap, k)


def divisions(
    X: ArrayLike | pd.DataFrame, y: ArrayLike, held_out: Int[np.ndarray, " out"], kept: Int[np.ndarray, " in"], k: int
) -> list[GapSplit]:
    """Divide the kept rows 80/10/10 at random, k times."""
    names = X.columns if isinstance(X, pd.DataFrame) else [f"x{i}" for i in range(np.shape(X)[1])]
    X, y, columns = np.asarray(X, dtype=np.float64), np.asarray(y, dtype=np.float64), tuple(map(str, names))
    return [_divide(X, y, held_out, kept, seed, columns) for seed in range(k)]


def load_gap(
    name: str,
    split: int = 0,
    directory: str | os.PathLike[str] | None = None,
    *,
    clean: bool = False,
    download: bool = True,
) -> GapSplit:
    """Load one split of a set of `GAP_SETS`: the middle third held out, the rest divided 80/10/10.

    Parameters
    ----------
    name : str
        A key of `GAP_SETS`.
    split : int
        Number of the split, from 0; it is the seed of the division.
    directory : path-like, optional
        The data directory; see `data_dir` for the default.
    clean : bool
        Whether to put all rows that share a border's value on one side of it, see `make_gap`.
    download : bool
        Whether to download the table if it is missing.

    Returns
    -------
    GapSplit
        Training, validation and test rows, and those inside the gap.
    """
    if name not in GAP_SETS:
        raise ValueError(f"unknown gap set {name!r}; choose one of {', '.join(GAP_SETS)}.")
    if split < 0:
        raise ValueError(f"`split` must be 0 or more, got {split}.")
    table, column = GAP_SETS[name]
    data = load_uci(table, directory, download=download)
    gap = make_gap(data.X, data.y, data.columns.index(column), clean=clean)
    return _divide(data.X, data.y, gap.gap, gap.not_gap, split, data.columns)


def _divide(
    X: np.ndarray, y: np.ndarray, held_out: np.ndarray, kept: np.ndarray, seed: int, columns: tuple[str, ...]
) -> GapSplit:
    train, validation, test = _split(kept, random_state=seed)
    parts = [part[rows] for rows in (train, validation, test, held_out) for part in (X, y)]
    return GapSplit(*parts, columns=columns)


def checked_column(
    X: ArrayLike | pd.DataFrame, y: ArrayLike, column: int | str, fraction: float
) -> Float[np.ndarray, " n"]:
    """Values of the column by which rows are held out; refuses what cannot be sorted or shared out."""
    x = _column(X, column)
    if len(np.asarray(y)) != len(x):
        raise ValueError(f"`X` has {len(x)} rows but `y` has {len(np.asarray(y))}.")
    if np.isnan(x).any():
        raise ValueError(f"column {column!r} has missing values; drop or fill those rows first.")
    if not 0 < fraction < 1:
        raise ValueError(f"`fraction` must lie strictly between 0 and 1, got {fraction}.")
    return x


def _column(X: ArrayLike | pd.DataFrame, column: int | str) -> Float[np.ndarray, " n"]:
    if isinstance(column, str):
        if not isinstance(X, pd.DataFrame):
            raise TypeError(f"`column` {column!r} is a name, so `X` must be a DataFrame; got {type(X).__name__}.")
        if column not in X.columns:
            raise ValueError(f"`X` has no column {column!r}; its columns are {', '.join(map(str, X.columns))}.")
        return X[column].to_numpy(dtype=np.float64)
    X = np.asarray(X)
    if X.ndim != 2:
        raise ValueError(f"`X` must have shape (n, d), got {X.shape}.")
    if not 0 <= column < X.shape[1]:
        raise ValueError(f"`column` must be 0 to {X.shape[1] - 1}, got {column}.")
    return X[:, column].astype(np.float64)
