"""Predictions by several functions: ensembles, posterior samples, dropout passes."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from scipy.special import logsumexp, ndtr, ndtri

from unabases.predictive.base import AbstractPredictive, Numbers
from unabases.predictive.checks import (
    checked_factor,
    checked_noise,
    checked_probabilities,
    checked_targets,
    freeze,
    generator_for,
    row_index,
)

__all__ = ["Mixture"]

_HALF_LOG_2PI = 0.5 * np.log(2 * np.pi)
_PRECISION = 1e-12  # of a quantile, in units of the noise


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Mixture(AbstractPredictive):
    r"""A prediction by M functions, such as the members of an ensemble, each with the same noise.

    .. math:: p(y_i) = \frac1M \sum_m N(y_i; f_m(x_i), \sigma_i^2)

    Where the functions disagree, the epistemic std is large: it is their standard deviation around their mean (divided
    by M, not M − 1), so that the variance of the mixture is exactly epistemic plus noise. The noise std is the scatter
    of y around each function. The arrays are float64 and read-only.

    Parameters
    ----------
    members : array of shape (M, n) or (M, n, p)
        Values :math:`f_m(x_i)` of each function.
    noise_std : number or array
        Standard deviation :math:`\sigma_i` of the noise, positive; it is broadcast to (n,) or (n, p).

    See Also
    --------
    AbstractPredictive : what epistemic and noise std mean, and what every prediction offers.

    Examples
    --------
    Two functions that disagree about the first row and agree about the second:

    >>> prediction = Mixture(members=[[0.0, 1.0], [2.0, 1.0]], noise_std=1.0)
    >>> prediction.mean, prediction.epistemic_std
    (array([1., 1.]), array([1., 0.]))
    >>> prediction.std.round(2)
    array([1.41, 1.  ])
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
            raise ValueError("`noise_std` must be positive everywhere: a mixture without noise has no density.")
        mean, epistemic_std = members.mean(axis=0), members.std(axis=0)
        freeze(self, members=members, mean=mean, epistemic_std=epistemic_std, noise_std=noise_std)

    def __repr__(self) -> str:
        return f"Mixture(shape={self.shape}, members={len(self.members)})"

    def __getitem__(self, rows: object) -> "Mixture":
        index = row_index(rows, len(self))
        made = Mixture(self.members[:, index], self.noise_std[index])
        return made.labelled(None if self.index is None else self.index[index])

    def scaled(self, epistemic: Numbers = 1.0, noise: Numbers = 1.0) -> "Mixture":
        """The same prediction with its variances multiplied: members move away from their mean, or towards it."""
        wider = checked_factor("epistemic", epistemic, self.shape)
        louder = checked_factor("noise", noise, self.shape)
        made = Mixture(self.mean + wider * (self.members - self.mean), self.noise_std * louder)
        freeze(made, mean=self.mean)  # to the last bit
        return made.labelled(self.index)

    def with_noise(self, noise_std: Numbers) -> "Mixture":
        """The same prediction with other noise: a number, or an array of its shape."""
        return Mixture(self.members, noise_std).labelled(self.index)

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
        """Probability of an outcome of at most y."""
        return ndtr(self._deviations(y)).mean(axis=0)

    def quantile(self, q: Numbers) -> Float[np.ndarray, "*shape"]:
        """Inverse of `cdf`, by bisection; q = 0 and 1 give the ends of the support."""
        q = checked_probabilities(q)
        return np.stack([self._quantile(value) for value in q.ravel()]).reshape(q.shape + self.shape)

    def sample(
        self, n: int, random_state: int | np.random.Generator | None = None, noise: bool = True
    ) -> Float[np.ndarray, "draws *shape"]:
        """Draw n times: one of the functions at random, the same for all rows, and noise for each element."""
        rng = generator_for(n, random_state)
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
