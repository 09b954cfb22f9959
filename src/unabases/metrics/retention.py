"""Retention: what is gained by handing over the predictions that a model is least sure of."""

from typing import NamedTuple

import numpy as np
from jaxtyping import Float
from numpy.typing import ArrayLike

from unabases.metrics.checks import average, checked_choice, checked_outcomes, checked_weight
from unabases.metrics.detection import columns, loss_of_the_surest, unsure
from unabases.predictive import AbstractPredictive

__all__ = ["Retention", "error_correlation", "prediction_rejection_ratio", "retention_area", "retention_curve"]


class Retention(NamedTuple):
    """Share of predictions `kept`, from 0 to 1, and the `error` of all rows if the others are corrected."""

    kept: Float[np.ndarray, " n_plus_1"]
    error: Float[np.ndarray, " n_plus_1"]


def retention_curve(
    predictive: AbstractPredictive,
    y: ArrayLike,
    error: str = "mse",
    by: str = "total",
    sample_weight: ArrayLike | None = None,
) -> Retention:
    r"""Error over all rows if the surest predictions are kept and an expert corrects the others.

    .. math:: \text{error}(k/n) = \frac1n \sum_{i \le k} \ell_i, \quad k = 0, \ldots, n

    with the losses sorted by uncertainty, the surest first. It starts at 0 and ends at the error of the model alone.
    The lower it stays on the way, the better: both accurate predictions and doubt in the right places lower it.

    Parameters
    ----------
    predictive, y
        A prediction, from `predict_dist`, and what was observed: an array of the same shape. Put rows like the
        training data and rows unlike them together to see whether the model knows which are which.
    error : {"mse", "mae"}
        The loss: squared or absolute error.
    by : {"total", "epistemic"}
        The standard deviation by which predictions are ordered.
    sample_weight : array of shape (n,), optional
        How often each row counts; `kept` is then a share of the sum of the weights.

    Returns
    -------
    Retention
        The shares kept, and the errors.

    See Also
    --------
    risk_coverage : the error of the kept predictions alone, which does not start at 0.

    Notes
    -----
    Tied rows count with the mean loss of their group. With p outputs each has its own order, and at every share the
    errors of all are averaged.

    References
    ----------
    A. Malinin et al. (2021). Shifts: a dataset of real distributional shift across multiple large-scale tasks.

    Examples
    --------
    >>> from unabases.predictive import Normal
    >>> retention_curve(Normal([0.0, 0.0, 0.0], [3.0, 1.0, 2.0], 0.0), [6.0, 0.0, 3.0]).error
    array([ 0.,  0.,  3., 15.])
    """
    losses = _losses(predictive, y, error)
    return _curve(unsure(predictive, by), losses, checked_weight(sample_weight, len(losses)))


def retention_area(
    predictive: AbstractPredictive,
    y: ArrayLike,
    error: str = "mse",
    by: str = "total",
    sample_weight: ArrayLike | None = None,
) -> float:
    """Area under the error-retention curve (R-AUC); lower is better.

    A model whose uncertainty says nothing about its errors gets half of its mean loss. The area mixes accuracy with
    order: look at `prediction_rejection_ratio` for the order alone.

    Parameters
    ----------
    predictive : AbstractPredictive
        A prediction, from `predict_dist`.
    y : array of the same shape
        What was observed.
    error : {"mse", "mae"}
        The loss: squared or absolute error.
    by : {"total", "epistemic"}
        The standard deviation by which predictions are ordered.
    sample_weight : array of shape (n,), optional
        How often each row counts; once by default.

    Examples
    --------
    >>> from unabases.predictive import Normal
    >>> retention_area(Normal([0.0, 0.0, 0.0], [3.0, 1.0, 2.0], 0.0), [6.0, 0.0, 3.0])
    3.5
    """
    return _area(retention_curve(predictive, y, error, by, sample_weight))


