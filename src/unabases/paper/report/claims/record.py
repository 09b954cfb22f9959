"""What a claim is: the paper's words, our rule, and the check that applies it."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from unabases.paper.store import Row

__all__ = ["DOES_NOT_HOLD", "HOLDS", "OPEN", "SIGNS", "Check", "Claim", "Finding", "Ours"]

HOLDS, DOES_NOT_HOLD, OPEN = "holds", "does not hold", "open"  # open: not run, or not often enough to decide
SIGNS = {HOLDS: "✓", DOES_NOT_HOLD: "✗", OPEN: "…"}
"""A sign beside each word, for readers who do not see its colour."""


class Finding(NamedTuple):
    """What a check found: whether the claim holds, None if that is undecided, and the numbers."""

    holds: bool | None
    evidence: str


Check = Callable[[Sequence[Row]], Finding | None]
"""Decides a claim by the rows of its experiment; None if the rows that it needs are missing."""


class Ours(NamedTuple):
    """The same check on a model of ours: its label, and where its rows are."""

    label: str
    experiment: str
    check: Check


class Claim(NamedTuple):
    """A claim of the paper and how it is checked.

    Parameters
    ----------
    name, statement
        What we call it, and what the paper says.
    rule
        When we say that it holds, in words.
    experiment, check
        Whose rows decide, and the rule as a function of them.
    by
        The LUNA that decides; empty if the claim is about other methods.
    ours
        The same check on models of ours.
    printed
        The same check on the numbers that the paper prints; None if it does not print what the rule needs.
    """

    name: str
    statement: str
    rule: str
    experiment: str
    check: Check
    by: str = ""
    ours: tuple[Ours, ...] = ()
    printed: Callable[[], Finding | None] | None = None
