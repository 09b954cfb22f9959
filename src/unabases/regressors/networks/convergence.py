"""Have chains converged? Split R-hat and effective sample size, rank-normalised; in NumPy, which compiles nothing.

Vehtari, Gelman, Simpson, Carpenter, Bürkner (2021). Rank-normalization, folding, and localization: an improved R-hat.
Arrays are (chains, draws, quantities). Each chain is split in two, so that one chain is enough.
"""

import warnings
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Float
from scipy.fft import irfft, next_fast_len, rfft
from scipy.special import ndtri
from scipy.stats import rankdata
from sklearn.exceptions import ConvergenceWarning

from unabases.regressors.networks.chains import Draws

_LEAST_DRAWS = 4  # of each chain, to say anything
_R_HAT, _ESS, _DIVERGENT = 1.05, 100, 0.01  # beyond which a fit warns: at most, at least, at most (share of draws)


def split_r_hat(values: Float[np.ndarray, "C N q"]) -> Float[np.ndarray, " q"]:
    """Largest of the R-hat of place and that of spread: 1 when the chains agree, NaN when nothing can be said.

    It is NaN with fewer than four draws or where no draw differs from another, and infinite where chains stand still
    at different values.
    """
    if values.shape[1] < _LEAST_DRAWS:
        return np.full(values.shape[2], np.nan)
    halves = _halves(values)
    r_hat = np.maximum(_r_hat(halves), _r_hat(np.abs(halves - np.median(halves, axis=(0, 1)))))
    stuck = np.ptp(values, axis=1).max(axis=0) == 0
    same = np.ptp(values, axis=(0, 1)) == 0
    return np.where(same, np.nan, np.where(stuck, np.inf, r_hat))


def effective_size(values: Float[np.ndarray, "C N q"]) -> Float[np.ndarray, " q"]:
    """How many independent draws tell as much about the bulk of a quantity; 0 where nothing moves."""
    if values.shape[1] < _LEAST_DRAWS:
        return np.zeros(values.shape[2])
    scores = _normal_scores(_halves(values))
    C, n, _ = scores.shape
    with np.errstate(invalid="ignore"):  # where nothing moves
        rho = _autocorrelation(scores)
    pairs = rho[0 : n - 1 : 2] + rho[1::2]
    positive = np.logical_and.accumulate(pairs > 0)  # Geyer's sequences: positive as far as they go, and falling
    falling = np.minimum.accumulate(np.where(positive, pairs, 0.0))
    first_left_out = np.minimum(positive.sum(axis=0), len(pairs) - 1)
    rest = np.take_along_axis(rho[0 : n - 1 : 2], first_left_out[None], axis=0)[0]
    time = -1 + 2 * falling.sum(axis=0) + np.where(positive.all(axis=0), 0.0, np.maximum(rest, 0.0))
    moves = np.ptp(values, axis=1).max(axis=0) > 0
    return np.where(moves, C * n / np.maximum(time, 1 / np.log10(C * n)), 0.0)


def _halves(values: Float[np.ndarray, "C N q"]) -> Float[np.ndarray, "C2 n q"]:
    """Both halves of each chain, as chains of their own."""
    half = values.shape[1] // 2
    return np.concatenate([values[:, :half], values[:, half : 2 * half]]).astype(np.float64)


def _normal_scores(values: Float[np.ndarray, "C n q"]) -> Float[np.ndarray, "C n q"]:
    """Normal quantiles of the ranks among all draws; equal draws share their rank."""
    ranks = rankdata(values.reshape(-1, values.shape[2]), axis=0)
    return ndtri((ranks - 3 / 8) / (len(ranks) + 1 / 4)).reshape(values.shape)


def _r_hat(values: Float[np.ndarray, "C n q"]) -> Float[np.ndarray, " q"]:
    """Root of how much larger the variance of all draws is than that inside chains, of normal scores."""
    scores, n = _normal_scores(values), values.shape[1]
    within, between = scores.var(axis=1, ddof=1).mean(axis=0), scores.mean(axis=1).var(axis=0, ddof=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.sqrt(between / within + (n - 1) / n)


def _autocorrelation(values: Float[np.ndarray, "C n q"]) -> Float[np.ndarray, "n q"]:
    """Correlation of draws by how far apart they are, of all chains together; their means count as variation."""
    n = values.shape[1]
    size = next_fast_len(2 * n, real=True)
    power = np.abs(np.asarray(rfft(values - values.mean(axis=1, keepdims=True), size, axis=1))) ** 2
    covariance = np.asarray(irfft(power, size, axis=1))[:, :n].mean(axis=0) / n
    within = covariance[0] * n / (n - 1)
    rho = 1 - (within - covariance) / (covariance[0] + values.mean(axis=1).var(axis=0, ddof=1))
    rho[0] = 1.0
    return rho


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
