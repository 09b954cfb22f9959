"""Figures of functions over the gap of the Cubic Gap data: prior and posterior, LUNA's heads, all methods, restarts."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from unabases.datasets import cubic_gap
from unabases.paper.report.figures.comparison import LIMITS, cubic_gap_grid
from unabases.paper.report.figures.record import FigureSpec, look, new_figure
from unabases.paper.report.rows import by_method, grouped
from unabases.paper.report.scores import number
from unabases.paper.store import Row
from unabases.plotting import GapData, GapPanel, draw_gap, shade_gap
from unabases.plotting.style import DATA

__all__ = ["ALL_METHODS_FIGURE", "HEADS_FIGURE", "PRIOR_FIGURE", "RESTART_FIGURES"]

_RESTARTS = 6  # columns at most
_CURVES = ("grid", "mean", "epistemic", "noise", "X_train", "y_train")
_BOX = {"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 1.5}
_LEGEND: dict[str, Any] = {"loc": "lower right", "fontsize": 7, "framealpha": 0.9}


def draw_prior(rows: Sequence[Row]) -> Figure | None:
    """Prior functions above, posterior below; one column for each method."""
    firsts = _first_rows(rows, "prior_samples")
    if not firsts:
        return None
    figure = new_figure(4.2 * len(firsts), 6.6)
    axes = figure.subplots(2, len(firsts), sharex=True, sharey="row", squeeze=False)
    drawn = np.concatenate([_curve(row, "prior_samples") for row in firsts])
    reach = max(LIMITS[1], float(np.quantile(np.abs(drawn), 0.95)))
    for (above, below), row in zip(axes.T, firsts, strict=True):
        _draw_functions(above, row, "prior_samples", (-reach, reach))
        above.set_title(f"{row.method}: prior\n{_on_and_off(row, 'prior_variation', 'bend')}", fontsize=10)
        above.set_xlabel("")
        _draw_posterior(below, row, f"posterior\n{_on_and_off(row, 'epistemic', 'std')}")
        below.set_ylim(*LIMITS)
    for ax in axes[:, 0]:
        ax.set_ylabel("y")
    axes[1, 0].legend(**_LEGEND)
    return figure


def draw_heads(rows: Sequence[Row]) -> Figure | None:
    """LUNA's auxiliary heads on the left, the posterior on the right; one line for each method."""
    firsts = _first_rows(rows, "heads")
    if not firsts:
        return None
    figure = new_figure(9.0, 3.4 * len(firsts) + 0.4)
    axes = figure.subplots(len(firsts), 2, sharex=True, sharey=True, squeeze=False)
    for (left, right), row in zip(axes, firsts, strict=True):
        _draw_functions(left, row, "heads")
        left.set_title(f"{row.method}: {len(row.curves['heads'])} auxiliary heads", fontsize=10)
        left.set_ylabel("y")
        _draw_posterior(right, row, f"posterior: {_on_and_off(row, 'epistemic', 'std')}")
    for ax in axes[:-1].flat:
        ax.set_xlabel("")
    axes[0, 1].legend(**_LEGEND)
    return figure


def draw_cubic_gap(rows: Sequence[Row]) -> Figure | None:
    """One panel for each method, on the data of the first seed that has curves."""
    firsts = _first_rows(rows)
    panels = [_panel(row, row.method, _on_and_off(row, "epistemic")) for row in firsts]
    return cubic_gap_grid(panels, _data(firsts[0])) if firsts else None


def draw_restarts(rows: Sequence[Row], dataset: str) -> Figure | None:
    """Rows are settings; columns are restarts. Each panel says its EURC."""
    own = (row for row in rows if row.dataset == dataset and _is_drawable(row))
    parts = grouped(own, lambda row: row.method)
    if not parts:
        return None
    columns = min(_RESTARTS, max(map(len, parts.values())))
    figure = new_figure(2.3 * columns + 0.8, 1.9 * len(parts) + 0.8)
    axes = figure.subplots(len(parts), columns, sharex=True, sharey=True, squeeze=False)
    for line, (setting, part) in zip(axes, parts.items(), strict=True):
        for ax, row in zip(line, part, strict=False):
            _draw_posterior(ax, row, "")
            ax.set_xlabel("")
            if "eurc" in row.scores:
                said = f"EURC {number(row.scores['eurc'], True)} %"
                ax.text(0.04, 0.96, said, transform=ax.transAxes, va="top", fontsize=8, bbox=_BOX)
        for ax in line[len(part) :]:
            ax.set_axis_off()
        line[0].set_ylabel(f"{setting}\ny")
    for place, (top, bottom) in enumerate(zip(axes[0], axes[-1], strict=True)):
        top.set_title(f"restart {place + 1}", fontsize=9)
        bottom.set_xlabel("x")
    axes[0, 0].set(ylim=LIMITS, xticks=[-4, -2, 0, 2, 4])
    handles, names = axes[0, 0].get_legend_handles_labels()
    across = len(names) if columns > 3 else 3
    figure.legend(handles, names, loc="outside lower center", ncols=across, fontsize=8, frameon=False)
    return figure


