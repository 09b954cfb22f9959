"""Claims about faces hold or do not hold by the numbers of their rows."""

from tests.paper.report.claims.checks import changed, claim
from tests.paper.report.synthetic import faces_rows
from unabases.paper.report.claims import DOES_NOT_HOLD, HOLDS, OPEN


def test_faces_rise_when_the_difference_is_seen_and_above_the_spread():
    women, ages = (claim(name, faces_rows()) for name in ("Women, trained on men", "Ages 30 to 40, trained on others"))
    assert women.verdict == HOLDS
    assert women.evidence == "LUNA +30.0 ± 5.0 % against +2.0 ± 1.0 %; the paper +168 against +14 %"
    assert ages.verdict == DOES_NOT_HOLD
    assert ages.evidence.endswith("the paper +27 against +2 %")
    for rise, verdict in ((0.071, HOLDS), (0.069, DOES_NOT_HOLD)):  # the others rise by 0.02 ± 0.01
        assert claim("Women, trained on men", changed(faces_rows(), "LUNA", rise_gap=rise)).verdict == verdict
    apart = changed(faces_rows(), "LUNA", rise_gap=lambda r: 0.3 * r.split - 0.1)  # 0.2 ± 0.24
    assert claim("Women, trained on men", apart).verdict == DOES_NOT_HOLD
    assert claim("Women, trained on men", [r for r in faces_rows() if r.method != "LUNA"]).verdict == OPEN


def test_faces_are_told_apart_better_than_by_map_with_as_many_units():
    assert claim("Women told from men", faces_rows()).verdict == HOLDS
    narrow = [r._replace(method=f"{r.method}, 50 units") for r in changed(faces_rows(), "NLM, MAP", auroc=0.81)]
    found = claim("Women told from men", [*faces_rows(), *narrow])
    assert found.verdict == DOES_NOT_HOLD
    assert found.evidence.endswith("LUNA, 50 units 0.80 ± 0.00; NLM, MAP, 50 units 0.81 ± 0.00")
    assert claim("Women told from men", [r for r in faces_rows() if r.method == "LUNA"]).verdict == OPEN
