"""Statistics: all that exact linear regression needs to know about its rows, in O(k^2) memory."""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float

from unabases.linear.checks import finite, matrix, real, row_weights

BLOCK = 8192  # rows turned into float64 at a time
TOLERANCE = 1e-8  # relative size of a negative eigenvalue that rounding cannot explain


class Statistics(NamedTuple):
    r"""Sums over rows that replace the rows themselves, for p outputs that share their features.

    .. math:: G = \Phi^\top \Phi, \quad b = \Phi^\top y, \quad yy_j = \sum_i y_{ij}^2

    `n` is the number of rows. Make them with `accumulate` or `stream`, combine them with `add` and `subtract`, and use
    them with `condition_on` and `spectrum`. Where rows have weights, each is counted so often in all sums, and `n` is
    the sum of the weights.
    """

    G: Float[np.ndarray, "k k"]
    b: Float[np.ndarray, "k p"]
    yy: Float[np.ndarray, " p"]
    n: float
    weighted: bool = False
    """Whether rows may have weights other than 1, so that `n` does not bound how many there are."""


def accumulate(
    Phi: Float[np.ndarray, "n k"],
    y: Float[np.ndarray, " n"] | Float[np.ndarray, "n p"],
    weight: Float[np.ndarray, " n"] | None = None,
) -> Statistics:
    """Sum up rows into statistics.

    Parameters
    ----------
    Phi : array of shape (n, k)
        Features, bias column included; n may be 0. Lower precisions are raised to float64 a block of rows at a time.
    y : array of shape (n,) or (n, p)
        Targets: one output, or one column per output.
    weight : array of shape (n,), optional
        How often each row counts: 2 is the row twice, 0 is no row.

    See Also
    --------
    stream : for rows that do not fit into memory.

    Examples
    --------
    >>> accumulate(np.ones((3, 1)), np.array([1.0, 2.0, 3.0])).b
    array([[6.]])
    >>> accumulate(np.ones((3, 1)), np.array([1.0, 2.0, 3.0]), weight=np.array([0.0, 1.0, 2.0])).b
    array([[8.]])
    """
    Phi, y = matrix("Phi", Phi), real("y", y)
    if y.ndim not in (1, 2) or len(y) != len(Phi):
        raise ValueError(
            f"`y` must have shape ({len(Phi)},) or ({len(Phi)}, p) to match `Phi` {Phi.shape}, "
            f"but has shape {y.shape}; pass one row of `y` per row of `Phi`."
        )
    y = y[:, None] if y.ndim == 1 else y
    k, p = Phi.shape[1], y.shape[1]
    weight = None if weight is None else row_weights(weight, len(Phi))
    G, b, yy = np.zeros((k, k)), np.zeros((k, p)), np.zeros(p)
    with np.errstate(over="ignore", invalid="ignore"):
        for start in range(0, len(Phi), BLOCK):
            block = slice(start, start + BLOCK)
            Phi_block, y_block = (part[block].astype(np.float64, copy=False) for part in (Phi, y))
            Phi_block, y_block = weighted_rows(Phi_block, y_block, None if weight is None else weight[block])
            G += Phi_block.T @ Phi_block
            b += Phi_block.T @ y_block
            yy += np.einsum("ij,ij->j", y_block, y_block)
    # A bad value always reaches the diagonal of G, or yy: looking there spares a pass over the rows.
    if not (np.isfinite(G).all() and np.isfinite(b).all() and np.isfinite(yy).all()):
        finite("Phi", Phi)
        finite("y", y)
        raise ValueError(
            "`Phi` and `y` are finite but their squares overflow float64; divide the largest columns by a constant."
        )
    if weight is None:
        return Statistics(G=G, b=b, yy=yy, n=float(len(Phi)))
    return Statistics(G=G, b=b, yy=yy, n=float(np.sum(weight)), weighted=True)


def add(s: Statistics, t: Statistics) -> Statistics:
    """Combine the statistics of two sets of rows: those of both together.

    Examples
    --------
    >>> one = accumulate(np.ones((1, 1)), np.array([1.0]))
    >>> add(one, one).n
    2.0
    """
    _same_shapes(s, t)
    weighted = s.weighted or t.weighted
    return Statistics(G=s.G + t.G, b=s.b + t.b, yy=s.yy + t.yy, n=s.n + t.n, weighted=weighted)


