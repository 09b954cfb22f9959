"""Claims about the UCI data: uncertainty in the gap, and whether LUNA fits as well as the baselines."""

import statistics
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from unabases.paper import methods as m
from unabases.paper.report.claims.record import Claim, Finding
from unabases.paper.report.paper_values import paper_table
from unabases.paper.report.rows import Summary, by_method, summary_of
from unabases.paper.report.scores import QUANTITIES, mean_std, number
from unabases.paper.store import Row

__all__ = ["NO_WORSE", "UCI_CLAIMS", "PositiveSets", "comparable", "positive_sets"]

_NO_BASELINES = (
    m.LUNA,
    m.LUNA_PAPER,
    m.RANDOM_SEARCH,
    m.OPTUNA_TPE,
    m.OPTUNA_GP,
)  # and what it leaves out
_ENOUGH, _SETS = 5, 6  # gap sets on which EURC has to be positive, and all of them
_ENSEMBLES = (m.BOOTSTRAP, m.ANCHORED)


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
    """The gap sets on which a method's mean EURC is above 0 by more than its std: what the paper prints in bold."""
    part = by_method(rows).get(method, [])
    found = {name: summary_of(part, "eurc", name) for name in paper_table(1).datasets}
    run = {name: value for name, value in found.items() if value.n}
    return PositiveSets(run, [name for name, value in run.items() if value.mean > value.std])


def is_positive(rows: Sequence[Row], method: str) -> Finding | None:
    """A method is positive on at least five gap sets."""
    sets = positive_sets(rows, method)
    said = "; ".join(f"{name} {mean_std(*value[:2], percent=True)}" for name, value in sets.eurc.items())
    return Finding(sets.enough, f"{sets}: {said}") if sets.eurc else None


def other_ensembles(rows: Sequence[Row]) -> Finding | None:
    """Bootstrap and anchored ensembles are positive on at least five gap sets."""
    found = {method: positive_sets(rows, method) for method in _ENSEMBLES}
    said = "; ".join(f"{method} {sets}" for method, sets in found.items() if sets.eurc)
    each = [sets.enough for sets in found.values()]
    held = False if False in each else None if None in each else True
    return Finding(held, f"{said}; by the paper's own table 1: {_printed_positive()}") if said else None


def _printed_positive() -> str:
    table = paper_table(1)
    said = []
    for method in _ENSEMBLES:
        cells = [table.cells[method, dataset, ""] for dataset in table.datasets]
        bold = sum(cell.mean is not None and cell.std is not None and cell.mean > cell.std for cell in cells)
        said.append(f"{method} {bold} of {len(cells)}")
    return ", ".join(said)


def comparable(rows: Sequence[Row], score: str, luna: str = m.LUNA_PAPER) -> Finding | None:
    """LUNA is no worse than the median of the baselines' means by more than the larger spread."""
    better, parts = QUANTITIES[score.removesuffix("_gap")].better, by_method(rows)
    said, behind = [], []
    for dataset in dict.fromkeys(row.dataset for row in rows):
        own = summary_of(parts.get(luna, []), score, dataset)
        baselines = (summary_of(part, score, dataset) for name, part in parts.items() if name not in _NO_BASELINES)
        others = [found for found in baselines if found.n]
        if not own.n or not others:
            continue
        middle = statistics.median(found.mean for found in others)
        spread = max(own.std, statistics.median(found.std for found in others))
        relative = better < 0 and middle > 0
        by = f"{100 * (own.mean / middle - 1):+.0f} %" if relative else f"{own.mean - middle:+.2f}"
        said.append(f"{dataset} {number(own.mean)} against {number(middle)} ({by})")
        if (own.mean - middle) * better < -spread:
            behind.append(dataset)
    if not said:
        return None
    count = f"within the spread or better on {len(said) - len(behind)} of {len(said)}"
    return Finding(not behind, f"{count}{', behind on ' + ', '.join(behind) if behind else ''}: {'; '.join(said)}")


NO_WORSE = "on every data set, {} is no worse than the median baseline by more than the larger of the two spreads"
_FIVE = "mean EURC of {} above 0 by more than its std, on at least 5"


def _fit_claim(name: str, what: str, experiment: str, score: str) -> Claim:
    statement = f"LUNA's {what} is like the baselines'."
    return Claim(name, statement, NO_WORSE.format(m.LUNA_PAPER), experiment, partial(comparable, score=score))


UCI_CLAIMS: tuple[Claim, ...] = (
    Claim(
        "LUNA on the gap sets",
        "LUNA is more uncertain in the gap on 5 of 6 data sets.",
        _FIVE.format(m.LUNA_PAPER),
        "uci-gap",
        partial(is_positive, method=m.LUNA_PAPER),
    ),
    Claim(
        "Vanilla ensembles on the gap sets",
        "A vanilla ensemble is more uncertain in the gap on 5 of 6 data sets.",
        _FIVE.format("the ensemble"),
        "uci-gap",
        partial(is_positive, method=m.VANILLA),
    ),
    Claim(
        "Other ensembles on the gap sets",
        "Ensembles are more uncertain in the gap on 5 of 6 data sets.",
        "the same count for bootstrap and anchored ensembles",
        "uci-gap",
        other_ensembles,
    ),
    _fit_claim("RMSE, gap sets", "error outside the gap", "uci-gap", "rmse"),
    _fit_claim("RMSE in the gap", "error in the gap", "uci-gap", "rmse_gap"),
    _fit_claim("Log-likelihood, gap sets", "log-likelihood outside the gap", "uci-gap", "log_likelihood"),
    _fit_claim("Log-likelihood in the gap", "log-likelihood in the gap", "uci-gap", "log_likelihood_gap"),
    _fit_claim("RMSE, standard sets", "error", "uci-standard", "rmse"),
    _fit_claim("Log-likelihood, standard sets", "log-likelihood", "uci-standard", "log_likelihood"),
)
