"""Statements that are kept exactly, by what the model is shown of a row."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float

from unabases.terms.base import AbstractView, check_column, check_columns, check_number
from unabases.terms.space import Columns


@dataclass(frozen=True)
class Additive(AbstractView):
    """Columns do not interact: what each does is the same, whatever the values of all other columns.

    The function is a sum: a function of each of these columns, and one of all the others together.

    Parameters
    ----------
    columns : sequence of str or int, optional
        Their names, or their numbers counted from 0; all columns if not given.

    Examples
    --------
    >>> Additive(["age", "dose"])
    Additive(columns=('age', 'dose'))
    """

    columns: Any = None

    def __post_init__(self) -> None:
        if self.columns is not None:
            object.__setattr__(self, "columns", check_columns(self.columns, least=1))

    def about(self) -> tuple[str | int, ...]:
        """The columns that it names."""
        return self.columns or ()


@dataclass(frozen=True)
class Irrelevant(AbstractView):
    """The function does not depend on this column: the model does not see it.

    Parameters
    ----------
    column : str or int
        Its name, or its number counted from 0.

    Examples
    --------
    >>> Irrelevant("serial_number")
    Irrelevant(column='serial_number')
    """

    column: Any

    def __post_init__(self) -> None:
        check_column(self.column)


@dataclass(frozen=True)
class Periodic(AbstractView):
    """The function repeats itself along this column, such as every 24 hours or 360 degrees.

    The model sees the cosine and the sine of the column, so 23:50 and 00:10 are neighbours.

    Parameters
    ----------
    column : str or int
        Its name, or its number counted from 0.
    period : float
        After how much the function repeats itself, in the column's units.

    Examples
    --------
    >>> Periodic("hour", period=24)
    Periodic(column='hour', period=24)
    """

    column: Any
    period: Any

    def __post_init__(self) -> None:
        check_column(self.column)
        check_number("period", self.period, positive=True)


@dataclass(frozen=True)
class Symmetric(AbstractView):
    """The function stays the same when values of these columns change places, such as two equal components.

    The model sees the values in order, so it cannot tell which column had which.

    Parameters
    ----------
    columns : sequence of str or int
        At least two columns of numbers in the same unit.

    Examples
    --------
    >>> Symmetric(["mass_1", "mass_2"])
    Symmetric(columns=('mass_1', 'mass_2'))
    """

    columns: Any

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", check_columns(self.columns, least=2))


class View(NamedTuple):
    """What a model is shown of a row: some numbers in order of size, some as they are, some as points on a circle.

    And which of these numbers do not interact.
    """

    kept: tuple[int, ...]
    """Numbers that are shown, by their places."""
    waves: tuple[tuple[int, float], ...] = ()
    """Numbers that repeat themselves, with their periods: shown as cosine and sine, after the others."""
    swapped: tuple[tuple[int, ...], ...] = ()
    """Groups of numbers that may change places."""
    parts: tuple[int, ...] | None = None
    """For each number shown, which part of a sum it belongs to; None if the function is no sum."""

    def __call__(self, X: Float[np.ndarray, "n d"]) -> Float[np.ndarray, "n shown"]:
        """The rows as the model sees them."""
        X = X.copy()
        for group in self.swapped:
            X[:, list(group)] = np.sort(X[:, list(group)], axis=1)
        angles = [2 * np.pi / period * X[:, place] for place, period in self.waves]
        return np.column_stack([X[:, list(self.kept)], *[wave(a) for a in angles for wave in (np.cos, np.sin)]])


def view_of(terms: Sequence[AbstractView], columns: Columns) -> View | None:
    """What these statements let a model see; None if it sees everything as it is.

    Examples
    --------
    >>> columns = Columns(("hour", "load"), ((0,), (1,)), (False, False))
    >>> view = view_of([Periodic("hour", 24)], columns)
    >>> view(np.array([[0.0, 5.0], [24.0, 5.0]])).round(6).tolist()
    [[5.0, 1.0, 0.0], [5.0, 1.0, -0.0]]
    """
    if not terms:
        return None
    changing = [term for term in terms if not isinstance(term, Additive)]
    named = [columns.find(column) for term in changing for column in term.about()]
    if twice := [columns.shown_as(place) for place in sorted(set(named)) if named.count(place) > 1]:
        raise ValueError(
            f"the column {twice[0]} is in several of Irrelevant, Periodic and Symmetric; it can be in one of them."
        )
    hidden = [place for term in terms if isinstance(term, Irrelevant) for place in columns.of(term.column)]
    waves = tuple((columns.number(t.column), float(t.period)) for t in terms if isinstance(t, Periodic))
    swapped = tuple(tuple(columns.number(c) for c in term.columns) for term in terms if isinstance(term, Symmetric))
    if incomplete := [c for t in terms if isinstance(t, Symmetric) for c in t.columns if len(columns.of(c)) > 1]:
        raise ValueError(
            f"the column {incomplete[0]!r} is in `Symmetric` and has missing values, which are filled in column by "
            "column, so it could not change places with another; fill them in first, or leave the term out."
        )
    gone = {*hidden, *(place for place, _ in waves)}
    kept = tuple(place for places in columns.places for place in places if place not in gone)
    if not kept and not waves:
        raise ValueError("every column is `Irrelevant`, so there is nothing to learn from; leave one in.")
    parts = _parts([term for term in terms if isinstance(term, Additive)], [*hidden, *sum(swapped, ())], columns)
    shown = tuple(parts.get(place, 0) for place in [*kept, *(place for place, _ in waves for _ in range(2))])
    return View(kept, waves, swapped, shown if len(set(shown)) > 1 else None)


def _parts(terms: Sequence[Additive], taken: Sequence[int], columns: Columns) -> dict[int, int]:
    """Which part of a sum each place belongs to: one for each column that does not interact, one for all others."""
    if not terms:
        return {}
    everything = range(len(columns.places))
    alone = {columns.find(column) for term in terms for column in term.about()}
    if any(term.columns is None for term in terms):
        alone = {column for column in everything if not set(columns.places[column]) & set(taken)}
    if twice := [columns.shown_as(column) for column in sorted(alone) if set(columns.places[column]) & set(taken)]:
        raise ValueError(
            f"the column {twice[0]} is in `Additive`, and in `Irrelevant` or `Symmetric`; it can be in one of them."
        )
    number = {column: i for i, column in enumerate(sorted(alone))}
    return {place: number.get(column, len(number)) for column in everything for place in columns.places[column]}
