"""Predictions of one shape that differ in their place and width: what they share."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from jaxtyping import Float
from scipy.special import ndtr

from unabases.predictive.base import AbstractPredictive, Numbers
from unabases.predictive.checks import (
    checked_factor,
    checked_noise,
    checked_positive,
    checked_probabilities,
    checked_targets,
    freeze,
    generator_for,
    row_index,
)

# How far the row norms of `root` may be from `epistemic_std`: loose enough for float32, tight enough to
# catch a root left in standardised units.
_ROOT_TOLERANCE = 1e-3

Prediction = TypeVar("Prediction", bound="AbstractLocationScale")


@dataclass(frozen=True, eq=False, init=False, repr=False)
class AbstractLocationScale(AbstractPredictive):
    """A standard distribution of mean 0 and variance 1, moved to a mean and stretched to a total std.

    A kind of its own says what its standard distribution is: `_log_density`, `_cdf`, `_quantile`, and `_from_scores`.
    """

    mean: Float[np.ndarray, "*shape"]
    epistemic_std: Float[np.ndarray, "*shape"]
    noise_std: Float[np.ndarray, "*shape"]
    root: Float[np.ndarray, "*p n k"] | None

    def __init__(self, mean: Numbers, epistemic_std: Numbers, noise_std: Numbers, root: Numbers | None = None) -> None:
        mean = np.array(mean, dtype=np.float64)
        epistemic_std = np.array(epistemic_std, dtype=np.float64)
        if mean.ndim not in (1, 2):
            raise ValueError(f"`mean` must have shape (n,) or (n, p), got {mean.shape}.")
        if epistemic_std.shape != mean.shape:
            raise ValueError(f"`epistemic_std` has shape {epistemic_std.shape} but `mean` has {mean.shape}.")
        checked_positive("epistemic_std", epistemic_std)
        noise_std = checked_noise(noise_std, mean.shape)
        if root is not None:
            root = _checked_root(np.asarray(root, dtype=np.float64).view(), epistemic_std)
        freeze(self, mean=mean, epistemic_std=epistemic_std, noise_std=noise_std, root=root)

    def __getitem__(self: Prediction, rows: object) -> Prediction:
        index = row_index(rows, len(self))
        root = None if self.root is None else self.root[..., index, :]
        made = self._like(self.mean[index], self.epistemic_std[index], self.noise_std[index], root, index)
        return made.labelled(None if self.index is None else self.index[index])

    def scaled(self: Prediction, epistemic: Numbers = 1.0, noise: Numbers = 1.0) -> Prediction:
        """The same prediction with its variances multiplied, and the covariance between rows with them."""
        wider = checked_factor("epistemic", epistemic, self.shape)
        louder = checked_factor("noise", noise, self.shape)
        root = None if self.root is None else self.root * wider.T[..., None]
        return self._like(self.mean, self.epistemic_std * wider, self.noise_std * louder, root).labelled(self.index)

    def with_noise(self: Prediction, noise_std: Numbers) -> Prediction:
        """The same prediction with other noise: a number, or an array of its shape."""
        return self._like(self.mean, self.epistemic_std, noise_std, self.root).labelled(self.index)

    @property
    def covariance(self) -> Float[np.ndarray, "*p n n"]:
        """Epistemic covariance between rows: (n, n), or (p, n, n) for p outputs."""
        if self.root is None:
            raise ValueError(
                "this prediction does not hold the covariance between rows; "
                "ask for it with `predict_dist(X, covariance=True)`."
            )
        return self.root @ self.root.swapaxes(-1, -2)

    def log_prob(self, y: Numbers) -> Float[np.ndarray, "*shape"]:
        """Log density of each element of y, rows taken one at a time."""
        deviation, scale, certain = self._standardise(y)
        with np.errstate(over="ignore"):  # a square beyond the largest float is a density of 0
            density = self._log_density(deviation / scale) - np.log(scale)
        point_mass = np.where(deviation == 0, np.inf, np.where(np.isnan(deviation), np.nan, -np.inf))
        return np.where(certain, point_mass, density)

    def cdf(self, y: Numbers) -> Float[np.ndarray, "*shape"]:
        """Probability of an outcome of at most y."""
        deviation, scale, certain = self._standardise(y)
        with np.errstate(over="ignore"):
            probability = self._cdf(deviation / scale)
        step = np.where(np.isnan(deviation), np.nan, deviation >= 0)
        return np.where(certain, step, probability)

    def quantile(self, q: Numbers) -> Float[np.ndarray, "*shape"]:
        """Inverse of `cdf`; q = 0 and 1 give the ends of the support."""
        q = checked_probabilities(q)
        z = self._quantile(q.reshape(q.shape + (1,) * self.mean.ndim))
        certain = self.std == 0
        # A point mass has its mean as every quantile; 0 * inf would be NaN.
        return self.mean + np.where(certain, 1.0, self.std) * np.where(certain, 0.0, z)

    def sample(
        self, n: int, random_state: int | np.random.Generator | None = None, noise: bool = True
    ) -> Float[np.ndarray, "draws *shape"]:
        """Draw n times at all rows: observations y, or the function f when `noise` is False.

        With a `root` each draw of f is one function, correlated between rows. Without one every row is drawn on its
        own: the spread at each row is right, but the draws are not smooth functions. With the same integer as
        `random_state`, draws with and without noise share their f.
        """
        rng = generator_for(n, random_state)
        if self.root is None:
            f = self.mean + self.epistemic_std * rng.standard_normal((n, *self.shape))
        elif self.root.ndim == 2:
            f = self.mean + rng.standard_normal((n, self.root.shape[-1])) @ self.root.T
        else:
            z = rng.standard_normal((self.root.shape[0], n, self.root.shape[-1]))
            f = self.mean + np.moveaxis(z @ self.root.swapaxes(-1, -2), 0, -1)
        if not noise:
            return f
        return self._from_scores(f, self.noise_std * rng.standard_normal(f.shape))

    def _standardise(self, y: Numbers) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Deviation of y from the mean, a scale that is never 0, and where the true one is."""
        y = checked_targets(y, self.shape)
        std = self.std
        return y - self.mean, np.where(std == 0, 1.0, std), std == 0

    def _by_rank(self, f: np.ndarray, noise: np.ndarray) -> np.ndarray:
        """Observations that rank as Gaussian ones would, and have the standard distribution (a Gaussian copula)."""
        std = self.std
        scores = (f - self.mean + noise) / np.where(std == 0, 1.0, std)
        upper = np.abs(self._quantile(ndtr(-np.abs(scores))))  # the smaller tail keeps its digits
        return self.mean + std * np.copysign(upper, scores)

    @abstractmethod
    def _like(
        self: Prediction,
        mean: Numbers,
        epistemic_std: Numbers,
        noise_std: Numbers,
        root: Numbers | None,
        rows: Any = slice(None),
    ) -> Prediction:
        """A prediction of the same kind with other numbers, at some of the rows."""

    @abstractmethod
    def _log_density(self, z: np.ndarray) -> np.ndarray:
        """Log density of the standard distribution."""

    @abstractmethod
    def _cdf(self, z: np.ndarray) -> np.ndarray:
        """Probability of at most z under the standard distribution."""

    @abstractmethod
    def _quantile(self, q: np.ndarray) -> np.ndarray:
        """Inverse of `_cdf`."""

    @abstractmethod
    def _from_scores(self, f: np.ndarray, noise: np.ndarray) -> np.ndarray:
        """Observations from draws of the function and Gaussian noise of the right std."""


def _checked_root(root: np.ndarray, epistemic_std: np.ndarray) -> np.ndarray:
    n, *outputs = epistemic_std.shape
    if root.ndim != 2 + len(outputs) or root.shape[:-1] != (*outputs, n):
        wanted = ", ".join(str(size) for size in (*outputs, n))
        raise ValueError(
            f"`root` has shape {root.shape} but for a mean of shape {epistemic_std.shape} it must have ({wanted}, k)."
        )
    norms = np.linalg.norm(root, axis=-1).T
    largest = np.max(epistemic_std, initial=0.0, where=np.isfinite(epistemic_std))
    if not np.allclose(norms, epistemic_std, rtol=_ROOT_TOLERANCE, atol=_ROOT_TOLERANCE * largest, equal_nan=True):
        raise ValueError(
            "the row norms of `root` differ from `epistemic_std` (largest "
            f"{np.nanmax(norms):.4g} against {np.nanmax(epistemic_std):.4g}); both must be in units of y, "
            "with root @ root.T the epistemic covariance."
        )
    return root
