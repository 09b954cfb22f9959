"""Scores of a prediction against what was observed, averaged over rows (and outputs)."""

import numpy as np
from numpy.typing import ArrayLike

from unabases.metrics.checks import average, checked_outcomes, refuse_empty
from unabases.predictive import AbstractPredictive, Normal

__all__ = ["epistemic", "eurc", "log_likelihood", "mae", "rmse"]


def log_likelihood(predictive: AbstractPredictive, y: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
    """Mean log density that the prediction gave to what was observed; higher is better.

    A single outcome that the prediction held impossible makes it -inf, whatever the other rows say.

    Parameters
    ----------
    predictive, y
        A prediction, from `predict_dist`, and what was observed: an array of the same shape.
    sample_weight : array of shape (n,), optional
        How often each row counts.

    Returns
    -------
    float
        In nats per value.

    Examples
    --------
    >>> from unabases.predictive import Normal
    >>> round(log_likelihood(Normal([0.0], [0.0], 1.0), [0.0]), 3)
    -0.919
    """
    y = checked_outcomes(predictive, y)
    log_prob = predictive.log_prob(y)
    impossible = average(np.isneginf(log_prob).astype(np.float64), sample_weight) > 0
    return -np.inf if impossible else average(log_prob, sample_weight)


def rmse(predictive: AbstractPredictive | ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
    """Root mean squared error of the predicted mean, in units of y; lower is better.

    Parameters
    ----------
    predictive, y
        A prediction, from `predict_dist` or just the means from `predict`, and what was observed.
    sample_weight : array of shape (n,), optional
        How often each row counts.

    Examples
    --------
    >>> from unabases.predictive import Normal
    >>> rmse(Normal([0.0, 0.0], [1.0, 1.0], 1.0), [3.0, 3.0])
    3.0
    >>> rmse([0.0, 0.0], [3.0, 3.0])
    3.0
    """
    predictive = _certain(predictive)
    return float(np.sqrt(average((predictive.mean - checked_outcomes(predictive, y)) ** 2, sample_weight)))


def mae(predictive: AbstractPredictive | ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
    """Mean absolute error of the predicted mean, in units of y; lower is better.

    Parameters
    ----------
    predictive, y
        A prediction, from `predict_dist` or just the means from `predict`, and what was observed.
    sample_weight : array of shape (n,), optional
        How often each row counts.

    Examples
    --------
    >>> from unabases.predictive import Normal
    >>> mae(Normal([0.0, 0.0], [1.0, 1.0], 1.0), [3.0, -1.0])
    2.0
    """
    predictive = _certain(predictive)
    return average(np.abs(predictive.mean - checked_outcomes(predictive, y)), sample_weight)


def _certain(predictive: AbstractPredictive | ArrayLike) -> AbstractPredictive:
    """The prediction, or means as one without uncertainty."""
    if isinstance(predictive, AbstractPredictive):
        return predictive
    mean = np.asarray(predictive, dtype=np.float64)
    return Normal(mean, np.zeros_like(mean), 0.0)


def epistemic(predictive: AbstractPredictive, sample_weight: ArrayLike | None = None) -> float:
    """Mean epistemic standard deviation, in units of y: how uncertain the model is about its function (EU).

    Parameters
    ----------
    predictive : AbstractPredictive
        A prediction, from `predict_dist`.
    sample_weight : array of shape (n,), optional
        How often each row counts; once by default.

    Examples
    --------
    >>> from unabases.predictive import Normal
    >>> epistemic(Normal([0.0, 0.0], [1.0, 2.0], 5.0))
    1.5
    """
    refuse_empty(predictive)
    return average(predictive.epistemic_std, sample_weight)


def eurc(
    gap: AbstractPredictive,
    not_gap: AbstractPredictive,
    gap_weight: ArrayLike | None = None,
    not_gap_weight: ArrayLike | None = None,
) -> float:
    r"""How much larger the epistemic uncertainty is in a gap of the data than elsewhere (relative change).

    .. math:: \frac{EU_{gap} - EU_{not}}{EU_{not}}

    1.5 means that uncertainty is 150 % higher in the gap, 0 that the model does not notice the gap. Without any
    epistemic uncertainty outside the gap it is +inf, or NaN if there is none inside either.

    Parameters
    ----------
    gap : AbstractPredictive
        Predictions where the training data have a gap.
    not_gap : AbstractPredictive
        Predictions at inputs like the training data.
    gap_weight, not_gap_weight : arrays with a number for each row, optional
        How often each row counts.

    Returns
    -------
    float
        A fraction, not a percentage.

    Notes
    -----
    The paper writes :math:`EU_{gap}` in the denominator, but the values it tabulates need
    :math:`EU_{not}`; over :math:`EU_{gap}` none could exceed 100 %.

    Examples
    --------
    >>> from unabases.predictive import Normal
    >>> eurc(Normal([0.0], [5.0], 1.0), Normal([0.0], [2.0], 1.0))
    1.5
    """
    inside, outside = epistemic(gap, gap_weight), epistemic(not_gap, not_gap_weight)
    if outside == 0:
        return np.inf if inside > 0 else np.nan
    return (inside - outside) / outside
