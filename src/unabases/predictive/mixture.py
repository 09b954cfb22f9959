"""Predictions that are many functions with one noise: ensembles, posterior samples, dropout passes."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from scipy.special import logsumexp, ndtr, ndtri

from unabases.predictive.base import AbstractPredictive, Numbers
from unabases.predictive.checks import checked_noise, checked_targets, row_index

__all__ = ["Mixture"]

_HALF_LOG_2PI = 0.5 * np.log(2 * np.pi)
_PRECISION = 1e-12  # of a quantile, in units of the noise


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Mixture(AbstractPredictive):
    r"""An equal mixture of M functions, each with the same Gaussian noise.

    .. math:: p(y_i) = \frac1M \sum_m N(y_i; f_m(x_i), \sigma_i^2)

    The epistemic standard deviation is that of the functions around their mean (divided by M, not M − 1), so that
    the variance of the mixture is exactly epistemic plus noise. The arrays are float64 and read-only.

    Parameters
    ----------
    members
        :math:`f_m(x_i)`, shape (M, n) or (M, n, p).
    noise_std
        :math:`\sigma_i`, positive; broadcast to (n,) or (n, p).

    Examples
    --------
    >>> prediction = Mixture(members=[[0.0, 1.0], [2.0, 1.0]], noise_std=1.0)
    >>> prediction.mean, prediction.epistemic_std
    (array([1., 1.]), array([1., 0.]))
    """

    members: Float[np.ndarray, "M *shape"]
    mean: Float[np.ndarray, "*shape"]
    epistemic_std: Float[np.ndarray, "*shape"]
    noise_std: Float[np.ndarray, "*shape"]

    def __init__(self, members: Numbers, noise_std: Numbers) -> None:
        members = np.asarray(members, dtype=np.float64).view()
        if members.ndim not in (2, 3) or len(members) == 0:
            raise ValueError(f"`members` must have shape (M, n) or (M, n, p) with M at least 1, got {members.shape}.")
        noise_std = checked_noise(noise_std, members.shape[1:])
        if np.any(noise_std == 0):
            raise ValueError("`noise_std` must be positive: a mixture without noise has no density.")
        values = {
            "members": members,
            "mean": members.mean(axis=0),
            "epistemic_std": members.std(axis=0),
            "noise_std": noise_std,
        }
        for name, value in values.items():
            value.setflags(write=False)
            object.__setattr__(self, name, value)

    def __repr__(self) -> str:
        return f"Mixture(shape={self.shape}, members={len(self.members)})"

    def __getitem__(self, rows: object) -> "Mixture":
        index = row_index(rows, len(self))
        return Mixture(self.members[:, index], self.noise_std[index])

    @property
    def covariance(self) -> Float[np.ndarray, "*p n n"]:
        """Covariance of the functions between rows: (n, n), or (p, n, n) for p outputs."""
        deviations = np.moveaxis(self.members - self.mean, 0, -1)  # (n, M) or (n, p, M)
        root = deviations if deviations.ndim == 2 else np.swapaxes(deviations, 0, 1)
        return root @ root.swapaxes(-1, -2) / len(self.members)

    def log_prob(self, y: Numbers) -> Float[np.ndarray, "*shape"]:
        """Log density of each element of y."""
        z = self._deviations(y)
        return logsumexp(-0.5 * z**2, axis=0) - np.log(len(z)) - np.log(self.noise_std) - _HALF_LOG_2PI

    def cdf(self, y: Numbers) -> Float[np.ndarray, "*shape"]:
        """Probability of an outcome at most y."""
        return ndtr(self._deviations(y)).mean(axis=0)

    def quantile(self, q: Numbers) -> Float[np.ndarray, "*shape"]:
        """Inverse of `cdf`, by bisection; q = 0 and 1 give the ends of the support."""
        q = np.asarray(q, dtype=np.float64)
        if not np.all((q >= 0) & (q <= 1)):
            raise ValueError(f"`q` must lie between 0 and 1, got {q}.")
        return np.stack([self._quantile(value) for value in q.ravel()]).reshape(q.shape + self.shape)

    def sample(
        self, n: int, random_state: int | np.random.Generator | None = None, noise: bool = True
    ) -> Float[np.ndarray, "draws *shape"]:
        """Draw n times: one of the functions, the same for all rows, and noise of its own for each element."""
        if n < 0:
            raise ValueError(f"`n` must not be negative, got {n}.")
        rng = np.random.default_rng(random_state)
        f = self.members[rng.integers(0, len(self.members), n)]
        return f + self.noise_std * rng.standard_normal(f.shape) if noise else f

    def _deviations(self, y: Numbers) -> Float[np.ndarray, "M *more"]:
        """Distance of y from each member in units of the noise, members first."""
        y = checked_targets(y, self.shape)
        members = self.members.reshape(len(self.members), *(1,) * max(0, y.ndim - len(self.shape)), *self.shape)
        return (y - members) / self.noise_std

    def _quantile(self, q: float) -> Float[np.ndarray, "*shape"]:
        """Halve the interval between the extreme members' own quantiles, on the side of the smaller tail."""
        if q in (0.0, 1.0):
            return np.full(self.shape, -np.inf if q == 0.0 else np.inf)
        sign = 1.0 if q <= 0.5 else -1.0  # a small tail probability keeps its digits, 1 − small does not
        members, tail = sign * self.members, min(q, 1 - q)
        low, high = (edge + self.noise_std * ndtri(tail) for edge in (members.min(axis=0), members.max(axis=0)))
        while np.any(high - low > _PRECISION * self.noise_std):
            middle = low + (high - low) / 2
            if np.all((middle == low) | (middle == high) | np.isnan(middle)):
                break  # nothing between them but rounding
            below = ndtr((middle - members) / self.noise_std).mean(axis=0) < tail
            low, high = np.where(below, middle, low), np.where(below, high, middle)
        return sign * (low + (high - low) / 2)
