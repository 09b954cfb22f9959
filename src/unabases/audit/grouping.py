"""Rows sorted into groups: the values of columns, ranges of numbers, and pairs of them."""

from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from jaxtyping import Int

from unabases.datasets.table import is_categorical
from unabases.tables import as_labels, as_numbers

__all__ = ["Factor", "cross", "make_factor", "typed"]

ABSENT = "(missing)"


class Factor(NamedTuple):
    """One column, or a pair of them, as codes of groups."""

    columns: tuple[str, ...]
    codes: Int[np.ndarray, " rows"]  # of the audited rows and then, if `known`, of the reference rows
    values: list[tuple[str, ...]]  # of each code, one text for each column
    known: bool  # whether the reference rows have these columns


def typed(column: pd.Series) -> pd.Series:
    """A column as float64 or as text, by what is in it."""
    return as_labels(column) if is_categorical(column) else as_numbers(column, "the table")


def make_factor(name: str, new: pd.Series, reference: pd.Series | None, bins: int) -> Factor:
    """Groups of one column. Numbers of more than `bins` values become ranges that hold about equally many rows.

    Ranges are made of audited and reference rows together, so that they do not depend on which is which.
    """
    parts = [new] if reference is None else [new, reference]
    if new.dtype != np.float64:
        pooled = pd.concat(parts, ignore_index=True)
        codes, found = pd.factorize(pooled.where(pooled.notna(), ABSENT), sort=True)
        return Factor((name,), codes.astype(np.int64), [(str(value),) for value in found], reference is not None)
    numbers = np.concatenate([part.to_numpy(dtype=np.float64) for part in parts])
    present = ~np.isnan(numbers)
    distinct = np.unique(numbers[present])
    if len(distinct) <= bins:
        codes, texts = np.searchsorted(distinct, numbers), [_number(value) for value in distinct]
    else:
        edges = np.unique(np.quantile(numbers[present], np.arange(1, bins) / bins, method="lower"))
        edges = edges[edges < distinct[-1]]
        codes = np.searchsorted(edges, numbers)  # a range holds its upper end
        texts = _ranges(edges, distinct)
    if not present.all():
        codes, texts = np.where(present, codes, len(texts)), [*texts, ABSENT]
    return Factor((name,), codes.astype(np.int64), [(text,) for text in texts], reference is not None)


def cross(a: Factor, b: Factor) -> Factor:
    """Groups of the pairs of values that occur; known where both are."""
    known = a.known and b.known
    rows = min(len(a.codes), len(b.codes))  # the audited rows alone, if one of them has no more
    joint = a.codes[:rows] * len(b.values) + b.codes[:rows]
    found, codes = np.unique(joint, return_inverse=True)
    values = [a.values[code // len(b.values)] + b.values[code % len(b.values)] for code in found]
    return Factor(a.columns + b.columns, codes.astype(np.int64), values, known)


def _ranges(edges: np.ndarray, distinct: np.ndarray) -> list[str]:
    """Texts such as `12 to 30`, ends being values that occur."""
    inside = np.split(distinct, np.searchsorted(distinct, edges, side="right"))
    return [_number(p[0]) if len(p) == 1 else f"{_number(p[0])} to {_number(p[-1])}" for p in inside]


def _number(value: Any) -> str:
    return f"{float(value):.4g}" if abs(value) < 1e4 or not float(value).is_integer() else f"{int(value)}"
