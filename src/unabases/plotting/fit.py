"""Pictures of a model that was fitted to a table: calibration, and predictions beside what was observed."""

import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from unabases.metrics import CalibrationCurve
from unabases.plotting.calibration import draw_calibration
from unabases.plotting.style import DATA, FAINT, TOTAL, literal, plain_axes
from unabases.tables import TableModel

__all__ = ["draw_predictions", "fit_figure"]


def fit_figure(model: TableModel) -> Figure:
    """Show how a table model does on the rows that it held out.

    Calibration is on the left; on the right are predictions, with 90 % intervals, against what was observed.

    Parameters
    ----------
    model
        A fitted model.
    """
    held = model.held_out
    figure = Figure(figsize=(9, 4.2), layout="constrained")
    left, right = figure.subplots(1, 2)
    draw_calibration(left, CalibrationCurve(held.expected, held.observed), len(held.y))
    draw_predictions(right, held.y, held.mean, np.hypot(held.epistemic_std, held.noise_std), model.schema.target)
    figure.suptitle(f"{type(model.regressor).__name__}: {len(held.y)} rows held out", fontsize=11)
    return figure


def draw_predictions(
    ax: Axes,
    y: Float[np.ndarray, " n"],
    mean: Float[np.ndarray, " n"],
    std: Float[np.ndarray, " n"],
    target: str = "y",
    max_rows: int = 300,
) -> Axes:
    """Draw predictions with their 90 % intervals against what was observed.

    Parameters
    ----------
    ax
        Axes to draw on.
    y, mean, std
        Outcomes, predicted means, and predicted standard deviations with the noise included.
    target
        Name of the outcome, for the axes.
    max_rows
        Draw no more rows than this: the first ones.

    Examples
    --------
    >>> y = np.array([1.0, 2.0, 3.0])
    >>> draw_predictions(Figure().subplots(), y, y + 0.1, np.ones(3), "price").get_xlabel()
    'price, observed'
    """
    y, mean, std = (values[:max_rows] for values in (y, mean, std))
    plain_axes(ax).errorbar(y, mean, 1.645 * std, fmt="none", ecolor=TOTAL, elinewidth=1, label="90 % interval")
    ax.plot(y, mean, ".", color=DATA, markersize=4, label="mean")
    ends = [y.min(), y.max()]
    ax.plot(ends, ends, color=FAINT, linewidth=1)
    ax.set(xlabel=f"{literal(target)}, observed", ylabel=f"{literal(target)}, predicted")
    ax.legend(loc="upper left", fontsize=8)
    return ax
