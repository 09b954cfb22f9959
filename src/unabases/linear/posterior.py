r"""The posterior over weights, exactly: w ~ N(0, alpha I), y = Phi w + eps, eps ~ N(0, sigma2 I).

`alpha` and `sigma2` are variances. A is the posterior precision and L its lower Cholesky factor.
"""

import warnings
from typing import NamedTuple

import numpy as np
from jaxtyping import Float
from scipy.linalg import cho_solve, cholesky, solve_triangular

from unabases.linear.checks import Scalar, features, observations, output_index, positive
from unabases.linear.conditioning import (
    ADVICE,
    ROWS_DO_BETTER,
    TRUSTED,
    IllConditionedWarning,
    equivalent_rows,
    triangularise,
    trusted_cholesky,
)
from unabases.linear.statistics import Statistics
from unabases.linear.triangular import solve_rows, worthwhile_inverse

ROUNDING = 1e-8  # share of a direction's precision that rounding may seem to take from the prior
_IN_CACHE = 1024  # rows that are multiplied at once


class Posterior(NamedTuple):
    """What is known about the weights after seeing data: w ~ N(m, A^-1).

    `m` is their mean and `L` the lower Cholesky factor of their precision A. `alpha` is the prior variance of each
    weight and `sigma2` the noise variance that were assumed.
    """

    m: Float[np.ndarray, " k"]
    L: Float[np.ndarray, "k k"]
    alpha: float
    sigma2: float


def condition(
    Phi: Float[np.ndarray, "n k"],
    y: Float[np.ndarray, " n"],
    *,
    alpha: Scalar,
    sigma2: Scalar,
    G: Float[np.ndarray, "k k"] | None = None,
) -> Posterior:
    r"""Bayesian linear regression: learn the weights w of y = Phi w + noise from rows.

    With the prior w ~ N(0, alpha I) and noise N(0, sigma2), the posterior is N(m, A^-1) with

    .. math:: A = \Phi^\top \Phi / \sigma^2 + I / \alpha, \quad m = A^{-1} \Phi^\top y / \sigma^2

    Parameters
    ----------
    Phi : array of shape (n, k)
        Features, bias column included. With n = 0 the result is the prior.
    y : array of shape (n,)
        Targets of one output.
    alpha : float
        Prior variance of each weight.
    sigma2 : float
        Noise variance.
    G : array of shape (k, k), optional
        :math:`\Phi^\top \Phi`, if it is known already: most of the time goes into it.

    See Also
    --------
    condition_on : the same from statistics of the rows.
    maximise_evidence : chooses `alpha` and `sigma2` from the data.

    Notes
    -----
    Where features nearly repeat each other, a QR of the rows replaces the Cholesky factorisation of A.

    References
    ----------
    Bishop (2006). Pattern recognition and machine learning, eqs. 3.53-3.54, with variances where Bishop has
    precisions.

    Examples
    --------
    >>> condition(np.ones((1, 1)), np.ones(1), alpha=1.0, sigma2=1.0).m
    array([0.5])
    """
    Phi, y = observations(Phi, y)
    alpha, sigma2 = positive("alpha", alpha), positive("sigma2", sigma2)
    with np.errstate(over="ignore", invalid="ignore"):
        L = trusted_cholesky(_precision(Phi.T @ Phi if G is None else G, alpha, sigma2), least=ROWS_DO_BETTER)
    if L is not None:
        return Posterior(m=cho_solve((L, True), Phi.T @ y / sigma2), L=L, alpha=alpha, sigma2=sigma2)
    return _condition_by_qr(Phi, y, alpha, sigma2)


