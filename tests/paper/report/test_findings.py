"""The first lines of the report."""

from tests.paper.report.synthetic import all_rows
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
