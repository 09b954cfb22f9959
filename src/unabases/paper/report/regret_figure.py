"""Pictures of whole searches: regret and time over evaluations, a line a method."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from unabases.paper.report.gathered import ordered_methods
from unabases.paper.report.look import FAINT, look, plain_axes
from unabases.paper.report.paper_values import paper_table, paper_value
from unabases.paper.store import Row

__all__ = ["Course", "courses", "draw_regret", "draw_searches", "draw_time", "problems"]

_LEAST = 1e-6  # regret below this is drawn as this: on a logarithmic axis nothing has no place
_INSTANT = 1e-5  # seconds below which a step counts as taking no time
_MARKS = 6  # along each line


class Course(NamedTuple):
    """A quantity after each evaluation: the median over seeds, and the middle half of them."""

    method: str
    low: Float[np.ndarray, " n"]
    middle: Float[np.ndarray, " n"]
    high: Float[np.ndarray, " n"]
    seeds: int


def courses(rows: Sequence[Row], name: str) -> list[Course]:
    """The course of `"regret"` or `"seconds"` for each method, in the order of the tables; of one problem."""
    if others := {row.dataset for row in rows} - {rows[0].dataset}:
        raise ValueError(f"one problem at a time: these rows are of {rows[0].dataset} and {', '.join(sorted(others))}.")
    found = []
    for method in ordered_methods(row.method for row in rows):
        values = np.array([row.curves[name] for row in rows if row.method == method], dtype=np.float64)
        low, middle, high = np.quantile(values, [0.25, 0.5, 0.75], axis=0)
        found.append(Course(method, low, middle, high, len(values)))
    return found


def problems(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """Rows of searches that ended well and whose curves were stored, by problem: the paper's in its order."""
    fine = [row for row in rows if not row.failed and row.curves.get("regret")]
    known = paper_table(4).datasets
    names = sorted(dict.fromkeys(row.dataset for row in fine), key=lambda d: known.index(d) if d in known else 99)
    return {name: [row for row in fine if row.dataset == name] for name in names}


def draw_regret(ax: Axes, rows: Sequence[Row]) -> Axes:
    """Draw the median regret of each method over evaluations, with the middle half of its seeds; of one problem."""
    for course in courses(rows, "regret"):
        style = _style(course)
        low, middle, high = (np.maximum(part, _LEAST) for part in course[1:4])
        steps = np.arange(1, len(middle) + 1)
        ax.plot(steps, middle, label=course.method, **style)
        ax.fill_between(steps, low, high, color=style["color"], alpha=0.1, linewidth=0)
    plain_axes(ax).set_yscale("log")
    ax.set_xlabel("evaluation")
    ax.set_ylabel("regret")
    ax.set_title(rows[0].dataset, fontsize=10)
    return ax


def draw_time(ax: Axes, rows: Sequence[Row]) -> Axes:
    """Draw the median time that each method takes to ask and to be told, over evaluations; of one problem.

    What takes no time at all, such as a random point, is not drawn.
    """
    for course in courses(rows, "seconds"):
        middle = np.where(course.middle > _INSTANT, course.middle, np.nan)
        if np.isnan(middle).all():
            continue
        ax.plot(np.arange(1, len(middle) + 1), middle, label=course.method, **_style(course))
    plain_axes(ax).set_yscale("log")
    ax.set_xlabel("evaluation")
    ax.set_ylabel("seconds per evaluation")
    return ax


def draw_searches(figure: Figure, rows: Sequence[Row]) -> Figure:
    """Draw a column a problem: regret above, with the paper's LUNA as a line; time below; one legend for all."""
    parts = problems(rows)
    axes = figure.subplots(2, len(parts), squeeze=False, height_ratios=(3, 2))
    for (above, below), (name, own) in zip(axes.T, parts.items(), strict=True):
        draw_regret(above, own)
        draw_time(below, own)
        printed = paper_value(4, "LUNA", name)
        if printed is not None and printed.mean:
            above.axhline(printed.mean, color=FAINT, linestyle=":", linewidth=1.2)
        counts = sorted({course.seeds for course in courses(own, "regret")})
        searches = " to ".join(str(count) for count in dict.fromkeys((counts[0], counts[-1])))
        above.set_title(f"{name}\n{searches} {'search' if counts[-1] == 1 else 'searches'} a method", fontsize=10)
    for ax in axes[:, 1:].flat:
        ax.set_ylabel("")
    methods = ordered_methods(row.method for own in parts.values() for row in own)
    handles = [Line2D([], [], **_style_of(method), label=method) for method in methods]
    handles.append(Line2D([], [], color=FAINT, linestyle=":", label="the paper's LUNA, at the end"))
    figure.legend(handles=handles, loc="outside lower center", ncols=min(7, len(handles)), fontsize=8, frameon=False)
    return figure


def _style(course: Course) -> dict[str, Any]:
    """Line and marks of a method; the marks of different methods fall on different evaluations."""
    every = max(1, len(course.middle) // _MARKS)
    return {**_style_of(course.method), "markevery": (sum(map(ord, course.method)) % every, every)}


def _style_of(method: str) -> dict[str, Any]:
    own = look(method)
    width = 2.2 if method == "LUNA" else 1.2
    return {"color": own.colour, "linestyle": own.line, "marker": own.marker, "markersize": 4, "linewidth": width}
