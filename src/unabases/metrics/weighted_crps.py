"""CRPS with weight on one tail: how good a distribution is where it matters."""

from typing import NamedTuple

import numpy as np
from jaxtyping import Float
from numpy.typing import ArrayLike
from scipy.special import ndtr

from unabases.metrics.checks import average, checked_choice, checked_outcomes
from unabases.metrics.crps import Integrand, by_quadrature
from unabases.predictive import AbstractPredictive, Mixture, Normal

__all__ = ["weighted_crps"]

_TAIL = 8.0  # stds beyond the outermost member, where F is 0 or 1 to rounding
_PANEL = 2.0  # stds that one Gauss-Legendre rule covers
_MOST_PANELS = 200
_BLOCK = 2**17  # elements of an array that stay in a core's cache


class _Weighting(NamedTuple):
    """What is integrated below the outcome and above it, as functions of F(x)."""

    below: Integrand
    above: Integrand


# H₀(p) = ∫₀ᵖ 2 s v(s) ds below y and H₁(p) = ∫ₚ¹ 2 (1 − s) v(s) ds above it, for v(s) = s² and v(s) = (1 − s)².
_WEIGHTINGS = {
    "right": _Weighting(lambda p: p**4 / 2, lambda p: (1 - p) ** 2 * (1 + 2 * p + 3 * p**2) / 6),
    "left": _Weighting(lambda p: p**2 * (6 - 8 * p + 3 * p**2) / 6, lambda p: (1 - p) ** 4 / 2),
}


def weighted_crps(
    predictive: AbstractPredictive, y: ArrayLike, tail: str, sample_weight: ArrayLike | None = None
) -> float:
    r"""CRPS that looks mostly at one tail of the distribution; lower is better.

    Use it if one side is what costs: floods and loads on the right, yields and lifetimes on the left. Like the CRPS it
    is in units of y and is lowest, on average, for the true distribution. It is the CRPS as an integral over quantiles,
    with the weight v on each probability level:

    .. math:: \int_0^1 2 \, (1\{y \le F^{-1}(q)\} - q) \, (F^{-1}(q) - y) \, v(q) \, dq, \quad
        v(q) = q^2 \text{ (right)} \text{ or } (1 - q)^2 \text{ (left)}

    Parameters
    ----------
    predictive, y
        A prediction, from `predict_dist`, and what was observed: an array of the same shape.
    tail : {"left", "right"}
        The tail with the weight.
    sample_weight : array of shape (n,), optional
        How often each row counts.

    Returns
    -------
    float
        The mean over rows and outputs.

    See Also
    --------
    crps : the same with v(q) = 1.

    Notes
    -----
    Integrating by parts gives :math:`\int_{-\infty}^y H_0(F) dx + \int_y^\infty H_1(F) dx` with polynomials H, which is
    summed by Gauss-Legendre rules: to about nine digits for `Normal` and `Mixture` (to three where members lie more
    than 400 noise stds apart), to about six for predictions of other kinds.

    References
    ----------
    T. Gneiting, R. Ranjan (2011). Comparing density forecasts using threshold- and quantile-weighted scoring rules.
    Journal of Business & Economic Statistics 29, table 4.

    Examples
    --------
    An outcome far on the right costs more if that tail has the weight:

    >>> from unabases.predictive import Normal
    >>> prediction = Normal([0.0], [0.0], 1.0)
    >>> round(weighted_crps(prediction, [3.0], "right"), 2), round(weighted_crps(prediction, [3.0], "left"), 2)
    (0.99, 0.55)
    """
    weighting = _WEIGHTINGS[checked_choice("tail", tail, tuple(_WEIGHTINGS))]
    y = checked_outcomes(predictive, y)
    if isinstance(predictive, Normal):
        scores = _of_members(predictive.mean[None], predictive.std, y, weighting)
    elif isinstance(predictive, Mixture):
        scores = _of_members(predictive.members, predictive.noise_std, y, weighting)
    else:
        scores = by_quadrature(predictive, y, *weighting)
    return average(scores.reshape(predictive.shape), sample_weight)


def _of_members(
    members: Float[np.ndarray, "M *shape"], std: Float[np.ndarray, "*shape"], y: np.ndarray, weighting: _Weighting
) -> Float[np.ndarray, " elements"]:
    """Scores of Gaussians of one std around each member, in blocks of elements that need about as many panels."""
    members, std, y = members.reshape(len(members), -1), std.ravel(), y.ravel()
    low, high = members.min(axis=0) - _TAIL * std, members.max(axis=0) + _TAIL * std
    inside = np.clip(y, low, high)  # beyond the ends F is 0 or 1
    at_0, at_1 = weighting.above(np.array(0.0)), weighting.below(np.array(1.0))
    scores = np.maximum(low - y, 0) * at_0 + np.maximum(y - high, 0) * at_1
    scale = np.where(std == 0, 1.0, std)
    with np.errstate(over="ignore"):
        panels = np.ceil((high - low) / (_PANEL * scale))
    size = max(1, _BLOCK // len(members))
    order = np.argsort(panels)
    for block in (order[i : i + size] for i in range(0, len(order), size)):
        f, s, middle = members[:, block], scale[block], inside[block]
        most = panels[block].max(initial=1.0)
        count = _MOST_PANELS if np.isnan(most) else int(np.clip(most, 1, _MOST_PANELS))
        for start, end, integrand in ((low[block], middle, weighting.below), (middle, high[block], weighting.above)):
            scores[block] += _integral(start, end, count, integrand, f, s)
    return scores


def _integral(
    start: np.ndarray, end: np.ndarray, count: int, integrand: Integrand, f: np.ndarray, std: np.ndarray
) -> np.ndarray:
    """Integral of a function of F from start to end, on `count` panels of equal width."""
    nodes, weights = np.polynomial.legendre.leggauss(10)
    width = (end - start) / count
    total = np.zeros_like(start)
    for panel in range(count):
        for node, weight in zip(nodes, weights, strict=True):
            x = start + (panel + (1 + node) / 2) * width
            total += weight * integrand(ndtr((x - f) / std).mean(axis=0))
    return total * width / 2