def condition_on(statistics: Statistics, *, alpha: Scalar, sigma2: Scalar, output: int = 0) -> Posterior:
    """Bayesian linear regression from statistics, when the rows themselves were not kept.

    Parameters
    ----------
    statistics : Statistics
        Of the rows, from `accumulate` or `stream`.
    alpha, sigma2 : float
        Prior variance of each weight, and noise variance.
    output : int
        Which of the outputs to learn.

    Warns
    -----
    IllConditionedWarning
        If features repeat each other so closely that rounding hides the difference. Statistics square the condition
        number of the features, so this happens earlier than with `condition`. Directions lost in this way keep their
        prior variance.

    Examples
    --------
    >>> from unabases.linear import accumulate
    >>> condition_on(accumulate(np.ones((1, 1)), np.ones(1)), alpha=1.0, sigma2=1.0).m
    array([0.5])
    """
    alpha, sigma2 = positive("alpha", alpha), positive("sigma2", sigma2)
    b = statistics.b[:, output_index(output, statistics.b.shape[1])]
    with np.errstate(over="ignore"):
        L = trusted_cholesky(_precision(statistics.G, alpha, sigma2))
    if L is not None:
        return Posterior(m=cho_solve((L, True), b / sigma2), L=L, alpha=alpha, sigma2=sigma2)
    warnings.warn(
        "The Gram matrix is too ill-conditioned for float64; directions lost to rounding keep their prior "
        "variance. " + ADVICE + " `condition`, on the rows themselves, is more accurate.",
        IllConditionedWarning,
        stacklevel=2,
    )
    rows, targets = equivalent_rows(statistics.G, b[:, None])
    return _condition_by_qr(rows, targets[:, 0], alpha, sigma2)


def update(posterior: Posterior, Phi: Float[np.ndarray, "n k"], y: Float[np.ndarray, " n"]) -> Posterior:
    r"""Learn from more rows; the result equals conditioning on all of them at once.

    .. math:: A' = A + \Phi^\top \Phi / \sigma^2 = R^\top R, \quad
              QR = \begin{pmatrix} L^\top \\ \Phi / \sigma \end{pmatrix}

    Parameters
    ----------
    posterior : Posterior
        What is known so far.
    Phi : array of shape (n, k)
        Features of the new rows, made as those before.
    y : array of shape (n,)
        Their targets.

    Examples
    --------
    >>> one = np.ones((1, 1)), np.ones(1)
    >>> update(condition(*one, alpha=1.0, sigma2=1.0), *one).m.round(3)
    array([0.667])
    """
    Phi, y = observations(Phi, y, k=len(posterior.m))
    std = np.sqrt(posterior.sigma2)
    L, m = triangularise(
        np.concatenate([posterior.L.T, Phi / std]), np.concatenate([posterior.L.T @ posterior.m, y / std])
    )
    return posterior._replace(m=m, L=L)


def forget(posterior: Posterior, Phi: Float[np.ndarray, "n k"], y: Float[np.ndarray, " n"]) -> Posterior:
    r"""Unlearn rows, as if they had never been seen: the inverse of `update`.

    .. math:: A' = L (I - S S^\top) L^\top, \quad S = L^{-1} \Phi^\top / \sigma, \quad
              m' = m - A'^{-1} \Phi^\top (y - \Phi m) / \sigma^2

    Parameters
    ----------
    posterior : Posterior
        What is known so far.
    Phi, y
        Rows that it has seen, once each.

    Raises
    ------
    ValueError
        If the rows hold more information than the posterior has beyond its prior, so that they cannot have been
        seen, or if too little would be left to recover. A wrong `y` goes unnoticed: a posterior does not remember its
        targets, but `Statistics` do.
    """
    Phi, y = observations(Phi, y, k=len(posterior.m))
    m, L, alpha, sigma2 = posterior
    eye = np.eye(len(m))
    S = root(posterior, Phi).T / np.sqrt(sigma2)
    T = solve_triangular(L, eye, lower=True, check_finite=False) / np.sqrt(alpha)  # the prior's share of A
    left = eye - S @ S.T
    shortfall = np.linalg.eigvalsh(left - T @ T.T)[0]
    if shortfall < -ROUNDING:
        raise ValueError(
            f"These {len(Phi)} rows were not part of the posterior: they hold more information than it "
            f"does beyond its prior (relative shortfall {-shortfall:.1e}). Forget only rows it has seen, "
            "once each, with the same features."
        )
    if np.linalg.eigvalsh(left)[0] < TRUSTED:
        raise ValueError(
            f"Forgetting these {len(Phi)} rows would leave less than {TRUSTED:g} of the precision in some "
            "direction, too little to recover in float64; use `condition` on the rows that remain."
        )
    L = L @ cholesky(left, lower=True, check_finite=False)
    return posterior._replace(m=m - cho_solve((L, True), Phi.T @ (y - Phi @ m) / sigma2), L=L)


