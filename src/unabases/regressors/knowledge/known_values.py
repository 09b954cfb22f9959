"""Values that are known of a function: rows with noise of their own in an exact last layer, beside the data's."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Float
from scipy.linalg import cho_factor, cho_solve

from unabases import linear
from unabases.regressors.networks.exact_layer import ExactLayer


class Sums(NamedTuple):
    """Sums of a function's values at standardised points: Σ_q weights_q f(Z_kq) for each k."""

    Z: Float[np.ndarray, "m q d"]
    weights: Float[np.ndarray, " q"]

    def of(self, functions: Callable[[np.ndarray], np.ndarray]) -> Float[np.ndarray, "m n"]:
        """The sums of n functions, given their values at rows. Sums share points, and each is asked for once.

        Of features, these are rows whose products with the weights are the sums of the function.
        """
        m, q, d = self.Z.shape
        points, which = np.unique(self.Z.reshape(m * q, d), axis=0, return_inverse=True)
        return np.einsum("mqn,q->mn", functions(points)[which.reshape(m, q)], self.weights)


class KnownSums(NamedTuple):
    """Sums whose values are known, with the standard deviation of each, in standardised units."""

    sums: Sums
    values: Float[np.ndarray, "m p"]
    std: Float[np.ndarray, "m p"]
    """Infinite where a statement does not speak of an output."""


class KnownDesign(NamedTuple):
    """All that is known, as rows of a member's features."""

    Phi: Float[np.ndarray, "m k"]
    values: Float[np.ndarray, "m p"]
    std: Float[np.ndarray, "m p"]

    def output(self, j: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Rows, values and standard deviations that speak of one output."""
        told = np.isfinite(self.std[:, j])
        return self.Phi[told], self.values[told, j], self.std[told, j]


def known_design(known: Sequence[KnownSums], features: Callable[[np.ndarray], np.ndarray]) -> KnownDesign:
    """What is known, for the features of a member."""
    parts = [(one.sums.of(features), one.values, one.std) for one in known]
    return KnownDesign(*(np.concatenate(part) for part in zip(*parts, strict=True)))


def learn_known(layer: ExactLayer, known: KnownDesign) -> ExactLayer:
    """The layer after learning what is known; its evidence is that of the data given what is known.

    The statistics stay those of the data, so rows can be added and taken out as ever; then what is known is learned
    again.
    """
    posteriors, evidence = [], layer.log_evidence
    for j, posterior in enumerate(layer.posteriors):
        Phi, values, std = known.output(j)
        scale = np.sqrt(posterior.sigma2) / std
        posteriors.append(linear.update(posterior, Phi * scale[:, None], values * scale))
        after = _log_density(values - Phi @ posterior.m, linear.covariance(posterior, Phi) + np.diag(std**2))
        before = _log_density(values, posterior.alpha * Phi @ Phi.T + np.diag(std**2))
        evidence += after - before
    return ExactLayer(layer.statistics, tuple(posteriors), float(evidence))


def _log_density(x: Float[np.ndarray, " m"], covariance: Float[np.ndarray, "m m"]) -> float:
    factor = cho_factor(covariance, lower=True)
    logarithm = 2 * np.sum(np.log(np.diag(factor[0])))
    return -0.5 * float(x @ cho_solve(factor, x) + logarithm + len(x) * np.log(2 * np.pi))
