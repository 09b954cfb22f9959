"""The Markdown page has every table, and cells that cannot break it."""

import re

import pandas as pd

from tests.paper.report.synthetic import all_rows, gap_rows, row
from unabases.paper.report.contents import make_report
from unabases.paper.report.detail_tables import DETAIL_TABLES
from unabases.paper.report.markdown import as_markdown, markdown_page
from unabases.paper.report.method_tables import METHOD_TABLES
from unabases.paper.report.rows import gather


def page_of(rows):
    return markdown_page(make_report(gather(rows), figures=False))


def test_the_page_has_tables_of_even_width():
    text = page_of(all_rows(n_restarts=2))
    assert text.count("\n### ") == len(METHOD_TABLES) + len(DETAIL_TABLES)
    tables = re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE)
    assert len(tables) > len(METHOD_TABLES) + len(DETAIL_TABLES)
    for table in tables:
        bars = [len(re.findall(r"(?<!\\)\|", line)) for line in table.splitlines()]
        assert len(set(bars)) == 1


def test_a_cell_has_our_number_the_papers_and_the_verdict():
    text = page_of(gap_rows())
    assert "| +50.0 ± 10.0 %<br>paper +59.2 ± 36.9 %<br>= agrees |" in text
    assert "paper N/A<br>– not comparable (1) |" in text
    assert "1. the paper gives none" in text


def test_rules_numbers_and_reasons_of_a_claim_are_listed_below_the_table():
    rows = [one._replace(scores=one.scores | {"eurc": -1.0}) for one in gap_rows()]
    text = page_of(rows)
    assert "| **LUNA on the gap sets.** LUNA is more uncertain in the gap on 5 of 6 data sets. | ✓ holds | ✗" in text
    own = text.partition("- **LUNA on the gap sets**: ✗ does not hold\n")[2].partition("\n- **")[0]
    for words in (
        "    - *Rule*: Mean EURC",
        "    - *Here*: 0 of 6",
        "    - *What differs*: ",
        "    - *Printed*: 5 of 6",
    ):
        assert words in own


def test_an_empty_store_says_what_to_run():
    assert "not run yet" in page_of([]).lower()


def test_bars_in_cells_are_escaped_and_lines_broken():
    assert r"\| bars" in page_of([row(method="with | bars", scores={"eurc": 0.5})])
    assert as_markdown(pd.DataFrame({"a|b": ["x\ny"]})) == "| a\\|b |\n| --- |\n| x<br>y |\n"
