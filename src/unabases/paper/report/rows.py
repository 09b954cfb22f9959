"""The stored rows that a report shows, one profile for each cell of its tables, and statistics over them."""

import math
import statistics
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cache
from typing import NamedTuple, TypeVar

import numpy as np
from scipy.stats import rankdata

from unabases.paper.catalogue import EXPERIMENTS
from unabases.paper.methods import ordered
from unabases.paper.plan import expand
from unabases.paper.report.scores import QUANTITIES, mean_std, number
from unabases.paper.store import Row

__all__ = [
    "Range",
    "Results",
    "Summary",
    "by_method",
    "command",
    "gather",
    "grouped",
    "range_of",
    "set_means",
    "summary_of",
]

Key = TypeVar("Key", bound=Hashable)
_LONG = 60  # characters of a list of cells: a longer one is counted


class Results(NamedTuple):
    """The rows of every experiment that was run.

    Parameters
    ----------
    rows, profiles
        Rows that are shown of each experiment, and the profile of most of them.
    stored
        Every row that there was to choose from, those of other profiles too.
    """

    rows: dict[str, tuple[Row, ...]]
    profiles: dict[str, str]
    stored: tuple[Row, ...] = ()

    def of(self, experiment: str) -> tuple[Row, ...]:
        """The rows of an experiment; none if it was not run."""
        return self.rows.get(experiment, ())

    def about(self, experiment: str) -> str:
        """Profile and counts of an experiment, or the command that runs it."""
        rows = self.of(experiment)
        if not rows:
            return f"not run yet: {command(experiment)}"
        failed = sum(bool(row.failed) for row in rows)
        splits, seeds = {row.split for row in rows}, {row.seed for row in rows}
        main = self.profiles[experiment]
        others = grouped((row for row in rows if row.profile != main), lambda row: row.profile)
        mixed = "".join(f" ({_mixed(name, part, rows)})" for name, part in others.items())
        same = ", the same as paper" if main == "quick" and not mixed and _quick_is_paper(experiment) else ""
        parts = [f"profile {main}{mixed}{same}", f"{len(rows)} trials"]
        if len(splits) > 1:
            parts.append(f"{len(splits)} splits")
        if len(seeds) > 1 and any(row.seed != row.split for row in rows):  # else each split has one seed, its own
            parts.append(f"{len(seeds)} seeds")
        return ", ".join([*parts, f"{failed} failed"] if failed else parts)

    def profiles_of(self, experiment: str, method: str) -> set[str]:
        """The profiles that are shown of a method, for its cells may differ; none if it was not run."""
        return {row.profile for row in self.of(experiment) if row.method == method}

    def missing(self) -> list[str]:
        """Experiments of the catalogue without any row."""
        return [name for name in EXPERIMENTS if not self.of(name)]


@cache
def _quick_is_paper(name: str) -> bool:
    """Whether the profile `quick` of an experiment runs what `paper` does."""
    experiment = EXPERIMENTS.get(name)
    if experiment is None or not {"quick", "paper"} <= set(experiment.extents):
        return False
    return expand(experiment, "quick") == expand(experiment, "paper")


def command(experiment: str) -> str:
    """What a user types to run an experiment."""
    return f"unabases reproduce {experiment}"


def gather(rows: Iterable[Row], profile: str | None = None) -> Results:
    """Choose which rows of a store to show.

    Parameters
    ----------
    rows
        All rows of the store.
    profile
        Show this one alone. Without it each cell, a method on a data set, shows the profile in which it has the most
        rows: `paper` if two have as many, and `tiny`, whose numbers mean nothing, only if the experiment has no other.
        In accuracy and honesty, whose profiles have other data sets, a method shows one profile on all of them.
    """
    stored = tuple(rows)
    found = grouped((row for row in stored if profile in (None, row.profile)), lambda row: row.experiment)
    known = list(EXPERIMENTS)
    chosen, profiles = {}, {}
    for experiment in sorted(found, key=lambda name: (known.index(name) if name in known else len(known), name)):
        real = [row for row in found[experiment] if row.profile != "tiny"] or found[experiment]
        whole = experiment in EXPERIMENTS and not EXPERIMENTS[experiment].half
        cell = _cell if whole else _method  # profiles of a half have other data sets
        own = {name: _fullest(part) for name, part in grouped(real, cell).items()}
        chosen[experiment] = tuple(row for row in real if row.profile == own[cell(row)])
        profiles[experiment] = _fullest(chosen[experiment])
    return Results(chosen, profiles, stored)


def _fullest(rows: Sequence[Row]) -> str:
    """The profile with the most rows; `paper` if two have as many."""
    parts = grouped(rows, lambda row: row.profile)
    return max(parts, key=lambda name: (len(parts[name]), name == "paper", name))


def _method(row: Row) -> tuple[str, str]:
    return row.method, ""


def _cell(row: Row) -> tuple[str, str]:
    return row.method, _place(row)