def _is_drawable(row: Row, *more: str) -> bool:
    return not row.failed and all(name in row.curves for name in (*_CURVES, *more))


def _first_rows(rows: Sequence[Row], *more: str) -> list[Row]:
    """The first row of each method that holds what a panel needs."""
    return [part[0] for part in by_method(row for row in rows if _is_drawable(row, *more)).values()]


def _curve(row: Row, name: str) -> Float[np.ndarray, " n"]:
    return np.ravel(np.asarray(row.curves[name], dtype=np.float64))


def _data(row: Row) -> GapData:
    data = cubic_gap()
    return GapData(
        _curve(row, "X_train")[:, None], _curve(row, "y_train"), data.gap, data.function(_curve(row, "grid"))
    )


def _panel(row: Row, title: str, note: str = "") -> GapPanel:
    x, mean, epistemic, noise = (_curve(row, name) for name in _CURVES[:4])
    return GapPanel(title, x, mean, epistemic, np.hypot(epistemic, noise), note)


def _draw_posterior(ax: Axes, row: Row, title: str) -> None:
    panel = _panel(row, title)
    draw_gap(ax, panel, _data(row)).set_xlim(panel.x[0], panel.x[-1])


def _draw_functions(ax: Axes, row: Row, name: str, limits: tuple[float, float] = LIMITS) -> None:
    """Draw functions, a line each, over the data."""
    x, functions = _curve(row, "grid"), np.asarray(row.curves[name], dtype=np.float64)
    shade_gap(ax, cubic_gap().gap)
    functions = functions.T if functions.shape[-1] == len(x) else functions
    ax.plot(x, functions, color=look(row.method).colour, linewidth=0.8, alpha=0.75)
    ax.plot(_curve(row, "X_train"), _curve(row, "y_train"), ".", color=DATA, markersize=3)
    ax.set(xlim=(x[0], x[-1]), ylim=limits, xlabel="x")


def _on_and_off(row: Row, score: str, what: str = "") -> str:
    on_data, in_gap = row.scores.get(f"{score}_data"), row.scores.get(f"{score}_gap")
    if on_data is None or in_gap is None:
        return ""
    return f"{what} {number(on_data)} on the data, {number(in_gap)} in the gap".strip()


_BANDS = "Bands are two standard deviations: dark blue epistemic, pale blue with the noise. The gap is hatched."
_RESTART_FIGURES = {
    "regularisation": "MAP with several weight penalties γ",
    "width": "numbers of features",
    "depth": "numbers of layers",
    "marginal-0.1": "marginal likelihood with γ = 0.1 and several prior variances α",
    "marginal-1": "marginal likelihood with γ = 1 and several prior variances α",
    "luna": "LUNA as printed, and the package's own",
}
PRIOR_FIGURE = FigureSpec(
    "map-prior",
    "MAP: prior and posterior",
    "Functions drawn from the prior over the last layer, on features trained without and with a penalty. Their bend is "
    f"the root mean square distance from a chord. {_BANDS}",
    "Prior functions above and posterior bands below, for MAP without a weight penalty and with γ = 10.",
    "map-prior",
    draw_prior,
)
HEADS_FIGURE = FigureSpec(
    "luna-heads",
    "LUNA: heads and posterior",
    "The auxiliary heads after training, and the posterior on the features that they leave behind. LUNA (paper) pushes "
    f"the heads apart at the data, as printed; LUNA, the package's own, between the data. {_BANDS}",
    "Left, many heads that fit the data and part in the gap; right, LUNA's posterior band over the gap.",
    "luna-heads",
    draw_heads,
)
ALL_METHODS_FIGURE = FigureSpec(
    "cubic-gap",
    "Cubic Gap: all methods",
    f"Every method on the same data. {_BANDS}",
    "One panel for each method over data with a gap, showing how far its band opens; the table gives the numbers.",
    "cubic-gap",
    draw_cubic_gap,
)
RESTART_FIGURES = tuple(
    FigureSpec(
        f"restarts-{dataset}",
        f"Restarts: {title}",
        f"Rows are settings; columns are restarts on the same data. Each panel says its EURC. {_BANDS}",
        f"Panels of posterior bands over restarts, {title}; the table of restarts gives the numbers.",
        "restarts",
        partial(draw_restarts, dataset=dataset),
    )
    for dataset, title in _RESTART_FIGURES.items()
)
