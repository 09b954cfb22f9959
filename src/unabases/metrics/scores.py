"""Scores of a prediction against what was observed, averaged over rows (and outputs)."""

import numpy as np
from numpy.typing import ArrayLike

from unabases.metrics.checks import checked_outcomes, refuse_empty
from unabases.predictive import AbstractPredictive

__all__ = ["epistemic", "eurc", "log_likelihood", "mae", "rmse"]


def log_likelihood(predictive: AbstractPredictive, y: ArrayLike) -> float:
    """Mean log density of y; higher is better.

    A single outcome that the prediction held impossible makes it -inf, whatever the other rows say.
    """
    log_prob = predictive.log_prob(checked_outcomes(predictive, y))
    return -np.inf if np.any(np.isneginf(log_prob)) else float(np.mean(log_prob))


def rmse(predictive: AbstractPredictive, y: ArrayLike) -> float:
    """Root mean squared error of the mean."""
    return float(np.sqrt(np.mean((predictive.mean - checked_outcomes(predictive, y)) ** 2)))


def mae(predictive: AbstractPredictive, y: ArrayLike) -> float:
    """Mean absolute error of the mean."""
    return float(np.mean(np.abs(predictive.mean - checked_outcomes(predictive, y))))


def epistemic(predictive: AbstractPredictive) -> float:
    """Mean epistemic standard deviation (EU), in units of y."""
    refuse_empty(predictive)
    return float(np.mean(predictive.epistemic_std))


def eurc(gap: AbstractPredictive, not_gap: AbstractPredictive) -> float:
    r"""Epistemic uncertainty's relative change from where there was data to where there was none.

    .. math:: \frac{EU_{gap} - EU_{not}}{EU_{not}}

    A fraction: 1.5 means that uncertainty is 150 % higher in the gap, 0 that it is blind to the gap. Without
    any epistemic uncertainty outside the gap it is +inf, or NaN if there is none inside either.

    Notes
    -----
    The paper writes :math:`EU_{gap}` in the denominator, but the values it tabulates need
    :math:`EU_{not}`; over :math:`EU_{gap}` none could exceed 100 %.
    """
    inside, outside = epistemic(gap), epistemic(not_gap)
    if outside == 0:
        return np.inf if inside > 0 else np.nan
    return (inside - outside) / outside
