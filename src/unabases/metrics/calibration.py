"""Calibration: whether stated probabilities come true, and how narrow the predictions are."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Float
from numpy.typing import ArrayLike

from unabases.metrics.checks import average, checked_choice, checked_levels, checked_outcomes, refuse_empty, row_average
from unabases.predictive import AbstractPredictive
from unabases.predictive.base import Numbers

__all__ = [
    "LEVELS",
    "CalibrationCurve",
    "calibration_curve",
    "calibration_error",
    "interval_coverage",
    "interval_curve",
    "interval_score",
    "interval_width",
    "sharpness",
]

Levels = Sequence[float] | Numbers
LEVELS = tuple(percent / 100 for percent in range(5, 100, 5))  # 0.05, 0.10, ..., 0.95


class CalibrationCurve(NamedTuple):
    """Stated probabilities (`expected`), and how often they came true (`observed`); a column for each output."""

    expected: Float[np.ndarray, " levels"]
    observed: Float[np.ndarray, "levels *p"]


def interval_coverage(
    predictive: AbstractPredictive, y: ArrayLike, level: float = 0.9, sample_weight: ArrayLike | None = None
) -> float:
    """Share of outcomes inside the central interval at `level`; best is `level` itself.

    The ends belong to the interval. For an exact model, n independent outcomes give a Binomial(n, level) number inside.

    Parameters
    ----------
    predictive, y
        A prediction, from `predict_dist`, and what was observed: an array of the same shape.
    level : float
        Probability that the interval should hold, between 0 and 1.
    sample_weight : array of shape (n,), optional
        How often each row counts.

    Examples
    --------
    >>> from unabases.predictive import Normal
    >>> interval_coverage(Normal([0.0] * 4, [0.0] * 4, 1.0), [-3.0, -0.5, 0.5, 1.0])
    0.75
    """
    y = checked_outcomes(predictive, y)
    return share_inside(predictive.interval(level), y, sample_weight)


def interval_width(predictive: AbstractPredictive, level: float = 0.9, sample_weight: ArrayLike | None = None) -> float:
    """Mean width of the central interval at `level`, in units of y; lower is better where the coverage is right.

    Parameters
    ----------
    predictive : AbstractPredictive
        A prediction, from `predict_dist`.
    level : float
        Probability of the interval, between 0 and 1.
    sample_weight : array of shape (n,), optional
        How often each row counts; once by default.

    Examples
    --------
    >>> from unabases.predictive import Normal
    >>> round(interval_width(Normal([0.0], [0.0], 1.0), level=0.95), 2)
    3.92
    """
    refuse_empty(predictive)
    lower, upper = predictive.interval(level)
    return average(upper - lower, sample_weight)


def interval_score(
    predictive: AbstractPredictive, y: ArrayLike, level: float = 0.9, sample_weight: ArrayLike | None = None
) -> float:
    r"""Width of the central interval, and a fine for every outcome outside it (Winkler score); lower is better.

    One number for coverage and width together: narrow intervals win, but only if they hold what they promise.

    .. math:: (u - l) + \frac2a (l - y)_+ + \frac2a (y - u)_+, \quad a = 1 - level

    Parameters
    ----------
    predictive, y
        A prediction, from `predict_dist`, and what was observed: an array of the same shape.
    level : float
        Probability that the interval should hold, between 0 and 1.
    sample_weight : array of shape (n,), optional
        How often each row counts.

    Returns
    -------
    float
        The mean over rows and outputs, in units of y.

    References
    ----------
    T. Gneiting, A. E. Raftery (2007). Strictly proper scoring rules, prediction, and estimation. JASA 102, eq. 43.

    Examples
    --------
    The second outcome misses the interval, which ends at 1.645, by 0.355; the fine is 20 times that:

    >>> from unabases.predictive import Normal
    >>> prediction = Normal([0.0], [0.0], 1.0)
    >>> round(interval_score(prediction, [0.5]), 2), round(interval_score(prediction, [2.0]), 2)
    (3.29, 10.39)
    """
    y = checked_outcomes(predictive, y)
    return winkler(predictive.interval(level), y, level, sample_weight)


def winkler(
    interval: tuple[np.ndarray, np.ndarray], y: np.ndarray, level: float, sample_weight: ArrayLike | None = None
) -> float:
    """Mean width of the intervals plus the fines of the outcomes outside."""
    lower, upper = interval
    missed_by = np.maximum(lower - y, 0) + np.maximum(y - upper, 0)
    return average(upper - lower + 2 / (1 - level) * missed_by, sample_weight)


def share_inside(
    interval: tuple[np.ndarray, np.ndarray], y: np.ndarray, sample_weight: ArrayLike | None = None
) -> float:
    """Share of y within the ends, NaN if an end is."""
    lower, upper = interval
    inside = (lower <= y) & (y <= upper)
    return average(np.where(np.isnan(lower) | np.isnan(upper), np.nan, inside), sample_weight)


def calibration_curve(
    predictive: AbstractPredictive, y: ArrayLike, levels: Levels = LEVELS, sample_weight: ArrayLike | None = None
) -> CalibrationCurve:
    r"""How often y fell below the predicted quantile of each level; the diagonal is best.

    .. math:: \text{observed}(q) = \frac1n \sum_i 1\{F_i(y_i) \le q\}

    How to read it: below the diagonal left of the middle and above it on the right, the intervals are too wide; the
    other way round they are too narrow; on one side throughout, the mean is off.

    Parameters
    ----------
    predictive, y
        A prediction, from `predict_dist`, and what was observed: an array of the same shape.
    levels : sequence of float
        Probabilities strictly between 0 and 1; 0.05, 0.10, … 0.95 by default.
    sample_weight : array of shape (n,), optional
        How often each row counts.

    Notes
    -----
    It is the distribution function of the probability integral transform F(y), which is uniform for an exact model.

    Examples
    --------
    >>> from unabases.predictive import Normal
    >>> calibration_curve(Normal([0.0] * 4, [0.0] * 4, 1.0), [-2.0, -0.1, 0.2, 0.3], levels=[0.25, 0.5, 0.75]).observed
    array([0.25, 0.5 , 1.  ])
    """
    y, levels = checked_outcomes(predictive, y), checked_levels(levels)
    below = predictive.cdf(y)
    observed = np.stack([row_average(below <= level, sample_weight) for level in levels])
    return CalibrationCurve(levels, np.where(np.isnan(below).any(axis=0), np.nan, observed))


def interval_curve(curve: CalibrationCurve) -> CalibrationCurve:
    """Turn shares below quantiles into shares inside central intervals, which are what people read off a forecast.

    A central 90 % interval lies between the quantiles of 5 % and 95 %. So the share inside it is what the curve says at
    95 % minus what it says at 5 %. Below the diagonal intervals are too narrow, above it too wide.

    Parameters
    ----------
    curve : CalibrationCurve
        What `calibration_curve` returned, for levels that lie symmetrically about a half.

    Returns
    -------
    CalibrationCurve
        Stated probabilities of intervals, and the share of outcomes inside each, as `interval_coverage` counts them
        but for outcomes exactly at an end.

    Examples
    --------
    >>> from unabases.predictive import Normal
    >>> exact = Normal([0.0] * 4, [0.0] * 4, 1.0)
    >>> interval_curve(calibration_curve(exact, [-2.0, -0.1, 0.2, 0.3], levels=[0.25, 0.5, 0.75]))
    CalibrationCurve(expected=array([0.5]), observed=array([0.75]))
    """
    order = np.argsort(curve.expected)
    levels, observed = curve.expected[order], curve.observed[order]
    if not np.allclose(levels + levels[::-1], 1.0):
        raise ValueError(
            f"the levels of the curve must lie symmetrically about 0.5, as 0.05 and 0.95 do; got {levels.tolist()}."
        )
    n = len(levels) // 2
    stated = (levels[::-1] - levels)[:n][::-1]
    return CalibrationCurve(stated.round(12), (observed[::-1] - observed)[:n][::-1])


def calibration_error(
    predictive: AbstractPredictive,
    y: ArrayLike,
    levels: Levels = LEVELS,
    kind: str = "rms",
    sample_weight: ArrayLike | None = None,
) -> float:
    """How far the calibration curve is from the diagonal; 0 is best.

    On n rows even an exact model does not reach 0: with the default levels its root mean square is about 0.42 / √n.

    Parameters
    ----------
    predictive, y
        A prediction, from `predict_dist`, and what was observed: an array of the same shape.
    levels : sequence of float
        Probabilities at which the curve is compared.
    kind : {"rms", "mean"}
        Root mean square, or mean absolute, difference over all levels and outputs.
    sample_weight : array of shape (n,), optional
        How often each row counts.

    Examples
    --------
    >>> from unabases.predictive import Normal
    >>> rng = np.random.default_rng(0)
    >>> round(calibration_error(Normal(np.zeros(1000), np.zeros(1000), 1.0), 0.5 * rng.normal(size=1000)), 1)
    0.1
    """
    checked_choice("kind", kind, ("rms", "mean"))
    expected, observed = calibration_curve(predictive, y, levels, sample_weight)
    difference = (observed.T - expected).T
    return float(np.sqrt(np.mean(difference**2)) if kind == "rms" else np.mean(np.abs(difference)))


def sharpness(predictive: AbstractPredictive, sample_weight: ArrayLike | None = None) -> float:
    """Mean total standard deviation, in units of y; lower is better among models that are calibrated.

    Parameters
    ----------
    predictive : AbstractPredictive
        A prediction, from `predict_dist`.
    sample_weight : array of shape (n,), optional
        How often each row counts; once by default.

    Examples
    --------
    >>> from unabases.predictive import Normal
    >>> sharpness(Normal([0.0, 0.0], [0.0, 3.0], 4.0))
    4.5
    """
    refuse_empty(predictive)
    return average(predictive.std, sample_weight)
