"""The picture of a fitted table: whether stated probabilities came true, and how far off predictions are."""

import io
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from unabases.storage import write_whole
from unabases.tables import HeldOut, TableModel

LINE, PALE, DATA = "#2166ac", "#b9d3ea", "#222222"


def fit_figure(model: TableModel) -> Figure:
    """Calibration on the left; observed against predicted, with 90 % intervals, on the right."""
    figure = Figure(figsize=(9, 4.2), layout="constrained")
    left, right = figure.subplots(1, 2)
    draw_calibration(left, model.held_out)
    draw_observed(right, model.held_out, model.schema.target)
    figure.suptitle(f"{type(model.regressor).__name__}: {len(model.held_out.y)} rows held out", fontsize=11)
    return figure


def draw_calibration(ax: Axes, held: HeldOut) -> Axes:
    """Observed share below each quantile, with the band that chance allows to an exact model."""
    expected = np.concatenate([[0], held.expected, [1]])
    chance = 1.645 * np.sqrt(expected * (1 - expected) / len(held.y))
    ax.fill_between(expected, expected - chance, expected + chance, color=PALE, linewidth=0, label="chance, 90 %")
    ax.plot([0, 1], [0, 1], color="#888888", linewidth=1)
    ax.plot(expected, np.concatenate([[0], held.observed, [1]]), color=LINE, marker=".", label="model")
    ax.set(xlabel="stated probability", ylabel="came true", xlim=(0, 1), ylim=(0, 1), aspect="equal")
    ax.legend(loc="upper left", fontsize=8)
    return ax


def draw_observed(ax: Axes, held: HeldOut, target: str, most: int = 300) -> Axes:
    """Predictions with their intervals against what was observed, of the first rows if there are many."""
    rows = slice(0, most)
    std = np.hypot(held.epistemic_std, held.noise_std)[rows]
    ax.errorbar(
        held.y[rows], held.mean[rows], 1.645 * std, fmt="none", ecolor=PALE, elinewidth=1, label="90 % interval"
    )
    ax.plot(held.y[rows], held.mean[rows], ".", color=DATA, markersize=4, label="mean")
    ends = [held.y[rows].min(), held.y[rows].max()]
    ax.plot(ends, ends, color="#888888", linewidth=1)
    ax.set(xlabel=f"{target}, observed", ylabel=f"{target}, predicted")
    ax.legend(loc="upper left", fontsize=8)
    return ax


def write_figure(path: Path, figure: Figure, dpi: int = 120) -> Path:
    """Write a picture whole or not at all."""
    file = io.BytesIO()
    figure.savefig(file, dpi=dpi, format="png")
    write_whole(path, file.getvalue())
    return path
