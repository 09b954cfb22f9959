"""A Gaussian process fitted to a sample of the rows, and functions drawn from its posterior."""

from typing import NamedTuple

import numpy as np
from jaxtyping import Float
from scipy.linalg import cho_factor, cho_solve
from scipy.optimize import minimize

_JITTER = 1e-6
_STARTS = (0.3, 0.03)  # noise variances from which the evidence is climbed
_ITERATIONS = 60
_FOURIER = 500  # random features that stand for the prior of a draw


class SmoothKernel(NamedTuple):
    """amplitude · RBF(x, x'; lengths) + linear · x·x', and the noise variance; for standardised rows."""

    amplitude: float
    linear: float
    noise: float
    lengths: Float[np.ndarray, " d"]

    def __call__(self, A: Float[np.ndarray, "n d"], B: Float[np.ndarray, "m d"]) -> Float[np.ndarray, "n m"]:
        """Prior covariance of the function between two sets of rows."""
        return self.amplitude * _rbf(A / self.lengths, B / self.lengths) + self.linear * A @ B.T


def fit_kernel(Z: Float[np.ndarray, "n d"], t: Float[np.ndarray, " n"]) -> SmoothKernel:
    """Choose a kernel by its marginal likelihood, under a weak prior that keeps its numbers reasonable.

    Time grows with the cube of the rows: give a sample of a few hundred.

    Examples
    --------
    >>> Z = np.linspace(-2, 2, 80)[:, None]
    >>> kernel = fit_kernel(Z, np.sin(3 * Z[:, 0]) + 0.1 * np.random.default_rng(0).standard_normal(80))
    >>> bool(0.005 < kernel.noise < 0.02)
    True
    """
    d = Z.shape[1]
    usual = np.r_[0.0, -2.0, -3.0, np.full(d, 0.5 * np.log(d))]  # logarithms of amplitude, linear, noise, lengths
    spread = np.r_[2.0, 2.0, 2.5, np.full(d, 2.0)]
    bounds = [(-6, 6), (-8, 3), (np.log(1e-5), 1), *[(np.log(0.05), np.log(60 * max(1, d**0.5)))] * d]
    found = [
        minimize(
            _loss,
            np.r_[usual[:2], np.log(noise), usual[3:]],
            args=(Z, t, usual, spread),
            jac=True,
            method="L-BFGS-B",
            bounds=bounds,
            options={"maxiter": _ITERATIONS},
        )
        for noise in _STARTS
    ]
    amplitude, linear, noise, *lengths = np.exp(min(found, key=lambda end: end.fun).x).tolist()
    return SmoothKernel(amplitude, linear, noise, np.array(lengths))


def draw_functions(
    kernel: SmoothKernel,
    Z: Float[np.ndarray, "n d"],
    t: Float[np.ndarray, " n"],
    points: Float[np.ndarray, "m d"],
    n: int,
    rng: np.random.Generator,
) -> Float[np.ndarray, "m draws"]:
    """Values at `points` of n functions drawn from the posterior given the rows.

    Each is a draw of the prior, by random Fourier features, moved to the data by an exact update (Wilson et al. 2020,
    "Efficiently sampling functions from Gaussian process posteriors").
    """
    d = Z.shape[1]
    frequencies = rng.standard_normal((_FOURIER, d)) / kernel.lengths
    phases = rng.uniform(0, 2 * np.pi, _FOURIER)
    waves = rng.standard_normal((_FOURIER, n)) * np.sqrt(2 * kernel.amplitude / _FOURIER)
    slopes = rng.standard_normal((d, n)) * np.sqrt(kernel.linear)

    def prior(A: np.ndarray) -> np.ndarray:
        return np.cos(A @ frequencies.T + phases) @ waves + A @ slopes

    observed = t[:, None] - np.sqrt(kernel.noise) * rng.standard_normal((len(t), n))
    K = kernel(Z, Z) + (kernel.noise + _JITTER) * np.eye(len(t))
    return prior(points) + kernel(points, Z) @ cho_solve(cho_factor(K, lower=True), observed - prior(Z))


def _rbf(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    squared = np.sum(a**2, axis=1)[:, None] + np.sum(b**2, axis=1)[None] - 2 * a @ b.T
    return np.exp(-0.5 * np.maximum(squared, 0.0))


def _loss(x: np.ndarray, Z: np.ndarray, t: np.ndarray, usual: np.ndarray, spread: np.ndarray) -> tuple:
    """Minus the log evidence and the log prior, and the gradient, in the logarithms of the kernel's numbers."""
    amplitude, linear, noise = np.exp(x[:3])
    lengths = np.exp(x[3:])
    smooth, straight = amplitude * _rbf(Z / lengths, Z / lengths), linear * Z @ Z.T
    factor = cho_factor(smooth + straight + (noise + _JITTER) * np.eye(len(t)), lower=True)
    dual = cho_solve(factor, t)
    value = 0.5 * t @ dual + np.sum(np.log(np.diag(factor[0])))
    W = cho_solve(factor, np.eye(len(t))) - np.outer(dual, dual)  # dL/dK, twice
    S = W * smooth
    by_length = np.sum(S.sum(axis=1)[:, None] * Z**2 - Z * (S @ Z), axis=0) / lengths**2
    gradient = 0.5 * np.r_[S.sum(), np.sum(W * straight), noise * np.trace(W), 2 * by_length]
    away = (x - usual) / spread
    return value + 0.5 * away @ away, gradient + away / spread
