"""Have chains converged? Split R-hat and effective sample size, rank-normalised, as BlackJAX computes them.

Vehtari, Gelman, Simpson, Carpenter, Bürkner (2021). Rank-normalization, folding, and localization: an improved R-hat.
Arrays are (chains, draws, quantities). Each chain is split in two, so that one chain is enough.
"""

import warnings
from typing import Any

import blackjax
import jax
import numpy as np
import pandas as pd
from jaxtyping import Float
from sklearn.exceptions import ConvergenceWarning

from unabases.regressors.chains import Draws

_LEAST_DRAWS = 4  # of each chain, to say anything
_R_HAT, _ESS, _DIVERGENT = 1.05, 100, 0.01  # beyond which a fit warns: at most, at least, at most (share of draws)


def split_r_hat(values: Float[np.ndarray, "C N q"]) -> Float[np.ndarray, " q"]:
    """Largest of the R-hat of place and that of spread: 1 when the chains agree, NaN when nothing can be said.

    It is NaN with fewer than four draws or where no draw differs from another, and infinite where chains stand still
    at different values.
    """
    if values.shape[1] < _LEAST_DRAWS:
        return np.full(values.shape[2], np.nan)
    with jax.enable_x64(True):
        r_hat = np.asarray(blackjax.rhat(values.astype(np.float64)))
    stuck = np.ptp(values, axis=1).max(axis=0) == 0
    same = np.ptp(values, axis=(0, 1)) == 0
    return np.where(same, np.nan, np.where(stuck, np.inf, r_hat))


def effective_size(values: Float[np.ndarray, "C N q"]) -> Float[np.ndarray, " q"]:
    """How many independent draws tell as much about the bulk of a quantity; 0 where nothing moves."""
    if values.shape[1] < _LEAST_DRAWS:
        return np.zeros(values.shape[2])
    with jax.enable_x64(True):
        size = np.asarray(blackjax.ess_bulk(values.astype(np.float64)))
    moves = np.ptp(values, axis=1).max(axis=0) > 0
    return np.where(moves, size, 0.0)


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
