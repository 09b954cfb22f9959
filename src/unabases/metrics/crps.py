"""Continuous ranked probability score: how far a whole distribution is from what was observed."""

from collections.abc import Callable, Iterator
from itertools import pairwise

import numpy as np
from jaxtyping import Float
from numpy.typing import ArrayLike
from scipy.special import beta, erf, ndtr, stdtr

from unabases.metrics.checks import average, checked_outcomes
from unabases.predictive import AbstractPredictive, Mixture, Normal, StudentT
from unabases.predictive.student_t import log_density_at_square

__all__ = ["crps"]

Integrand = Callable[[np.ndarray], np.ndarray]
"""A function of F(x)."""

_SQRT_2 = np.sqrt(2)
_PHI_0 = 1 / np.sqrt(2 * np.pi)
_BLOCK = 2**17  # elements of an array that stay in a core's cache
_TAIL = 8.0  # noise stds beyond the outermost member, where what is left of F (1 − F) is below rounding
_STEP = 0.5  # noise stds between the points of a sum for the integral of F (1 − F)
_FAR = 12.5  # noise stds between two members, from which E|Y − Y'| is their distance
# Where the panels of an integral for another distribution meet, as probabilities; the rest mirrors them.
_LOWER = np.array([1e-10, 1e-7, 1e-5, 1e-3, 0.01, 0.05, 0.2, 0.35])


