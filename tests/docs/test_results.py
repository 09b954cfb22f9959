"""Pages of results hold what their rows say."""

import pytest

from tests.docs.pages import ROOT
from unabases.paper.report.contents import make_report
from unabases.paper.report.markdown import COMMAND, markdown_page
from unabases.paper.report.rows import gather
from unabases.paper.rows_file import read_rows


def test_the_page_of_results_is_made_from_the_rows_beside_it():
    page = (ROOT / "docs" / "results.md").read_text(encoding="utf-8")
    results = gather(read_rows(ROOT / "docs" / "results.jsonl.gz"))
    assert page == markdown_page(make_report(results, figures=False)), f"run {COMMAND}"


@pytest.fixture(scope="module")
def locked():
    """The report of the runs of locked halves, line by line."""
    results = gather(read_rows(ROOT / "docs" / "locked.jsonl.gz"), profile="quick")
    return set(markdown_page(make_report(results, figures=False)).splitlines())


@pytest.mark.parametrize(("page", "targets"), [("accuracy.md", 7), ("honesty.md", 12)])
def test_what_a_page_says_of_its_targets_is_what_the_locked_rows_say(page, targets, locked):
    lines = (ROOT / "docs" / page).read_text(encoding="utf-8").splitlines()
    told = [line for line in lines if "| meets it |" in line or "| misses it |" in line]
    assert len(told) == targets
    assert set(told) <= locked


def test_the_table_of_methods_on_the_locked_half_is_what_its_rows_say(locked):
    lines = (ROOT / "docs" / "accuracy.md").read_text(encoding="utf-8").splitlines()
    told = {row for row in map(cells_of, lines) if len(row) == 10 and row[1].isdigit()}
    assert len(told) == 12
    assert told <= set(map(cells_of, locked))


def cells_of(line):
    """The cells of a line of a Markdown table."""
    return tuple(cell.strip() for cell in line.split("|")[1:-1])
