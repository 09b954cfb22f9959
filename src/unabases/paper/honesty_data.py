"""The data of the experiment `honesty`: gaps and tails of every UCI table by column, and functions drawn at random."""

from functools import cache
from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from unabases.datasets import DRAWN_SETS, UCI, GapSplit, data_dir, gap_splits, load_uci, make_gap, tail_splits
from unabases.paper.halves import Cut, cut_of, half_of

__all__ = ["MOST_ROWS", "cut_names", "drawn_names", "load_cut", "too_few_values"]

MOST_ROWS = 2000
"""Larger tables are sampled: these are the rows that all gaps and tails of a table are cut from."""
_SPLITTERS = {"gap": gap_splits, "tail": tail_splits}


def cut_names(half: str) -> tuple[str, ...]:
    """Names of the gaps and tails of a half: every column of every UCI table.

    Some of the columns have too few values, which only the table itself can tell; see `too_few_values`.

    Examples
    --------
    >>> [name for name in cut_names("development") if name.startswith("yacht")][:4]
    ['yacht-gap-0', 'yacht-tail-0', 'yacht-gap-2', 'yacht-tail-2']
    """
    names = (
        f"{table}-{kind}-{column}"
        for table, facts in UCI.items()
        for column in range(len(facts.units) - 1 - len(facts.leave_out))
        for kind in _SPLITTERS
    )
    return tuple(name for name in names if half_of(name, 0) == half)


def drawn_names(half: str) -> tuple[str, ...]:
    """Names of the sets of drawn functions that have seeds in a half."""
    names = (f"drawn-{name}" for name in DRAWN_SETS)
    return tuple(name for name in names if half in (half_of(name, 0), half_of(name, 1)))


def load_cut(dataset: str, number: int = 0) -> GapSplit:
    """Load a gap or a tail of a UCI table: what is held out, and a division 80/10/10 of the rest.

    No held-out value of the column occurs in the rest (`clean=True` of `make_gap` and `make_tail`).

    Parameters
    ----------
    dataset
        Such as `"yacht-gap-4"`.
    number
        Which of the divisions.
    """
    cut = cut_of(dataset)
    if cut is None or cut.table not in UCI:
        raise ValueError(f"unknown gap or tail {dataset!r}; names are like yacht-gap-4, of {', '.join(UCI)}.")
    table = _sampled(cut.table, str(data_dir()), True)
    return _SPLITTERS[cut.kind](table.X, table.y, cut.column, k=number + 1, clean=True)[number]


def too_few_values(dataset: str) -> str:
    """Why a column has no clean gap, and so too few values for a gap or a tail; empty if it has enough.

    Nothing is downloaded: as long as a table is missing, its columns count as having enough.
    """
    cut = cut_of(dataset)
    if cut is None or cut.table not in UCI:
        return ""
    try:
        return _no_gap(cut, str(data_dir()))
    except FileNotFoundError:
        return ""


class _Table(NamedTuple):
    X: Float[np.ndarray, "n d"]
    y: Float[np.ndarray, " n"]


@cache
def _no_gap(cut: Cut, directory: str) -> str:
    table = _sampled(cut.table, directory, False)
    try:
        make_gap(table.X, table.y, cut.column, clean=True)
    except ValueError as error:
        return str(error)
    return ""


@cache
def _sampled(name: str, directory: str, download: bool) -> _Table:
    """The table, or that many rows of it in their order, always the same ones."""
    table = load_uci(name, directory, download=download)
    rows = np.sort(np.random.default_rng(0).permutation(table.n)[:MOST_ROWS])
    return _Table(table.X[rows], table.y[rows])
