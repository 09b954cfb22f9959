"""Functions drawn from the posterior of a Gaussian process."""

import numpy as np
from jaxtyping import Float
from scipy.linalg import cho_factor, cho_solve

from unabases.regressors.processes.smooth_kernel import SmoothKernel
from unabases.regressors.shared.weights import relative_noise

_FOURIER = 500  # random features that stand for the prior of a draw


def draw_functions(
    kernel: SmoothKernel,
    Z: Float[np.ndarray, "n d"],
    t: Float[np.ndarray, " n"],
    points: Float[np.ndarray, "m d"],
    n: int,
    rng: np.random.Generator,
    weight: Float[np.ndarray, " n"] | None = None,
) -> Float[np.ndarray, "m draws"]:
    """Values at `points` of n functions drawn from the posterior given the rows, each as often as its weight says.

    Each is a draw of the prior, by random Fourier features, moved to the data by an exact update (Wilson et al. 2020,
    "Efficiently sampling functions from Gaussian process posteriors").
    """
    d = Z.shape[1]
    frequencies = rng.standard_normal((_FOURIER, d)) / kernel.lengths
    if kernel.parts is not None:  # each wave runs along one part
        waves_of = np.arange(_FOURIER)[:, None] % (max(kernel.parts) + 1)
        frequencies = np.where(waves_of == np.array(kernel.parts), frequencies, 0.0)
    phases = rng.uniform(0, 2 * np.pi, _FOURIER)
    waves = rng.standard_normal((_FOURIER, n)) * np.sqrt(2 * kernel.amplitude / _FOURIER)
    slopes = rng.standard_normal((d, n)) * np.sqrt(kernel.linear)

    def prior(A: np.ndarray) -> np.ndarray:
        return np.cos(A @ frequencies.T + phases) @ waves + A @ slopes

    noise = kernel.noise * np.broadcast_to(relative_noise(weight), len(t))
    observed = t[:, None] - np.sqrt(noise)[:, None] * rng.standard_normal((len(t), n))
    K = kernel(Z, Z) + (noise + kernel.jitter(Z)) * np.eye(len(t))
    return prior(points) + kernel(points, Z) @ cho_solve(cho_factor(K, lower=True), observed - prior(Z))
