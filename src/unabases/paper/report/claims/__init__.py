"""The paper's claims, each with its text and the check that decides it by the stored results."""

from unabases.paper.report.claims.checked import CLAIMS, CheckedClaim, Judged, all_claims
from unabases.paper.report.claims.record import DOES_NOT_HOLD, HOLDS, OPEN, Claim, Finding, Ours

__all__ = [
    "CLAIMS",
    "DOES_NOT_HOLD",
    "HOLDS",
    "OPEN",
    "CheckedClaim",
    "Claim",
    "Finding",
    "Judged",
    "Ours",
    "all_claims",
]
