"""Figures of who knows where there is no data: one function side by side, then coverage and likelihood by method."""

import statistics
from collections.abc import Sequence

import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from unabases.paper.methods import GP, LUNA, NLM_MAP, OUTSIDE, UNA, VANILLA
from unabases.paper.report.figures.record import FigureSpec, new_figure
from unabases.paper.report.honesty_cells import (
    PLACES,
    behind_best,
    cell_ranks,
    cell_scores,
    on_drawn,
    on_tables,
    over_tables,
)
from unabases.paper.report.rows import grouped
from unabases.paper.report.scores import number
from unabases.paper.store import Row
from unabases.plotting import GapData, GapPanel, draw_gap_grid, plain_axes
from unabases.plotting.style import DATA, FAINT

__all__ = ["HONESTY_FIGURES", "LOCKED_HONESTY_FIGURES"]

_FIRST = (UNA, LUNA, GP, NLM_MAP, VANILLA)
_COLUMNS, _PANELS = 3, 5  # the legend takes the sixth place
_MARKS = {"": "o", "_gap": "s", "_tail": "^"}
_FILLS = {"": "white", "_gap": "#d55e00", "_tail": "#0072b2"}


def draw_function(rows: Sequence[Row]) -> Figure | None:
    """The exact posterior and some methods, a panel each, on the drawn function that most methods were run on."""
    drawable = [row for row in on_drawn(rows) if not row.failed and "exact_std" in row.curves]
    drawable = [row for row in drawable if row.method not in OUTSIDE]
    parts = grouped(drawable, lambda row: (row.dataset, row.split))
    if not parts:
        return None
    own = {row.method: row for row in max(parts.values(), key=len)}
    chosen = [own[method] for method in dict.fromkeys([*_FIRST, *own]) if method in own][: _PANELS - 1]
    first = chosen[0]
    x, truth, mean, std = (_curve(first, name) for name in ("grid", "truth", "exact_mean", "exact_std"))
    low, high = _curve(first, "gap")
    data = GapData(_curve(first, "X_train")[:, None], _curve(first, "y_train"), (float(low), float(high)), truth)
    total = np.hypot(std, _curve(first, "sigma")[0])
    panels = [GapPanel("Exact posterior", x, mean, std, total, "what there is to know")]
    panels += [_panel(row) for row in chosen]
    reach = float(np.max(np.abs(mean) + 3 * total))
    figure = new_figure(4.2 * _COLUMNS, 3.2 * -(-len(panels) // _COLUMNS) + 0.3)
    draw_gap_grid(figure, panels, data, _COLUMNS, (-reach, reach))
    return figure


def _panel(row: Row) -> GapPanel:
    x, mean, epistemic, noise = (_curve(row, name) for name in ("grid", "mean", "epistemic", "noise"))
    ratios = [row.scores.get(f"epistemic_ratio_{place}") for place in ("gap", "outside")]
    said = [number(value) for value in ratios if value is not None]
    note = f"std / exact: {said[0]} in the gap, {said[1]} outside" if len(said) == 2 else ""
    return GapPanel(row.method, x, mean, epistemic, np.hypot(epistemic, noise), note)


def _curve(row: Row, name: str) -> Float[np.ndarray, " n"]:
    return np.atleast_1d(np.asarray(row.curves[name], dtype=np.float64))


def draw_methods(rows: Sequence[Row]) -> Figure | None:
    """Left, how often 90 % intervals hold the outcome; right, how far the log-likelihood is below the best method's."""
    rows = on_tables(rows)
    ranks: dict[str, list[float]] = {}
    for place in ("_gap", "_tail"):
        for method, rank in cell_ranks(rows, f"log_likelihood{place}").items():
            ranks.setdefault(method, []).append(rank)
    methods = sorted(ranks, key=lambda method: -statistics.fmean(ranks[method]))  # the best on top
    if not methods:
        return None
    figure = new_figure(11.0, 0.42 * len(methods) + 1.6)
    left, right = figure.subplots(1, 2, sharey=True)
    _draw_coverage(plain_axes(left), rows, methods)
    _draw_behind(plain_axes(right), rows, methods)
    left.set_yticks(range(len(methods)), labels=methods)
    for label, method in zip(left.get_yticklabels(), methods, strict=True):
        label.set_fontweight("bold" if method in (UNA, LUNA) else "normal")
    handles, names = left.get_legend_handles_labels()
    figure.legend(handles, names, loc="outside lower center", ncols=len(names), frameon=False)
    return figure


def _draw_coverage(ax: Axes, rows: Sequence[Row], methods: Sequence[str]) -> None:
    ax.axvspan(0.85, 1.0, color="#eeeeee", zorder=0)
    ax.axvline(0.9, color=FAINT, linestyle="--", linewidth=1)
    for place, words in PLACES.items():
        found = cell_scores(rows, f"coverage_90{place}")
        inside = [over_tables(found[method]) for method in methods]
        ax.plot(
            inside,
            np.arange(len(methods)) + _offset(place),
            _MARKS[place],
            color=DATA,
            mfc=_FILLS[place],
            markersize=7,
            label=words,
        )
    ax.set_xlim(right=1.01)
    ax.set_xlabel("outcomes inside 90 % intervals: 0.9 is right")


def _draw_behind(ax: Axes, rows: Sequence[Row], methods: Sequence[str]) -> None:
    for place in ("_gap", "_tail"):
        found = behind_best(rows, f"log_likelihood{place}")
        for height, method in enumerate(methods):
            values = list(found[method].values())
            if values:
                at = height + _offset(place)
                ax.plot([min(values), max(values)], [at, at], color=_FILLS[place], linewidth=1.2, alpha=0.5)
                ax.plot(statistics.median(values), at, _MARKS[place], color=DATA, mfc=_FILLS[place], markersize=7)
    ax.set_xscale("symlog", linthresh=1.0)
    ticks = [tick for tick in (0, 0.5, 1, 3, 10, 30, 100, 300, 1000) if tick <= ax.get_xlim()[1]]
    ax.set_xticks(ticks, labels=[f"{tick:g}" for tick in ticks])
    ax.set_xlim(left=-0.05)
    ax.set_xlabel("nats behind the best method: median, least and most")


def _offset(place: str) -> float:
    return {"": 0.22, "_gap": 0.0, "_tail": -0.22}[place]


def _figures(experiment: str, half: str) -> tuple[FigureSpec, ...]:
    return (
        FigureSpec(
            f"{experiment}-function",
            f"Where there is no data, {half}: one function",
            "A function drawn from a known prior, so that the exact posterior is known: nobody can know more, and "
            "whose band is narrower is too sure. Bands are two standard deviations: dark blue epistemic, pale blue "
            "with the noise. The gap is hatched; beyond the points there are no data either.",
            "The exact posterior's band and those of some methods over the same points, side by side; each panel says "
            "how wide its band is beside the exact one.",
            experiment,
            draw_function,
        ),
        FigureSpec(
            f"{experiment}-methods",
            f"Where there is no data, {half}: all methods",
            "Left, the share of outcomes inside 90 % intervals, averaged over tables: left of the grey band a method "
            "is too sure of itself. Right, how far its log-likelihood falls below that of the best method in the same "
            "gap or tail; further left is better, logarithmic beyond 1. The best mean rank is on top.",
            "Marks for the coverage of each method on the data, in gaps and in tails, and for how far its "
            "log-likelihood is behind the best; the tables give the numbers.",
            experiment,
            draw_methods,
        ),
    )


HONESTY_FIGURES = _figures("honesty", "development half")
LOCKED_HONESTY_FIGURES = _figures("honesty-locked", "locked half")
"""Shown when the locked half was run."""
