"""Pictures that compare methods: EURC beside the paper's, calibration, cost, restarts."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from unabases.paper.report.gathered import by_method, median_of
from unabases.paper.report.grids import Grid
from unabases.paper.report.listings import KNOWS
from unabases.paper.report.look import FAINT, look, plain_axes, relative_axis
from unabases.paper.store import Row

__all__ = [
    "CalibrationPanel",
    "calibration_panels",
    "draw_calibration",
    "draw_consistency",
    "draw_cost",
    "draw_eurc",
]


def draw_eurc(figure: Figure, grid: Grid) -> Figure:
    """A panel a data set: our mean ± std, and the paper's as a hollow mark below it."""
    axes = figure.subplots(2, -(-len(grid.columns) // 2), sharey=True, squeeze=False)
    methods = grid.methods[::-1]
    for ax, column in zip(axes.flat, grid.columns, strict=False):
        plain_axes(ax)
        ax.axvline(0, color=FAINT, linewidth=1)
        ends = [0.0]
        for place, method in enumerate(methods):
            cell, own = grid.cell(method, column), look(method)
            if cell.ours.n:
                mean, std = cell.ours.mean, cell.ours.std
                ax.errorbar(mean, place + 0.15, xerr=std, color=own.colour, marker=own.marker, capsize=2)
                ends += [mean - std, mean + std]
            if cell.paper is not None and cell.paper.mean is not None and cell.paper.std is not None:
                mean, std = cell.paper.mean, cell.paper.std
                style: dict[str, Any] = {"color": FAINT, "marker": own.marker, "mfc": "white", "elinewidth": 0.8}
                ax.errorbar(mean, place - 0.2, xerr=std, **style)
                ends += [mean - std, mean + std]
        ax.set_yticks(range(len(methods)), labels=methods, fontsize=8)
        relative_axis(ax, min(ends), max(ends))
        ax.tick_params(axis="x", labelsize=8)
        ax.set_title(column[0], fontsize=10)
    for ax in axes.flat[len(grid.columns) :]:
        ax.set_axis_off()
    for ax in axes[-1]:
        ax.set_xlabel("EURC")
    figure.suptitle("filled: here; hollow grey: the paper; mean ± std, logarithmic beyond ±100 %", fontsize=10)
    return figure


class CalibrationPanel(NamedTuple):
    """Observed shares at the expected levels: the mean over rows, outside the gap and, where there is one, inside."""

    method: str
    expected: Float[np.ndarray, " levels"]
    observed: Float[np.ndarray, " levels"]
    gap: Float[np.ndarray, " levels"] | None
    rows: int


def calibration_panels(rows: Sequence[Row]) -> list[CalibrationPanel]:
    """A panel a method; every row, whatever its data set, counts the same."""
    panels = []
    for method, part in by_method(rows).items():
        curves = [row.curves for row in part if not row.failed and "calibration" in row.curves]
        if not curves:
            continue
        inside = [curve["calibration_gap"]["observed"] for curve in curves if "calibration_gap" in curve]
        panels.append(
            CalibrationPanel(
                method,
                np.asarray(curves[0]["calibration"]["expected"], dtype=np.float64),
                _mean([curve["calibration"]["observed"] for curve in curves]),
                _mean(inside) if inside else None,
                len(curves),
            )
        )
    return panels


def _mean(observed: list) -> Float[np.ndarray, " levels"]:
    return np.mean(np.asarray(observed, dtype=np.float64), axis=0)


def draw_calibration(figure: Figure, panels: Sequence[CalibrationPanel]) -> Figure:
    """A panel a method; the diagonal is best."""
    columns = min(5, len(panels))
    axes = figure.subplots(-(-len(panels) // columns), columns, sharex=True, sharey=True, squeeze=False)
    for i, (ax, panel) in enumerate(zip(axes.flat, panels, strict=False)):
        own = look(panel.method)
        plain_axes(ax)
        ax.plot([0, 1], [0, 1], color=FAINT, linewidth=1, label="exact")
        outside = "test rows" if panel.gap is None else "not gap"
        ax.plot(panel.expected, panel.observed, color=own.colour, marker=own.marker, markersize=4, label=outside)
        if panel.gap is not None:
            ax.plot(
                panel.expected,
                panel.gap,
                color=own.colour,
                marker=own.marker,
                markersize=4,
                mfc="white",
                linestyle="--",
                label="gap",
            )
        ax.set_title(f"{panel.method} ({panel.rows} fits)", fontsize=9)
        ax.set_aspect("equal")
        ax.legend(fontsize=7, loc="upper left")
        if i + columns >= len(panels):
            ax.set_xlabel("stated probability")
            ax.tick_params(labelbottom=True)
    for ax in axes[:, 0]:
        ax.set_ylabel("share of rows below")
    for ax in axes.flat[len(panels) :]:
        ax.set_axis_off()
    return figure


def draw_cost(ax: Axes, rows: Sequence[Row]) -> Axes:
    """Median time of a fit as a mark, least to most as a line, on a logarithmic axis; the dearest on top."""
    found = [(m, times) for m, part in by_method(rows).items() if (times := median_of(part, "fit_seconds"))]
    found.sort(key=lambda entry: entry[1][0])
    plain_axes(ax)
    for place, (method, (median, least, most)) in enumerate(found):
        own = look(method)
        ax.plot([least, most], [place, place], color=own.colour, linewidth=2, marker="|", markersize=8)
        ax.plot(median, place, color=own.colour, marker=own.marker, markersize=8)
        ax.annotate(f"{median:.2g} s", (most, place), (8, 0), textcoords="offset points", va="center", fontsize=8)
    ax.set_yticks(range(len(found)), labels=[method for method, _ in found])
    ax.set_xscale("log")
    low, high = min(times[1] for _, times in found), max(times[2] for _, times in found)
    ax.set_xlim(low / 1.3, high * (high / low) ** 0.12 * 1.3)  # room for the words
    ax.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    ax.xaxis.set_minor_formatter(NullFormatter())
    ax.set_xlabel("seconds to fit: median, least and most")
    return ax


def draw_consistency(ax: Axes, rows: Sequence[Row]) -> Axes:
    """A mark a restart, a line a method; right of the dashed line a fit knows of the gap."""
    parts = list(by_method(rows).items())[::-1]
    plain_axes(ax)
    rng = np.random.default_rng(0)
    shown = [0.0, KNOWS]
    for place, (method, part) in enumerate(parts):
        own = look(method)
        values = [row.scores["eurc"] for row in part if not row.failed and "eurc" in row.scores]
        height = place + rng.uniform(-0.25, 0.25, len(values))
        ax.plot(values, height, own.marker, color=own.colour, mfc="none", markersize=6)
        shown += values
    ax.axvline(KNOWS, color="black", linestyle="--", linewidth=1)
    ax.axvline(0, color=FAINT, linewidth=1)
    ax.set_yticks(range(len(parts)), labels=[method for method, _ in parts])
    relative_axis(ax, min(shown), max(shown))
    ax.set_xlabel("EURC, logarithmic beyond ±100 %; dashed: +100 %")
    return ax
