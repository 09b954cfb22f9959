"""Targets for the regressor that the package recommends, each with the check that decides it."""

import math
import statistics
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from unabases.datasets.uci import UCI
from unabases.paper.halves import set_name
from unabases.paper.known_functions import FUNCTIONS
from unabases.paper.methods import BOOSTING, GP, RIDGE, UNA
from unabases.paper.report.rows import by_method, mean_ranks, set_means
from unabases.paper.report.scores import number
from unabases.paper.store import Row

__all__ = [
    "MEETS",
    "MISSES",
    "NOT_RUN",
    "PUBLISHED",
    "RECOMMENDED",
    "TARGETS",
    "CheckedTarget",
    "Compared",
    "Scores",
    "Target",
    "check_target",
]

RECOMMENDED = UNA
MEETS, MISSES, NOT_RUN = "meets it", "misses it", "not run"
PUBLISHED = {
    **{"boston": -2.40, "concrete": -2.89, "energy": -0.61, "kin8nm": 1.28, "power_plant": -2.78},
    **{"protein": -2.92, "wine_red": -0.93, "yacht": -0.23, "naval": 6.71},
}
"""Log-likelihoods that small networks reach on the usual splits, from the literature; whole tables, not samples."""
_PACKAGED = ("diabetes", "wine", "breast-cancer")
_LEAST, _MOST = 0.87, 0.93  # share inside a 90 % interval


class Scores(NamedTuple):
    """The mean of a score on each data set, by method."""

    rows: Sequence[Row]

    def of(self, score: str, method: str = RECOMMENDED) -> dict[str, float]:
        """The means of a method by data set."""
        return set_means(by_method(self.rows).get(method, []), score)


class Compared(NamedTuple):
    """Whether a target is met, and the numbers; None if what it needs was not run."""

    met: bool
    evidence: str


class Target(NamedTuple):
    """What is to be reached, in words and as a function of the scores."""

    statement: str
    check: Callable[[Scores], Compared | None]


class CheckedTarget(NamedTuple):
    """A verdict, one of `MEETS`, `MISSES` and `NOT_RUN`, and the numbers behind it."""

    verdict: str
    evidence: str


def check_target(target: Target, rows: Sequence[Row], recommended: str = RECOMMENDED) -> CheckedTarget:
    """Decide a target by stored rows. A failed fit of the recommended regressor misses every target.

    Parameters
    ----------
    target
        One of `TARGETS`, or of another experiment's.
    rows
        Rows of one half of an experiment.
    recommended
        Label of the regressor that is recommended.
    """
    found = target.check(Scores(rows))
    if found is None:
        return CheckedTarget(NOT_RUN, "")
    if all(row.profile == "tiny" for row in rows):
        return CheckedTarget(NOT_RUN, f"the profile tiny decides nothing: {found.evidence}")
    failed = sum(_failed(row) for row in rows if row.method == recommended)
    evidence = f"{found.evidence}; {failed} fits failed" if failed else found.evidence
    return CheckedTarget(MEETS if found.met and not failed else MISSES, evidence)


def _failed(row: Row) -> bool:
    """Whether a fit ended with an error, or with a score that is no number."""
    return bool(row.failed) or not all(map(math.isfinite, row.scores.values()))


def _likelihood(scores: Scores) -> Compared | None:
    own, other = scores.of("log_likelihood"), scores.of("log_likelihood", GP)
    behind = {name: other[name] - own[name] for name in own if name in other and name not in FUNCTIONS}
    return _typical_and_worst(behind, "nats behind", 0.03, 0.15)


def _error(scores: Scores) -> Compared | None:
    own, better = scores.of("rmse"), _least(scores.of("rmse", GP), scores.of("rmse", BOOSTING))
    shares = {name: own[name] / better[name] for name in own if name in better and name not in FUNCTIONS}
    return _typical_and_worst(shares, "times the better", 1.03, 1.15)


