"""Whether one of our results agrees with the paper's, and if not, which is better."""

import math
from typing import NamedTuple

from unabases.paper.report.paper_values import PaperValue, why_not_comparable
from unabases.paper.report.rows import Summary
from unabases.paper.report.scores import Quantity, number

__all__ = [
    "AGREES",
    "BETTER",
    "MIXED",
    "NOT_COMPARABLE",
    "ONE_RUN",
    "RULE",
    "SIGNS",
    "WORSE",
    "Aims",
    "Verdict",
    "compare_with_paper",
]

AGREES, BETTER, WORSE, NOT_COMPARABLE = "agrees", "better", "worse", "not comparable"
MIXED, ONE_RUN = "mixed", "one run"
SIGNS = {AGREES: "=", BETTER: "▲", WORSE: "▼", MIXED: "◆", ONE_RUN: "·", NOT_COMPARABLE: "–"}
"""A sign beside each word, for readers who do not see its colour."""

RULE = (
    "Two results agree if their means differ by no more than the combined standard deviation √(s² + s²) of both, and "
    "by no more than twice the paper's: a result that varies wildly should not agree with everything. The paper's "
    "numbers are rounded, so half a unit of the last digit is added to its standard deviation and to what is allowed. "
    "Results that do not agree are better or worse: lower is better for errors, higher for log-likelihood and EURC. "
    "One run has no spread: it can agree with the paper, but is never called better or worse. "
    "More epistemic uncertainty is neither better nor worse by itself, so it is held against what it should be: with "
    "the noise it should be as large as the error that the model makes, and by itself as large as a Gaussian "
    "process's. A result that does not agree is better if it is nearer to both than the paper's is, worse if it is "
    "further from both, and mixed otherwise."
)


class Verdict(NamedTuple):
    """Whether a result agrees with the paper's (`word`), and `why`."""

    word: str
    why: str


class Aims(NamedTuple):
    """What an epistemic std should be.

    Parameters
    ----------
    error
        The root mean square error of the same model on the same rows.
    noise
        Standard deviation of the noise.
    process
        The epistemic std of a Gaussian process there; None for the process itself, or where there is none.
    """

    error: float
    noise: float
    process: float | None

    def ratios(self, epistemic: float) -> list[float]:
        """What it is as a multiple of what it should be: with the noise of the error, and of the process's."""
        with_noise = math.hypot(epistemic, self.noise) / self.error
        return [with_noise] if self.process is None else [with_noise, epistemic / self.process]


def allowed_difference(std: float, paper: PaperValue) -> float:
    r"""How far two means may differ and still agree.

    .. math:: \min(\sqrt{s^2 + (p + h)^2}, 2 (p + h)) + h

    with s and p the standard deviations here and in the paper, and h half a unit of the paper's last digit. One run has
    no spread, so its s is 0.
    """
    assert paper.std is not None
    spread = paper.std + paper.half_unit
    own = 0.0 if math.isnan(std) else std
    return min(math.hypot(own, spread), 2 * spread) + paper.half_unit


def compare_with_paper(
    ours: Summary, paper: PaperValue, quantity: Quantity, aims: tuple[Aims, Aims] | None = None
) -> Verdict | None:
    """The verdict on a cell, or None if nothing was run here.

    Parameters
    ----------
    ours, paper, quantity
        What was found here, what the paper prints, and what it is.
    aims
        For an epistemic std: what it should be here, and what it should be in the paper.

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
    if ours.n == 1:
        return Verdict(ONE_RUN, f"{why}; one run has no spread")
    if quantity.better == 0:
        if aims is None:
            return Verdict(NOT_COMPARABLE, f"{why}; neither more nor less is better by itself")
        return _nearer(ours.mean, paper.mean, aims, why)
    return Verdict(BETTER if difference * quantity.better > 0 else WORSE, why)


def _nearer(ours: float, paper: float, aims: tuple[Aims, Aims], why: str) -> Verdict:
    """Which of two epistemic stds is nearer to what it should be, by every measure or by some."""
    here, there = aims[0].ratios(ours), aims[1].ratios(paper)
    pairs = list(zip(here, there, strict=False))
    nearer = [abs(math.log(a)) < abs(math.log(b)) for a, b in pairs]
    names = ("with the noise {} of the error", "{} of a Gaussian process's")
    said = [f"{name.format(f'{a:.2f}')} ({b:.2f} in the paper)" for name, (a, b) in zip(names, pairs, strict=False)]
    word = BETTER if all(nearer) else WORSE if not any(nearer) else MIXED
    return Verdict(word, f"{why}; {', '.join(said)}")


def general_reason(why: str) -> str:
    """Why a cell is not comparable, without that cell's own numbers, so that cells can share a note.

    Examples
    --------
    >>> general_reason("difference 1.20, allowed 0.30; neither more nor less is better by itself")
    'neither more nor less is better by itself'
    """
    return why.rpartition("; ")[2] if why.startswith("difference") else why
