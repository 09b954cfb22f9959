"""Where statements about a function are to hold: the columns of a table, and the region around its rows."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float

BEYOND = 0.2  # share of a column's range, on either side, in which statements still hold
KEPT = 300  # rows that stand for all
_ALONE, _ALONG = 400, 40  # steps into which a column is divided, alone and among others
_STEPS = (1, 2, 4, 8, 16)  # of these between two points, if there are others


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
    >>> space.windows("dose", 3, 100, np.random.default_rng(0)).shape
    (138, 3, 2)
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
    reach: float | None = None
    """If given, random points lie around the rows: this far, as a share of each column's range."""

    def near(self, places: Float[np.ndarray, "n d"], reach: float) -> "Space":
        """The same region, for random points around some places."""
        return self._replace(rows=places, reach=reach)

    def points(self, n: int, rng: np.random.Generator) -> Float[np.ndarray, "n d"]:
        """Random points: every second one anywhere in the region, the others rows. Categories stay those of rows."""
        points = self.rows[rng.integers(len(self.rows), size=n)]
        free = self._free()
        low, high = self.low[free], self.high[free]
        if self.reach is not None:
            moved = points[:, free] + self.reach * (high - low) * rng.standard_normal((n, len(free)))
            points[:, free] = np.clip(moved, low, high)
            return points
        points[::2, free] = rng.uniform(low, high, (len(points[::2]), len(free)))
        return points

    def windows(self, column: str | int, q: int, n: int, rng: np.random.Generator) -> Float[np.ndarray, "m q d"]:
        """About n sets of q points in a row along a column: everywhere along it, at random values of the others.

        They lie on lines along the column. A single column has all of them one after the other, with small even steps.
        Among several, a line has steps of many lengths, so that the worst place on it is among them.
        """
        place = self.columns.number(column)
        alone = len(self.columns.places) == 1
        grid, steps = (_ALONE, (1,)) if alone else (_ALONG, _STEPS)
        reaches = [(step, (q - 1) * step) for step in steps if (q - 1) * step < grid]
        on_line = np.concatenate([np.arange(grid - far)[:, None] + step * np.arange(q) for step, far in reaches])
        points = self.points(max(1, n // len(on_line)), rng)
        along = (on_line + rng.uniform(0, 1, (len(points), 1, 1))) / grid  # lines see different places
        windows = np.repeat(np.repeat(points, len(on_line), axis=0)[:, None], q, axis=1)
        windows[:, :, place] = self.low[place] + along.reshape(-1, q) * self.width(column)
        windows[:, :, list(self.columns.of(column)[1:])] = 0.0  # the value is not missing
        return windows

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