def _place(row: Row) -> str:
    """The column of a row in a table of its method: a data set, or a number of features."""
    return f"{row.settings['n_features']} features" if "n_features" in row.settings else row.dataset


def _mixed(profile: str, some: Sequence[Row], rows: Sequence[Row]) -> str:
    """Which cells another profile has, by name if they are few; tables mark them all."""
    said = f"{profile}: {'; '.join(_where(some, rows))}"
    if len(said) <= _LONG:
        return said
    return f"{len(set(map(_cell, some)))} of {len(set(map(_cell, rows)))} cells {profile}"


def _where(some: Sequence[Row], rows: Sequence[Row]) -> list[str]:
    """The methods of some of the rows; if not all cells of a method are among them, with those that are."""
    everywhere = {method: {_place(row) for row in part} for method, part in grouped(rows, lambda r: r.method).items()}
    found = {method: list(dict.fromkeys(map(_place, part))) for method, part in by_method(some).items()}
    return [
        method if set(places) == everywhere[method] else f"{method} ({', '.join(places)})"
        for method, places in found.items()
    ]


def grouped(rows: Iterable[Row], key: Callable[[Row], Key]) -> dict[Key, list[Row]]:
    """The rows that have a key in common, by that key, in the order in which they come."""
    found: dict[Key, list[Row]] = {}
    for row in rows:
        found.setdefault(key(row), []).append(row)
    return found


def by_method(rows: Iterable[Row]) -> dict[str, list[Row]]:
    """The rows of each method, in the order of the tables."""
    found = grouped(rows, lambda row: row.method)
    return {method: found[method] for method in ordered(found)}


class Summary(NamedTuple):
    """Mean and standard deviation over the rows that have a score, how many those are, and how many failed.

    One run has no spread: its standard deviation is NaN, not 0.
    """

    mean: float
    std: float
    n: int
    failed: int = 0

    def text(self, percent: bool = False) -> str:
        """Mean ± std, or what a single run gave, with the number of fits that failed."""
        if self.n == 0:
            return f"failed ({self.failed})" if self.failed else "not run"
        shown = mean_std(self.mean, self.std, percent)
        return f"{shown} ({self.failed} failed)" if self.failed else shown


def summarise(values: Iterable[float], failed: int = 0) -> Summary:
    """Mean and (population) standard deviation of the finite values; the others count as failed.

    Examples
    --------
    >>> summarise([1.0, 3.0, float("nan")], failed=2)
    Summary(mean=2.0, std=1.0, n=2, failed=3)
    """
    given = np.asarray(list(values), dtype=np.float64)
    finite = given[np.isfinite(given)]
    failed += len(given) - len(finite)
    if len(finite) == 0:
        return Summary(math.nan, math.nan, 0, failed)
    spread = float(finite.std()) if len(finite) > 1 else math.nan
    return Summary(float(finite.mean()), spread, len(finite), failed)


def summary_of(rows: Sequence[Row], score: str, dataset: str | None = None) -> Summary:
    """A score over rows, of one data set or of all; rows that failed have none."""
    part = [row for row in rows if dataset is None or row.dataset == dataset]
    fine = [row for row in part if not row.failed]
    return summarise((row.scores[score] for row in fine if score in row.scores), failed=len(part) - len(fine))


def set_means(rows: Sequence[Row], score: str) -> dict[str, float]:
    """The mean of a score on each data set where some row has it."""
    found = {name: summary_of(part, score) for name, part in grouped(rows, lambda row: row.dataset).items()}
    return {name: one.mean for name, one in found.items() if one.n}


def mean_ranks(rows: Sequence[Row], score: str) -> dict[str, float]:
    """The mean rank of each method over data sets, 1 for the best; equal means share a rank.

    Parameters
    ----------
    rows
        Results of several methods. On a set, the methods that have the score there are ranked.
    score
        A key of `QUANTITIES`, which says which way is better.
    """
    means = {method: set_means(part, score) for method, part in by_method(rows).items()}
    ranks: dict[str, list[float]] = {method: [] for method in means}
    for dataset in dict.fromkeys(row.dataset for row in rows):
        run = [method for method in means if dataset in means[method]]
        order = rankdata([-QUANTITIES[score].better * means[method][dataset] for method in run])
        for method, rank in zip(run, order, strict=True):
            ranks[method].append(float(rank))
    return {method: statistics.fmean(own) for method, own in ranks.items() if own}


class Range(NamedTuple):
    """Median, smallest and largest value of a score."""

    median: float
    least: float
    most: float

    def text(self, form: Callable[[float], str] = number, unit: str = "") -> str:
        """The median, and the others in brackets."""
        return f"{form(self.median)}{unit} ({form(self.least)} to {form(self.most)})"


def range_of(rows: Sequence[Row], score: str) -> Range | None:
    """Median, smallest and largest value of a score, or None if no row has it."""
    values = [row.scores[score] for row in rows if not row.failed and score in row.scores]
    return Range(statistics.median(values), min(values), max(values)) if values else None
