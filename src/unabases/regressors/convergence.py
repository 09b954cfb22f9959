"""Have chains converged? Split R-hat and effective sample size, rank-normalised.

Vehtari, Gelman, Simpson, Carpenter, Bürkner (2021). Rank-normalization, folding, and localization: an improved R-hat.
Arrays are (chains, draws, quantities). Each chain is split in two, so that one chain is enough.
"""

import warnings
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Float
from scipy.special import ndtri
from scipy.stats import rankdata
from sklearn.exceptions import ConvergenceWarning

from unabases.regressors.chains import Draws

_LEAST_DRAWS = 4  # of each chain, to say anything
_R_HAT, _ESS, _DIVERGENT = 1.05, 100, 0.01  # beyond which a fit warns: at most, at least, at most (share of draws)


def split_r_hat(values: Float[np.ndarray, "C N q"]) -> Float[np.ndarray, " q"]:
    """Largest of the R-hat of place and that of spread; 1 when the chains agree, NaN when nothing can be said.

    It is NaN with fewer than four draws or where no draw differs from another, and infinite where chains stand still
    at different values.
    """
    if values.shape[1] < _LEAST_DRAWS:
        return np.full(values.shape[2], np.nan)
    halves = _halves(values)
    folded = np.abs(halves - np.median(halves, axis=(0, 1)))
    return np.fmax(_r_hat(_normal_scores(halves)), _r_hat(_normal_scores(folded)))


def effective_size(values: Float[np.ndarray, "C N q"]) -> Float[np.ndarray, " q"]:
    """How many independent draws tell as much about the bulk of a quantity; 0 where nothing moves."""
    if values.shape[1] < _LEAST_DRAWS:
        return np.zeros(values.shape[2])
    z = _normal_scores(_halves(values))
    C, N, _ = z.shape
    within, total = _variances(z)
    moves = within > 0
    covariance = _autocovariance(z).mean(axis=0)
    rho = 1 - (within - covariance) / np.where(moves, total, 1.0)
    rho[0] = 1.0
    # Geyer (1992): sums of neighbours are positive and fall for a reversible chain; what is left is noise.
    pairs = rho[: N - N % 2].reshape(-1, 2, rho.shape[1]).sum(axis=1)
    positive = np.logical_and.accumulate(pairs > 0, axis=0)
    tau = 2 * np.sum(np.where(positive, np.minimum.accumulate(pairs, axis=0), 0.0), axis=0) - 1
    return np.where(moves, C * N / np.maximum(tau, 1 / np.log10(C * N)), 0.0)


def diagnostics_table(draws: Draws, watched: dict[str, Float[np.ndarray, "C K _"]]) -> pd.DataFrame:
    """Mean and worst of each diagnostic, and for each chain by itself."""
    table: dict[str, list[Any]] = {}
    for name, judge, worst in (("r_hat", split_r_hat, np.max), ("ess", effective_size, np.min)):
        for quantity, values in watched.items():
            together = judge(values)
            by_chain = [worst(judge(values[[c]])) for c in range(len(values))]
            table[f"{name}_{quantity}"] = [np.mean(together), worst(together), *by_chain]
    for name, each, worst in (
        ("step_size", draws.step_size, np.min),
        ("acceptance", draws.acceptance.mean(axis=1), np.min),
        ("leapfrog", draws.leapfrog.mean(axis=1), np.max),
        ("divergences", draws.divergent.sum(axis=1), np.max),
    ):
        table[name] = [np.mean(each), worst(each), *each]
    columns = ["mean", "worst", *(f"chain_{c + 1}" for c in range(len(draws.positions)))]
    return pd.DataFrame(table, index=columns, dtype=np.float64).T


def warn_unless_converged(r_hat: float, ess: float, divergences: int, iterations: int) -> None:
    """Say what is wrong with the chains and what to change."""
    wrong = []
    if not r_hat <= _R_HAT:
        wrong.append(f"R-hat is {r_hat:.3g} (good is at most {_R_HAT}): raise `n_warmup` and `n_samples`")
    if ess < _ESS:
        wrong.append(f"the draws are worth {ess:.0f} independent ones (good is at least {_ESS}): raise `n_samples`")
    if divergences > _DIVERGENT * iterations:
        wrong.append(f"{divergences} of {iterations} iterations diverged: raise `target_accept`")
    if wrong:
        warnings.warn(f"the chains have not converged: {'; '.join(wrong)}.", ConvergenceWarning, stacklevel=5)


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
    size = 2 ** (2 * N).bit_length()  # long enough that the ends do not meet
    spectrum = np.abs(np.fft.rfft(z - z.mean(axis=1, keepdims=True), n=size, axis=1)) ** 2
    return np.fft.irfft(spectrum, n=size, axis=1)[:, :N] / N
