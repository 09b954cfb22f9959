"""Claims about the UCI data: uncertainty in the gap, and whether LUNA fits as well as the baselines."""

import math
import statistics
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from unabases.paper import methods as m
from unabases.paper.report.claims.record import Claim, Finding, Ours
from unabases.paper.report.lunas import is_baseline
from unabases.paper.report.paper_values import paper_table
from unabases.paper.report.rows import Summary, by_method, grouped, summary_of
from unabases.paper.report.scores import QUANTITIES, mean_std, number
from unabases.paper.store import Row

__all__ = [
    "NO_WORSE",
    "UCI_CLAIMS",
    "Beside",
    "ComparedSets",
    "Place",
    "PositiveSets",
    "beside_median",
    "comparable",
    "compare_sets",
    "positive_sets",
    "printed_comparable",
    "printed_ensembles",
]

_ENOUGH, _SETS = 5, 6  # gap sets on which EURC has to be positive, and all of them
_ENSEMBLES = (m.BOOTSTRAP, m.ANCHORED)
_PRINTED = 10  # splits behind the paper's means, or searches: enough for a spread
_SPREAD = 3  # runs for a spread: that of two is mostly chance

Found = Callable[[str, str], Summary]
"""The mean of a method on a data set, with its spread."""


class Place(NamedTuple):
    """Where the paper prints a score: the number of its table, and the region."""

    table: int
    region: str = ""


def _in_rows(rows: Sequence[Row], score: str) -> Found:
    parts = by_method(rows)
    return lambda method, dataset: summary_of(parts.get(method, []), score, dataset)


def _in_print(place: Place) -> Found:
    cells = paper_table(place.table).cells

    def found(method: str, dataset: str) -> Summary:
        cell = cells.get((method, dataset, place.region))
        if cell is None or cell.mean is None or cell.std is None:
            return Summary(0.0, 0.0, 0)
        return Summary(cell.mean, cell.std, _PRINTED)

    return found


class PositiveSets(NamedTuple):
    """Mean EURC on each gap set that was run, and the sets on which it is above 0 by more than its std."""

    eurc: dict[str, Summary]
    positive: list[str]

    @property
    def enough(self) -> bool | None:
        """Whether five of the six sets are positive; None while the sets that were not run could still tell."""
        if len(self.positive) >= _ENOUGH:
            return True
        return None if len(self.positive) + _SETS - len(self.eurc) >= _ENOUGH else False

    def __str__(self) -> str:
        return f"{len(self.positive)} of {len(self.eurc)}"


def positive_sets(rows: Sequence[Row], method: str) -> PositiveSets:
    """The gap sets on which a method's mean EURC is above 0 by more than its std: what the paper prints in bold.

    A set with a single run has no std and does not count.
    """
    return _positive(_in_rows(rows, "eurc"), method)


def _positive(found: Found, method: str) -> PositiveSets:
    run = {name: value for name in paper_table(1).datasets if (value := found(method, name)).n > 1}
    return PositiveSets(run, [name for name, value in run.items() if value.mean > value.std])


def _is_positive(found: Found, method: str) -> Finding | None:
    sets = _positive(found, method)
    said = "; ".join(f"{name} {mean_std(*value[:2], percent=True)}" for name, value in sets.eurc.items())
    return Finding(sets.enough, f"{sets}: {said}") if sets.eurc else None


def is_positive(rows: Sequence[Row], method: str) -> Finding | None:
    """A method is positive on at least five gap sets."""
    return _is_positive(_in_rows(rows, "eurc"), method)


def printed_positive(method: str) -> Finding | None:
    """The same by the paper's table 1."""
    return _is_positive(_in_print(Place(1)), method)


def other_ensembles(rows: Sequence[Row]) -> Finding | None:
    """Bootstrap and anchored ensembles are positive on at least five gap sets."""
    return _ensembles(_in_rows(rows, "eurc"))


def _ensembles(found: Found) -> Finding | None:
    sets = {method: _positive(found, method) for method in _ENSEMBLES}
    said = "; ".join(f"{method} {own}" for method, own in sets.items() if own.eurc)
    each = [own.enough for own in sets.values()]
    held = False if False in each else None if None in each else True
    return Finding(held, said) if said else None


def printed_ensembles() -> Finding | None:
    """The same by the paper's table 1."""
    return _ensembles(_in_print(Place(1)))


