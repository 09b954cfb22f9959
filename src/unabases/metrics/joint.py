"""Joint log density: whether a prediction knows how its errors at several inputs hang together."""

import numpy as np
from jaxtyping import Float
from numpy.typing import ArrayLike
from scipy.linalg import cholesky, solve_triangular
from scipy.special import logsumexp, ndtri

from unabases.metrics.checks import checked_outcomes
from unabases.predictive import AbstractPredictive, Mixture, Normal

__all__ = ["joint_log_likelihood"]

_HALF_LOG_2PI = 0.5 * np.log(2 * np.pi)
_SHARES = (1e-300, 1 - 1e-16)  # probabilities whose normal scores are finite


def joint_log_likelihood(predictive: AbstractPredictive, y: ArrayLike, size: int | None = None) -> float:
    r"""Log density of several outcomes together, per value; higher is better.

    `log_likelihood` takes rows one at a time. Decisions on several inputs also need to know how their errors hang
    together: if the function is higher than thought at one input, it is probably higher next to it. For a `Normal` the
    density of the rows of a group is

    .. math:: N(y; \mu, R R^\top + \mathrm{diag}(\sigma^2))

    and for a `Mixture` the mean over its functions of the product over rows. For other predictions that know their
    covariance, rows hang together as those of a `Normal` with the same correlations do (a Gaussian copula).

    Parameters
    ----------
    predictive
        A prediction; all but a `Mixture` must know the covariance between rows: `predict_dist(X, covariance=True)`.
    y : array
        What was observed, in the same shape.
    size : int, optional
        How many consecutive rows make a group; the last group has what is left. All rows are one group by default.
        With groups of one row it is `log_likelihood`, for a single output.

    Returns
    -------
    float
        The sum of the groups' log densities, in nats per value.

    Notes
    -----
    Outputs are independent of each other, but those of a `Mixture` are not: a function has all its outputs.

    References
    ----------
    I. Osband et al. (2021). Epistemic neural networks. arXiv 2107.08924.

    Examples
    --------
    Two inputs whose function values are as good as equal; outcomes that deviate alike are more probable:

    >>> from unabases.predictive import Normal
    >>> prediction = Normal([0.0, 0.0], [1.0, 1.0], 0.1, root=[[1.0], [1.0]])
    >>> round(joint_log_likelihood(prediction, [1.0, 1.0]), 2), round(joint_log_likelihood(prediction, [1.0, -1.0]), 1)
    (-0.19, -50.0)
    """
    y = checked_outcomes(predictive, y)
    n = len(predictive)
    size = n if size is None else size
    if size < 1:
        raise ValueError(f"`size` must be at least 1, got {size}.")
    groups = [slice(i, i + size) for i in range(0, n, size)]
    return sum(_log_density(predictive[rows], y[rows]) for rows in groups) / y.size


def _log_density(prediction: AbstractPredictive, y: Float[np.ndarray, "*shape"]) -> float:
    if isinstance(prediction, Mixture):
        return _of_mixture(prediction, y)
    if isinstance(prediction, Normal):
        return _of_outputs(y - prediction.mean, prediction.covariance, prediction.noise_std)
    scores = ndtri(np.clip(prediction.cdf(y), *_SHARES))
    alone = np.sum(prediction.log_prob(y)) + np.sum(0.5 * scores**2 + _HALF_LOG_2PI)
    std = prediction.std.T
    correlation = prediction.covariance / (std[..., :, None] * std[..., None, :])
    return float(alone + _of_outputs(scores, correlation, prediction.noise_std / prediction.std))


def _of_outputs(
    deviation: Float[np.ndarray, "*shape"], covariance: Float[np.ndarray, "*p n n"], noise: Float[np.ndarray, "*shape"]
) -> float:
    """Gaussian log density, outputs apart."""
    if covariance.ndim == 2:
        return _gaussian(deviation, covariance, noise)
    return sum(_gaussian(*output) for output in zip(deviation.T, covariance, noise.T, strict=True))


def _gaussian(
    deviation: Float[np.ndarray, " n"], covariance: Float[np.ndarray, "n n"], noise: Float[np.ndarray, " n"]
) -> float:
    if np.isnan(deviation).any() or np.isnan(covariance).any() or np.isnan(noise).any():
        return np.nan
    try:
        L = cholesky(covariance + np.diag(noise**2), lower=True)
    except np.linalg.LinAlgError:
        raise ValueError(
            "the rows have no joint density: their covariance is singular. Give the prediction noise, leave out "
            "repeated rows, or choose a smaller `size`."
        ) from None
    z = solve_triangular(L, deviation, lower=True)
    return float(-0.5 * z @ z - np.log(np.diag(L)).sum() - len(z) * _HALF_LOG_2PI)


def _of_mixture(prediction: Mixture, y: Float[np.ndarray, "*shape"]) -> float:
    z = (y - prediction.members) / prediction.noise_std
    log_densities = (-0.5 * z**2 - np.log(prediction.noise_std) - _HALF_LOG_2PI).reshape(len(z), -1).sum(axis=1)
    return float(logsumexp(log_densities) - np.log(len(z)))
