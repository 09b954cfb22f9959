"""Pictures of calibration: whether stated probabilities come true."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from unabases.metrics import CalibrationCurve
from unabases.plotting.style import EPISTEMIC, FAINT, TOTAL, Look, plain_axes

__all__ = ["draw_calibration"]


def draw_calibration(
    ax: Axes,
    curves: CalibrationCurve | Mapping[str, CalibrationCurve],
    n_rows: int | None = None,
    look: Look | None = None,
) -> Axes:
    """Draw how often outcomes fell below the quantile of each stated probability.

    The diagonal is best. A curve below it on the left and above it on the right comes from intervals that are too wide;
    the other way round, from intervals that are too narrow.

    Parameters
    ----------
    ax
        Axes to draw on.
    curves
        What `unabases.metrics.calibration_curve` returned, or several such curves by name. The first is drawn solid,
        the others dashed with hollow marks.
    n_rows
        Number of outcomes. If it is given, a band shows how far chance takes an exact model, nine times in ten.
    look
        Colour and marker of the curves.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from unabases.metrics import calibration_curve
    >>> from unabases.predictive import Normal
    >>> y = np.random.default_rng(0).standard_normal(200)
    >>> exact = Normal(np.zeros(200), np.zeros(200), np.ones(200))
    >>> ax = draw_calibration(Figure().subplots(), calibration_curve(exact, y), n_rows=200)
    >>> ax.get_xlabel()
    'stated probability'
    """
    named = {"model": curves} if isinstance(curves, CalibrationCurve) else curves
    look = look or Look(EPISTEMIC, ".")
    plain_axes(ax)
    if n_rows is not None:
        p = np.linspace(0, 1, 101)
        chance = 1.645 * np.sqrt(p * (1 - p) / n_rows)
        ax.fill_between(p, p - chance, p + chance, color=TOTAL, linewidth=0, label="chance, 90 %")
    ax.plot([0, 1], [0, 1], color=FAINT, linewidth=1, label="exact")
    for place, (name, curve) in enumerate(named.items()):
        hollow: dict[str, Any] = {"mfc": "white", "linestyle": "--"} if place else {}
        x, y = (np.concatenate([[0], values, [1]]) for values in curve)
        ax.plot(x, y, color=look.colour, marker=look.marker, markersize=4, label=name, **hollow)
    ax.set(xlabel="stated probability", ylabel="share of rows below", xlim=(0, 1), ylim=(0, 1), aspect="equal")
    ax.legend(loc="upper left", fontsize=7)
    return ax