class Beside(NamedTuple):
    """LUNA's mean on a set, what the median baseline has on the same splits, and the baselines' median spread.

    `own` and `middle` rest on at least `runs` runs each, and `spread` is NaN if no baseline has enough runs for one.
    """

    own: float
    middle: float
    spread: float
    runs: int


def beside_median(rows: Sequence[Row], score: str, dataset: str, luna: str = m.LUNA_PAPER) -> Beside | None:
    """LUNA beside the median baseline on one set; None if there is nothing to compare.

    Splits are easy or hard for all methods, so LUNA and a baseline are compared on the splits that both were run on:
    `middle` is LUNA's mean less the median difference to a baseline. If all have the same splits, that is the median of
    the baselines' means. A baseline with a single run beside LUNA's is left out unless there are only such.
    """
    parts = by_method(row for row in rows if row.dataset == dataset and np.isfinite(row.scores.get(score, np.nan)))
    own = grouped(parts.get(luna, []), lambda row: row.split)
    found: list[tuple[float, int]] = []
    for name in filter(is_baseline, parts):
        other = grouped(parts[name], lambda row: row.split)
        if both := own.keys() & other.keys():
            means = [_mean([one for split in both for one in part[split]], score) for part in (own, other)]
            found.append((means[0] - means[1], min(sum(len(part[split]) for split in both) for part in (own, other))))
    if not found:
        return None
    runs = 2 if any(count > 1 for _, count in found) else 1
    mean = _mean(parts[luna], score)
    middle = mean - statistics.median(difference for difference, count in found if count >= runs)
    spreads = [one.std for name in filter(is_baseline, parts) if (one := summary_of(parts[name], score)).n >= _SPREAD]
    return Beside(mean, middle, statistics.median(spreads) if spreads else math.nan, runs)


def _mean(rows: Sequence[Row], score: str) -> float:
    return statistics.fmean(row.scores[score] for row in rows)


def _printed_beside(place: Place, dataset: str) -> Beside | None:
    found, methods = _in_print(place), filter(is_baseline, paper_table(place.table).methods)
    own, others = found(m.LUNA_PAPER, dataset), [one for name in methods if (one := found(name, dataset)).n]
    if not own.n or not others:
        return None
    middle, spread = (statistics.median(part) for part in ([one.mean for one in others], [one.std for one in others]))
    return Beside(own.mean, middle, spread, _PRINTED)


class ComparedSets(NamedTuple):
    """LUNA beside the median baseline: in words for each set, the sets on which it is behind, and those undecided.

    `run` counts the sets on which it and a baseline were run at all.
    """

    compared: dict[str, str]
    behind: list[str]
    undecided: list[str]
    run: int

    @property
    def within(self) -> int:
        """On how many sets it is within the spread or better."""
        return len(self.compared) - len(self.behind)

    def finding(self) -> Finding | None:
        """Whether it is within the spread on all sets; undecided while sets are open, None if there are none."""
        if not self.run:
            return None
        if not self.compared:
            return Finding(None, f"too few runs for a spread on {', '.join(self.undecided)}")
        count = f"within the spread or better on {self.within} of {len(self.compared)}"
        count += f", behind on {', '.join(self.behind)}" if self.behind else ""
        count += f", undecided on {', '.join(self.undecided)}" if self.undecided else ""
        held = False if self.behind else None if self.undecided else True
        return Finding(held, f"{count}: {'; '.join(self.compared.values())}")


def comparable(rows: Sequence[Row], score: str, place: Place, luna: str = m.LUNA_PAPER) -> Finding | None:
    """LUNA is no worse than the median baseline on the same splits by more than the baselines' median spread.

    LUNA's own spread excuses nothing: a search that fails now and then has a large one. A single run decides nothing.
    """
    return compare_sets(rows, score, place, luna).finding()


def compare_sets(
    rows: Sequence[Row], score: str, place: Place, luna: str = m.LUNA_PAPER, *, printed_spread: bool = False
) -> ComparedSets:
    """Compare LUNA with the median baseline on each set.

    Parameters
    ----------
    rows, score, luna
        Results, what to compare, and the LUNA that is compared.
    place
        Where the paper prints it.
    printed_spread
        If True, what is allowed is the spread that the paper prints.
    """
    found = {name: beside_median(rows, score, name, luna) for name in paper_table(place.table).datasets}
    if printed_spread:
        found = {
            name: None if one is None or told is None else one._replace(spread=told.spread)
            for name, one in found.items()
            for told in [_printed_beside(place, name)]
        }
    return _compared(found, score)


