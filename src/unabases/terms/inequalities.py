"""Statements about what the function cannot do: fall, bend down, or leave a range."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from unabases.terms.base import (
    AbstractInequality,
    Contrasts,
    Limit,
    check_column,
    check_flag,
    check_number,
    check_output,
)
from unabases.terms.space import Space


@dataclass(frozen=True)
class Monotone(AbstractInequality):
    """The function does not fall as this column grows; with `increasing=False` it does not rise.

    Parameters
    ----------
    column : str or int
        Its name, or its number counted from 0.
    increasing : bool
        Whether the function rises or falls.
    output : int, optional
        Which output of y is meant; all by default.

    Examples
    --------
    >>> Monotone("dose")
    Monotone(column='dose', increasing=True, output=None)
    """

    column: Any
    increasing: Any = True
    output: Any = None

    def __post_init__(self) -> None:
        check_column(self.column)
        check_flag("increasing", self.increasing)
        check_output(self.output)

    def limits(self, space: Space, n: int, rng: np.random.Generator) -> list[Limit]:
        """Differences between points along the column."""
        sign = 1.0 if self.increasing else -1.0
        return [Limit(_along(space, self.column, n, rng, np.array([-sign, sign])), 0.0)]


@dataclass(frozen=True)
class Convex(AbstractInequality):
    """The function never bends down along this column, as costs that grow faster and faster.

    Parameters
    ----------
    column : str or int
        Its name, or its number counted from 0.
    convex : bool
        False if it never bends up, as yields with diminishing returns.
    output : int, optional
        Which output of y is meant; all by default.

    Examples
    --------
    >>> Convex("fertiliser", convex=False)
    Convex(column='fertiliser', convex=False, output=None)
    """

    column: Any
    convex: Any = True
    output: Any = None

    wider: ClassVar[float] = 20.0  # few functions of a smooth prior never bend down, and they are nearly straight

    def __post_init__(self) -> None:
        check_column(self.column)
        check_flag("convex", self.convex)
        check_output(self.output)

    def limits(self, space: Space, n: int, rng: np.random.Generator) -> list[Limit]:
        """Second differences of points along the column."""
        sign = 1.0 if self.convex else -1.0
        return [Limit(_along(space, self.column, n, rng, sign * np.array([1.0, -2.0, 1.0])), 0.0)]


@dataclass(frozen=True)
class Bounds(AbstractInequality):
    """The function stays between two numbers, such as 0 and 100 %. Noise may still carry measurements beyond.

    Parameters
    ----------
    lower, upper : float or None
        The least and the greatest value, in the units of y; None for no bound.
    output : int, optional
        Which output of y is meant; all by default.

    Examples
    --------
    >>> Bounds(0, 100)
    Bounds(lower=0, upper=100, output=None)
    """

    lower: Any = None
    upper: Any = None
    output: Any = None

    def __post_init__(self) -> None:
        check_output(self.output)
        for name in ("lower", "upper"):
            if getattr(self, name) is not None:
                check_number(name, getattr(self, name))
        if self.lower is None and self.upper is None:
            raise ValueError("`Bounds` needs `lower`, `upper` or both.")
        if self.lower is not None and self.upper is not None and not self.lower < self.upper:
            raise ValueError(f"`lower` must be less than `upper`; got {self.lower!r} and {self.upper!r}.")

    def limits(self, space: Space, n: int, rng: np.random.Generator) -> list[Limit]:
        """Values at random points, in order along a column so that neighbours stand together."""
        points = space.points(n, rng)
        points = points[np.argsort(points[:, 0])]
        found = []
        if self.lower is not None:
            found.append(Limit(Contrasts(points[:, None], np.ones(1)), float(self.lower)))
        if self.upper is not None:
            found.append(Limit(Contrasts(points[:, None], -np.ones(1)), -float(self.upper)))
        return found


def _along(space: Space, column: str | int, n: int, rng: np.random.Generator, weights: np.ndarray) -> Contrasts:
    """Sums of points in a row along a column."""
    return Contrasts(space.windows(column, len(weights), n, rng), weights)
