"""The page of results holds what its rows say."""

from tests.docs.pages import ROOT
from unabases.paper.report.contents import make_report
from unabases.paper.report.markdown import COMMAND, markdown_page
from unabases.paper.report.rows import gather
from unabases.paper.rows_file import read_rows


def test_the_page_of_results_is_made_from_the_rows_beside_it():
    page = (ROOT / "docs" / "results.md").read_text(encoding="utf-8")
    results = gather(read_rows(ROOT / "docs" / "results.jsonl.gz"))
    assert page == markdown_page(make_report(results, figures=False)), f"run {COMMAND}"
