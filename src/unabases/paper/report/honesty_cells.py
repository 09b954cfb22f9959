"""Scores of the experiment `honesty` by cell (one gap, tail or drawn function), and what is made of them.

A method's score on a table is the mean over its columns, and its score over tables the mean over those: a table with
many columns counts no more than one with few.
"""

import math
import statistics
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from scipy.stats import rankdata

from unabases.paper.halves import cut_of, drawn_set
from unabases.paper.report.rows import by_method
from unabases.paper.report.scores import QUANTITIES
from unabases.paper.store import Row

__all__ = [
    "PLACES",
    "PRIORS",
    "Cell",
    "behind_best",
    "cell_ranks",
    "cell_scores",
    "family_of",
    "on_drawn",
    "on_tables",
    "over_tables",
    "table_scores",
]

PLACES = {"": "on the data", "_gap": "in gaps", "_tail": "in tails"}
"""What the names of scores on tables end with, and what that means."""
PRIORS = ("rbf", "matern")
"""Families of drawn functions with an exact posterior."""


class Cell(NamedTuple):
    """One gap, tail or drawn function."""

    dataset: str
    split: int


def on_tables(rows: Sequence[Row]) -> list[Row]:
    """The rows on gaps and tails of tables."""
    return [row for row in rows if cut_of(row.dataset) is not None]


def on_drawn(rows: Sequence[Row]) -> list[Row]:
    """The rows on drawn functions."""
    return [row for row in rows if drawn_set(row.dataset) is not None]


def family_of(row: Row) -> str:
    """The kind of a drawn function: its set without inputs, length scale and noise.

    Examples
    --------
    >>> row = Row("honesty", "drawn-piecewise-linear-2", 0, "GP", 0, {}, "", "", {}, {}, 0.0, {})
    >>> family_of(row)
    'piecewise-linear'
    """
    parts = (drawn_set(row.dataset) or row.dataset).split("-")
    return "-".join(parts[: next((place for place, part in enumerate(parts) if part.isdigit()), len(parts))])


def cell_scores(rows: Sequence[Row], score: str) -> dict[str, dict[Cell, float]]:
    """A score of each method in each cell that has it. Rows that failed have none."""
    return {
        method: {
            Cell(row.dataset, row.split): row.scores[score] for row in part if not row.failed and score in row.scores
        }
        for method, part in by_method(rows).items()
    }


def table_scores(cells: Mapping[Cell, float]) -> dict[str, float]:
    """The mean over the columns of each table."""
    found: dict[str, list[float]] = {}
    for cell, value in cells.items():
        cut = cut_of(cell.dataset)
        if cut is not None:
            found.setdefault(cut.table, []).append(value)
    return {table: statistics.fmean(values) for table, values in found.items()}


def over_tables(cells: Mapping[Cell, float]) -> float:
    """The mean over tables of the mean over their columns; NaN if there are none."""
    means = table_scores(cells).values()
    return statistics.fmean(means) if means else math.nan


def cell_ranks(rows: Sequence[Row], score: str) -> dict[str, float]:
    """The mean rank of each method, 1 for the best: ranked in each cell, averaged over columns, then over tables.

    Parameters
    ----------
    rows
        Results on gaps and tails of tables. In a cell, the methods that have the score there are ranked; a score that
        is no number comes last.
    score
        Such as `"crps_gap"`; `QUANTITIES` says which way is better.
    """
    name = next(base for base in QUANTITIES if score.removesuffix("_gap").removesuffix("_tail") == base)
    found = cell_scores(rows, score)
    ranks: dict[str, dict[Cell, float]] = {method: {} for method in found}
    for cell in dict.fromkeys(cell for own in found.values() for cell in own):
        run = [method for method in found if cell in found[method]]
        values = [-QUANTITIES[name].better * found[method][cell] for method in run]
        order = rankdata([math.inf if math.isnan(value) else value for value in values])
        for method, rank in zip(run, order, strict=True):
            ranks[method][cell] = float(rank)
    return {method: over_tables(own) for method, own in ranks.items() if own}


def behind_best(rows: Sequence[Row], score: str) -> dict[str, dict[Cell, float]]:
    """How far each method is below the best of all in each cell, for a score of which more is better."""
    found = cell_scores(rows, score)
    best: dict[Cell, float] = {}
    for own in found.values():
        for cell, value in own.items():
            best[cell] = max(value, best.get(cell, -math.inf))
    return {method: {cell: best[cell] - value for cell, value in own.items()} for method, own in found.items()}
