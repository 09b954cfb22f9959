"""Sort rows into groups: by the values of a column, by ranges of a number, and by pairs of these."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from jaxtyping import Bool, Int

__all__ = ["Factor", "cross", "make_factor"]

ABSENT = "(missing)"


class Factor(NamedTuple):
    """A column, or a pair of columns, that sorts rows into groups."""

    columns: tuple[str, ...]
    codes: Int[np.ndarray, " rows"]
    """The group of each audited row and then, if `known`, of each reference row."""
    values: list[tuple[str, ...]]
    """For each group, the value of each column as text."""
    known: bool
    """Whether the reference rows have these columns."""
    parents: tuple[Any, ...] = ()
    """The two factors that a pair is made of."""

    def only(self, rows: Bool[np.ndarray, " rows"]) -> "Factor":
        """Keep some rows."""
        parents = tuple(parent.only(rows) for parent in self.parents)
        return self._replace(codes=self.codes[rows[: len(self.codes)]], parents=parents)


def make_factor(name: str, new: pd.Series, reference: pd.Series | None, bins: int, days: bool = False) -> Factor:
    """Sort rows by one column. Numbers with more than `bins` values become ranges with about equally many rows.

    Ranges are cut from audited and reference rows together, so they do not depend on which rows are which. If the
    numbers are `days` since 1970, they are written as dates.
    """
    show = _date if days else _number
    parts = [new] if reference is None else [new, reference]
    if new.dtype != np.float64:
        pooled = pd.concat(parts, ignore_index=True)
        codes, found = pd.factorize(pooled.where(pooled.notna(), ABSENT), sort=True)
        return Factor((name,), codes.astype(np.int64), [(str(value),) for value in found], reference is not None)
    numbers = np.concatenate([part.to_numpy(dtype=np.float64) for part in parts])
    present = ~np.isnan(numbers)
    distinct = np.unique(numbers[present])
    if len(distinct) <= bins:
        codes, texts = np.searchsorted(distinct, numbers), [show(value) for value in distinct]
    else:
        edges = np.unique(np.quantile(numbers[present], np.arange(1, bins) / bins, method="lower"))
        edges = edges[edges < distinct[-1]]
        codes = np.searchsorted(edges, numbers)  # a range includes its upper end
        texts = _ranges(edges, distinct, show)
    if not present.all():
        codes, texts = np.where(present, codes, len(texts)), [*texts, ABSENT]
    return Factor((name,), codes.astype(np.int64), [(text,) for text in texts], reference is not None)


def cross(a: Factor, b: Factor) -> Factor:
    """Sort rows by the pairs of values that occur; known where both factors are."""
    rows = min(len(a.codes), len(b.codes))  # only the audited rows, if one of the two is not known
    joint = a.codes[:rows] * len(b.values) + b.codes[:rows]
    found, codes = np.unique(joint, return_inverse=True)
    values = [a.values[code // len(b.values)] + b.values[code % len(b.values)] for code in found]
    return Factor(a.columns + b.columns, codes.astype(np.int64), values, a.known and b.known, (a, b))


def _ranges(edges: np.ndarray, distinct: np.ndarray, show: Callable[[Any], str]) -> list[str]:
    """Name ranges as in `12 to 30`, by values that occur."""
    inside = np.split(distinct, np.searchsorted(distinct, edges, side="right"))
    return [show(p[0]) if len(p) == 1 else f"{show(p[0])} to {show(p[-1])}" for p in inside]


def _date(value: Any) -> str:
    return str(np.datetime64(round(86_400 * value), "s")).replace("T", " ").removesuffix(" 00:00:00")


def _number(value: Any) -> str:
    return f"{float(value):.4g}" if abs(value) < 1e4 or not float(value).is_integer() else f"{int(value)}"
