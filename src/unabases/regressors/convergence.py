"""Have chains converged? Split R-hat and effective sample size, rank-normalised.

Vehtari, Gelman, Simpson, Carpenter, Bürkner (2021). Rank-normalization, folding, and localization: an improved R-hat.
Arrays are (chains, draws, quantities); both functions split each chain in two, so that one chain is enough.
"""

import numpy as np
from jaxtyping import Float
from scipy.fft import irfft, next_fast_len, rfft
from scipy.special import ndtri
from scipy.stats import rankdata

LEAST_DRAWS = 4  # of each chain, to say anything


def split_r_hat(values: Float[np.ndarray, "C N q"]) -> Float[np.ndarray, " q"]:
    """Largest of the R-hat of place and that of spread; 1 when the chains agree, NaN when nothing can be said.

    It is NaN with fewer than four draws or where no draw differs from another, and infinite where chains stand still
    at different values.
    """
    if values.shape[1] < LEAST_DRAWS:
        return np.full(values.shape[2], np.nan)
    halves = _halves(values)
    folded = np.abs(halves - np.median(halves, axis=(0, 1)))
    return np.fmax(_r_hat(_normal_scores(halves)), _r_hat(_normal_scores(folded)))


def effective_size(values: Float[np.ndarray, "C N q"]) -> Float[np.ndarray, " q"]:
    """How many independent draws tell as much about the bulk of a quantity; 0 where nothing moves."""
    if values.shape[1] < LEAST_DRAWS:
        return np.zeros(values.shape[2])
    z = _normal_scores(_halves(values))
    C, N, _ = z.shape
    within, total = _variances(z)
    moves = within > 0
    covariance = _autocovariance(z).mean(axis=0) * N / (N - 1)
    rho = 1 - (within - covariance) / np.where(moves, total, 1.0)
    rho[0] = 1.0
    # Geyer (1992): sums of neighbours are positive and fall for a reversible chain; what is left is noise.
    pairs = rho[: N - N % 2].reshape(-1, 2, rho.shape[1]).sum(axis=1)
    positive = np.logical_and.accumulate(pairs > 0, axis=0)
    tau = 2 * np.sum(np.where(positive, np.minimum.accumulate(pairs, axis=0), 0.0), axis=0) - 1
    return np.where(moves, C * N / np.maximum(tau, 1 / np.log10(C * N)), 0.0)


def _halves(values: np.ndarray) -> np.ndarray:
    """Each chain as two."""
    half = values.shape[1] // 2
    return np.concatenate([values[:, :half], values[:, -half:]]).astype(np.float64)


def _normal_scores(values: np.ndarray) -> np.ndarray:
    """Ranks over all draws, put on the scale of a standard normal; heavy tails then do no harm."""
    C, N, q = values.shape
    ranks = rankdata(values.reshape(C * N, q), axis=0)
    return ndtri((ranks - 3 / 8) / (C * N + 1 / 4)).reshape(C, N, q)


def _variances(z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean variance within chains, and the variance over all of them."""
    N = z.shape[1]
    within = np.where(np.ptp(z, axis=1) > 0, z.var(axis=1, ddof=1), 0.0).mean(axis=0)
    return within, (N - 1) / N * within + z.mean(axis=1).var(axis=0, ddof=1)


def _r_hat(z: np.ndarray) -> np.ndarray:
    within, total = _variances(z)
    same = np.ptp(z, axis=(0, 1)) == 0
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(same, np.nan, np.sqrt(total / within))


def _autocovariance(z: np.ndarray) -> np.ndarray:
    """Autocovariance of each chain at all lags, by Fourier transform."""
    N = z.shape[1]
    size = next_fast_len(2 * N, real=True)
    spectrum = np.abs(rfft(z - z.mean(axis=1, keepdims=True), n=size, axis=1)) ** 2
    return irfft(spectrum, n=size, axis=1)[:, :N] / N
