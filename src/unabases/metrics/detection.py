"""Detection: whether uncertainty points at unfamiliar inputs and at large errors."""

from typing import NamedTuple

import numpy as np
from jaxtyping import Float
from numpy.typing import ArrayLike

from unabases.metrics.checks import checked_choice, checked_outcomes, checked_weight, refuse_empty
from unabases.predictive import AbstractPredictive

__all__ = ["RiskCoverage", "auroc", "risk_coverage", "risk_coverage_area"]


_MOST_STEPS = 2**20  # points of a curve with large weights


class RiskCoverage(NamedTuple):
    """Share of predictions `kept`, from 1/n to 1, and the error of those, `risk`."""

    kept: Float[np.ndarray, " n"]
    risk: Float[np.ndarray, " n"]


def auroc(
    gap: AbstractPredictive,
    not_gap: AbstractPredictive,
    gap_weight: ArrayLike | None = None,
    not_gap_weight: ArrayLike | None = None,
) -> float:
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
    gap_weight, not_gap_weight : arrays with a number for each row, optional
        How often each row counts.

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
    of_gap = checked_weight(gap_weight, len(gap), "gap_weight")
    of_not_gap = checked_weight(not_gap_weight, len(not_gap), "not_gap_weight")
    return float(np.mean([_area(u, v, of_gap, of_not_gap) for u, v in zip(inside.T, outside.T, strict=True)]))


def risk_coverage(
    predictive: AbstractPredictive,
    y: ArrayLike,
    error: str = "rmse",
    by: str = "total",
    sample_weight: ArrayLike | None = None,
) -> RiskCoverage:
    """Error of the predictions that the model is surest of, for every share kept; it should rise with the share.

    Parameters
    ----------
    predictive, y
        A prediction, from `predict_dist`, and what was observed: an array of the same shape.
    error : {"rmse", "mae"}
        The error of those kept.
    by : {"total", "epistemic"}
        The standard deviation by which predictions are ordered.
    sample_weight : array of shape (n,), optional
        How often each row counts. Whole weights give the curve of repeated rows, which has a point for each of them;
        if a weight is below 1, points are as close as the smallest.

    Notes
    -----
    Tied rows are kept in random order, and the expected mean square (or absolute) error is taken, so that the order of
    rows does not matter. With p outputs each has its own order, and at every share the errors of all are averaged, so
    that the curve ends at `rmse` or `mae`. With weights it has a million points at most.

    Examples
    --------
    >>> from unabases.predictive import Normal
    >>> risk_coverage(Normal([0.0, 0.0, 0.0], [3.0, 1.0, 2.0], 0.0), [6.0, 0.0, 1.5], error="mae").risk
    array([0.  , 0.75, 2.5 ])
    """
    checked_choice("error", error, ("rmse", "mae"))
    deviation = checked_outcomes(predictive, y) - predictive.mean
    losses = deviation**2 if error == "rmse" else np.abs(deviation)
    weight = checked_weight(sample_weight, len(predictive))
    kept = _steps(weight)
    mean_loss = loss_of_the_surest(unsure(predictive, by), columns(losses), weight, kept) / kept
    return RiskCoverage(kept / kept[-1], np.sqrt(mean_loss) if error == "rmse" else mean_loss)


def risk_coverage_area(
    predictive: AbstractPredictive,
    y: ArrayLike,
    error: str = "rmse",
    by: str = "total",
    sample_weight: ArrayLike | None = None,
) -> float:
    """Mean of the risk-coverage curve over all shares kept, in units of y; lower is better.

    A model whose uncertainty is the same everywhere gets its `rmse` (or `mae`). The lower the area, the more the
    uncertainty knows about the errors.

    Parameters
    ----------
    predictive : AbstractPredictive
        A prediction, from `predict_dist`.
    y : array of the same shape
        What was observed.
    error : {"rmse", "mae"}
        The error of the rows that are kept.
    by : {"total", "epistemic"}
        The standard deviation by which predictions are ordered.
    sample_weight : array of shape (n,), optional
        How often each row counts; once by default.

    Examples
    --------
    >>> from unabases.predictive import Normal
    >>> round(risk_coverage_area(Normal([0.0, 0.0, 0.0], [3.0, 1.0, 2.0], 0.0), [6.0, 0.0, 1.5], error="mae"), 3)
    1.083
    """
    kept, risk = risk_coverage(predictive, y, error, by, sample_weight)
    return float(np.average(risk, weights=np.diff(kept, prepend=0.0)))


def unsure(predictive: AbstractPredictive, by: str) -> Float[np.ndarray, "n p"]:
    """The standard deviation that orders predictions, a column for each output."""
    checked_choice("by", by, ("total", "epistemic"))
    return columns(predictive.std if by == "total" else predictive.epistemic_std)


def columns(values: np.ndarray) -> Float[np.ndarray, "n p"]:
    """An array of shape (n,) or (n, p) with a column for each output."""
    return values.reshape(len(values), -1)


def loss_of_the_surest(
    stds: Float[np.ndarray, "n p"],
    losses: Float[np.ndarray, "n p"],
    weight: Float[np.ndarray, " n"],
    kept: Float[np.ndarray, " points"],
) -> Float[np.ndarray, " points"]:
    """Sum of the losses of the surest rows that weigh `kept` together, averaged over outputs.

    Tied rows share their mean loss; between the ends of rows sums grow in proportion.
    """
    there = weight > 0
    outputs = zip(stds[there].T, losses[there].T, strict=True)
    return np.mean([_sums(kept, u, v, weight[there]) for u, v in outputs], axis=0)


def _sums(kept: np.ndarray, stds: np.ndarray, losses: np.ndarray, weight: np.ndarray) -> np.ndarray:
    if np.isnan(stds).any():
        return np.full(len(kept), np.nan)
    _, group = np.unique(stds, return_inverse=True)
    ends, sums = (np.cumsum(np.bincount(group, each)) for each in (weight, weight * losses))
    return np.interp(kept, np.concatenate([[0.0], ends]), np.concatenate([[0.0], sums]))


def _steps(weight: np.ndarray) -> np.ndarray:
    """Weights kept at the points of a curve: 1, 2, … as rows that are repeated would be, or finer, up to all."""
    whole = weight.sum()
    step = max(min(1.0, weight[weight > 0].min()), whole / _MOST_STEPS)
    steps = step * np.arange(1, np.ceil(whole / step) + 1)
    steps[-1] = whole
    return steps


def _area(u: np.ndarray, v: np.ndarray, of_u: np.ndarray, of_v: np.ndarray) -> float:
    """Share of pairs in which u is larger, ties by half; a pair weighs the product of the weights of its rows."""
    u, of_u, v, of_v = u[of_u > 0], of_u[of_u > 0], v[of_v > 0], of_v[of_v > 0]
    if np.isnan(u).any() or np.isnan(v).any():
        return np.nan
    order = np.argsort(v)
    below = np.concatenate([[0.0], np.cumsum(of_v[order])])
    smaller, not_larger = (below[np.searchsorted(v[order], u, side)] for side in ("left", "right"))
    return float(np.average(smaller + not_larger, weights=of_u) / (2 * below[-1]))
