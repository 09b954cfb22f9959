"""Every claim, in the order of the report, checked against the stored results."""

from typing import NamedTuple

from unabases.paper.report.claims.faces import FACES_CLAIMS
from unabases.paper.report.claims.record import DOES_NOT_HOLD, HOLDS, NOT_RUN, SIGNS, Claim
from unabases.paper.report.claims.searches import SEARCH_CLAIMS
from unabases.paper.report.claims.synthetic import CUBIC_GAP_CLAIMS, TRANSFER_CLAIM
from unabases.paper.report.claims.uci import UCI_CLAIMS
from unabases.paper.report.rows import Results, command

__all__ = ["CLAIMS", "CheckedClaim", "all_claims"]

CLAIMS: tuple[Claim, ...] = (*CUBIC_GAP_CLAIMS, *UCI_CLAIMS, TRANSFER_CLAIM, *SEARCH_CLAIMS, *FACES_CLAIMS)


class CheckedClaim(NamedTuple):
    """A claim with its verdict, the numbers behind it, and the rows that they come from (`about`)."""

    name: str
    statement: str
    rule: str
    experiment: str
    about: str
    verdict: str
    evidence: str

    @property
    def sign(self) -> str:
        """A sign for the verdict."""
        return SIGNS[self.verdict]


def all_claims(results: Results) -> list[CheckedClaim]:
    """Check every claim; one whose experiment has no rows says what to run."""
    return [_checked(claim, results) for claim in CLAIMS]


def _checked(claim: Claim, results: Results) -> CheckedClaim:
    name, statement, rule, experiment, check = claim
    found = check(results.of(experiment))
    if found is None:
        verdict, evidence = NOT_RUN, f"run {command(experiment)}"
    elif results.profiles[experiment] == "tiny":
        verdict, evidence = NOT_RUN, f"the profile tiny decides nothing: {found.evidence}"
    elif found.holds is None:
        verdict, evidence = NOT_RUN, f"undecided so far: {found.evidence}; run {command(experiment)}"
    else:
        verdict, evidence = (HOLDS if found.holds else DOES_NOT_HOLD), found.evidence
    return CheckedClaim(name, statement, rule, experiment, results.about(experiment), verdict, evidence)
