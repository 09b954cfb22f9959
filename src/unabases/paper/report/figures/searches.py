"""The figure of Bayesian optimisation: regret and time over evaluations, one column for each problem."""

from collections.abc import Sequence

from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from unabases.paper.methods import LUNA_PAPER, ordered
from unabases.paper.report.figures.record import FigureSpec, look, new_figure
from unabases.paper.report.paper_values import paper_table, paper_value
from unabases.paper.report.rows import by_method
from unabases.paper.store import Row
from unabases.plotting import draw_regret, draw_seconds
from unabases.plotting.style import FAINT

__all__ = ["SEARCHES_FIGURE", "draw_searches", "problems"]


def problems(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """Rows of searches that ended well and whose curves were stored, by problem, in the paper's order."""
    fine = [row for row in rows if not row.failed and row.curves.get("regret")]
    names = dict.fromkeys([*paper_table(4).datasets, *(row.dataset for row in fine)])
    parts = {name: [row for row in fine if row.dataset == name] for name in names}
    return {name: part for name, part in parts.items() if part}


def draw_searches(rows: Sequence[Row]) -> Figure | None:
    """Regret above, with the paper's LUNA as a line; time below; one legend for all."""
    found = problems(rows)
    if not found:
        return None
    methods = ordered(row.method for part in found.values() for row in part)
    looks = {method: look(method) for method in methods}
    figure = new_figure(max(6.0, 3.9 * len(found)), 6.6)
    axes = figure.subplots(2, len(found), squeeze=False, height_ratios=(3, 2))
    for (above, below), (name, part) in zip(axes.T, found.items(), strict=True):
        own = by_method(part)
        draw_regret(above, {method: [row.curves["regret"] for row in own[method]] for method in own}, looks)
        draw_seconds(below, {method: [row.curves["seconds"] for row in own[method]] for method in own}, looks)
        printed = paper_value(4, LUNA_PAPER, name)
        if printed is not None and printed.mean:
            above.axhline(printed.mean, color=FAINT, linestyle=":", linewidth=1.2)
        counts = sorted(map(len, own.values()))
        searches = " to ".join(str(count) for count in dict.fromkeys((counts[0], counts[-1])))
        above.set_title(f"{name}\n{searches} {'search' if counts[-1] == 1 else 'searches'} per method", fontsize=10)
    for ax in axes[:, 1:].flat:
        ax.set_ylabel("")
    handles = [Line2D([], [], **looks[method].keywords(), label=method) for method in methods]
    handles.append(Line2D([], [], color=FAINT, linestyle=":", label="LUNA in the paper, at the end"))
    figure.legend(handles=handles, loc="outside lower center", ncols=min(3 * len(found), 7), fontsize=8, frameon=False)
    return figure


SEARCHES_FIGURE = FigureSpec(
    "bayesopt",
    "Bayesian optimisation: regret and time",
    "Above, how far the best value so far is from the optimum: the median over searches and their middle half. Below, "
    "how long a method takes to suggest a point and to learn its value, without the evaluation itself. The first "
    "points need no surrogate, and some steps compile. Random search takes no time. LUNA is the package's own.",
    "One column for each problem, with falling lines of regret for each method above lines of seconds per evaluation; "
    "the table of searches gives the numbers.",
    "bayesopt",
    draw_searches,
)
