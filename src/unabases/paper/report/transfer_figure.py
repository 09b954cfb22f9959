"""The picture of transfer: the Squiggle Gap data, and log-likelihood against the number of features."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes

from unabases.datasets import squiggle_gap
from unabases.paper.report.gap_figure import shade_gap
from unabases.paper.report.gathered import by_method, summary_of
from unabases.paper.report.look import look, plain_axes
from unabases.paper.store import Row

__all__ = ["TransferLine", "draw_squiggle", "draw_transfer", "transfer_lines"]


class TransferLine(NamedTuple):
    """Mean and std of a score at each number of features."""

    method: str
    n_features: list[int]
    mean: list[float]
    std: list[float]


def transfer_lines(rows: Sequence[Row], score: str = "log_likelihood") -> list[TransferLine]:
    """A line a method, in the order of the tables."""
    lines = []
    for method, part in by_method(row for row in rows if row.method != "data").items():
        numbers = sorted({int(row.settings["n_features"]) for row in part})
        found = [(k, summary_of([row for row in part if row.settings["n_features"] == k], score)) for k in numbers]
        kept = [(k, value) for k, value in found if value.n]
        lines.append(TransferLine(method, [k for k, _ in kept], [v.mean for _, v in kept], [v.std for _, v in kept]))
    return lines


def draw_squiggle(ax: Axes, X: Any, y: Any) -> Axes:
    """Draw the data, those in the gap as rings, over the truth."""
    data = squiggle_gap()
    x, y = np.ravel(np.asarray(X, dtype=np.float64)), np.ravel(np.asarray(y, dtype=np.float64))
    grid = np.linspace(min(x.min(), -4.0), max(x.max(), 4.0), 800)
    low, high = data.gap
    inside = (low < x) & (x < high)
    shade_gap(plain_axes(ax), data.gap)
    ax.plot(grid, data.function(grid), "--", color="#d6604d", linewidth=1.2, label="truth")
    ax.plot(x[~inside], y[~inside], ".", color="#222222", markersize=5, label="training data")
    if inside.any():
        ax.plot(x[inside], y[inside], "o", color="#0072b2", mfc="none", markersize=4, label="data from the gap")
    ax.set_xlabel("x")
    ax.set_ylabel("y")
    ax.set_title("Squiggle Gap data", fontsize=10)
    ax.legend(fontsize=8, loc="upper left")
    return ax


def draw_transfer(ax: Axes, lines: Sequence[TransferLine]) -> Axes:
    """Draw mean ± std of the log-likelihood in the gap against the number of features."""
    plain_axes(ax)
    for place, line in enumerate(lines):
        own = look(line.method)
        x = np.asarray(line.n_features) * 1.015 ** (place - (len(lines) - 1) / 2)  # bars beside each other
        style: dict[str, Any] = {"color": own.colour, "marker": own.marker, "linestyle": own.line}
        ax.errorbar(x, line.mean, line.std, capsize=3, markersize=7, label=line.method, **style)
    shown = sorted({k for line in lines for k in line.n_features})
    ax.set_xscale("log")
    ax.set_xticks(shown, labels=[str(k) for k in shown])
    ax.minorticks_off()
    ax.set_xlabel("number of features")
    ax.set_ylabel("log-likelihood in the gap, nats per row")
    ax.set_title("last layer refitted on data from the gap; mean ± std", fontsize=10)
    ax.legend(fontsize=8)
    return ax
