"""The page of results holds what its rows say."""

from tests.docs.pages import ROOT
from unabases.paper.report.gathered import gather
from unabases.paper.report.markdown import COMMAND, markdown_page
from unabases.paper.rows_file import read_rows


def test_the_page_of_results_is_made_from_the_rows_beside_it():
    page = (ROOT / "docs" / "results.md").read_text(encoding="utf-8")
    assert page == markdown_page(gather(read_rows(ROOT / "docs" / "results.jsonl.gz"))), f"run {COMMAND}"