def crps(predictive: AbstractPredictive, y: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
    r"""Continuous ranked probability score: how far the whole distribution is from the outcome; lower is better.

    It is in units of y, and for a prediction without spread it is the mean absolute error. Unlike the log-likelihood it
    does not punish a single surprise without bound.

    .. math:: \int (F(x) - 1\{y \le x\})^2 dx = E|Y - y| - \tfrac12 E|Y - Y'|

    with Y, Y' drawn from the prediction. `Normal` has a closed form, and so has `Mixture` (Grimit et al. 2006):

    .. math:: \frac1M \sum_m A(y - f_m, \sigma) - \frac1{2M^2} \sum_{m,m'} A(f_m - f_{m'}, \sqrt2 \sigma),
        \quad A(d, s) = 2 s \varphi(d/s) + d (2 \Phi(d/s) - 1)

    `StudentT` has one, too (Jordan et al. 2019). A prediction of another kind is integrated numerically from its `cdf`
    and `quantile`, to about six digits.

    Parameters
    ----------
    predictive, y
        A prediction, from `predict_dist`, and what was observed: an array of the same shape.
    sample_weight : array of shape (n,), optional
        How often each row counts.

    Returns
    -------
    float
        The mean over rows and outputs.

    Notes
    -----
    The second sum has M² terms a row. Where many members lie close together, relative to the noise, it is taken as
    :math:`\int F (1 - F) dx` by the trapezoidal rule instead, which is the same number to the last digits: the Fourier
    transform of the integrand falls as exp(−σ²ω²/4), so that steps of σ/2 err by exp(−4π²), some 1e-17. Memory
    does not grow with M² or with rows times M.

    References
    ----------
    E. P. Grimit, T. Gneiting, V. J. Berrocal, N. A. Johnson (2006). The continuous ranked probability score for
    circular variables and its application to mesoscale forecast ensemble verification. Q. J. R. Meteorol. Soc. 132.

    A. Jordan, F. Krüger, S. Lerch (2019). Evaluating probabilistic forecasts with scoringRules. J. Stat. Softw. 90.

    Examples
    --------
    >>> from unabases.predictive import Normal
    >>> round(crps(Normal([0.0], [0.0], 1.0), [0.0]), 3), round(crps(Normal([0.0], [0.0], 1.0), [3.0]), 3)
    (0.234, 2.437)
    """
    y = checked_outcomes(predictive, y)
    if isinstance(predictive, Normal):
        scores = _of_normal(predictive, y)
    elif isinstance(predictive, StudentT):
        scores = _of_student_t(predictive, y)
    elif isinstance(predictive, Mixture):
        scores = _of_mixture(predictive, y)
    else:
        scores = by_quadrature(predictive, y, below=lambda F: F**2, above=lambda F: (1 - F) ** 2)
    return average(scores, sample_weight)


def _of_normal(prediction: Normal, y: Float[np.ndarray, "*shape"]) -> Float[np.ndarray, "*shape"]:
    std = prediction.std
    return _distance(y - prediction.mean, std) - std * _SQRT_2 * _PHI_0


def _of_student_t(prediction: StudentT, y: Float[np.ndarray, "*shape"]) -> Float[np.ndarray, "*shape"]:
    df = prediction.df
    shrink = np.sqrt((df - 2) / df)
    scale = prediction.std * shrink
    certain = scale == 0
    z = (y - prediction.mean) / np.where(certain, 1.0, scale)
    density = shrink * np.exp(log_density_at_square((z * shrink) ** 2, df))
    apart = 2 * np.sqrt(df) / (df - 1) * beta(0.5, df - 0.5) / beta(0.5, df / 2) ** 2
    score = z * (2 * stdtr(df, z) - 1) + 2 * density * (df + z**2) / (df - 1) - apart
    return np.where(certain, np.abs(y - prediction.mean), scale * score)


def _distance(d: np.ndarray, std: np.ndarray) -> np.ndarray:
    """E|Z| of a Gaussian with mean d: A in the formulas; |d| where the std is 0."""
    with np.errstate(over="ignore"):
        z = d / np.where(std == 0, 1.0, std)
        return np.where(std == 0, np.abs(d), d * erf(z / _SQRT_2) + 2 * _PHI_0 * std * np.exp(-0.5 * z**2))


def _of_mixture(prediction: Mixture, y: Float[np.ndarray, "*shape"]) -> Float[np.ndarray, "*shape"]:
    M = len(prediction.members)
    members, std, y = prediction.members.reshape(M, -1), prediction.noise_std.ravel(), y.ravel()
    scores = np.empty(y.size)
    points = _points(members.min(axis=0), members.max(axis=0), std)
    by_sum = points < M / 2  # a point costs M terms, all pairs M (M − 1) / 2
    for chosen, half_spread in ((by_sum, _half_spread_by_sum), (~by_sum, _half_spread_by_pairs)):
        rows = np.flatnonzero(chosen)
        for block in _blocks(rows[np.argsort(points[rows])], M):  # alike in points, as a block shares their number
            f = np.sort(members[:, block], axis=0)
            to_y = _distance(y[block] - f, std[block]).mean(axis=0)
            scores[block] = to_y - half_spread(f, std[block])
    return scores.reshape(prediction.shape)


def _points(low: np.ndarray, high: np.ndarray, std: np.ndarray) -> np.ndarray:
    """Points that the trapezoidal rule needs for members between low and high."""
    with np.errstate(over="ignore"):
        return np.ceil(((high - low) / std + 2 * _TAIL) / _STEP) + 1


def _blocks(rows: np.ndarray, M: int) -> Iterator[np.ndarray]:
    size = max(1, _BLOCK // M)
    return (rows[i : i + size] for i in range(0, len(rows), size))


def _half_spread_by_pairs(f: Float[np.ndarray, "M n"], std: Float[np.ndarray, " n"]) -> Float[np.ndarray, " n"]:
    """E|Y − Y'| / 2 of sorted members: their distances, and what noise adds to those of near pairs."""
    M, scale = len(f), _SQRT_2 * std
    total = (2 * np.arange(M) - M + 1) @ (f - f.mean(axis=0))  # of f_j − f_i over i < j
    for lag in range(1, M):
        d = f[lag:] - f[:-lag]
        if np.all(d.min(axis=0) > _FAR * std):
            break  # as all further ones are
        with np.errstate(over="ignore"):
            z = d / scale
            total += 2 * (_PHI_0 * scale * np.exp(-0.5 * z**2) - d * ndtr(-z)).sum(axis=0)
    return (total + M * scale * _PHI_0) / M**2


def _half_spread_by_sum(f: Float[np.ndarray, "M n"], std: Float[np.ndarray, " n"]) -> Float[np.ndarray, " n"]:
    """The integral of F (1 − F) for sorted members that are dense enough."""
    low, high = f[0] - _TAIL * std, f[-1] + _TAIL * std
    steps = int(_points(f[0], f[-1], std).max()) - 1
    total = np.zeros_like(std)
    for share in np.arange(1, steps) / steps:  # at the ends F (1 − F) is 0
        F = ndtr((low + share * (high - low) - f) / std).mean(axis=0)
        total += F * (1 - F)
    return total * (high - low) / steps


def by_quadrature(
    prediction: AbstractPredictive, y: Float[np.ndarray, "*shape"], below: Integrand, above: Integrand
) -> Float[np.ndarray, "*shape"]:
    """Integral of below(F) up to y and of above(F) from there, by Gauss-Legendre rules between quantiles and y."""
    nodes, weights = np.polynomial.legendre.leggauss(12)
    meet = prediction.quantile(np.concatenate([_LOWER, [0.5], 1 - _LOWER[::-1]]))
    lower = np.concatenate([np.minimum(meet, y), y[None]])
    upper = np.concatenate([y[None], np.maximum(meet, y)])
    total = np.zeros(y.shape)
    for edges, integrand in ((lower, below), (upper, above)):
        for left, right in pairwise(edges):
            half = (right - left) / 2
            for node, weight in zip(nodes, weights, strict=True):
                total += weight * half * integrand(prediction.cdf(left + half * (1 + node)))
    return total
