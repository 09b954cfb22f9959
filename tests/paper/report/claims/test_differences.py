"""Each claim that may fail has a reason, and one without rows says what to run."""

from unabases.paper.report.claims.checked import CLAIMS
from unabases.paper.report.claims.differences import what_differs
from unabases.paper.report.rows import gather

SAID_BY = {"MLE over restarts": "training-length", "Marginal likelihood over restarts": "restarts"}


def test_without_rows_a_reason_still_says_what_to_run():
    for name, experiment in SAID_BY.items():
        assert f"unabases reproduce {experiment}" in what_differs(name, gather([]))
    assert what_differs("MAP's prior", gather([])) == ""
    assert all(isinstance(what_differs(claim.name, gather([])), str) for claim in CLAIMS)
