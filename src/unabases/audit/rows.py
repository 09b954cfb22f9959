"""Which single rows are unlike the training data, among many: conformal p-values, counted as they stream by."""

from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int

__all__ = ["RowCounts", "RowVerdict", "conformal_p_values", "judge_rows"]


def conformal_p_values(std: Float[np.ndarray, " n"], reference: Float[np.ndarray, " m"]) -> Float[np.ndarray, " n"]:
    r"""For each row the probability that a row like the reference rows is as unfamiliar or more.

    .. math:: p_i = \frac{1 + \#\{j: u_j \ge u_i\}}{m + 1}

    which is valid at any m: for a row exchangeable with the reference rows, :math:`P(p_i \le a) \le a`.
    """
    return (1 + _as_unfamiliar(std, np.sort(reference))) / (len(reference) + 1)


class RowCounts:
    """How many rows have as many reference rows at least as unfamiliar: all that the choice of rows needs to know."""

    def __init__(self, reference: Float[np.ndarray, " m"]):
        self.ordered = np.sort(reference)
        self.counts: Int[np.ndarray, " m1"] = np.zeros(len(reference) + 1, dtype=np.int64)

    def add(self, std: Float[np.ndarray, " n"]) -> None:
        """Count further rows."""
        self.counts += np.bincount(_as_unfamiliar(std, self.ordered), minlength=len(self.counts))


class RowVerdict(NamedTuple):
    """Rows above `threshold` are named."""

    threshold: float
    named: int


def judge_rows(rows: RowCounts, level: float) -> RowVerdict:
    """Rows to name so that at most `level` of them, in expectation, are like the reference rows.

    Benjamini and Hochberg's choice, which for conformal p-values controls the false discovery rate although they share
    their reference rows.

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
        return RowVerdict(np.inf, 0)
    last = int(passing[-1])
    threshold = -np.inf if last == m else float(rows.ordered[m - 1 - last])
    return RowVerdict(threshold, int(upto[last]))


def _as_unfamiliar(std: Float[np.ndarray, " n"], ordered: Float[np.ndarray, " m"]) -> Int[np.ndarray, " n"]:
    """Number of reference rows whose std is at least that of each row."""
    return len(ordered) - np.searchsorted(ordered, std, side="left")
