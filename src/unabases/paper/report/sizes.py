"""How much of each experiment was run as often as in the paper: a line for each, with its cells counted."""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

import pandas as pd

from unabases.paper.catalogue import EXPERIMENTS
from unabases.paper.plan import Trial, expand
from unabases.paper.report.rows import Results, grouped
from unabases.paper.spec import Experiment
from unabases.paper.store import Row

__all__ = ["size_line", "sizes"]

_Drawn = tuple[int, int]  # a split and a seed
_FULL, _FEWER, _QUICK, _NONE = _COLUMNS = (
    "at the paper's size",
    "fewer runs than the paper",
    "smaller (profile quick)",
    "not run",
)


class _Cell(NamedTuple):
    """What is counted: a method on a data set, and its number of features where an experiment varies it."""

    dataset: str
    method: str
    features: int | None


def sizes(results: Results) -> pd.DataFrame:
    """How many cells, a method on a data set, were run with the counts and settings of the profile `paper`.

    A cell of the profile `quick` counts among them if `paper` would run nothing else.
    """
    lines = []
    for name, experiment in EXPERIMENTS.items():
        if "paper" in experiment.extents and results.profiles.get(name, "tiny") != "tiny":
            counts = Counter(_size(*both) for both in _cells(experiment, results.of(name)))
            total = sum(counts.values())
            lines.append({"experiment": name, "cells": total} | {column: counts[column] for column in _COLUMNS})
    return pd.DataFrame(lines, columns=pd.Index(["experiment", "cells", *_COLUMNS]))


def size_line(frame: pd.DataFrame) -> str:
    """The table in one sentence.

    Examples
    --------
    >>> size_line(pd.DataFrame({"cells": [3, 2], "at the paper's size": [3, 1], "fewer runs than the paper": [0, 1],
    ...                         "smaller (profile quick)": [0, 0], "not run": [0, 0]}))
    "Of 5 cells (a method on a data set) 4 were run at the paper's size, 1 with fewer runs, 0 smaller and 0 not yet."
    """
    total = frame.drop(columns="experiment", errors="ignore").sum()
    return (
        f"Of {total['cells']} cells (a method on a data set) {total[_FULL]} were run at the paper's size, "
        f"{total[_FEWER]} with fewer runs, {total[_QUICK]} smaller and {total[_NONE]} not yet."
    )


def _cells(experiment: Experiment, rows: Iterable[Row]) -> list[tuple[set[_Drawn], list[Row], bool]]:
    """For each cell of the profile `paper` what it would run, the rows there are, and whether `quick` runs the same."""
    full, quick = (_trials(experiment, profile) for profile in ("paper", "quick"))
    own = grouped(rows, lambda row: _Cell(row.dataset, row.method, row.settings.get("n_features")))
    return [
        ({(one.split, one.seed) for one in trials}, own.get(cell, []), quick.get(cell) == trials)
        for cell, trials in full.items()
    ]


def _trials(experiment: Experiment, profile: str) -> dict[_Cell, list[Trial]]:
    found: dict[_Cell, list[Trial]] = {}
    for group in expand(experiment, profile) if profile in experiment.extents else ():
        for trial in group:
            cell = _Cell(trial.dataset, trial.method, trial.notes.get("n_features"))
            found.setdefault(cell, []).append(trial)
    return found


def _size(wanted: set[_Drawn], rows: list[Row], same: bool) -> str:
    if not rows:
        return _NONE
    if any(row.profile != "paper" for row in rows) and not same:
        return _QUICK
    return _FULL if wanted <= {(row.split, row.seed) for row in rows} else _FEWER