def prediction_rejection_ratio(
    predictive: AbstractPredictive,
    y: ArrayLike,
    error: str = "mse",
    by: str = "total",
    sample_weight: ArrayLike | None = None,
) -> float:
    r"""How much of what a perfect order of doubt would gain the model's order gains (PRR); 1 is best, 0 is chance.

    .. math:: \frac{A_{random} - A_{model}}{A_{random} - A_{oracle}}

    where A is the area under the retention curve if rows are kept at random, by the model's uncertainty, or by their
    actual loss. It does not depend on units or on how accurate the model is, so data sets can be compared. Below 0 the
    model doubts its better predictions. If all losses are equal there is nothing to order, and it is NaN.

    Parameters
    ----------
    predictive : AbstractPredictive
        A prediction, from `predict_dist`.
    y : array of the same shape
        What was observed.
    error : {"mse", "mae"}
        The loss: squared or absolute error.
    by : {"total", "epistemic"}
        The standard deviation by which predictions are ordered.
    sample_weight : array of shape (n,), optional
        How often each row counts; once by default.

    References
    ----------
    A. Malinin, L. Prokhorenkova, A. Ustimenko (2021). Uncertainty in gradient boosting via ensembles. ICLR.

    Examples
    --------
    >>> from unabases.predictive import Normal
    >>> stds = [3.0, 1.0, 2.0]
    >>> prediction = Normal([0.0, 0.0, 0.0], stds, 0.0)
    >>> prediction_rejection_ratio(prediction, [6.0, 0.0, 3.0]), prediction_rejection_ratio(prediction, [1.0, 3.0, 2.0])
    (1.0, -1.0)
    """
    losses = _losses(predictive, y, error)
    stds, weight = unsure(predictive, by), checked_weight(sample_weight, len(losses))
    random = average(losses, weight) / 2
    gain, best = (random - _area(_curve(order, losses, weight)) for order in (stds, losses))
    return float(gain / best) if best > np.finfo(float).eps * random * len(losses) else np.nan


def error_correlation(
    predictive: AbstractPredictive, y: ArrayLike, by: str = "total", sample_weight: ArrayLike | None = None
) -> float:
    """Spearman's rank correlation of uncertainty and absolute error; 1 is best, 0 is chance.

    Even a perfect model does not reach 1: large noise sometimes happens to be small. Uncertainty that is the same for
    all rows gives 0; errors that are all equal give NaN. With several outputs it is the mean of theirs.

    Parameters
    ----------
    predictive, y
        A prediction, from `predict_dist`, and what was observed: an array of the same shape.
    by : {"total", "epistemic"}
        The standard deviation to compare with the errors.
    sample_weight : array of shape (n,), optional
        How often each row counts, also in the ranks.

    Examples
    --------
    >>> from unabases.predictive import Normal
    >>> error_correlation(Normal([0.0, 0.0, 0.0], [3.0, 1.0, 2.0], 0.0), [6.0, 0.0, -3.0])
    1.0
    """
    losses, stds = _losses(predictive, y, "mae"), unsure(predictive, by)
    weight = checked_weight(sample_weight, len(losses))
    return float(np.mean([_rank_correlation(u, v, weight) for u, v in zip(stds.T, losses.T, strict=True)]))


def _losses(predictive: AbstractPredictive, y: ArrayLike, error: str) -> Float[np.ndarray, "n p"]:
    checked_choice("error", error, ("mse", "mae"))
    deviation = columns(checked_outcomes(predictive, y) - predictive.mean)
    return deviation**2 if error == "mse" else np.abs(deviation)


def _curve(
    order: Float[np.ndarray, "n p"], losses: Float[np.ndarray, "n p"], weight: Float[np.ndarray, " n"]
) -> Retention:
    ends = np.unique(np.cumsum(weight[np.argsort(order, axis=0)], axis=0))  # of the rows, in the order of any output
    kept = np.concatenate([[0.0], ends[ends > 0]])
    return Retention(kept / kept[-1], loss_of_the_surest(order, losses, weight, kept) / kept[-1])


def _area(curve: Retention) -> float:
    return float(np.trapezoid(curve.error, curve.kept))


def _rank_correlation(u: np.ndarray, v: np.ndarray, weight: np.ndarray) -> float:
    u, v, weight = (each[weight > 0] for each in (u, v, weight))
    if np.isnan(u).any() or np.isnan(v).any() or np.ptp(v) == 0:
        return np.nan
    if np.ptp(u) == 0:
        return 0.0
    of_u, of_v = _centred_ranks(u, weight), _centred_ranks(v, weight)
    return float(weight @ (of_u * of_v) / np.sqrt((weight @ of_u**2) * (weight @ of_v**2)))


def _centred_ranks(values: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """The middle of the ranks that the copies of a row and of those tied with it have, less the mean of all ranks."""
    _, group = np.unique(values, return_inverse=True)
    size = np.bincount(group, weight)
    return (np.cumsum(size) - size / 2 - size.sum() / 2)[group]
