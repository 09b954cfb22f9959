"""Every claim, in the order of the report, checked against the stored results."""

from typing import NamedTuple

from unabases.paper.report.claims.differences import what_differs
from unabases.paper.report.claims.faces import FACES_CLAIMS
from unabases.paper.report.claims.record import DOES_NOT_HOLD, HOLDS, OPEN, SIGNS, Claim, Finding, Ours
from unabases.paper.report.claims.searches import SEARCH_CLAIMS
from unabases.paper.report.claims.synthetic import CUBIC_GAP_CLAIMS, TRANSFER_CLAIM
from unabases.paper.report.claims.uci import UCI_CLAIMS
from unabases.paper.report.rows import Results, command
from unabases.paper.store import Row

__all__ = ["CLAIMS", "CheckedClaim", "Judged", "all_claims"]

CLAIMS: tuple[Claim, ...] = (*CUBIC_GAP_CLAIMS, *UCI_CLAIMS, TRANSFER_CLAIM, *SEARCH_CLAIMS, *FACES_CLAIMS)


class Judged(NamedTuple):
    """Whether the claim holds for one model, and the numbers behind that."""

    label: str
    verdict: str
    evidence: str

    @property
    def sign(self) -> str:
        """A sign for the verdict."""
        return SIGNS[self.verdict]


class CheckedClaim(NamedTuple):
    """A claim with its verdict, the numbers behind it, and the rows that they come from (`about`).

    Parameters
    ----------
    by
        The LUNA that decided; empty if the claim is about other methods.
    printed
        The same rule on the numbers that the paper prints, if it prints them.
    ours
        The same rule on models of ours.
    differs
        If the claim does not hold: what differs from the paper, and what shows it.
    """

    name: str
    statement: str
    rule: str
    experiment: str
    about: str
    verdict: str
    evidence: str
    by: str = ""
    printed: Judged | None = None
    ours: tuple[Judged, ...] = ()
    differs: str = ""

    @property
    def sign(self) -> str:
        """A sign for the verdict."""
        return SIGNS[self.verdict]

    def plain(self) -> dict[str, str]:
        """Everything as text, for a file."""
        said = {name: getattr(self, name) for name in ("name", "statement", "rule", "experiment", "about", "by")}
        said |= {"verdict": self.verdict, "evidence": self.evidence, "differs": self.differs}
        said["printed"] = f"{self.printed.verdict}: {self.printed.evidence}" if self.printed else ""
        said["ours"] = "; ".join(f"{one.label} {one.verdict}: {one.evidence}" for one in self.ours)
        return said


def all_claims(results: Results) -> list[CheckedClaim]:
    """Check every claim; one whose experiment has no rows says what to run."""
    return [_checked(claim, results) for claim in CLAIMS]


def _checked(claim: Claim, results: Results) -> CheckedClaim:
    own = _judged(claim.by, claim.experiment, claim.check(results.of(claim.experiment)), results, claim)
    found = [(one, one.check(_rows_for(one, claim, results))) for one in claim.ours]
    ours = tuple(_judged(one.label, one.experiment, finding, results, claim) for one, finding in found)
    told = claim.printed() if claim.printed is not None else None
    printed = None if told is None else Judged("the paper", _word(told), told.evidence)
    differs = what_differs(claim.name, results) if own.verdict == DOES_NOT_HOLD else ""
    about = results.about(claim.experiment)
    return CheckedClaim(*claim[:4], about, own.verdict, own.evidence, claim.by, printed, ours, differs)


def _rows_for(one: Ours, claim: Claim, results: Results) -> tuple[Row, ...]:
    """The rows of our model, beside those of the claim's own experiment if it needs them to compare."""
    own = results.of(one.experiment)
    return own if one.experiment == claim.experiment or not own else (*results.of(claim.experiment), *own)


def _word(found: Finding) -> str:
    return OPEN if found.holds is None else HOLDS if found.holds else DOES_NOT_HOLD


def _longest(experiment: str, claim: Claim) -> str:
    """The command that runs all rows that the claim rests on as often as in the paper."""
    return f"{command(' '.join(dict.fromkeys((experiment, claim.experiment))))} --profile paper"


def _judged(label: str, experiment: str, found: Finding | None, results: Results, claim: Claim) -> Judged:
    if found is None:
        return Judged(label, OPEN, f"run {command(experiment)}")
    if results.profiles[experiment] == "tiny":
        return Judged(label, OPEN, f"the profile tiny decides nothing: {found.evidence}")
    if found.holds is None:
        return Judged(label, OPEN, f"undecided so far: {found.evidence}; run {_longest(experiment, claim)}")
    return Judged(label, _word(found), found.evidence)
