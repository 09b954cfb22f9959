"""The picture of a gap: data, mean, and what each method does not know."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from unabases.predictive import AbstractPredictive

EPISTEMIC, TOTAL, MEAN, DATA = "#2166ac", "#b9d3ea", "#08306b", "#222222"


class GapPanel(NamedTuple):
    """What one panel shows; bands are two standard deviations either way."""

    title: str
    x: Float[np.ndarray, " g"]
    mean: Float[np.ndarray, " g"]
    epistemic: Float[np.ndarray, " g"]
    total: Float[np.ndarray, " g"]
    note: str


def gap_panel(title: str, x: Float[np.ndarray, "g 1"], predictive: AbstractPredictive, note: str = "") -> GapPanel:
    """Turn a prediction over a grid of one input into what a panel shows."""
    return GapPanel(title, x[:, 0], predictive.mean, 2 * predictive.epistemic_std, 2 * predictive.std, note)


def curve_panel(title: str, curves: Mapping[str, Any], note: str = "") -> GapPanel:
    """The same from stored lists: `grid`, `mean`, `epistemic` and `noise`, the last two as standard deviations."""
    x, mean, epistemic = (np.ravel(np.asarray(curves[name], float)) for name in ("grid", "mean", "epistemic"))
    total = np.hypot(epistemic, np.ravel(np.asarray(curves["noise"], float)))
    return GapPanel(title, x, mean, 2 * epistemic, 2 * total, note)


def shade_gap(ax: Axes, gap: tuple[float, float]) -> Axes:
    """Hatch where there is no training data."""
    ax.axvspan(*gap, facecolor="none", edgecolor="#bbbbbb", hatch="///", linewidth=0, alpha=0.6, label="no data")
    return ax


def draw_gap(
    ax: Axes,
    panel: GapPanel,
    X: Float[np.ndarray, "n 1"],
    y: Float[np.ndarray, " n"],
    gap: tuple[float, float],
    truth: Float[np.ndarray, " g"] | None = None,
) -> Axes:
    """Draw a panel on given axes: total band pale, epistemic band dark, the gap hatched."""
    shade_gap(ax, gap)
    low, high = panel.mean - panel.total, panel.mean + panel.total
    ax.fill_between(panel.x, low, high, color=TOTAL, linewidth=0, label="total ± 2 std")
    low, high = panel.mean - panel.epistemic, panel.mean + panel.epistemic
    ax.fill_between(panel.x, low, high, color=EPISTEMIC, alpha=0.55, linewidth=0, label="epistemic ± 2 std")
    if truth is not None:
        ax.plot(panel.x, truth, color="#d6604d", linestyle="--", linewidth=1.2, label="truth")
    ax.plot(panel.x, panel.mean, color=MEAN, linewidth=1.6, label="mean")
    ax.plot(X[:, 0], y, ".", color=DATA, markersize=3, label="training data")
    ax.set_title(f"{panel.title}\n{panel.note}" if panel.note else panel.title, fontsize=10)
    ax.set_xlabel("x")
    return ax


def save_figure(path: Path, figure: Figure, dpi: int = 150) -> Path:
    """Write a picture, making its directory when needed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=dpi)
    return path


def draw_gaps(
    axes: Sequence[Axes],
    panels: Sequence[GapPanel],
    X: Float[np.ndarray, "n 1"],
    y: Float[np.ndarray, " n"],
    gap: tuple[float, float],
    truth: Float[np.ndarray, " g"] | None = None,
    limits: tuple[float, float] | None = None,
) -> Sequence[Axes]:
    """Draw one panel a method in a row that shares its y axis, with one legend."""
    for ax, panel in zip(axes, panels, strict=True):
        draw_gap(ax, panel, X, y, gap, truth)
        if limits is not None:
            ax.set_ylim(*limits)
    axes[0].set_ylabel("y")
    axes[0].legend(loc="lower right", fontsize=7, framealpha=0.9)
    return axes


def draw_gap_grid(
    figure: Figure,
    panels: Sequence[GapPanel],
    X: Float[np.ndarray, "n 1"],
    y: Float[np.ndarray, " n"],
    gap: tuple[float, float],
    truth: Float[np.ndarray, " g"] | None = None,
    columns: int = 5,
    limits: tuple[float, float] | None = None,
) -> Figure:
    """Draw one panel a method, several in a row, on one scale; the legend takes a free place."""
    rows = -(-len(panels) // columns)
    axes = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
    for i, (ax, panel) in enumerate(zip(axes.flat, panels, strict=False)):
        draw_gap(ax, panel, X, y, gap, truth)
        if i + columns < len(panels):  # another below
            ax.set_xlabel("")
        else:
            ax.tick_params(labelbottom=True)
    for ax in axes.flat[len(panels) :]:
        ax.set_axis_off()
    for ax in axes[:, 0]:
        ax.set_ylabel("y")
    if limits is not None:
        axes[0, 0].set_ylim(*limits)
    handles, names = axes[0, 0].get_legend_handles_labels()
    if len(panels) < axes.size:
        axes.flat[-1].legend(handles, names, loc="center", fontsize=9, frameon=False)
    else:
        axes[0, 0].legend(handles, names, fontsize=6)
    return figure
