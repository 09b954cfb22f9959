"""Pictures of calibration: whether stated probabilities come true."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MultipleLocator, PercentFormatter

from unabases.metrics import CalibrationCurve, interval_curve
from unabases.plotting.style import EPISTEMIC, FAINT, TOTAL, Look, plain_axes

__all__ = ["draw_calibration"]

_TOLD = 0.9  # the interval whose share is written beside a single curve


def draw_calibration(
    ax: Axes,
    curves: CalibrationCurve | Mapping[str, CalibrationCurve],
    n_rows: int | None = None,
    look: Look | None = None,
) -> Axes:
    """Draw how often outcomes fell inside the interval of each stated probability.

    The diagonal is best. A curve above it comes from intervals that are too wide, one below it from intervals that are
    too narrow. At 90 % the curve says what `interval_coverage` says.

    Parameters
    ----------
    ax
        Axes to draw on.
    curves
        What `unabases.metrics.calibration_curve` returned, or several such curves by name; `interval_curve` says how
        shares below quantiles become shares inside intervals. The first is drawn solid, the others dashed with hollow
        marks.
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
    'stated: probability of an interval'
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
        inside = interval_curve(curve)
        x, y = (np.concatenate([[0], values, [1]]) for values in inside)
        ax.plot(x, y, color=look.colour, marker=look.marker, markersize=4, label=name, **hollow)
        if len(named) == 1 and np.isclose(inside.expected[-1], _TOLD):
            _tell(ax, float(inside.observed[-1]))
    ax.text(0.97, 0.04, "below: intervals too narrow", ha="right", color=FAINT, fontsize=8)
    ax.set(xlim=(0, 1), ylim=(0, 1), aspect="equal")
    ax.set(xlabel="stated: probability of an interval", ylabel="observed: share of outcomes inside")
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_locator(MultipleLocator(0.2))
        axis.set_major_formatter(PercentFormatter(1.0, symbol=" %"))
    ax.legend(loc="upper left", fontsize=8)
    return ax


def _tell(ax: Axes, observed: float) -> None:
    """Write beside the curve what came true of the 90 % intervals."""
    said = f"{100 * _TOLD:.0f} % stated,\n{100 * observed:.0f} % observed"
    arrow = {"arrowstyle": "-", "color": FAINT, "linewidth": 0.8}
    place = (0.97, 0.36) if observed > 0.55 else (0.84, 0.5)  # away from the curve, below the diagonal
    ax.annotate(said, (_TOLD, observed), place, ha="right", fontsize=8, arrowprops=arrow)