def printed_comparable(score: str, place: Place) -> Finding | None:
    """The same by the numbers that the paper prints."""
    return _compared(
        {name: _printed_beside(place, name) for name in paper_table(place.table).datasets}, score
    ).finding()


def _compared(found: Mapping[str, Beside | None], score: str) -> ComparedSets:
    better = QUANTITIES[score.removesuffix("_gap")].better
    said, behind, undecided = {}, [], []
    for dataset, one in found.items():
        if one is None or one.runs < 2 or math.isnan(one.spread):
            undecided.append(dataset)
            continue
        relative = better < 0 and one.middle > 0
        by = f"{100 * (one.own / one.middle - 1):+.0f} %" if relative else f"{one.own - one.middle:+.2f}"
        said[dataset] = f"{dataset} {number(one.own)} against {number(one.middle)} ({by}, allowed {number(one.spread)})"
        if (one.own - one.middle) * better < -one.spread:
            behind.append(dataset)
    return ComparedSets(said, behind, undecided, sum(one is not None for one in found.values()))


NO_WORSE = (
    "on every data set, {} is no worse than the median baseline on the same splits by more than the baselines' median "
    "spread, taken from three runs or more; its own spread excuses nothing, and a single run decides nothing"
)
_OURS = {
    "uci-gap": {m.LUNA: "uci-gap", m.LUNA_DEFAULTS: "our-gap-sets", m.UNA: "our-gap-sets"},
    "uci-standard": {m.LUNA_DEFAULTS: "our-standard-sets", m.UNA: "our-standard-sets"},
}  # our models on the sets of an experiment, and where their rows are
_FIVE = "mean EURC of {} above 0 by more than its std, on at least 5"


def _fit_claim(name: str, what: str, experiment: str, score: str, place: Place) -> Claim:
    statement = f"LUNA's {what} is like the baselines'."
    ours = _OURS[experiment]
    return Claim(
        name,
        statement,
        NO_WORSE.format(m.LUNA_PAPER),
        experiment,
        partial(comparable, score=score, place=place),
        m.LUNA_PAPER,
        tuple(Ours(one, where, partial(comparable, score=score, place=place, luna=one)) for one, where in ours.items()),
        partial(printed_comparable, score, place),
    )


UCI_CLAIMS: tuple[Claim, ...] = (
    Claim(
        "LUNA on the gap sets",
        "LUNA is more uncertain in the gap on 5 of 6 data sets.",
        _FIVE.format(m.LUNA_PAPER),
        "uci-gap",
        partial(is_positive, method=m.LUNA_PAPER),
        m.LUNA_PAPER,
        tuple(Ours(one, where, partial(is_positive, method=one)) for one, where in _OURS["uci-gap"].items()),
        partial(printed_positive, m.LUNA_PAPER),
    ),
    Claim(
        "Vanilla ensembles on the gap sets",
        "A vanilla ensemble is more uncertain in the gap on 5 of 6 data sets.",
        _FIVE.format("the ensemble"),
        "uci-gap",
        partial(is_positive, method=m.VANILLA),
        printed=partial(printed_positive, m.VANILLA),
    ),
    Claim(
        "Other ensembles on the gap sets",
        "Ensembles are more uncertain in the gap on 5 of 6 data sets.",
        "the same count for bootstrap and anchored ensembles",
        "uci-gap",
        other_ensembles,
        printed=printed_ensembles,
    ),
    _fit_claim("RMSE, gap sets", "error outside the gap", "uci-gap", "rmse", Place(2, "not gap")),
    _fit_claim("RMSE in the gap", "error in the gap", "uci-gap", "rmse_gap", Place(2, "gap")),
    _fit_claim(
        "Log-likelihood, gap sets",
        "log-likelihood outside the gap",
        "uci-gap",
        "log_likelihood",
        Place(3, "not gap"),
    ),
    _fit_claim(
        "Log-likelihood in the gap", "log-likelihood in the gap", "uci-gap", "log_likelihood_gap", Place(3, "gap")
    ),
    _fit_claim("RMSE, standard sets", "error", "uci-standard", "rmse", Place(6)),
    _fit_claim("Log-likelihood, standard sets", "log-likelihood", "uci-standard", "log_likelihood", Place(5)),
)
