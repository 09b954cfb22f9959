"""A random sample of rows that come in chunks, drawn in one pass: the rows whose numbers have the smallest hashes.

Which rows these are depends on their numbers and the seed alone: neither on the chunks nor on who read them, so samples
of parts of a table can be merged, and a later pass knows without a list which rows are in.
"""

from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from jaxtyping import Int, UInt64

from unabases.datasets.column_values import kind_of

__all__ = ["RowSample", "SampledRows", "hash_rows"]

_SPARE = 10  # standard deviations of how many rows pass beyond those wanted: too few never do
_MOST_LEVELS = 1000  # of a column of text that are looked for


def hash_rows(first: int, n: int, seed: int = 0) -> UInt64[np.ndarray, " n"]:
    """Hash the numbers of n rows, counted from `first`, into numbers that look random (SplitMix64).

    Examples
    --------
    >>> hashes = hash_rows(0, 10_000)
    >>> bool(abs(hashes.mean() / 2**64 - 0.5) < 0.01), bool((hashes[7:9] == hash_rows(7, 2)).all())
    (True, True)
    """
    x = np.arange(first, first + n, dtype=np.uint64)
    with np.errstate(over="ignore"):
        x = (x + np.uint64(seed % 2**32 + 1) * np.uint64(0xD1B54A32D192ED03)) * np.uint64(0x9E3779B97F4A7C15)
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


class SampledRows(NamedTuple):
    """A sample, in the order of the rows."""

    X: Any
    """Rows of a table or an array, as they came."""
    y: np.ndarray | None
    numbers: Int[np.ndarray, " m"]
    """Which rows they are, counted from 0."""
    hashes: UInt64[np.ndarray, " m"]
    seen: int
    """How many rows there were."""
    weight: np.ndarray | None = None
    """How often each of them counts; None for once."""


