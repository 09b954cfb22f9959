r"""Factorising a posterior precision when float64 is only just enough, or not.

Three routes, from fast to careful:

1. Cholesky of :math:`A = \Phi^\top \Phi / \sigma^2 + I / \alpha`. Its error grows with the condition number
   of A *after* scaling to unit diagonal (van der Sluis, 1969): features of very different sizes are harmless,
   features that nearly repeat each other are not.
2. QR of the rows :math:`[\Phi / \sigma; I / \sqrt\alpha]`, which never squares the condition number.
3. With statistics only, rows are gone: a k-row data set with the same statistics is rebuilt, then route 2.
"""

import warnings

import numpy as np
from jaxtyping import Float
from scipy.linalg import cholesky, eigh, get_lapack_funcs, solve_triangular

TRUSTED = 1e-10  # reciprocal condition of the scaled A down to which Cholesky keeps about six digits
ROWS_DO_BETTER = 1e-7  # the same for nine digits, below which a QR is worth its time
RESOLVED = 1e-13  # pivot over column norm down to which QR keeps about three digits

ADVICE = "Remove repeated features, rescale very large ones, or use a smaller `alpha`."


class IllConditionedWarning(UserWarning):
    """Features repeat each other so closely that float64 cannot tell them apart.

    Remove repeated features, rescale very large ones, or use a smaller prior variance.
    """


def trusted_cholesky(A: Float[np.ndarray, "k k"], *, least: float = TRUSTED) -> Float[np.ndarray, "k k"] | None:
    """The lower Cholesky factor of A, or None where it would be too inaccurate.

    That is where the reciprocal condition number of A, scaled to unit diagonal, is below `least`.

    A pivot that is tiny next to its diagonal entry, L_jj^2 << A_jj, is what cancellation left over. It is
    enough for trouble but not the only sign of it, so LAPACK's estimate of the condition number decides.
    """
    d = np.sqrt(np.diag(A))
    if not (np.isfinite(A).all() and (d > 0).all()):
        return None
    scaled = A / d / d[:, None]
    try:
        L = cholesky(scaled, lower=True, check_finite=False)
    except np.linalg.LinAlgError:
        return None
    (pocon,) = get_lapack_funcs(("pocon",), (L,))
    reciprocal, _ = pocon(L, np.abs(scaled).sum(axis=0).max(), uplo="L")
    return d[:, None] * L if reciprocal >= least else None


def triangularise(
    rows: Float[np.ndarray, "r k"], targets: Float[np.ndarray, " r"]
) -> tuple[Float[np.ndarray, "k k"], Float[np.ndarray, " k"]]:
    r"""Lower L with :math:`L L^\top = M^\top M` for rows M, and m minimising :math:`\|M m - t\|^2`."""
    k = rows.shape[1]
    R = np.asarray(np.linalg.qr(np.column_stack([rows, targets]), mode="r"))
    R, z = R[:k, :k], R[:k, k]
    pivots = np.abs(np.diag(R))
    if not (np.isfinite(R).all() and (pivots > 0).all()):
        raise ValueError(
            "The posterior precision does not fit into float64: next to the features, the prior vanishes. " + ADVICE
        )
    # Norms of R's columns are those of the rows' columns; hypot keeps them from overflowing.
    if (pivots < RESOLVED * np.hypot.reduce(R, axis=0)).any():
        warnings.warn(
            "The features are collinear to within rounding and the prior is very weak: variances may be off "
            "by more than a thousandth. " + ADVICE,
            IllConditionedWarning,
            stacklevel=4,
        )
    m = solve_triangular(R, z, check_finite=False)
    return (R * np.sign(np.diag(R))[:, None]).T, m


def equivalent_rows(
    G: Float[np.ndarray, "k k"], b: Float[np.ndarray, "k p"]
) -> tuple[Float[np.ndarray, "r k"], Float[np.ndarray, "r p"]]:
    r"""At most k rows (Psi, t) whose statistics are G and b.

    .. math:: D^{-1} G D^{-1} = V \Lambda V^\top, \quad \Psi = \Lambda^{1/2} V^\top D, \quad
              t = \Lambda^{-1/2} V^\top D^{-1} b, \qquad D^2 = \operatorname{diag} G

    Eigenvalues at the level of rounding, of either sign, carry no information and are left out: such directions keep
    their prior variance.
    """
    d = np.sqrt(np.clip(np.diag(G), 0.0, None))
    d = np.where(d > 0, d, 1.0)
    eigenvalues, V = eigh(G / d / d[:, None], check_finite=False)
    kept = eigenvalues > 10 * len(G) * np.finfo(np.float64).eps * max(eigenvalues[-1], 0.0)
    scale, V = np.sqrt(eigenvalues[kept])[:, None], V[:, kept]
    return scale * V.T * d, V.T @ (b / d[:, None]) / scale
