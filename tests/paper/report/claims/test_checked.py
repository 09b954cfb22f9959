"""Claims that were not run, or by a profile that decides nothing."""

from tests.paper.report.claims.checks import claim
from tests.paper.report.synthetic import consistency_rows
from unabases.paper.report.claims import OPEN, all_claims
from unabases.paper.report.rows import gather


def test_without_rows_nothing_was_run_and_each_claim_says_what_to_run():
    for found in all_claims(gather([])):
        assert found.verdict == OPEN
        assert found.evidence == f"run unabases reproduce {found.experiment}"


def test_the_profile_tiny_decides_nothing():
    rows = [r._replace(profile="tiny") for r in consistency_rows()]
    found = claim("LUNA over restarts", rows)
    assert found.verdict == OPEN
    assert "decides nothing: 20 of 20" in found.evidence
