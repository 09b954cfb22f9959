"""Pictures of functions over the gap: prior and posterior, LUNA's heads, every method, restarts."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from unabases.datasets import cubic_gap
from unabases.paper.report.comparison_figure import COLUMNS, LIMITS, TITLE
from unabases.paper.report.gap_figure import DATA, curve_panel, draw_gap, draw_gap_grid, shade_gap
from unabases.paper.report.gathered import by_method
from unabases.paper.report.look import look
from unabases.paper.report.quantities import number
from unabases.paper.store import Row

__all__ = ["RESTARTS", "draw_cubic_gap", "draw_functions", "draw_heads", "draw_prior", "draw_restarts"]

RESTARTS = 6  # columns at most
_CURVES = ("grid", "mean", "epistemic", "noise", "X_train", "y_train")


def drawable(rows: Sequence[Row], *more: str) -> list[Row]:
    """Rows that hold what a panel needs."""
    return [row for row in rows if not row.failed and all(name in row.curves for name in (*_CURVES, *more))]


def draw_functions(
    ax: Axes, curves: Mapping[str, Any], name: str, colour: str, limits: tuple[float, float] = LIMITS
) -> Axes:
    """Draw functions, a line each, over the data."""
    x = _flat(curves["grid"])
    functions = np.asarray(curves[name], float)
    functions = functions if functions.shape[-1] == len(x) else functions.T
    shade_gap(ax, cubic_gap().gap)
    ax.plot(x, functions.T, color=colour, linewidth=0.8, alpha=0.75)
    ax.plot(_flat(curves["X_train"]), _flat(curves["y_train"]), ".", color=DATA, markersize=3)
    ax.set_xlim(x[0], x[-1])
    ax.set_ylim(*limits)
    ax.set_xlabel("x")
    return ax


def draw_prior(figure: Figure, rows: Sequence[Row]) -> Figure:
    """Prior functions above, posterior below; a column a method."""
    parts = {method: drawable(part, "prior_samples") for method, part in by_method(rows).items()}
    firsts = [part[0] for part in parts.values() if part]
    axes = figure.subplots(2, len(firsts), sharex=True, sharey="row", squeeze=False)
    drawn = np.concatenate([np.ravel(np.asarray(row.curves["prior_samples"], float)) for row in firsts])
    reach = max(LIMITS[1], float(np.quantile(np.abs(drawn), 0.95)))
    for (above, below), row in zip(axes.T, firsts, strict=True):
        draw_functions(above, row.curves, "prior_samples", look(row.method).colour, (-reach, reach))
        above.set_title(f"{row.method}: prior\n{_said(row, 'prior_variation', 'bend')}", fontsize=10)
        above.set_xlabel("")
        _posterior(below, row, f"posterior\n{_said(row, 'epistemic', 'std')}")
        below.set_ylim(*LIMITS)
    for ax in axes[:, 0]:
        ax.set_ylabel("y")
    axes[1, 0].legend(loc="lower right", fontsize=7, framealpha=0.9)
    return figure


def draw_heads(figure: Figure, rows: Sequence[Row]) -> Figure:
    """LUNA's auxiliary heads on the left, the posterior on the right; a line a method."""
    firsts = [part[0] for all_ in by_method(rows).values() if (part := drawable(all_, "heads"))]
    axes = figure.subplots(len(firsts), 2, sharex=True, sharey=True, squeeze=False)
    for (left, right), row in zip(axes, firsts, strict=True):
        draw_functions(left, row.curves, "heads", look(row.method).colour)
        left.set_title(f"{row.method}: {len(row.curves['heads'])} auxiliary heads", fontsize=10)
        left.set_ylabel("y")
        _posterior(right, row, f"posterior: {_said(row, 'epistemic', 'std')}")
    for ax in axes[:-1].flat:
        ax.set_xlabel("")
    axes[0, 1].legend(loc="lower right", fontsize=7, framealpha=0.9)
    return figure


def draw_cubic_gap(figure: Figure, rows: Sequence[Row]) -> Figure:
    """A panel a method, on the data of the first seed that has curves."""
    found = [(method, part[0]) for method, all_ in by_method(rows).items() if (part := drawable(all_))]
    panels = [curve_panel(method, row.curves, _said(row, "epistemic")) for method, row in found]
    curves, data = found[0][1].curves, cubic_gap()
    X, y = _flat(curves["X_train"])[:, None], _flat(curves["y_train"])
    draw_gap_grid(figure, panels, X, y, data.gap, data.function(panels[0].x), COLUMNS, LIMITS)
    figure.suptitle(TITLE, fontsize=11)
    return figure


def draw_restarts(figure: Figure, rows: Sequence[Row]) -> Figure:
    """A row a setting, a column a restart; each panel says its EURC."""
    parts: dict[str, list[Row]] = {}
    for row in drawable(rows):
        parts.setdefault(row.method, []).append(row)
    columns = min(RESTARTS, max(map(len, parts.values())))
    axes = figure.subplots(len(parts), columns, sharex=True, sharey=True, squeeze=False)
    for line, (setting, part) in zip(axes, parts.items(), strict=True):
        for ax, row in zip(line, part, strict=False):
            _posterior(ax, row, "")
            ax.set_xlabel("")
            if "eurc" in row.scores:
                said = f"EURC {number(row.scores['eurc'], True)} %"
                ax.text(0.04, 0.96, said, transform=ax.transAxes, va="top", fontsize=8, bbox=_BOX)
        for ax in line[len(part) :]:
            ax.set_axis_off()
        line[0].set_ylabel(f"{setting}\ny")
    for i, ax in enumerate(axes[0]):
        ax.set_title(f"restart {i + 1}", fontsize=9)
    for ax in axes[-1]:
        ax.set_xlabel("x")
    axes[0, 0].set_ylim(*LIMITS)
    axes[0, 0].set_xticks([-4, -2, 0, 2, 4])
    handles, names = axes[0, 0].get_legend_handles_labels()
    across = len(names) if columns > 3 else 3
    figure.legend(handles, names, loc="outside lower center", ncols=across, fontsize=8, frameon=False)
    return figure


_BOX = {"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 1.5}


def _posterior(ax: Axes, row: Row, title: str) -> None:
    data, panel = cubic_gap(), curve_panel(title, row.curves)
    X, y = _flat(row.curves["X_train"])[:, None], _flat(row.curves["y_train"])
    draw_gap(ax, panel, X, y, data.gap, data.function(panel.x))
    ax.set_xlim(panel.x[0], panel.x[-1])


def _said(row: Row, score: str, what: str = "") -> str:
    on_data, in_gap = row.scores.get(f"{score}_data"), row.scores.get(f"{score}_gap")
    if on_data is None or in_gap is None:
        return ""
    return f"{what} {number(on_data)} on the data, {number(in_gap)} in the gap".strip()


def _flat(values: Any) -> Float[np.ndarray, " n"]:
    return np.ravel(np.asarray(values, dtype=np.float64))
