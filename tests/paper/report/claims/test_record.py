"""The words for a claim's verdict."""

from unabases.paper.report.claims.record import DOES_NOT_HOLD, HOLDS, OPEN, SIGNS


def test_every_verdict_has_a_sign_of_its_own():
    assert set(SIGNS) == {HOLDS, DOES_NOT_HOLD, OPEN}
    assert len(set(SIGNS.values())) == 3
