"""Scores against a known truth: the true function, or the uncertainty that an exact posterior has."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri

from unabases.metrics.calibration import share_inside
from unabases.metrics.checks import average, checked_levels, checked_outcomes, checked_weight
from unabases.predictive import AbstractPredictive

__all__ = ["epistemic_coverage", "epistemic_ratio"]


def epistemic_coverage(
    predictive: AbstractPredictive, f: ArrayLike, level: float = 0.9, sample_weight: ArrayLike | None = None
) -> float:
    r"""Share of the true function inside epistemic intervals at `level`; best is `level` itself.

    `interval_coverage` cannot tell a model that knows its function from one that blames the noise. Where the true
    function is known, this can: it leaves the noise out. The interval is

    .. math:: \mu \pm z \, u, \quad z = \Phi^{-1}((1 + level) / 2)

    with the epistemic standard deviation u, for every kind of prediction, so that few members of an ensemble are
    judged by their spread and not by their extremes.

    Parameters
    ----------
    predictive : AbstractPredictive
        A prediction, from `predict_dist`.
    f : array of the same shape
        The true function, without noise.
    level : float
        Probability that the interval should hold, between 0 and 1.
    sample_weight : array of shape (n,), optional
        How often each row counts; once by default.

    Notes
    -----
    Values of one function hang together, so coverage varies more from one data set to the next than that of
    independent outcomes. Average it over many functions.

    Examples
    --------
    >>> from unabases.predictive import Normal
    >>> epistemic_coverage(Normal([0.0, 0.0], [1.0, 0.1], 5.0), f=[0.5, 0.5])
    0.5
    """
    f = checked_outcomes(predictive, f, name="f")
    (level,) = checked_levels([level])
    reach = ndtri((1 + level) / 2) * predictive.epistemic_std
    return share_inside((predictive.mean - reach, predictive.mean + reach), f, sample_weight)


def epistemic_ratio(
    predictive: AbstractPredictive,
    reference: ArrayLike,
    quantile: float | int | None = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    r"""Epistemic standard deviation relative to one that is known to be right; 1 is best.

    .. math:: \sum_i u_i \, / \, \sum_i u^*_i

    Far below 1 the model is blind, far above it cries wolf. On functions drawn from a known prior the reference
    :math:`u^*` is the exact posterior's, see `unabases.datasets.draw_process`; elsewhere take a model you trust.

    Parameters
    ----------
    predictive : AbstractPredictive
        A prediction, from `predict_dist`.
    reference : array of the same shape
        The standard deviations to compare with, not negative.
    quantile : float, optional
        Instead of the ratio of the means, a quantile of the ratios row by row: 0.1 shows a blind spot that wide
        intervals elsewhere would hide.
    sample_weight : array of shape (n,), optional
        How often each row counts; once by default. A quantile is then the least ratio that this share of the weight
        does not exceed.

    Returns
    -------
    float
        Infinite, or NaN for 0/0, where the reference is 0.

    Examples
    --------
    >>> from unabases.predictive import Normal
    >>> prediction = Normal([0.0, 0.0], [1.0, 5.0], 1.0)
    >>> epistemic_ratio(prediction, [2.0, 2.0]), epistemic_ratio(prediction, [2.0, 2.0], quantile=0)
    (1.5, 0.5)
    """
    reference = checked_outcomes(predictive, reference, name="reference")
    if np.any(reference < 0):
        raise ValueError(f"`reference` holds standard deviations, but its smallest is {reference.min():g}.")
    with np.errstate(divide="ignore", invalid="ignore"):
        if quantile is None:
            return float(np.divide(average(predictive.epistemic_std, sample_weight), average(reference, sample_weight)))
        ratios = predictive.epistemic_std / reference
    return float(np.quantile(ratios, quantile)) if sample_weight is None else _quantile(ratios, quantile, sample_weight)


def _quantile(values: np.ndarray, quantile: float | int, sample_weight: ArrayLike) -> float:
    """The least value that `quantile` of the weight does not exceed; NaN if a row that counts is."""
    if not 0 <= quantile <= 1:
        raise ValueError(f"`quantile` must lie between 0 and 1, got {quantile}.")
    weight = checked_weight(sample_weight, len(values))
    values, weight = values[weight > 0], weight[weight > 0]
    if np.any(np.isnan(values)):
        return np.nan
    flat = values.ravel()
    order = np.argsort(flat)
    counted = np.cumsum(np.repeat(weight, flat.size // len(weight))[order])
    reached = np.searchsorted(counted, quantile * counted[-1] * (1 - 1e-12))  # sums of weights are rounded
    return float(flat[order][reached])
