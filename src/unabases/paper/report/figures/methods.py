"""Figures that compare methods: calibration, cost, and EURC over restarts."""

from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from unabases.metrics import CalibrationCurve
from unabases.paper.report.detail_tables import KNOWS
from unabases.paper.report.figures.record import FigureSpec, look, new_figure, panels_of
from unabases.paper.report.rows import by_method, range_of
from unabases.paper.store import Row
from unabases.plotting import draw_calibration, percent_axis, plain_axes
from unabases.plotting.style import FAINT

__all__ = ["CALIBRATION_FIGURES", "CONSISTENCY_FIGURE", "COST_FIGURE"]


def calibration_curves(rows: Sequence[Row]) -> dict[str, CalibrationCurve]:
    """The mean curve over rows, outside the gap and, if there is one, inside; every row counts the same."""
    names = {"calibration": "not gap", "calibration_gap": "gap"}
    curves = {}
    for key, name in names.items():
        stored = [row.curves[key] for row in rows if not row.failed and key in row.curves]
        if stored:
            observed = np.mean(np.asarray([curve["observed"] for curve in stored], dtype=np.float64), axis=0)
            curves[name] = CalibrationCurve(np.asarray(stored[0]["expected"], dtype=np.float64), observed)
    return curves if "gap" in curves else dict(zip(["test rows"], curves.values(), strict=False))


def draw_all_calibration(rows: Sequence[Row]) -> Figure | None:
    """One panel for each method; the diagonal is best."""
    parts = {method: part for method, part in by_method(rows).items() if calibration_curves(part)}
    if not parts:
        return None
    figure = new_figure(13.5, 2.9 * -(-len(parts) // 5) + 0.2)
    axes = panels_of(figure, len(parts), 5)
    for ax, (method, part) in zip(axes, parts.items(), strict=True):
        draw_calibration(ax, calibration_curves(part), look=look(method)).label_outer(remove_inner_ticks=False)
        legend = ax.get_legend()
        if ax is not axes[0] and legend is not None:  # one is enough
            legend.remove()
        fits = sum(not row.failed and "calibration" in row.curves for row in part)
        ax.set_title(f"{method} ({fits} {'fit' if fits == 1 else 'fits'})", fontsize=9)
    return figure


def draw_cost(rows: Sequence[Row]) -> Figure | None:
    """Median time of a fit as a mark, least to most as a line, on a logarithmic axis; the slowest on top."""
    found = [(m, times) for m, part in by_method(rows).items() if (times := range_of(part, "fit_seconds"))]
    if not found:
        return None
    found.sort(key=lambda entry: entry[1].median)
    figure = new_figure(7.5, 0.38 * len(found) + 1.0)
    ax = plain_axes(figure.subplots())
    for place, (method, (median, least, most)) in enumerate(found):
        own = look(method)
        ax.plot([least, most], [place, place], color=own.colour, linewidth=2, marker="|", markersize=8)
        ax.plot(median, place, color=own.colour, marker=own.marker, markersize=8)
        ax.annotate(f"{median:.2g} s", (most, place), (8, 0), textcoords="offset points", va="center", fontsize=8)
    ax.set_yticks(range(len(found)), labels=[method for method, _ in found])
    ax.set_xscale("log")
    low, high = min(times.least for _, times in found), max(times.most for _, times in found)
    ax.set_xlim(low / 1.3, high * (high / low) ** 0.12 * 1.3)  # room for the words
    ax.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    ax.xaxis.set_minor_formatter(NullFormatter())
    ax.set_xlabel("seconds to fit: median, least and most")
    return figure


def draw_consistency(rows: Sequence[Row]) -> Figure | None:
    """One mark for each restart, one line for each method; right of the dashed line a fit knows of the gap."""
    fine = [row for row in rows if not row.failed and "eurc" in row.scores]
    if not fine:
        return None
    parts = list(by_method(fine).items())[::-1]
    figure = new_figure(8.5, 0.42 * len(parts) + 1.0)
    ax = plain_axes(figure.subplots())
    rng, shown = np.random.default_rng(0), [0.0, KNOWS]
    for place, (method, part) in enumerate(parts):
        own, values = look(method), [row.scores["eurc"] for row in part]
        height = place + rng.uniform(-0.25, 0.25, len(values))
        ax.plot(values, height, own.marker, color=own.colour, mfc="none", markersize=6)
        shown += values
    ax.axvline(KNOWS, color="black", linestyle="--", linewidth=1)
    ax.axvline(0, color=FAINT, linewidth=1)
    ax.set_yticks(range(len(parts)), labels=[method for method, _ in parts])
    percent_axis(ax, min(shown), max(shown)).set_xlabel("EURC, logarithmic beyond ±100 %; dashed: +100 %")
    return figure


CONSISTENCY_FIGURE = FigureSpec(
    "consistency",
    "Cubic Gap: EURC over restarts",
    "Each mark is a restart on the same data. Right of the dashed line a fit counts as one that knows of the gap.",
    "Marks for the EURC of each restart, one row for each method; the table of consistency gives the counts.",
    "consistency",
    draw_consistency,
    "our-restarts",
)
CALIBRATION_FIGURES = (
    FigureSpec(
        "calibration-gap",
        "UCI gap sets: calibration",
        "How often outcomes fell inside the interval of each stated probability: the mean over the fits whose curves "
        "were stored. A curve above the diagonal comes from intervals that are too wide, one below it from intervals "
        "that are too narrow.",
        "One panel for each method with observed against stated probability, outside and inside the gap.",
        "uci-gap",
        draw_all_calibration,
    ),
    FigureSpec(
        "calibration-standard",
        "Standard UCI: calibration",
        "The same on ordinary splits.",
        "One panel for each method with observed against stated probability beside the diagonal.",
        "uci-standard",
        draw_all_calibration,
    ),
)
COST_FIGURE = FigureSpec(
    "cost",
    "UCI gap sets: cost",
    "Over all data sets and splits.",
    "The median seconds to fit, one row for each method; the table of cost gives the numbers.",
    "uci-gap",
    draw_cost,
)
