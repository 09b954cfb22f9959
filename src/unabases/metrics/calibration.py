"""Whether stated probabilities come true, and how much the prediction commits itself."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Float
from numpy.typing import ArrayLike

from unabases.metrics.checks import checked_choice, checked_levels, checked_outcomes, refuse_empty
from unabases.predictive import AbstractPredictive
from unabases.predictive.base import Numbers

__all__ = [
    "LEVELS",
    "CalibrationCurve",
    "calibration_curve",
    "calibration_error",
    "interval_coverage",
    "interval_width",
    "sharpness",
]

Levels = Sequence[float] | Numbers
LEVELS = tuple(percent / 100 for percent in range(5, 100, 5))  # 0.05, 0.10, ..., 0.95


class CalibrationCurve(NamedTuple):
    """Stated probabilities, and how often they came true; for p outputs a column each."""

    expected: Float[np.ndarray, " levels"]
    observed: Float[np.ndarray, "levels *p"]


def interval_coverage(predictive: AbstractPredictive, y: ArrayLike, level: float = 0.9) -> float:
    """Share of outcomes inside the central interval at `level`, its ends included; `level` is best.

    Of n independent outcomes an exact model holds a Binomial(n, level) number.
    """
    y = checked_outcomes(predictive, y)
    return share_inside(predictive.interval(level), y)


def interval_width(predictive: AbstractPredictive, level: float = 0.9) -> float:
    """Mean width of the central interval at `level`, in units of y; less is better where the coverage is right."""
    refuse_empty(predictive)
    lower, upper = predictive.interval(level)
    return float(np.mean(upper - lower))


def share_inside(interval: tuple[np.ndarray, np.ndarray], y: np.ndarray) -> float:
    """Share of y within the ends, NaN if an end is."""
    lower, upper = interval
    inside = (lower <= y) & (y <= upper)
    return float(np.mean(np.where(np.isnan(lower) | np.isnan(upper), np.nan, inside)))


def calibration_curve(predictive: AbstractPredictive, y: ArrayLike, levels: Levels = LEVELS) -> CalibrationCurve:
    r"""How often y fell below the quantile of each level; the diagonal is best.

    .. math:: \text{observed}(q) = \frac1n \sum_i 1\{F_i(y_i) \le q\}

    That is the distribution function of the probability integral transform F(y), which an exact model makes uniform.
    A curve that is below the diagonal left of the middle and above it to the right is one of intervals that are too
    wide; the other way round they are too narrow; on one side throughout, the mean is off.

    Examples
    --------
    >>> from unabases.predictive import Normal
    >>> calibration_curve(Normal([0.0] * 4, [0.0] * 4, 1.0), [-2.0, -0.1, 0.2, 0.3], levels=[0.25, 0.5, 0.75]).observed
    array([0.25, 0.5 , 1.  ])
    """
    y, levels = checked_outcomes(predictive, y), checked_levels(levels)
    below = predictive.cdf(y)
    observed = np.stack([np.mean(below <= level, axis=0) for level in levels])
    return CalibrationCurve(levels, np.where(np.isnan(below).any(axis=0), np.nan, observed))


def calibration_error(
    predictive: AbstractPredictive, y: ArrayLike, levels: Levels = LEVELS, kind: str = "rms"
) -> float:
    """Distance of the calibration curve from the diagonal; 0 is best.

    The root mean square (`kind="rms"`) or mean absolute (`kind="mean"`) difference between observed and expected over
    all levels and outputs. An exact model does not reach 0 on n rows: the mean square is the mean of q (1 − q) / n, so
    that with the default levels the root is about 0.42 / √n.
    """
    checked_choice("kind", kind, ("rms", "mean"))
    expected, observed = calibration_curve(predictive, y, levels)
    difference = (observed.T - expected).T
    return float(np.sqrt(np.mean(difference**2)) if kind == "rms" else np.mean(np.abs(difference)))


def sharpness(predictive: AbstractPredictive) -> float:
    """Mean total standard deviation, in units of y; less is better among models that are calibrated."""
    refuse_empty(predictive)
    return float(np.mean(predictive.std))
