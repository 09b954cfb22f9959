"""Tables of who knows where there is no data: ranks by region, every table, drawn functions, and the targets."""

import math
import statistics
from collections.abc import Mapping, Sequence
from functools import partial

from unabases.paper.report.accuracy_targets import check_target
from unabases.paper.report.detail_lines import DetailTableSpec, Line
from unabases.paper.report.honesty_cells import (
    PLACES,
    PRIORS,
    Cell,
    behind_best,
    cell_ranks,
    cell_scores,
    family_of,
    on_drawn,
    on_tables,
    over_tables,
    table_scores,
)
from unabases.paper.report.honesty_targets import PUBLISHED, RECOMMENDED, TARGETS
from unabases.paper.report.rows import by_method, grouped
from unabases.paper.report.scores import number
from unabases.paper.store import Row

__all__ = ["EXACT", "HONESTY_TABLES"]

EXACT = "Exact posterior"
_MEANS = {
    "coverage_90": "inside the 90 % interval",
    "auroc": "AUROC of epistemic std",
    "prediction_rejection_ratio": "prediction-rejection ratio",
}
_RANKED = {"log_likelihood": "log-likelihood", "crps": "CRPS", "interval_score": "interval score", "rmse": "RMSE"}
_ELSEWHERE = ("auroc", "prediction_rejection_ratio")  # which compare a region with the data, so not on the data


def _by_region(rows: Sequence[Row], place: str) -> list[Line]:
    """A line for each method in one region of the tables, the best rank in log-likelihood first."""
    rows = on_tables(rows)
    kind = place.removeprefix("_")
    rows = [row for row in rows if not kind or f"-{kind}-" in row.dataset]
    titles = {**_RANKED, "retention_area": "error retention"} if place else _RANKED
    ranks = {score: cell_ranks(rows, f"{score}{place}") for score in titles}
    level, behind = (found(rows, f"log_likelihood{place}") for found in (cell_scores, behind_best))
    lines = []
    for method, part in by_method(rows).items():
        line = Line(part, {"method": method, "cells": len(level[method])})
        for score, title in titles.items():
            _add(line, f"{score}_rank", f"mean rank, {title}", ranks[score].get(method))
        _add_spread(line, level[method], "log_likelihood", "log-likelihood")
        if behind[method]:
            _add(line, "most_behind", "nats behind the best, at most", max(behind[method].values()))
        for score, title in _MEANS.items():
            if place or score not in _ELSEWHERE:
                _add(line, score, title, over_tables(cell_scores(part, f"{score}{place}")[method]))
        if place:
            change = cell_scores(part, f"eurc{place}")[method].values()
            _add(line, "eurc", "EURC, median", statistics.median(change) if change else None)
        _add_failures(line)
        lines.append(line)
    return sorted(lines, key=lambda line: line.numbers.get("log_likelihood_rank", math.inf))


def _by_set(rows: Sequence[Row]) -> list[Line]:
    """A line for each table and method: log-likelihood and coverage in every region, over the table's columns."""
    rows = on_tables(rows)
    parts = grouped(rows, lambda row: row.dataset.rsplit("-", 2)[0])
    lines = []
    for table, own in parts.items():
        published = {place: PUBLISHED[place].get(table) for place in PUBLISHED}
        for method, part in by_method(own).items():
            line = Line(part, {"dataset": table, "method": method}, {"data set": table, "method": method})
            for place, words in PLACES.items():
                scores = cell_scores(part, f"log_likelihood{place}")[method]
                _add_spread(line, scores, f"log_likelihood{place}", f"log-likelihood {words}")
                if published.get(place) is not None:
                    _add(line, f"published{place}", f"published {words}", published[place])
                inside = table_scores(cell_scores(part, f"coverage_90{place}")[method]).get(table)
                _add(line, f"coverage_90{place}", f"inside {words}", inside)
            line.add_range("fit_seconds", "seconds to fit")
            lines.append(line)
    return lines


def _by_family(rows: Sequence[Row]) -> list[Line]:
    """A line for each family of drawn functions and method, and for the exact posterior where there is one."""
    lines = []
    for family, own in grouped(on_drawn(rows), family_of).items():
        parts: dict[str, list[Row]] = by_method(own)
        if family in PRIORS:
            lines.append(_exact_line(family, next(iter(parts.values()))))
        lines += [_drawn_line(family, method, part) for method, part in parts.items()]
    return lines