def predict(
    posterior: Posterior, Phi: Float[np.ndarray, "n k"], inverse: Float[np.ndarray, "k k"] | None = None
) -> tuple[Float[np.ndarray, " n"], Float[np.ndarray, " n"]]:
    r"""Predict the function f = Phi w at some rows: its mean, and how uncertain it is.

    .. math:: \Phi m, \quad \operatorname{diag}(\Phi A^{-1} \Phi^\top)

    Parameters
    ----------
    posterior : Posterior
        What is known about the weights.
    Phi : array of shape (n, k)
        Features of the rows.
    inverse : array of shape (k, k), optional
        What `worthwhile_inverse` gave for `posterior.L`, for rows that come in many blocks.

    Returns
    -------
    mean, variance : arrays of shape (n,)
        The variance is epistemic; add `sigma2` for that of a new observation y.

    Examples
    --------
    >>> predict(condition(np.ones((1, 1)), np.ones(1), alpha=1.0, sigma2=1.0), np.array([[2.0]]))
    (array([1.]), array([2.]))
    """
    Phi = features(Phi, k=len(posterior.m))
    variance = np.empty(len(Phi))
    inverse = worthwhile_inverse(posterior.L, len(Phi)) if inverse is None else inverse
    size = max(len(Phi), 1) if inverse is None else _IN_CACHE
    for start in range(0, len(Phi), size):
        rows = slice(start, start + size)
        R = solve_rows(posterior.L, Phi[rows], inverse)
        variance[rows] = np.einsum("ij,ij->i", R, R)
    return Phi @ posterior.m, variance


def covariance(
    posterior: Posterior, Phi: Float[np.ndarray, "n k"], Phi2: Float[np.ndarray, "n2 k"] | None = None
) -> Float[np.ndarray, "n n2"]:
    r"""How the uncertainty about f is shared between rows: the covariance :math:`\Phi A^{-1} \Phi_2^\top`.

    Parameters
    ----------
    posterior : Posterior
        What is known about the weights.
    Phi, Phi2 : arrays of shape (n, k) and (n2, k)
        Two sets of rows; without the second, the covariance is within the first.
    """
    R = root(posterior, Phi)
    return R @ (R if Phi2 is None else root(posterior, Phi2)).T


def root(posterior: Posterior, Phi: Float[np.ndarray, "n k"]) -> Float[np.ndarray, "n k"]:
    r"""A factor of the covariance of f: :math:`R = \Phi L^{-\top}`, so that :math:`R R^\top` is the covariance.

    R takes n k numbers where the covariance takes n².
    """
    return solve_rows(posterior.L, features(Phi, k=len(posterior.m)))


def sample_prior(
    Phi: Float[np.ndarray, "rows k"], alpha: Scalar, n: int, rng: np.random.Generator
) -> Float[np.ndarray, "samples rows"]:
    """Draw `n` functions from the prior, each evaluated at all rows of Phi."""
    Phi = features(Phi)
    return np.sqrt(positive("alpha", alpha)) * rng.standard_normal((n, Phi.shape[1])) @ Phi.T


def sample_posterior(
    posterior: Posterior, Phi: Float[np.ndarray, "rows k"], n: int, rng: np.random.Generator
) -> Float[np.ndarray, "samples rows"]:
    """Draw `n` functions from the posterior, each evaluated at all rows of Phi, without observation noise.

    Examples
    --------
    >>> posterior = condition(np.ones((1, 1)), np.ones(1), alpha=1.0, sigma2=1.0)
    >>> sample_posterior(posterior, np.ones((4, 1)), 10, np.random.default_rng(0)).shape
    (10, 4)
    """
    R = root(posterior, Phi)
    return np.asarray(Phi, dtype=np.float64) @ posterior.m + rng.standard_normal((n, R.shape[1])) @ R.T


def _precision(G: Float[np.ndarray, "k k"], alpha: float, sigma2: float) -> Float[np.ndarray, "k k"]:
    return G / sigma2 + np.eye(len(G)) / alpha


def _condition_by_qr(
    Phi: Float[np.ndarray, "n k"], y: Float[np.ndarray, " n"], alpha: float, sigma2: float
) -> Posterior:
    k, std = Phi.shape[1], np.sqrt(sigma2)
    L, m = triangularise(
        np.concatenate([Phi / std, np.eye(k) / np.sqrt(alpha)]), np.concatenate([y / std, np.zeros(k)])
    )
    return Posterior(m=m, L=L, alpha=alpha, sigma2=sigma2)
