"""The first lines of the report."""

from tests.paper.report.synthetic import all_rows, consistency_rows, gap_rows, transfer_rows
from unabases.paper.methods import LUNA, LUNA_PAPER, NLM_MLE, UNA
from unabases.paper.report.claims import all_claims
from unabases.paper.report.findings import five_findings
from unabases.paper.report.method_tables import all_method_tables
from unabases.paper.report.rows import gather


def test_five_findings_say_the_numbers_or_what_to_run():
    results = gather(all_rows())
    lines = five_findings(results, all_claims(results), all_method_tables(results))
    assert len(lines) == 5
    assert "knows of the gap in 20 of 20 restarts" in lines[0]
    assert "on 5 of 6 data sets" in lines[1]
    assert "outside the gap on 0 of 6 sets" in lines[2]  # 3.8 against 3.35 ± 0.3
    assert "best at 5 of 5" in lines[3]
    assert "468 numbers that the paper prints" in lines[4]
    empty = gather([])
    for line in five_findings(empty, all_claims(empty), all_method_tables(empty))[:4]:
        assert "unabases reproduce" in line


def test_sets_that_are_undecided_are_counted():
    behind = [
        one._replace(scores=one.scores | {"rmse": 99.0}) if one.method == LUNA_PAPER else one for one in gap_rows()
    ]
    some = [one for one in behind if one.dataset in ("boston-rm", "boston-lstat")]
    assert "outside the gap on 0 of 2 sets (4 undecided)" in said(some)[2]
    assert "outside the gap on 0 of 6 sets," in said(behind)[2]


def said(rows):
    results = gather(rows)
    return five_findings(results, all_claims(results), all_method_tables(results))


def test_a_method_that_was_not_run_is_not_said_to_have_failed():
    restarts = [one for one in consistency_rows() if one.method not in (LUNA_PAPER, NLM_MLE)]
    assert "the paper's LUNA was not run" in said(restarts)[0]
    assert "by maximum likelihood" not in said(restarts)[0]
    ours = [one for one in consistency_rows() if one.method in (LUNA, UNA)]
    assert "plain neural linear model" not in said(ours)[0]
    assert "our LUNA" not in said(gap_rows(methods=(LUNA_PAPER,)))[1]
    assert "too few splits yet" in said(gap_rows(n=1))[1]
    some = [
        one._replace(experiment="our-gap-sets", method=UNA) for one in gap_rows(methods=(LUNA_PAPER,), profile="quick")
    ]
    assert "UNA on 5 of 6" in said([*gap_rows(), *some])[1]
    assert "UNA" not in said([*gap_rows(), *(one for one in some if one.dataset == "yacht-froude")])[1].replace(
        "LUNA", ""
    )
    assert "our LUNA" not in said([one for one in transfer_rows() if one.method != LUNA])[3]
