"""The noise of a neural linear model, from copies of it that are trained without some of the rows."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float
from scipy.optimize import minimize_scalar
from scipy.stats import norm

from unabases import linear
from unabases.regressors.exact_layer import choose_variances

__all__ = ["LEAST_ROWS", "Copy", "left_out_variance", "noise_folds"]

LEAST_ROWS = 4
"""Rows from which some can be left out."""
_SHARE = 4  # one row in so many is left out by a copy
_MOST_ROWS = 2048  # that a copy leaves out: enough to tell the noise within a few percent
_ENOUGH_ROWS = 1200  # with so many rows one copy is enough; with fewer there are more, at most one for each fold
_LEAST = 1e-6  # noise variance, relative to that of y, that errors are believed to show
_WIDTH = 1e-3  # how exactly the logarithm of the variance is found


class Copy(NamedTuple):
    """A trained copy of the model: features of all rows, and which of them it left out."""

    Phi: Float[np.ndarray, "n k"]
    left_out: Bool[np.ndarray, " n"]


def noise_folds(n: int, rng: np.random.Generator) -> Bool[np.ndarray, "copies n"]:
    """Rows that each copy leaves out: a quarter of them, but never more than a few thousand.

    Few rows need four copies to tell the noise, 1,200 or more only one. Below four rows there is nothing to leave out.

    Parameters
    ----------
    n
        How many rows there are.
    rng
        Chooses the rows.

    Returns
    -------
    array of bool
        For each copy, which rows it leaves out. No row is left out twice.

    Examples
    --------
    >>> [noise_folds(n, np.random.default_rng(0)).sum(axis=1).tolist() for n in (10, 500, 100_000)]
    [[3, 3, 3, 1], [125, 125, 125], [2048]]
    """
    size = min(-(-n // _SHARE), _MOST_ROWS)
    copies = min(-(-_ENOUGH_ROWS // n), -(-n // size)) if n >= LEAST_ROWS else 0
    place = np.empty(n, dtype=int)
    place[rng.permutation(n)] = np.arange(n)
    return place // size == np.arange(copies)[:, None]


def left_out_variance(
    copies: Sequence[Copy],
    t: Float[np.ndarray, "n p"],
    alpha: Float[np.ndarray, " p"] | None,
) -> Float[np.ndarray, " p"]:
    """Noise variance of each output under which the rows that copies left out are most likely.

    A copy's exact layer is conditioned on the rows that it saw. What it does not know about the function counts as
    epistemic variance, and only the rest of its errors as noise.

    Parameters
    ----------
    copies
        At least one.
    t
        Targets of all rows.
    alpha
        Prior variance of each output's weights; None for the evidence's choice.
    """
    parts = [(copy.Phi[copy.left_out], linear.accumulate(copy.Phi[~copy.left_out], t[~copy.left_out])) for copy in copies]
    return np.array([_variance_of_output(copies, parts, t, alpha, j) for j in range(t.shape[1])])


def _variance_of_output(
    copies: Sequence[Copy],
    parts: Sequence[tuple[Float[np.ndarray, "m k"], linear.Statistics]],
    t: Float[np.ndarray, "n p"],
    alpha: Float[np.ndarray, " p"] | None,
    j: int,
) -> float:
    def surprise(log_sigma2: float) -> float:
        total = 0.0
        for copy, (Phi, statistics) in zip(copies, parts, strict=True):
            sigma2 = np.full(t.shape[1], np.exp(log_sigma2))
            alphas, _ = choose_variances(statistics, alpha, sigma2)
            posterior = linear.condition_on(statistics, alpha=alphas[j], sigma2=sigma2[j], output=j)
            mean, variance = linear.predict(posterior, Phi)
            total -= np.sum(norm.logpdf(t[copy.left_out, j], mean, np.sqrt(variance + sigma2[j])))
        return float(total)

    spread = max(float(np.var(t[:, j])), 1e-12)
    bounds = (np.log(_LEAST * spread), np.log(4 * spread))
    return float(np.exp(minimize_scalar(surprise, bounds=bounds, options={"xatol": _WIDTH}).x))