def _rank(scores: Scores) -> Compared | None:
    ranks = mean_ranks([row for row in scores.rows if row.dataset not in FUNCTIONS], "crps")
    if RECOMMENDED not in ranks or len(ranks) < 2:
        return None
    order = sorted(ranks, key=lambda method: ranks[method])
    said = "; ".join(f"{method} {ranks[method]:.2f}" for method in dict.fromkeys([*order[:3], RECOMMENDED]))
    return Compared(order.index(RECOMMENDED) < 2, said)


def _coverage(scores: Scores) -> Compared | None:
    own = {name: value for name, value in scores.of("coverage_90").items() if set_name(name).table in UCI}
    outside = {name: value for name, value in own.items() if not _LEAST <= value <= _MOST}
    said = f"{len(own) - len(outside)} of {len(own)}; others: {_listed(outside) or 'none'}"
    return Compared(len(outside) <= 1, said) if own else None


def _published(scores: Scores) -> Compared | None:
    own = {name: value for name, value in scores.of("log_likelihood").items() if name in PUBLISHED}
    below = {name: value for name, value in own.items() if value < PUBLISHED[name]}
    said = ", ".join(f"{name} {value:.2f} ({PUBLISHED[name]:.2f})" for name, value in below.items())
    return Compared(not below, f"{len(own) - len(below)} of {len(own)}; below: {said or 'none'}") if own else None


def _packaged(scores: Scores) -> Compared | None:
    error, level, inside = (scores.of(score) for score in ("rmse", "log_likelihood", "coverage_90"))
    least = _least(scores.of("rmse", GP), scores.of("rmse", RIDGE))
    negative = ({n: -v for n, v in scores.of("log_likelihood", method).items()} for method in (GP, RIDGE))
    most = {name: -value for name, value in _least(*negative).items()}
    run = [name for name in _PACKAGED if name in error and name in least]
    said, met = [], []
    for name in run:
        share, behind = error[name] / least[name], most[name] - level[name]
        said.append(f"{name} RMSE × {share:.3f}, {behind:.3f} nats behind, {100 * inside[name]:.0f} % inside")
        met.append(share <= 1.02 and behind <= 0.02 and _LEAST <= inside[name] <= _MOST)
    return Compared(all(met), "; ".join(said)) if run else None


def _functions(scores: Scores) -> Compared | None:
    own = scores.of("rmse_ratio")
    return Compared(all(value <= 1.5 for value in own.values()), _listed(own)) if own else None


def _typical_and_worst(values: Mapping[str, float], words: str, median: float, worst: float) -> Compared | None:
    if not values:
        return None
    typical, name = statistics.median(values.values()), max(values, key=lambda name: values[name])
    met = typical <= median and values[name] <= worst
    return Compared(met, f"{words}: {typical:.3f} in the median, {values[name]:.3f} at most ({name})")


def _least(first: Mapping[str, float], second: Mapping[str, float]) -> dict[str, float]:
    """The smaller value on each set that either has."""
    return {name: min(part[name] for part in (first, second) if name in part) for name in {**first, **second}}


def _listed(values: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {number(value)}" for name, value in values.items())


TARGETS: tuple[Target, ...] = (
    Target(
        f"Log-likelihood at most 0.03 nats below that of {GP} in the median over tables, and 0.15 on each", _likelihood
    ),
    Target(
        f"RMSE at most 1.03 times the better of {GP} and boosting in the median over tables, and 1.15 on each", _error
    ),
    Target("CRPS first or second in mean rank over tables", _rank),
    Target("87 to 93 % inside 90 % intervals on all but one of the UCI tables", _coverage),
    Target("Log-likelihood at least the published one on every whole UCI table", _published),
    Target(
        "Diabetes, wine and breast cancer: RMSE at most 1.02 times the better of Bayesian ridge and "
        f"{GP}, log-likelihood within 0.02 nats of the better, 87 to 93 % inside 90 % intervals",
        _packaged,
    ),
    Target("RMSE at most 1.5 times the truth's on every known function", _functions),
)
"""What the recommended regressor is to reach, in the order of the table."""
