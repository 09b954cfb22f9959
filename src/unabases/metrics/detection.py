"""Detection: whether uncertainty points at unfamiliar inputs and at large errors."""

from typing import NamedTuple

import numpy as np
from jaxtyping import Float
from numpy.typing import ArrayLike

from unabases.metrics.checks import checked_choice, checked_outcomes, refuse_empty
from unabases.predictive import AbstractPredictive

__all__ = ["RiskCoverage", "auroc", "risk_coverage", "risk_coverage_area"]


class RiskCoverage(NamedTuple):
    """Share of predictions `kept`, from 1/n to 1, and the error of those, `risk`."""

    kept: Float[np.ndarray, " n"]
    risk: Float[np.ndarray, " n"]


def auroc(gap: AbstractPredictive, not_gap: AbstractPredictive) -> float:
    r"""How well the epistemic std tells unfamiliar inputs from familiar ones; 1 is best, 1/2 is chance.

    It is the chance that a random row of the gap has a larger epistemic std u than a random other row:

    .. math:: P(u_{gap} > u_{not}) + \tfrac12 P(u_{gap} = u_{not})

    Below 1/2 the model is surer where it has no data. Only the order counts: not how large the uncertainty is, nor its
    units.

    Parameters
    ----------
    gap : AbstractPredictive
        Predictions where the training data have a gap.
    not_gap : AbstractPredictive
        Predictions at inputs like the training data.

    Returns
    -------
    float
        The area under the ROC curve; with several outputs the mean of their areas.

    Examples
    --------
    >>> from unabases.predictive import Normal
    >>> auroc(Normal([0.0, 0.0], [2.0, 3.0], 1.0), Normal([0.0, 0.0], [1.0, 2.0], 1.0))
    0.875
    """
    refuse_empty(gap)
    refuse_empty(not_gap)
    if gap.shape[1:] != not_gap.shape[1:]:
        raise ValueError(f"`gap` has shape {gap.shape} and `not_gap` {not_gap.shape}; their outputs must be the same.")
    inside, outside = columns(gap.epistemic_std), columns(not_gap.epistemic_std)
    return float(np.mean([_area(u, v) for u, v in zip(inside.T, outside.T, strict=True)]))


def risk_coverage(predictive: AbstractPredictive, y: ArrayLike, error: str = "rmse", by: str = "total") -> RiskCoverage:
    """Error of the predictions that the model is surest of, for every share kept; it should rise with the share.

    Parameters
    ----------
    predictive, y
        A prediction, from `predict_dist`, and what was observed: an array of the same shape.
    error : {"rmse", "mae"}
        The error of those kept.
    by : {"total", "epistemic"}
        The standard deviation by which predictions are ordered.

    Notes
    -----
    Tied rows are kept in random order, and the expected mean square (or absolute) error is taken, so that the order of
    rows does not matter. With p outputs each has its own order, and at every share the errors of all are averaged, so
    that the curve ends at `rmse` or `mae`.

    Examples
    --------
    >>> from unabases.predictive import Normal
    >>> risk_coverage(Normal([0.0, 0.0, 0.0], [3.0, 1.0, 2.0], 0.0), [6.0, 0.0, 1.5], error="mae").risk
    array([0.  , 0.75, 2.5 ])
    """
    checked_choice("error", error, ("rmse", "mae"))
    deviation = checked_outcomes(predictive, y) - predictive.mean
    losses = deviation**2 if error == "rmse" else np.abs(deviation)
    sums = [sums_of_the_surest(u, v) for u, v in zip(unsure(predictive, by).T, columns(losses).T, strict=True)]
    k = np.arange(1, len(predictive) + 1)
    mean_loss = np.mean(sums, axis=0) / k
    return RiskCoverage(k / len(k), np.sqrt(mean_loss) if error == "rmse" else mean_loss)


def risk_coverage_area(predictive: AbstractPredictive, y: ArrayLike, error: str = "rmse", by: str = "total") -> float:
    """Mean of the risk-coverage curve over all shares kept, in units of y; lower is better.

    A model whose uncertainty is the same everywhere gets its `rmse` (or `mae`). The lower the area, the more the
    uncertainty knows about the errors. Parameters are those of `risk_coverage`.

    Examples
    --------
    >>> from unabases.predictive import Normal
    >>> round(risk_coverage_area(Normal([0.0, 0.0, 0.0], [3.0, 1.0, 2.0], 0.0), [6.0, 0.0, 1.5], error="mae"), 3)
    1.083
    """
    return float(np.mean(risk_coverage(predictive, y, error, by).risk))


def unsure(predictive: AbstractPredictive, by: str) -> Float[np.ndarray, "n p"]:
    """The standard deviation that orders predictions, a column for each output."""
    checked_choice("by", by, ("total", "epistemic"))
    return columns(predictive.std if by == "total" else predictive.epistemic_std)


def columns(values: np.ndarray) -> Float[np.ndarray, "n p"]:
    """An array of shape (n,) or (n, p) with a column for each output."""
    return values.reshape(len(values), -1)


def _area(u: Float[np.ndarray, " m"], v: Float[np.ndarray, " n"]) -> float:
    """Share of pairs in which u is larger, ties by half."""
    if np.isnan(u).any() or np.isnan(v).any():
        return np.nan
    v = np.sort(v)
    smaller, not_larger = (np.searchsorted(v, u, side) for side in ("left", "right"))
    return float(np.mean(smaller + not_larger) / (2 * len(v)))


def sums_of_the_surest(stds: Float[np.ndarray, " n"], losses: Float[np.ndarray, " n"]) -> Float[np.ndarray, " n"]:
    """Sum of the k losses with the least uncertainty, in expectation over the order of ties."""
    if np.isnan(stds).any():
        return np.full(len(losses), np.nan)
    _, group, size = np.unique(stds, return_inverse=True, return_counts=True)
    mean = np.bincount(group, losses) / size
    return np.cumsum(np.repeat(mean, size))
