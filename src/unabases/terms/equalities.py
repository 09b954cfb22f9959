"""Statements about values that the function has: at points, or as slopes."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from unabases.terms.base import AbstractEquality, Contrasts, Known, check_column, check_number, check_output
from unabases.terms.space import Space

_SLOPES = 16  # random points at which a slope is stated; five times as many would count as five times the evidence
_STEP = 0.01  # of a column's range: the length of a finite difference


@dataclass(frozen=True)
class Through(AbstractEquality):
    """The function is known at some places, such as 0 at dose 0, whether or not there are data.

    Parameters
    ----------
    X : table or array of shape (m, d), or dict of columns
        The places, with all columns of the data.
    y : float, or array of shape (m,) or (m, p)
        The values there.
    std : float, or array of shape (m,) or (m, p)
        How sure they are: the standard deviation of each value, in the units of y.

    Examples
    --------
    >>> Through({"dose": [0.0]}, 0.0, std=0.1)
    Through(X={'dose': [0.0]}, y=0.0, std=0.1)
    """

    X: Any
    y: Any
    std: Any

    def __post_init__(self) -> None:
        object.__setattr__(self, "X", _plain(self.X))
        for name in ("y", "std"):
            values = np.asarray(getattr(self, name), dtype=np.float64)
            for value in values.ravel().tolist():
                check_number(name, value, positive=name == "std")
            object.__setattr__(self, name, values.tolist())

    def known(self, space: Space, rng: np.random.Generator) -> Known:
        """The values at the places."""
        rows, p = space.numbers(self.X), len(space.spread)

        def each(name: str) -> np.ndarray:
            given = np.asarray(getattr(self, name), dtype=np.float64)
            if given.ndim > 0 and given.shape not in {(len(rows),), (len(rows), p)}:
                raise ValueError(
                    f"`Through` has {len(rows)} places for {p} output(s), but {name} of shape {given.shape}; "
                    "give one value for each place, or one number for all."
                )
            return np.broadcast_to(given[:, None] if given.ndim == 1 else given, (len(rows), p))

        return Known(Contrasts(rows[:, None], np.ones(1)), each("y"), each("std"))


@dataclass(frozen=True)
class Slope(AbstractEquality):
    """The function rises by about this much for each unit of a column, everywhere in the data's range.

    Parameters
    ----------
    column : str or int
        Its name, or its number counted from 0.
    value : float
        The slope, in units of y per unit of the column.
    std : float
        How sure it is: the standard deviation of the slope at each place.
    output : int, optional
        Which output of y is meant; all by default.

    Examples
    --------
    >>> Slope("temperature", value=-0.5, std=0.1)
    Slope(column='temperature', value=-0.5, std=0.1, output=None)
    """

    column: Any
    value: Any
    std: Any
    output: Any = None

    def __post_init__(self) -> None:
        check_column(self.column)
        check_output(self.output)
        check_number("value", self.value)
        check_number("std", self.std, positive=True)

    def known(self, space: Space, rng: np.random.Generator) -> Known:
        """Differences over a hundredth of the column's range, evenly over it."""
        place, step = space.columns.number(self.column), _STEP * space.width(self.column)
        here = space.points(_SLOPES, rng)
        here[:, place] = np.linspace(space.low[place], space.high[place], _SLOPES)
        pairs = np.stack([here, here], axis=1)
        pairs[:, :, place] += np.array([-0.5, 0.5]) * step
        p = len(space.spread)
        mine = np.isin(np.arange(p), self.outputs(p))
        std = np.where(mine, float(self.std), np.inf)
        return Known(
            Contrasts(pairs, np.array([-1.0, 1.0]) / step),
            np.full((_SLOPES, p), float(self.value)),
            np.broadcast_to(std, (_SLOPES, p)),
        )


def _plain(X: Any) -> Any:
    """Rows as lists of numbers, or columns by name, so that they can be printed and saved."""
    if isinstance(X, dict) or hasattr(X, "columns"):
        return {str(name): _plain_column(X[name]) for name in (X if isinstance(X, dict) else X.columns)}
    return np.atleast_2d(np.asarray(X, dtype=np.float64)).tolist()


def _plain_column(values: Any) -> list[Any]:
    """Numbers and text as they are; dates as text."""
    found = np.atleast_1d(np.asarray(values))
    if found.dtype.kind == "M":
        return np.datetime_as_string(found).tolist()
    return [str(value) if hasattr(value, "isoformat") else value for value in found.tolist()]
