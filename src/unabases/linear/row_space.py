r"""Exact Gaussians over many weights of which the data inform few: work only in the directions that the rows span.

With rows J, already divided by their noise std, the weights have the precision
:math:`A = J^\top J + I / \alpha`. From :math:`J^\top J = V \operatorname{diag}(s^2) V^\top` follow variances and
evidence for every :math:`\alpha`, without the inverse of A and without differences of large numbers.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from jaxtyping import Float
from scipy.linalg import eigh, svd
from scipy.optimize import root_scalar

from unabases.linear.checks import Scalar, positive

ALPHAS = (1e-8, 1e8)  # prior variances that `best_alpha` chooses from
_UNINFORMED = 1e-10  # precision from the data, relative to the prior's, that makes no difference
_MILD = 1e6  # the same for all that a difference of squares may be taken of: it loses as many of sixteen digits


class RowSpace(NamedTuple):
    """The directions in the space of weights that the data inform, and how much.

    `V` has orthonormal columns, and `s2` is the precision that the rows give to each. In all other directions weights
    keep their prior variance.
    """

    V: Float[np.ndarray, "k r"]
    s2: Float[np.ndarray, " r"]


def decompose(blocks: Iterable[np.ndarray], n: int, k: int) -> RowSpace:
    """Find the row space of rows that come in blocks.

    Up to k rows are held together, and their singular values are found by QR, which does not square the condition
    number. Of more rows only the Gram matrix is held.

    Parameters
    ----------
    blocks : iterable of arrays of shape (_, k)
        The rows J, divided by their noise std.
    n, k : int
        Rows in all, and weights.

    Examples
    --------
    >>> decompose([np.array([[3.0, 0.0, 4.0]])], 1, 3).s2
    array([25.])
    """
    if n > k:
        G = np.zeros((k, k))
        for J in blocks:
            G += J.T @ J
        s2, V = eigh(G, overwrite_a=True, check_finite=False, driver="evd")
        return RowSpace(V=np.ascontiguousarray(V), s2=np.maximum(s2, 0.0))
    Q, R = np.linalg.qr(np.concatenate(list(blocks)).T)
    U, s, _ = svd(R, check_finite=False)
    return RowSpace(V=Q @ U, s2=s**2)


def variance(space: RowSpace, J: Float[np.ndarray, "m k"], alpha: Scalar) -> Float[np.ndarray, " m"]:
    r"""Variance of each row's product with the weights, added up from terms that are never negative.

    .. math:: j^\top A^{-1} j = \alpha \|j - V V^\top j\|^2 + \sum_i \frac{\alpha (v_i^\top j)^2}{1 + \alpha s_i^2}
    """
    alpha = positive("alpha", alpha)
    inside = J @ space.V
    squares = inside**2
    informed = squares @ (alpha / (1 + alpha * space.s2))
    if _spans_all(space):
        return informed
    if alpha * np.max(space.s2, initial=0.0) < _MILD:  # one product of matrices instead of two
        return informed + alpha * np.maximum(np.einsum("ij,ij->i", J, J) - squares.sum(axis=1), 0.0)
    outside = J - inside @ space.V.T
    return informed + alpha * np.einsum("ij,ij->i", outside, outside)


def informed_part(space: RowSpace, alpha: Scalar) -> RowSpace:
    """Leave out directions of which the data say next to nothing, if that makes `variance` and `root` cheaper.

    Variances change by less than 1e-10 of their value.

    Examples
    --------
    >>> informed_part(RowSpace(np.eye(3), np.array([2.0, 1e-14, 1e-12])), alpha=1.0).s2
    array([2.])
    """
    kept = positive("alpha", alpha) * space.s2 > _UNINFORMED
    worth = kept.sum() < (len(space.V) / 2 if _spans_all(space) else len(kept))
    return RowSpace(np.ascontiguousarray(space.V[:, kept]), space.s2[kept]) if worth else space


def root(space: RowSpace, J: Float[np.ndarray, "m k"], alpha: Scalar) -> Float[np.ndarray, "m k"]:
    r""":math:`R = J A^{-1/2}`, so that :math:`R R^\top` is the covariance of the rows' products with the weights."""
    alpha = positive("alpha", alpha)
    inside = J @ space.V
    shrunk = inside * np.sqrt(alpha / (1 + alpha * space.s2))
    if _spans_all(space):
        return shrunk
    outside = J - inside @ space.V.T
    return np.sqrt(alpha) * outside + shrunk @ space.V.T


def log_volume(space: RowSpace, alpha: Scalar) -> float:
    r""":math:`\log |\alpha A| = \sum_i \log(1 + \alpha s_i^2)`: how much the data narrow the prior down."""
    return float(np.sum(np.log1p(positive("alpha", alpha) * space.s2)))


def best_alpha(space: RowSpace, squared_norm: Scalar) -> float:
    r"""The prior variance with the largest Laplace evidence, for weights θ of the given squared norm.

    .. math:: -\frac{\|\theta\|^2}{2 \alpha} - \frac12 \sum_i \log(1 + \alpha s_i^2)

    Its derivative is zero where the prior's share and the data's agree (MacKay, 1992):

    .. math:: \|\theta\|^2 / \alpha = \sum_i \alpha s_i^2 / (1 + \alpha s_i^2)

    The left side falls and the right side rises with α, so there is one such point; it is kept within `ALPHAS`.
    """

    def excess(log_alpha: float) -> float:
        alpha = np.exp(log_alpha)
        return float(squared_norm / alpha - np.sum(alpha * space.s2 / (1 + alpha * space.s2)))

    low, high = np.log(ALPHAS)
    if excess(low) <= 0:
        return ALPHAS[0]
    if excess(high) >= 0:
        return ALPHAS[1]
    return float(np.exp(root_scalar(excess, bracket=(low, high), xtol=1e-13).root))


def _spans_all(space: RowSpace) -> bool:
    """Whether no direction is left to the prior alone."""
    return space.V.shape[0] == space.V.shape[1]
