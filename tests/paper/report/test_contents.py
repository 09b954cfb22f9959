"""A report has every part once."""

from tests.paper.report.synthetic import accuracy_rows, gap_rows, honesty_rows
from unabases.paper.report.claims import CLAIMS
from unabases.paper.report.contents import make_report
from unabases.paper.report.detail_tables import DETAIL_TABLES
from unabases.paper.report.figures import FIGURES, OTHER_FIGURES
from unabases.paper.report.method_tables import METHOD_TABLES
from unabases.paper.report.rows import gather


def test_a_report_has_all_parts_and_figures_only_if_asked():
    halves = [*accuracy_rows(n=1), *accuracy_rows(n=1, experiment="accuracy-locked")]
    halves += [*honesty_rows(), *honesty_rows("honesty-locked")]
    results = gather([*gap_rows(methods=("GP",), n=1), *halves])
    report = make_report(results)
    assert len(report.findings) == 5
    assert [claim.name for claim in report.claims] == [claim.name for claim in CLAIMS]
    assert [table.spec for table in report.method_tables] == list(METHOD_TABLES)
    assert [table.spec for table in report.detail_tables] == list(DETAIL_TABLES)
    assert [picture.spec for picture in report.pictures] == [*FIGURES, *OTHER_FIGURES]
    assert make_report(results, figures=False).pictures == []