def subtract(s: Statistics, t: Statistics) -> Statistics:
    r"""Take rows out again: the statistics of the rows of s without those of t.

    Parameters
    ----------
    s : Statistics
        The whole.
    t : Statistics
        Of rows that are among those of s.

    Raises
    ------
    ValueError
        If what is left cannot be the statistics of any rows, that is, unless for every output j

        .. math:: \begin{pmatrix} G & b_j \\ b_j^\top & yy_j \end{pmatrix} \succeq 0

        and this matrix has no more positive eigenvalues than there are rows left, if no row has a weight. Rows that
        were never there can pass this by chance. Rows that were there pass, unless rows taken before were so much
        larger that their rounding hides what is left.
    """
    _same_shapes(s, t)
    weighted = s.weighted or t.weighted
    rounding = TOLERANCE * s.n if weighted else 0.0
    if s.n < t.n - rounding:
        raise ValueError(
            f"Cannot take {t.n:g} rows from {s.n:g}: these rows were not part of it; "
            "subtract only what was accumulated or added before."
        )
    left = Statistics(G=s.G - t.G, b=s.b - t.b, yy=s.yy - t.yy, n=s.n - t.n, weighted=weighted)
    # Measured on the scale of s, entry by entry, since that is where rounding happened.
    joint = _joint(left)
    whole, taken = (np.clip(np.diagonal(_joint(part), axis1=1, axis2=2), 0.0, None) for part in (s, t))
    d = np.sqrt(np.where(whole > 0, whole, 1.0))
    # What earlier rows left behind by rounding, in a feature that none of the present rows has, tells nothing.
    d[(taken == 0) & (whole < TOLERANCE * whole.max(axis=1, keepdims=True))] = np.inf
    eigenvalues = np.linalg.eigvalsh(joint / d[:, :, None] / d[:, None, :])
    most = eigenvalues.shape[1] if weighted else int(left.n)  # n rows give n positive ones at most
    if left.n <= rounding:
        most = 0
    beyond = eigenvalues[:, : max(0, eigenvalues.shape[1] - most)]
    if eigenvalues.min() < -TOLERANCE or np.any(beyond > TOLERANCE):
        raise ValueError(
            "These rows were not part of it: without them, what is left is not the statistics of any rows "
            f"(relative eigenvalues {eigenvalues.min():.1e} to {eigenvalues.max():.1e}, {left.n:g} rows left)"
            "; subtract the same features and the same y that were accumulated."
        )
    if left.n <= rounding:
        return Statistics(G=np.zeros_like(s.G), b=np.zeros_like(s.b), yy=np.zeros_like(s.yy), n=0.0)
    np.fill_diagonal(left.G, np.clip(np.diag(left.G), 0.0, None))
    return left._replace(yy=np.clip(left.yy, 0.0, None))


def stream(chunks: Iterable[tuple[Any, ...]]) -> Statistics:
    """Sum up rows that come in chunks, holding only one chunk at a time.

    Parameters
    ----------
    chunks : iterable of (Phi, y) or (Phi, y, weight)
        At least one pair or triple of arrays, as `accumulate` takes them.

    Examples
    --------
    >>> stream((np.ones((2, 1)), np.full(2, 0.1 * i)) for i in range(3)).n
    6.0
    """
    total = None
    for Phi, y, *weight in chunks:
        own = None if not weight or weight[0] is None else np.asarray(weight[0])
        part = accumulate(np.asarray(Phi), np.asarray(y), own)
        total = part if total is None else add(total, part)
    if total is None:
        raise ValueError(
            "`chunks` is empty, so the number of features is unknown; pass at least one (Phi, y), "
            "which may have no rows, and remember that a generator can be read only once."
        )
    return total


def with_bias(features: Float[np.ndarray, "n k"], dtype: Any = None) -> Float[np.ndarray, "n k+1"]:
    """Add a column of ones as the last feature, whose weight is the intercept; in another precision if one is given.

    Examples
    --------
    >>> with_bias(np.array([[2.0], [3.0]]))
    array([[2., 1.],
           [3., 1.]])
    """
    features = real("features", features)
    if features.ndim != 2:
        raise ValueError(f"`features` must have shape (n, k), but has shape {features.shape}; reshape it first.")
    dtype = dtype or (features.dtype if features.dtype.kind == "f" else np.dtype(np.float64))
    return np.concatenate([features, np.ones((len(features), 1))], axis=1, dtype=dtype)


def weighted_rows(
    Phi: Float[np.ndarray, "n k"], y: Float[np.ndarray, "n *p"], weight: Float[np.ndarray, " n"] | None
) -> tuple[Float[np.ndarray, "n k"], Float[np.ndarray, "n *p"]]:
    """Multiply rows and targets by the square root of their weights: their sums then count each row so often.

    Examples
    --------
    >>> weighted_rows(np.ones((2, 1)), np.array([1.0, 3.0]), np.array([1.0, 4.0]))[1]
    array([1., 6.])
    """
    if weight is None:
        return Phi, y
    root = np.sqrt(row_weights(weight, len(Phi)))
    return Phi * root[:, None], y * (root if y.ndim == 1 else root[:, None])


def _same_shapes(s: Statistics, t: Statistics) -> None:
    if s.b.shape != t.b.shape:
        raise ValueError(
            f"The statistics are of (features, outputs) {s.b.shape} and {t.b.shape}; "
            "only rows with the same feature map and outputs can be combined."
        )


def _joint(s: Statistics) -> Float[np.ndarray, "p q q"]:
    """The Gram matrices of [Phi, y_j], one per output."""
    k, p = s.b.shape
    joint = np.empty((p, k + 1, k + 1))
    joint[:, :k, :k] = s.G
    joint[:, :k, k] = joint[:, k, :k] = s.b.T
    joint[:, k, k] = s.yy
    return joint