class RowSample:
    """Draws a random sample while chunks of rows pass by, and keeps a row of everything that occurs.

    A row that is the first to lack a value of its column, or to have a level of a category, is kept beside the
    sample. So whoever learns the columns from the sample knows all that there is, however rare.

    Parameters
    ----------
    size : int
        Rows to keep. All are kept if there are no more.
    seed : int
        Which sample to draw.
    of : int, optional
        How many rows there are in all, if that is known. Then parts of the table pass on hardly more rows than will be
        in the sample of the whole.

    Examples
    --------
    >>> sample = RowSample(size=100)
    >>> for i in range(5):
    ...     sample.add(np.full((1000, 2), i), np.arange(1000.0))
    >>> found = sample.result()
    >>> found.X.shape, found.seen
    ((100, 2), 5000)
    """

    def __init__(self, size: int, seed: int = 0, of: int | None = None):
        self.size, self.seed, self.seen = size, seed, 0
        self._parts: list[SampledRows] = []
        self._waiting = 0  # rows in parts that were added since the last look
        share = 1.0 if not of else min(1.0, (size + _SPARE * size**0.5) / of)
        self._below = np.uint64(min(int(share * 2**64), 2**64 - 1))  # no row with a larger hash is in the sample
        self._rare: list[SampledRows] = []
        self._met: dict[Any, set[Any]] = {}

    def add(self, X: Any, y: Any = None, first: int | None = None, weight: Any = None) -> None:
        """See the next rows; `first` is the number of the first of them if they do not follow the last ones."""
        n, first = len(X), self.seen if first is None else first
        hashes = hash_rows(first, n, self.seed)
        self.seen += n
        rows = np.flatnonzero(hashes <= self._below)
        targets, weights = (None if part is None else np.asarray(part) for part in (y, weight))
        whole = SampledRows(X, targets, np.arange(first, first + n), hashes, n, weights)
        self._parts.append(_take(whole, rows))
        if len(rare := self._first_of_their_kind(X)):
            self._rare.append(_take(whole, rare))
        self._waiting += len(rows)
        if self._waiting > self.size:
            self._settle()

    def merge(self, other: "RowSample") -> "RowSample":
        """Add what another sample of the same size and seed has seen of the same table."""
        self._parts = self._parts + other._parts
        self._rare = self._rare + other._rare
        self.seen += other.seen
        self._settle()
        return self

    def settled(self) -> "RowSample":
        """The same without rows that are no longer needed, to be sent elsewhere."""
        self._settle()
        return self

    def result(self) -> SampledRows:
        """The sample so far."""
        self._settle()
        if not self._parts:
            raise ValueError("there are no rows; a generator of chunks can be read only once.")
        known = set(self._parts[0].numbers.tolist())
        beside: list[SampledRows] = []
        for part in self._rare:
            fresh = [i for i, number in enumerate(part.numbers.tolist()) if number not in known]
            known.update(part.numbers[fresh].tolist())
            beside.append(_take(part, np.array(fresh, dtype=int)))
        return _joined([*self._parts, *beside])._replace(seen=self.seen)

    def _settle(self) -> None:
        """Keep the rows with the smallest hashes."""
        self._waiting = 0
        if not self._parts:
            return
        joined = _joined(self._parts)
        if len(joined.numbers) > self.size:
            rows = np.sort(np.argpartition(joined.hashes, self.size)[: self.size])
            joined = _take(joined, rows)
            self._below = joined.hashes.max()
        self._parts = [joined]

    def _first_of_their_kind(self, X: Any) -> np.ndarray:
        """Rows that are the first to lack a value, or to have a level."""
        if not isinstance(X, pd.DataFrame):
            array = np.asarray(X)
            if array.dtype.kind != "f" or not np.isnan(np.sum(array)):
                return np.zeros(0, dtype=int)
            X = pd.DataFrame(array)
        rows: list[int] = []
        for name, column in X.items():
            met = self._met.setdefault(name, set())
            if None not in met and (absent := column.isna().to_numpy()).any():
                met.add(None)
                rows.append(int(absent.argmax()))
            if kind_of(column) == "category" and len(met) < _MOST_LEVELS:
                levels = column.drop_duplicates().dropna()
                fresh = [place for place, level in enumerate(levels) if level not in met]
                met.update(levels.iloc[fresh])
                rows += np.flatnonzero(~column.duplicated() & column.notna())[fresh].tolist()
        return np.unique(np.array(rows, dtype=int))


def _take(rows: SampledRows, places: np.ndarray) -> SampledRows:
    X = rows.X.iloc[places] if isinstance(rows.X, pd.DataFrame) else np.asarray(rows.X)[places]
    y, weight = (None if part is None else part[places] for part in (rows.y, rows.weight))
    return SampledRows(X, y, rows.numbers[places], rows.hashes[places], rows.seen, weight)


def _joined(parts: list[SampledRows]) -> SampledRows:
    """All rows of some parts, in the order of their numbers."""
    if len(parts) == 1:
        return parts[0]
    X = [part.X for part in parts]
    frames = isinstance(X[0], pd.DataFrame)
    joined = SampledRows(
        pd.concat(X, ignore_index=True) if frames else np.concatenate(X),
        _all_or_none([part.y for part in parts]),
        np.concatenate([part.numbers for part in parts]),
        np.concatenate([part.hashes for part in parts]),
        0,
        _all_or_none([part.weight for part in parts]),
    )
    joined = _take(joined, np.argsort(joined.numbers, kind="stable"))
    return joined._replace(X=joined.X.reset_index(drop=True)) if frames else joined


def _all_or_none(parts: list[np.ndarray | None]) -> np.ndarray | None:
    """Parts together; None if all are."""
    present = [part for part in parts if part is not None]
    if 0 < len(present) < len(parts):
        raise ValueError("some chunks have weights and others have none; give all of them weights, 1 for once.")
    return np.concatenate(present) if present else None
