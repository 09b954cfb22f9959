"""How good models are with their defaults: ranks over data sets, every set, and the targets that were set.

Each score is first averaged over the splits of a data set, so that every set counts the same.
"""

import statistics
from collections.abc import Sequence

from unabases.paper.known_functions import FUNCTIONS
from unabases.paper.methods import BOOSTING, GP
from unabases.paper.report.accuracy_targets import TARGETS, check_target
from unabases.paper.report.detail_lines import DetailTableSpec, Line
from unabases.paper.report.rows import by_method, grouped, mean_ranks, set_means, summary_of
from unabases.paper.report.scores import number
from unabases.paper.store import Row

__all__ = ["ACCURACY_TABLES"]


def _by_rank(rows: Sequence[Row]) -> list[Line]:
    tables = [row for row in rows if row.dataset not in FUNCTIONS]
    ranks = {score: mean_ranks(tables, score) for score in ("crps", "log_likelihood", "rmse")}
    titles = {"crps": "mean rank, CRPS", "log_likelihood": "mean rank, log-likelihood", "rmse": "mean rank, RMSE"}
    process, boosting = (by_method(tables).get(method, []) for method in (GP, BOOSTING))
    level, error = set_means(process, "log_likelihood"), set_means(process, "rmse")
    for dataset, value in set_means(boosting, "rmse").items():
        error[dataset] = min(value, error.get(dataset, value))
    lines = []
    for method, part in by_method(rows).items():
        own = [row for row in part if row.dataset not in FUNCTIONS]
        line = Line(own, {"method": method, "tables": len({row.dataset for row in own if not row.failed})})
        for score, title in titles.items():
            if method in ranks[score]:
                _add(line, f"{score}_rank", title, ranks[score][method])
        shares = [value / error[d] for d, value in set_means(own, "rmse").items() if d in error]
        behind = [value - level[d] for d, value in set_means(own, "log_likelihood").items() if d in level]
        _add_median(line, "rmse_share", f"RMSE / better of {GP} and boosting", shares)
        _add_median(line, "log_likelihood_gain", f"log-likelihood − {GP}'s", behind)
        _add_median(line, "rmse_ratio", "RMSE / truth's, functions", list(set_means(part, "rmse_ratio").values()))
        inside = list(set_means(own, "coverage_90").values())
        if inside:
            _add(line, "coverage_90", "inside the 90 % interval", statistics.fmean(inside))
        line.add_range("fit_seconds", "seconds to fit")
        lines.append(line)
    return sorted(lines, key=lambda line: line.numbers.get("crps_rank", float("inf")))


_SCORES = {
    "rmse": "RMSE",
    "rmse_ratio": "RMSE / truth's",
    "log_likelihood": "log-likelihood",
    "crps": "CRPS",
    "coverage_90": "inside the 90 % interval",
    "mean_std": "mean std",
}


def _by_set(rows: Sequence[Row]) -> list[Line]:
    lines = []
    for dataset, own in grouped(rows, lambda row: row.dataset).items():
        for method, part in by_method(own).items():
            line = Line(part, {"dataset": dataset, "method": method}, {"data set": dataset, "method": method})
            for score, title in _SCORES.items():
                if score != "rmse_ratio" or summary_of(part, score).n:
                    line.add_mean(score, title)
            line.add_range("fit_seconds", "seconds to fit")
            lines.append(line)
    return lines


def _targets(rows: Sequence[Row]) -> list[Line]:
    if not rows:
        return []
    found = [(target, check_target(target, rows)) for target in TARGETS]
    return [
        Line((), {"target": target.statement, "here": checked.verdict, "numbers": checked.evidence})
        for target, checked in found
    ]


def _add(line: Line, key: str, title: str, value: float) -> None:
    line.numbers[key], line.words[title] = value, number(value)


def _add_median(line: Line, key: str, title: str, values: Sequence[float]) -> None:
    """Add the median over sets, and the worst and best of them for a file."""
    if values:
        line.numbers |= {f"{key}_least": min(values), f"{key}_most": max(values)}
        _add(line, key, title, statistics.median(values))


_HALVES = {"accuracy": "development half", "accuracy-locked": "locked half"}
_RANKS = (
    "Tables alone; functions have a column of their own. Scores are averaged over the splits of a set, then ranked or "
    "compared on each set. Shares and differences are medians over sets. Models of other packages that predict no "
    "distribution have a normal one with the variance of their errors on rows left out."
)
_SETS = (
    "Mean ± std over splits, in units of y. The truth's RMSE is that of the function without noise, on the same rows."
)
_TARGETS = "Of the regressor that the package recommends. What counts is the locked half."
ACCURACY_TABLES: tuple[DetailTableSpec, ...] = tuple(
    DetailTableSpec(f"{experiment}{suffix}", f"Accuracy, {half}: {title}", experiment, lines, note)
    for experiment, half in _HALVES.items()
    for suffix, title, lines, note in (
        ("", "all methods", _by_rank, _RANKS),
        ("-targets", "targets", _targets, _TARGETS),
        ("-sets", "every data set", _by_set, _SETS),
    )
)
"""The tables of both halves."""
