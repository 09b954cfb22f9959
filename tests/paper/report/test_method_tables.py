"""Tables of methods hold the means, spreads, counts and gaps of their rows."""

import numpy as np
import pytest

from tests.paper.report.synthetic import PAPER_METHODS, gap_rows, standard_rows
from unabases.paper.methods import LUNA, LUNA_PAPER
from unabases.paper.report.method_tables import METHOD_TABLES, all_method_tables, make_method_table, verdict_counts
from unabases.paper.report.rows import gather

SPECS = {spec.name: spec for spec in METHOD_TABLES}


def test_cells_have_the_mean_and_std_of_their_rows():
    table = make_method_table(SPECS["table-2"], gather(gap_rows()))
    luna = PAPER_METHODS.index(LUNA_PAPER)
    cell = table.cell(LUNA_PAPER, ("boston-rm", "gap"))
    assert cell.ours == (pytest.approx(4 + 0.1 * luna), pytest.approx(0.4), 3, 0)
    assert (cell.paper.mean, cell.paper.std) == (3.17, 0.38)
    assert cell.verdict.word == "worse"
    assert table.cell(LUNA_PAPER, ("boston-rm", "not gap")).verdict.word == "agrees"
    assert "profile quick" in table.about
    assert "3 per cell" in table.about


def test_a_method_that_the_paper_does_not_have_comes_last_without_a_verdict():
    table = make_method_table(SPECS["table-1"], gather(gap_rows()))
    assert table.methods == (*PAPER_METHODS, LUNA)
    cell = table.cell(LUNA, ("boston-rm", ""))
    assert (cell.paper, cell.verdict) == (None, None)
    assert table.paper_text(cell) == ""


def test_a_table_says_when_methods_have_other_splits():
    rows = gap_rows()
    assert "fewer splits" not in make_method_table(SPECS["table-2"], gather(rows)).about
    fewer = [r for r in rows if r.method != "GP" or r.split]
    assert "2 to 3 per cell; methods with fewer runs" in make_method_table(SPECS["table-2"], gather(fewer)).about


def test_cells_without_rows_are_named():
    rows = [r for r in gap_rows() if r.method != "SNGP" and (r.method, r.dataset) != (LUNA_PAPER, "boston-rm")]
    table = make_method_table(SPECS["table-2"], gather(rows))
    assert table.missing() == ["SNGP", "LUNA (paper) on boston-rm"]
    assert table.cell("SNGP", ("boston-rm", "gap")).ours.text() == "not run"
    assert table.cell("SNGP", ("boston-rm", "gap")).verdict is None


def test_failed_fits_are_counted_and_do_not_enter_the_mean():
    rows = [r._replace(failed="DivergedError: NaN", scores={}) if r.split == 1 else r for r in gap_rows()]
    table = make_method_table(SPECS["table-1"], gather(rows))
    cell = table.cell(LUNA_PAPER, ("yacht-froude", ""))
    assert (cell.ours.n, cell.ours.failed) == (2, 1)
    assert cell.ours.text().endswith("(1 failed)")
    everything = [r._replace(failed="DivergedError: NaN", scores={}) for r in gap_rows()]
    table = make_method_table(SPECS["table-1"], gather(everything))
    assert table.cell(LUNA_PAPER, ("yacht-froude", "")).ours.text() == "failed (3)"


def test_counts_of_verdicts_add_up_to_the_papers_cells():
    none = verdict_counts(all_method_tables(gather([])))
    assert none == {"not run": 468}  # 522 cells, 54 of them N/A
    some = verdict_counts(all_method_tables(gather([*gap_rows(), *standard_rows()])))
    assert sum(some.values()) == 468
    assert some["not run"] == 36  # Bayesian optimisation


def test_the_papers_numbers_have_the_digits_that_it_prints():
    table = make_method_table(SPECS["table-4"], gather([]))
    assert table.paper_text(table.cell(LUNA, ("branin", ""))) == "0.01 ± 0.00"
    assert table.cell(LUNA, ("branin", "")).ours.text() == "not run"


def test_the_frame_of_a_table_has_numbers_and_reasons():
    frame = make_method_table(SPECS["table-3"], gather(gap_rows())).frame().set_index(["method", "dataset", "region"])
    line = frame.loc[("Vanilla ensemble", "boston-rm", "gap")]
    assert line["verdict"] == "not comparable"
    assert line["why"] == "the paper gives none"
    assert line["n"] == 3
    assert np.isnan(line["paper_mean"])


def test_every_table_says_which_luna_the_papers_is_compared_with():
    tables = {table.spec.name: table for table in all_method_tables(gather([]))}
    assert "carries the paper's claims" in tables["table-1"].which_luna()
    assert "stands beside the paper's LUNA" in tables["table-4"].which_luna()
    for method in (LUNA, LUNA_PAPER):  # of searched models both stand beside it
        assert tables["search-eurc"].cell(method, ("boston-rm", "")).paper.mean == pytest.approx(-0.1109)
    assert LUNA_PAPER not in tables["table-4"].methods


def test_cells_that_are_not_comparable_share_numbered_notes():
    texts, notes = make_method_table(SPECS["table-3"], gather(gap_rows())).texts()
    assert notes[0] == "the paper gives none"
    assert [cell.note for cell in texts["Vanilla ensemble"]] == [1] * 12
    cell = texts[LUNA_PAPER][6]  # boston-rm, not gap
    assert (cell.paper, cell.note) == ("-2.56 ± 0.15", None)
    assert cell.sign in "=▲▼"
    assert texts[LUNA][6].verdict == texts[LUNA][6].sign == ""
