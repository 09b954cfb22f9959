"""What a statement about a function is: how rows are seen, what its values are, or what they cannot be."""

import abc
import numbers
from typing import Any, ClassVar, NamedTuple

import numpy as np
from jaxtyping import Float

from unabases.terms.space import Space


class Contrasts(NamedTuple):
    """Sums of the function's values, such as a difference between two points: Σ_q weights_q f(X_kq) for each k."""

    X: Float[np.ndarray, "m q d"]
    weights: Float[np.ndarray, " q"]


class Known(NamedTuple):
    """Contrasts whose values are known, each with its own standard deviation, in the units of y."""

    contrasts: Contrasts
    values: Float[np.ndarray, "m p"]
    std: Float[np.ndarray, "m p"]


class Limit(NamedTuple):
    """Contrasts that cannot be less than a number, in the units of y."""

    contrasts: Contrasts
    least: float


class AbstractStatement(abc.ABC):  # noqa: B024  (its kinds are abstract; it only gathers them)
    """Something that is known about a function. It is a frozen dataclass, so that it prints and saves itself."""

    def about(self) -> tuple[str | int, ...]:
        """The columns that it names: its `columns`, or its `column`, if it has any."""
        own = vars(self)
        return own["columns"] if "columns" in own else (own["column"],) if "column" in own else ()

    def outputs(self, p: int) -> list[int]:
        """Which of p outputs it speaks of: all, unless it has an `output`."""
        output = getattr(self, "output", None)
        if output is None:
            return list(range(p))
        if not -p <= output < p:
            raise ValueError(f"{self!r} speaks of output {output}, but y has {p}, counted from 0.")
        return [output % p]


class AbstractView(AbstractStatement):
    """A statement that holds for every function of what the model is shown, so it is kept exactly."""


class AbstractEquality(AbstractStatement):
    """A statement about values: the exact last layer learns from them as from rows with noise of their own."""

    @abc.abstractmethod
    def known(self, space: Space, rng: np.random.Generator) -> Known:
        """The contrasts and their values, for each output."""


class AbstractInequality(AbstractStatement):
    """A statement about what the function cannot do: functions that do it are replaced by the nearest that do not."""

    wider: ClassVar[float] = 5.0
    """Times the prior variance of the functions that are drawn, since those that obey differ less."""

    @abc.abstractmethod
    def limits(self, space: Space, n: int, rng: np.random.Generator) -> list[Limit]:
        """What to ask of the function at about n random places."""


def check_column(column: Any) -> None:
    """Refuse what can be neither the name nor the number of a column."""
    if not isinstance(column, str) and (not isinstance(column, numbers.Integral) or isinstance(column, bool)):
        raise ValueError(f"`column` must be the name of a column or its number, counted from 0; got {column!r}.")


def check_flag(name: str, value: Any) -> None:
    """Refuse what is neither True nor False, such as "-", which would count as True."""
    if not isinstance(value, bool | np.bool_):
        raise ValueError(f"`{name}` must be True or False; got {value!r}.")


def check_output(output: Any) -> None:
    """Refuse what can be neither the number of an output nor None for all."""
    if output is not None and (not isinstance(output, numbers.Integral) or isinstance(output, bool)):
        raise ValueError(f"`output` must be the number of an output, counted from 0, or None; got {output!r}.")


def check_columns(columns: Any, least: int) -> tuple[str | int, ...]:
    """Several columns as a tuple."""
    if isinstance(columns, str) or not hasattr(columns, "__iter__"):
        raise ValueError(f"`columns` must be a list of columns, by name or number; got {columns!r}.")
    columns = tuple(columns)
    for column in columns:
        check_column(column)
    if len(set(columns)) < max(least, len(columns)):
        raise ValueError(f"`columns` must be at least {least} different columns; got {columns!r}.")
    return columns


def check_number(name: str, value: Any, positive: bool = False) -> float:
    """`value` as a finite float, or an error that names it."""
    good = isinstance(value, numbers.Real) and not isinstance(value, bool) and np.isfinite(float(value))
    if not good or (positive and value <= 0):
        raise ValueError(f"`{name}` must be a {'positive' if positive else 'finite'} number; got {value!r}.")
    return float(value)
