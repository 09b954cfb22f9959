"""Where statements about a function are to hold: the columns of a table, and the region around its rows."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float

BEYOND = 0.2  # share of a column's range, on either side, in which statements still hold
KEPT = 300  # rows that stand for all
_LEVELS = 40  # points of a line along a column
_LEVELS_ALONE = 400  # the same if there is no other column


class Columns(NamedTuple):
    """The user's columns, and which of the model's numbers each became."""

    names: tuple[str, ...] | None
    """None if the columns have no names."""
    places: tuple[tuple[int, ...], ...]
    """The numbers of each column: one, with a second that marks missing values, or one for each level."""
    categories: tuple[bool, ...]
    """Whether a column has levels instead of a scale."""

    def find(self, column: str | int) -> int:
        """The number of a column, by its name or counted from 0."""
        n = len(self.places)
        if isinstance(column, str):
            if self.names is None:
                raise ValueError(
                    f"a term names the column {column!r}, but X has no column names; give its number, or a table."
                )
            if column not in self.names:
                raise ValueError(f"a term names the column {column!r}; X has {', '.join(self.names)}.")
            return self.names.index(column)
        if not -n <= column < n:
            raise ValueError(f"a term names column {column}, but X has {n} columns, counted from 0.")
        return int(column) % n

    def of(self, column: str | int) -> tuple[int, ...]:
        """The places of a column among the model's numbers."""
        return self.places[self.find(column)]

    def number(self, column: str | int) -> int:
        """The place of a column of numbers among the model's numbers."""
        found = self.find(column)
        if self.categories[found]:
            raise ValueError(
                f"a term asks how the function changes along {column!r}, which has categories and no order; "
                "name a column of numbers."
            )
        return self.places[found][0]

    def shown_as(self, column: str | int) -> str:
        """What a column is called."""
        found = self.find(column)
        return str(found) if self.names is None else self.names[found]


class Space(NamedTuple):
    """The region in which statements hold: the range of the rows and a fifth beyond, in the user's units.

    Examples
    --------
    >>> columns = Columns(("dose", "age"), ((0,), (1,)), (False, False))
    >>> space = make_space(columns, np.array([[0.0, 20.0], [10.0, 70.0]]), np.ones(1))
    >>> space.low.tolist(), space.high.tolist()
    ([-2.0, 10.0], [12.0, 80.0])
    >>> lines = space.lines("dose", 120, np.random.default_rng(0))
    >>> lines.shape
    (3, 40, 2)
    """

    columns: Columns
    rows: Float[np.ndarray, "n d"]
    """A sample of the rows."""
    low: Float[np.ndarray, " d"]
    high: Float[np.ndarray, " d"]
    spread: Float[np.ndarray, " p"]
    """Standard deviation of each output, in the units of y."""
    numbers: Callable[[Any], np.ndarray] = np.asarray
    """What the model makes of a table with the user's columns."""

    def points(self, n: int, rng: np.random.Generator) -> Float[np.ndarray, "n d"]:
        """Random points: every second one anywhere in the region, the others rows. Categories stay those of rows."""
        points = self.rows[rng.integers(len(self.rows), size=n)]
        free = self._free()
        points[::2, free] = rng.uniform(self.low[free], self.high[free], (len(points[::2]), len(free)))
        return points

    def lines(self, column: str | int, n: int, rng: np.random.Generator) -> Float[np.ndarray, "lines levels d"]:
        """Lines along a column, of about n points together; each begins at a random point and has even steps."""
        place = self.columns.number(column)
        levels = _LEVELS_ALONE if len(self.columns.places) == 1 else _LEVELS
        count = max(1, n // levels)
        shares = (np.arange(levels) + rng.uniform(0, 1, (count, 1))) / levels  # lines see different places
        lines = np.repeat(self.points(count, rng)[:, None], levels, axis=1)
        lines[:, :, place] = self.low[place] + shares * (self.high[place] - self.low[place])
        lines[:, :, list(self.columns.of(column)[1:])] = 0.0  # the value is not missing
        return lines

    def width(self, column: str | int) -> float:
        """The length of a column's range, with what is beyond."""
        place = self.columns.number(column)
        return float(self.high[place] - self.low[place])

    def _free(self) -> list[int]:
        """The numbers that can take any value between two others."""
        pairs = zip(self.columns.places, self.columns.categories, strict=True)
        return [places[0] for places, category in pairs if not category]


def make_space(
    columns: Columns,
    rows: Float[np.ndarray, "n d"],
    spread: Float[np.ndarray, " p"],
) -> Space:
    """The region around some rows; a column with one value has no range, and counts as 1 wide."""
    low, high = rows.min(axis=0), rows.max(axis=0)
    beyond = np.where(high > low, BEYOND * (high - low), 0.5)
    some = rows if len(rows) <= KEPT else rows[np.linspace(0, len(rows) - 1, KEPT).astype(int)]
    return Space(columns, some, low - beyond, high + beyond, spread)
