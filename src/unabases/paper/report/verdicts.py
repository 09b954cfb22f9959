"""Whether one of our results agrees with the paper's, and if not, which is better."""

import math
from typing import NamedTuple

from unabases.paper.report.paper_values import PaperValue, why_not_comparable
from unabases.paper.report.rows import Summary
from unabases.paper.report.scores import Quantity, number

__all__ = ["AGREES", "BETTER", "NOT_COMPARABLE", "RULE", "SIGNS", "WORSE", "Verdict", "compare_with_paper"]

AGREES, BETTER, WORSE, NOT_COMPARABLE = "agrees", "better", "worse", "not comparable"
SIGNS = {AGREES: "=", BETTER: "▲", WORSE: "▼", NOT_COMPARABLE: "–"}
"""A sign beside each word, for readers who do not see its colour."""

RULE = (
    "Two results agree if their means differ by no more than the combined standard deviation √(s² + s²) of both, and "
    "by no more than twice the paper's: a result that varies wildly should not agree with everything. The paper's "
    "numbers are rounded, so half a unit of the last digit is added to its standard deviation and to what is allowed. "
    "Results that do not agree are better or worse: lower is better for errors, higher for log-likelihood and EURC. "
    "More epistemic uncertainty is neither better nor worse by itself, so those cells agree or are not comparable."
)


class Verdict(NamedTuple):
    """Whether a result agrees with the paper's (`word`), and `why`."""

    word: str
    why: str


def allowed_difference(std: float, paper: PaperValue) -> float:
    r"""How far two means may differ and still agree.

    .. math:: \min(\sqrt{s^2 + (p + h)^2}, 2 (p + h)) + h

    with s and p the standard deviations here and in the paper, and h half a unit of the paper's last digit.
    """
    assert paper.std is not None
    spread = paper.std + paper.half_unit
    return min(math.hypot(std, spread), 2 * spread) + paper.half_unit


def compare_with_paper(ours: Summary, paper: PaperValue, quantity: Quantity) -> Verdict | None:
    """The verdict on a cell, or None if nothing was run here.

    Examples
    --------
    >>> from unabases.paper.report.paper_values import paper_value
    >>> from unabases.paper.report.scores import QUANTITIES
    >>> cell = paper_value(2, "LUNA (paper)", "boston-rm", "gap")  # 3.17 ± 0.38
    >>> compare_with_paper(Summary(3.40, 0.10, 10), cell, QUANTITIES["rmse"])
    Verdict(word='agrees', why='difference 0.23, allowed 0.40')
    >>> compare_with_paper(Summary(2.60, 0.10, 10), cell, QUANTITIES["rmse"]).word
    'better'
    """
    if ours.n == 0 and ours.failed == 0:
        return None
    if why := why_not_comparable(paper):
        return Verdict(NOT_COMPARABLE, why)
    if ours.n == 0:
        return Verdict(NOT_COMPARABLE, f"all fits failed here ({ours.failed})")
    assert paper.mean is not None
    difference, allowed = ours.mean - paper.mean, allowed_difference(ours.std, paper)
    why = f"difference {number(difference, quantity.percent)}, allowed {number(allowed, quantity.percent).lstrip('+')}"
    if abs(difference) <= allowed * (1 + 1e-12):  # not decided by the last bit
        return Verdict(AGREES, why)
    if quantity.better == 0:
        return Verdict(NOT_COMPARABLE, f"{why}; neither more nor less is better by itself")
    return Verdict(BETTER if difference * quantity.better > 0 else WORSE, why)


def general_reason(why: str) -> str:
    """Why a cell is not comparable, without that cell's own numbers, so that cells can share a note.

    Examples
    --------
    >>> general_reason("difference 1.20, allowed 0.30; neither more nor less is better by itself")
    'neither more nor less is better by itself'
    """
    return why.rpartition("; ")[2] if why.startswith("difference") else why
