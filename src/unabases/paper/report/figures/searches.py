"""The figure of Bayesian optimisation: regret and time over evaluations, one column for each problem."""

import statistics
from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from unabases.paper.methods import LUNA_PAPER, ordered
from unabases.paper.report.figures.record import SHOWN, FigureSpec, look, new_figure, quiet_look
from unabases.paper.report.paper_values import paper_table, paper_value, why_not_comparable
from unabases.paper.report.rows import by_method
from unabases.paper.store import Row
from unabases.plotting import draw_regret, draw_seconds, end_labels, plain_axes, plain_log
from unabases.plotting.style import DATA, FAINT

__all__ = ["ENDS_FIGURE", "SEARCHES_FIGURE", "draw_ends", "draw_searches", "problems"]

_COLUMNS = 2
_DISTANCE, _ERROR = "above the minimum, at the end", "error at the end, %"
_PROBLEMS = {
    "branin": ("Branin", _DISTANCE),
    "hartmann6": ("Hartmann6", _DISTANCE),
    "svm": ("Support vector machine", _ERROR),
    "logistic": ("Logistic regression", _ERROR),
}  # how a problem is called, and what is measured
_LEAST = 1e-6  # smaller regrets are drawn as this one
_BESIDE: dict[str, Any] = {"ha": "right", "va": "bottom", "fontsize": 8, "color": FAINT}
_COUNT: dict[str, Any] = {"va": "center", "fontsize": 8, "color": FAINT}


def problems(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """Rows of searches that ended well and whose curves were stored, by problem, in the paper's order."""
    fine = [row for row in rows if not row.failed and row.curves.get("regret")]
    return {name: [row for row in fine if row.dataset == name] for name in _in_order(fine)}


def draw_searches(rows: Sequence[Row]) -> Figure | None:
    """A block for each problem, two in a row: regret with the names of methods at its end, and time below it."""
    found = problems(rows)
    if not found:
        return None
    methods = ordered(row.method for part in found.values() for row in part)
    looks = {method: quiet_look(method) for method in methods}
    across = min(_COLUMNS, len(found))
    down = -(-len(found) // across)
    figure = new_figure(6.4 * across, 5.6 * down)
    blocks = list(np.ravel(figure.subfigures(down, across, squeeze=False)))
    for block, (name, part) in zip(blocks, found.items(), strict=False):
        above, below = block.subplots(2, 1, sharex=True, height_ratios=(5, 2))
        own = by_method(part)
        regrets = {method: [row.curves["regret"] for row in own[method]] for method in own}
        draw_regret(above, regrets, looks, bands=SHOWN)
        draw_seconds(below, {method: [row.curves["seconds"] for row in own[method]] for method in own}, looks)
        _draw_printed(above, name)
        ends = [(m, above.lines[place].get_ydata()[-1]) for place, m in enumerate(regrets)]  # pyright: ignore[reportArgumentType,reportIndexIssue]
        end_labels(above, [(float(end), f"{m} ({len(own[m])})", looks[m].colour) for m, end in ends])
        title, measured = _PROBLEMS.get(name, (name, _DISTANCE))
        above.set_title(title, fontsize=11)
        if measured == _ERROR:
            above.set_ylabel("error, %")
        above.set_xlabel("")
        below.set_ylabel("seconds per\nevaluation")
    return figure


def _printed(problem: str) -> float | None:
    """Where the paper's LUNA ends; None if it is not printed, is 0 or cannot be compared."""
    printed = paper_value(4, LUNA_PAPER, problem)
    return None if printed is None or why_not_comparable(printed) else printed.mean or None


def _draw_printed(ax: Axes, problem: str) -> None:
    """A dotted line where the paper's LUNA ends."""
    printed = _printed(problem)
    if printed is not None:
        ax.axhline(printed, color=FAINT, linestyle=":", linewidth=1.2)
        beside = ax.get_yaxis_transform()
        ax.text(0.99, printed, "LUNA in the paper, at the end", transform=beside, **_BESIDE)


def draw_ends(rows: Sequence[Row]) -> Figure | None:
    """A panel for each problem: how good the best value is at the end of each search, and the median of each method."""
    fine = [row for row in rows if not row.failed and row.scores.get("regret") is not None]
    parts = {name: [row for row in fine if row.dataset == name] for name in _in_order(fine)}
    if not parts:
        return None
    methods = ordered(row.method for row in fine)[::-1]
    figure = new_figure(2.2 + 2.9 * len(parts), 0.34 * len(methods) + 1.1)
    for place, (ax, (name, part)) in enumerate(
        zip(figure.subplots(1, len(parts), sharey=True, squeeze=False)[0], parts.items(), strict=True)
    ):
        for height, method in enumerate(methods):
            values = [max(row.scores["regret"], _LEAST) for row in part if row.method == method]
            if values:
                colour = quiet_look(method).colour
                ax.plot(values, np.full(len(values), height), "o", color=colour, alpha=0.45, markersize=5, mew=0)
                ax.plot([statistics.median(values)], [height], "|", color=colour, markersize=15, mew=2.5)
                ax.text(1.01, height, f"{len(values)}", transform=ax.get_yaxis_transform(), **_COUNT)
        ax.text(1.01, len(methods) - 0.4, "n", transform=ax.get_yaxis_transform(), **_COUNT)
        printed = _printed(name)
        if printed is not None:
            ax.axvline(printed, color=FAINT, linestyle=":", linewidth=1.4)
        title, measured = _PROBLEMS.get(name, (name, "regret at the end"))
        plain_axes(ax).set_title(title, fontsize=11)
        if measured != _ERROR:
            plain_log(ax.xaxis)
        ax.tick_params(axis="x", labelsize=9, labelrotation=30 if measured != _ERROR else 0)
        ax.set_xlabel(measured)
        if not place:
            ax.set_yticks(range(len(methods)), labels=methods, fontsize=10)
            for label, method in zip(ax.get_yticklabels(), methods, strict=True):
                label.set(color=look(method).colour, weight="bold") if method in SHOWN else label.set(color=DATA)
    return figure


def _in_order(rows: Sequence[Row]) -> list[str]:
    there = {row.dataset for row in rows}
    return [name for name in dict.fromkeys([*paper_table(4).datasets, *(row.dataset for row in rows)]) if name in there]


ENDS_FIGURE = FigureSpec(
    "bayesopt-ends",
    "Bayesian optimisation: where searches end",
    "How far the best value is from the optimum at the end, or its error: a dot for each search, a bar for the median "
    "of each method and on the right the number of searches. Further left is better. The dotted line is LUNA in the "
    "paper, where it can be compared; LUNA here is the package's own.",
    "One panel for each problem with the regret at the end of every search, one row for each method; the table of "
    "searches gives the numbers.",
    "bayesopt",
    draw_ends,
)
SEARCHES_FIGURE = FigureSpec(
    "bayesopt",
    "Bayesian optimisation: regret and time",
    "Above, how far the best value so far is from the optimum: the median over searches and, for methods in colour, "
    "their middle half. Names stand at the end of each line, with the number of searches. Below, how long a method "
    "takes to suggest a point and to learn its value, without the evaluation itself. The first points need no "
    "surrogate, and some steps compile. Random search takes no time. Only searches whose course was stored are shown. "
    "LUNA is the package's own.",
    "One block for each problem, with falling lines of regret for each method above lines of seconds per evaluation; "
    "the table of searches gives the numbers.",
    "bayesopt",
    draw_searches,
)
