r"""Rows times the inverse of a triangular factor, :math:`\Phi L^{-\top}`: by an inverse where that is exact enough.

BLAS multiplies by a triangle nearly twice as fast as it solves for one, so many rows pay for its inverse.
"""

from typing import Any

import numpy as np
from jaxtyping import Float
from scipy.linalg import get_blas_funcs, get_lapack_funcs

__all__ = ["solve_rows", "worthwhile_inverse"]

_MANY = 8  # rows for each feature that pay for the inverse
_EXACT = 1e-10  # how far the inverse may be from one

_solve: Any = get_blas_funcs("trsm", dtype=np.float64)
_multiply: Any = get_blas_funcs("trmm", dtype=np.float64)
_invert: Any = get_lapack_funcs("trtri", dtype=np.float64)


def worthwhile_inverse(L: Float[np.ndarray, "k k"], n: int) -> Float[np.ndarray, "k k"] | None:
    """The inverse of a lower triangle for `solve_rows` of n rows in all.

    None where n is too small to pay for it, or where rounding spoils it.

    Examples
    --------
    >>> worthwhile_inverse(np.array([[2.0, 0.0], [1.0, 1.0]]), 1000).tolist()
    [[0.5, 0.0], [-0.5, 1.0]]
    >>> worthwhile_inverse(np.eye(2), 3) is None
    True
    """
    if n < _MANY * len(L):
        return None
    L = np.tril(L)
    inverse, failed = _invert(L, lower=1)
    if failed:
        return None
    inverse = np.tril(inverse).T.copy().T  # in Fortran's order, as BLAS takes it
    apart = _multiply(1.0, inverse, np.asfortranarray(L), lower=1)
    apart[np.diag_indices_from(apart)] -= 1
    return inverse if np.max(np.abs(apart)) < _EXACT else None


def solve_rows(
    L: Float[np.ndarray, "k k"],
    Phi: Float[np.ndarray, "n k"],
    inverse: Float[np.ndarray, "k k"] | None = None,
    *,
    overwrite: bool = False,
) -> Float[np.ndarray, "n k"]:
    r"""R with :math:`R L^\top = \Phi`, in place of Φ if that may be overwritten.

    Parameters
    ----------
    L : array of shape (k, k)
        A lower triangle.
    Phi : array of shape (n, k)
        Rows, in C order.
    inverse : array, optional
        What `worthwhile_inverse` gave.
    overwrite : bool
        Whether Φ is not needed any more.

    Examples
    --------
    >>> solve_rows(np.array([[2.0, 0.0], [1.0, 1.0]]), np.array([[2.0, 3.0]])).tolist()
    [[1.0, 2.0]]
    """
    # BLAS on the transpose of C-ordered rows, which is Fortran-ordered: no copy but the result.
    if inverse is None:
        return np.asarray(_solve(1.0, L, Phi.T, lower=1, overwrite_b=overwrite)).T
    return np.asarray(_multiply(1.0, inverse, Phi.T, lower=1, overwrite_b=overwrite)).T