_DRAWN_PLACES = {"": "on the data", "_gap": "in the gap", "_outside": "outside"}


def _drawn_line(family: str, method: str, part: Sequence[Row], before: str = "") -> Line:
    line = Line(part, {"family": family, "method": method, "functions": len(part)})
    for place in ("_gap", "_outside"):
        ratios, said = [] if before else _values(part, f"epistemic_ratio{place}"), ""
        if ratios:
            median, least = statistics.median(ratios), min(ratios)
            line.numbers |= {f"epistemic_ratio{place}": median, f"epistemic_ratio{place}_least": least}
            said = f"{number(median)} ({number(least)})"
        line.words[f"std / exact {_DRAWN_PLACES[place]}: median (least)"] = said
    for score, title in (("epistemic_coverage_90", "truth inside"), ("log_likelihood", "log-likelihood")):
        for place, words in _DRAWN_PLACES.items():
            values = _values(part, f"{before}{score}{place}")
            _add(line, f"{score}{place}", f"{title} {words}", statistics.fmean(values) if values else None)
    return line


def _exact_line(family: str, part: Sequence[Row]) -> Line:
    return _drawn_line(family, EXACT, part, before="exact_")


def _targets(rows: Sequence[Row]) -> list[Line]:
    if not rows:
        return []
    found = [(target, check_target(target, rows, RECOMMENDED)) for target in TARGETS]
    return [
        Line((), {"target": target.statement, "here": checked.verdict, "numbers": checked.evidence})
        for target, checked in found
    ]


def _values(rows: Sequence[Row], score: str) -> list[float]:
    return [row.scores[score] for row in rows if not row.failed and score in row.scores]


def _add(line: Line, key: str, title: str, value: float | None) -> None:
    """Add a number and its text; one that is absent leaves its place empty."""
    if value is None or math.isnan(value):
        line.words[title] = ""
    else:
        line.numbers[key], line.words[title] = value, number(round(value, 9) + 0.0)  # + 0.0: no minus before a zero


def _add_spread(line: Line, cells: Mapping[Cell, float], key: str, title: str) -> None:
    """Add mean and median over cells."""
    if cells:
        mean, median = statistics.fmean(cells.values()), statistics.median(cells.values())
        line.numbers |= {f"{key}_mean": mean, f"{key}_median": median}
        line.words[f"{title}: mean (median)"] = f"{number(mean)} ({number(median)})"


def _add_failures(line: Line) -> None:
    failed = sum(bool(row.failed) for row in line.rows)
    if failed:
        line.numbers["failed"], line.words["failed fits"] = failed, str(failed)


_HALVES = {"honesty": "development half", "honesty-locked": "locked half"}
_RANKS = (
    "Methods are ranked in each cell, that is for each column of each table; ranks and shares are averaged over the "
    "columns of a table, then over tables. Log-likelihoods are in nats, over all cells."
)
_ON_DATA = f"{_RANKS} These are the rows that are like the training rows, with gaps and with tails held out."
_SETS = (
    "Over the columns of each table that belong to this half. Published figures are the best that were found of any "
    "method, on all columns and with other protocols: a yardstick."
)
_FAMILIES = (
    "The ratio is the mean epistemic std divided by the exact posterior's: 1 is right, far below 1 is blind, far above "
    "1 cries wolf. “Truth inside” is the share of the true function in 90 % epistemic intervals, and should be 0.9. "
    "Models of other packages do not tell what they do not know from noise, so they have neither."
)
_TARGETS = f"Of {RECOMMENDED}, where nothing else is said. What counts is the locked half."
HONESTY_TABLES: tuple[DetailTableSpec, ...] = tuple(
    DetailTableSpec(f"{experiment}{suffix}", f"Where there is no data, {half}: {title}", experiment, lines, note)
    for experiment, half in _HALVES.items()
    for suffix, title, lines, note in (
        ("-gaps", "gaps of tables", partial(_by_region, place="_gap"), _RANKS),
        ("-tails", "tails of tables", partial(_by_region, place="_tail"), _RANKS),
        ("-data", "on the data", partial(_by_region, place=""), _ON_DATA),
        ("-drawn", "drawn functions", _by_family, _FAMILIES),
        ("-targets", "targets", _targets, _TARGETS),
        ("-sets", "every table", _by_set, _SETS),
    )
)
"""The tables of both halves."""
