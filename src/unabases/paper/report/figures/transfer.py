"""The figure of transfer: the Squiggle Gap data, and log-likelihood against the number of features."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from unabases.datasets import squiggle_gap
from unabases.paper.report.figures.record import FigureSpec, look, new_figure
from unabases.paper.report.rows import Summary, by_method, summary_of
from unabases.paper.store import Row
from unabases.plotting import plain_axes, shade_gap
from unabases.plotting.style import DATA, EPISTEMIC, TRUTH

__all__ = ["TRANSFER_FIGURE", "draw_transfer", "draw_transfer_scores", "transfer_scores"]


def transfer_scores(rows: Sequence[Row]) -> dict[str, dict[int, Summary]]:
    """Log-likelihood at each number of features, by method."""
    found: dict[str, dict[int, Summary]] = {}
    for method, part in by_method(row for row in rows if row.method != "data").items():
        for k in sorted({int(row.settings["n_features"]) for row in part}):
            score = summary_of([row for row in part if row.settings["n_features"] == k], "log_likelihood")
            if score.n:
                found.setdefault(method, {})[k] = score
    return found


def draw_transfer(rows: Sequence[Row]) -> Figure | None:
    """The data on the left, if they were stored; the scores on the right."""
    data = [row for row in rows if row.method == "data" and "X" in row.curves]
    scores = transfer_scores(rows)
    if not scores:
        return None
    figure = new_figure(11.0 if data else 6.0, 4.2)
    axes = figure.subplots(1, 2 if data else 1, squeeze=False)[0]
    if data:
        _draw_data(axes[0], data[0].curves["X"], data[0].curves["y"])
    draw_transfer_scores(axes[-1], scores)
    return figure


def _draw_data(ax: Axes, X: Any, y: Any) -> None:
    """Draw the data, those in the gap as rings, over the truth."""
    data = squiggle_gap()
    x, y = np.ravel(np.asarray(X, dtype=np.float64)), np.ravel(np.asarray(y, dtype=np.float64))
    grid = np.linspace(min(x.min(), -4.0), max(x.max(), 4.0), 800)
    inside = (data.gap[0] < x) & (x < data.gap[1])
    shade_gap(plain_axes(ax), data.gap)
    ax.plot(grid, data.function(grid), "--", color=TRUTH, linewidth=1.2, label="truth")
    ax.plot(x[~inside], y[~inside], ".", color=DATA, markersize=5, label="training data")
    if inside.any():
        ax.plot(x[inside], y[inside], "o", color=EPISTEMIC, mfc="none", markersize=4, label="data from the gap")
    ax.set(xlabel="x", ylabel="y")
    ax.set_title("Squiggle Gap data", fontsize=10)
    ax.legend(fontsize=8, loc="upper left")


def draw_transfer_scores(ax: Axes, scores: dict[str, dict[int, Summary]]) -> None:
    """Draw mean ± std of the log-likelihood in the gap against the number of features."""
    plain_axes(ax)
    for place, (method, line) in enumerate(scores.items()):
        x = np.asarray(list(line)) * 1.015 ** (place - (len(scores) - 1) / 2)  # bars beside each other
        means, stds = ([getattr(score, name) for score in line.values()] for name in ("mean", "std"))
        ax.errorbar(x, means, stds, capsize=3, label=method, **look(method).keywords(7.0))
    shown = sorted({k for line in scores.values() for k in line})
    ax.set_xscale("log")
    ax.set_xticks(shown, labels=[str(k) for k in shown])
    ax.minorticks_off()
    ax.set(xlabel="number of features", ylabel="log-likelihood in the gap, nats per row")
    ax.set_title("last layer refitted on data from the gap; mean ± std", fontsize=10)
    ax.legend(fontsize=8)


TRANSFER_FIGURE = FigureSpec(
    "transfer",
    "Squiggle Gap: transfer",
    "Features are learned outside the gap; then only the last layer is fitted to rows from it.",
    "Left, the data with waves in the gap; right, log-likelihood against the number of features for each method.",
    "transfer",
    draw_transfer,
)
