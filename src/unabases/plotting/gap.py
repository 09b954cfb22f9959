"""Pictures of models over one input with a gap in the data: the mean, and what the model does not know."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from unabases.plotting.style import DATA, EPISTEMIC, MEAN, TOTAL, TRUTH
from unabases.predictive import AbstractPredictive

__all__ = [
    "GapData",
    "GapPanel",
    "draw_functions",
    "draw_gap",
    "draw_gap_grid",
    "gap_panel",
    "legend_below",
    "shade_gap",
]


_ENTRY = 1.45  # inches that an entry of a legend takes


class GapData(NamedTuple):
    """The training rows that a model saw, and where they leave a gap.

    Parameters
    ----------
    X, y
        Training inputs, in one column, and outcomes.
    gap
        Where the gap begins and ends.
    truth
        The true function at the inputs of the panels, if it is known.
    """

    X: Float[np.ndarray, "n 1"]
    y: Float[np.ndarray, " n"]
    gap: tuple[float, float]
    truth: Float[np.ndarray, " g"] | None = None


class GapPanel(NamedTuple):
    """What one panel shows of a model. Standard deviations, not yet doubled.

    Parameters
    ----------
    title, note
        The model's name, and a line of text below it.
    x
        Inputs at which the model predicts, in rising order.
    mean, epistemic_std, std
        Its prediction there: mean, what it does not know, and both that and the noise.
    """

    title: str
    x: Float[np.ndarray, " g"]
    mean: Float[np.ndarray, " g"]
    epistemic_std: Float[np.ndarray, " g"]
    std: Float[np.ndarray, " g"]
    note: str = ""


def gap_panel(title: str, x: Float[np.ndarray, "g 1"], predictive: AbstractPredictive, note: str = "") -> GapPanel:
    """Collect what a panel shows of a prediction over a grid of one input.

    Parameters
    ----------
    title, note
        The model's name, and a line of text below it.
    x
        The grid that was given to `predict_dist`.
    predictive
        What `predict_dist` returned.

    See Also
    --------
    draw_gap : Draws the panel.
    """
    return GapPanel(title, x[:, 0], predictive.mean, predictive.epistemic_std, predictive.std, note)


def shade_gap(ax: Axes, gap: tuple[float, float]) -> Axes:
    """Hatch where there are no training data.

    Parameters
    ----------
    ax
        Axes to draw on.
    gap
        Where the gap begins and ends.
    """
    ax.axvspan(*gap, facecolor="none", edgecolor="#bbbbbb", hatch="///", linewidth=0, alpha=0.6, label="no data")
    return ax


def draw_gap(ax: Axes, panel: GapPanel, data: GapData) -> Axes:
    """Draw a model's mean and its bands over the training data.

    Both bands are two standard deviations wide either way: the dark one is epistemic uncertainty, the pale one adds
    the noise.

    Parameters
    ----------
    ax
        Axes to draw on.
    panel
        The prediction, from `gap_panel`.
    data
        The training rows, the gap, and the truth if it is known.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from unabases import GaussianProcess
    >>> from unabases.datasets import cubic_gap
    >>> rows = cubic_gap(random_state=0)
    >>> model = GaussianProcess(restarts=0, sigma2=rows.sigma2).fit(rows.X_train, rows.y_train)
    >>> grid = np.linspace(-4, 4, 50)[:, None]
    >>> data = GapData(rows.X_train, rows.y_train, rows.gap)
    >>> ax = draw_gap(Figure().subplots(), gap_panel("GP", grid, model.predict_dist(grid)), data)
    >>> ax.get_title()
    'GP'
    """
    shade_gap(ax, data.gap)
    bands = ((panel.std, TOTAL, 1.0, "total ± 2 std"), (panel.epistemic_std, EPISTEMIC, 0.55, "epistemic ± 2 std"))
    for std, colour, alpha, label in bands:
        low, high = panel.mean - 2 * std, panel.mean + 2 * std
        ax.fill_between(panel.x, low, high, color=colour, alpha=alpha, linewidth=0, label=label)
    if data.truth is not None:
        ax.plot(panel.x, data.truth, color=TRUTH, linestyle="--", linewidth=1.2, label="truth")
    ax.plot(panel.x, panel.mean, color=MEAN, linewidth=1.6, label="mean")
    ax.plot(data.X[:, 0], data.y, ".", color=DATA, markersize=3, label="training data")
    ax.set_title(f"{panel.title}\n{panel.note}" if panel.note else panel.title, fontsize=10)
    ax.set_xlabel("x")
    return ax


def draw_functions(ax: Axes, x: Float[np.ndarray, "g 1"], functions: Float[np.ndarray, "n g"], data: GapData) -> Axes:
    """Draw functions that a model holds possible, as thin lines over the training data.

    Parameters
    ----------
    ax
        Axes to draw on.
    x
        Inputs at which the functions are known, in rising order.
    functions
        Their values there, one function in each row; `sample_posterior` draws them.
    data
        The training rows, the gap, and the truth if it is known.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> x = np.linspace(-1, 1, 5)[:, None]
    >>> ax = draw_functions(Figure().subplots(), x, np.zeros((3, 5)), GapData(x, x[:, 0], (-0.5, 0.5)))
    >>> len(ax.lines)  # three functions and the training data
    4
    """
    shade_gap(ax, data.gap)
    lines = ax.plot(x[:, 0], functions.T, color=EPISTEMIC, linewidth=0.8, alpha=0.45)
    lines[0].set_label("functions held possible")
    if data.truth is not None:
        ax.plot(x[:, 0], data.truth, color=TRUTH, linestyle="--", linewidth=1.2, label="truth")
    ax.plot(data.X[:, 0], data.y, ".", color=DATA, markersize=3, label="training data")
    ax.set_xlabel("x")
    return ax


def draw_gap_grid(
    figure: Figure,
    panels: Sequence[GapPanel],
    data: GapData,
    columns: int = 5,
    limits: tuple[float, float] | None = None,
) -> Figure:
    """Draw several models on the same data, one panel each, all on one scale.

    Parameters
    ----------
    figure
        An empty figure to draw on, with a layout that makes room for a legend: `Figure(layout="constrained")`.
    panels
        The predictions, from `gap_panel`.
    data
        The training rows, the gap, and the truth if it is known.
    columns
        Panels in a row, at most.
    limits
        Ends of the vertical axis; None to let the data decide.
    """
    columns = min(columns, len(panels))
    axes = figure.subplots(-(-len(panels) // columns), columns, sharex=True, sharey=True, squeeze=False)
    for place, (ax, panel) in enumerate(zip(axes.flat, panels, strict=False)):
        draw_gap(ax, panel, data)
        if place + columns < len(panels):  # there is another one below
            ax.set_xlabel("")
        else:
            ax.tick_params(labelbottom=True)
    for ax in axes.flat[len(panels) :]:
        ax.set_axis_off()
    for ax in axes[:, 0]:
        ax.set_ylabel("y")
    if limits is not None:
        axes[0, 0].set_ylim(*limits)
    if len(panels) < axes.size:  # the legend takes a free place
        handles, names = axes[0, 0].get_legend_handles_labels()
        axes.flat[-1].legend(handles, names, loc="center", fontsize=9, frameon=False)
    else:
        legend_below(figure, axes[0, 0])
    return figure


def legend_below(figure: Figure, ax: Axes) -> Figure:
    """Put the legend of one panel below all of them, in a line or two, where it covers nothing.

    Parameters
    ----------
    figure
        A figure whose layout makes room for it, such as `Figure(layout="constrained")`.
    ax
        The panel whose lines and bands the legend names.
    """
    handles, names = ax.get_legend_handles_labels()
    one_line = figure.get_figwidth() >= _ENTRY * len(names)
    columns = len(names) if one_line else -(-len(names) // 2)
    figure.legend(handles, names, loc="outside lower center", ncols=columns, frameon=False)
    return figure
