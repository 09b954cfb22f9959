"""Find single rows that are unlike the training data, with conformal p-values that are counted piece by piece."""

from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int

__all__ = ["RowCounts", "RowVerdict", "conformal_p_values", "judge_rows"]


def conformal_p_values(std: Float[np.ndarray, " n"], reference: Float[np.ndarray, " m"]) -> Float[np.ndarray, " n"]:
    r"""Compute for each row how likely a row like the reference rows is to be as unfamiliar, or more.

    .. math:: p_i = \frac{1 + \#\{j: u_j \ge u_i\}}{m + 1}

    This holds for any m: if a row is exchangeable with the reference rows, :math:`P(p_i \le a) \le a`.

    Parameters
    ----------
    std : array of shape (n,)
        Epistemic stds of the rows.
    reference : array of shape (m,)
        Epistemic stds of rows like the training data.

    Returns
    -------
    array of shape (n,)
        The p-values.

    Examples
    --------
    >>> conformal_p_values(np.array([5.0, 2.0]), np.array([1.0, 2.0, 3.0])).tolist()
    [0.25, 0.75]
    """
    return (1 + _as_unfamiliar(std, np.sort(reference))) / (len(reference) + 1)


class RowCounts:
    """Counts of rows by how many reference rows are at least as unfamiliar: all that `judge_rows` needs."""

    def __init__(self, reference: Float[np.ndarray, " m"]):
        self.ordered = np.sort(reference)
        self.counts: Int[np.ndarray, " m1"] = np.zeros(len(reference) + 1, dtype=np.int64)

    def add(self, std: Float[np.ndarray, " n"]) -> None:
        """Count further rows."""
        self.counts += np.bincount(_as_unfamiliar(std, self.ordered), minlength=len(self.counts))


class RowVerdict(NamedTuple):
    """The rows named as unlike the training data: how many, and the epistemic std above which a row is named."""

    threshold: float
    named: int
    beyond: int = 0
    """Rows that are less familiar than every reference row."""


def judge_rows(rows: RowCounts, level: float) -> RowVerdict:
    """Name rows so that on average at most a share `level` of them is like the reference rows after all.

    This is Benjamini and Hochberg's rule. With conformal p-values it controls the false discovery rate, although they
    share their reference rows.

    References
    ----------
    S. Bates, E. Candès, L. Lei, Y. Romano, M. Sesia (2023). Testing for outliers with conformal p-values. Annals of
    Statistics 51.
    """
    m, total = len(rows.ordered), int(rows.counts.sum())
    if total == 0:
        return RowVerdict(np.inf, 0)
    p = (1 + np.arange(m + 1)) / (m + 1)
    upto = np.cumsum(rows.counts)
    passing = np.flatnonzero((p <= level * upto / total) & (rows.counts > 0))
    if len(passing) == 0:
        return RowVerdict(np.inf, 0, int(rows.counts[0]))
    last = int(passing[-1])
    threshold = -np.inf if last == m else float(rows.ordered[m - 1 - last])
    return RowVerdict(threshold, int(upto[last]), int(rows.counts[0]))


def _as_unfamiliar(std: Float[np.ndarray, " n"], ordered: Float[np.ndarray, " m"]) -> Int[np.ndarray, " n"]:
    """Count the reference rows whose std is at least that of each row."""
    return len(ordered) - np.searchsorted(ordered, std, side="left")
