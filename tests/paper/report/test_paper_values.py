"""The transcription holds what the paper prints; the cells below were typed by hand from its pages."""

import math

import pytest

from unabases.datasets import GAP_SETS
from unabases.paper.methods import LUNA_PAPER, METHODS
from unabases.paper.report.paper_values import paper_table, paper_tables, paper_value, why_not_comparable

TYPED = [
    (1, LUNA_PAPER, "concrete-super", "", 4.1602, 1.9769),
    (1, "MC dropout", "yacht-froude", "", -0.5243, 0.1017),
    (1, "Vanilla ensemble", "boston-ptratio", "", 0.3983, 0.1637),
    (2, "Vanilla ensemble", "concrete-cement", "gap", 6.10, 0.18),
    (2, LUNA_PAPER, "boston-lstat", "not gap", 3.57, 1.44),
    (2, "Mean-field VI", "boston-ptratio", "gap", 30.52, 2.84),
    (3, "SNGP", "yacht-froude", "gap", -8.14, 13.55),
    (3, "GP", "concrete-super", "not gap", -3.19, 0.19),
    (4, "Anchored ensemble", "hartmann6", "", 0.23, 0.21),
    (4, LUNA_PAPER, "logistic", "", 7.64, 0.06),
    (5, "NLM, MAP", "kin8nm", "", 1.03, 0.03),
    (5, LUNA_PAPER, "concrete", "", -5.33, 0.00),
    (6, "GP", "concrete", "", 11.94, 0.40),
    (6, "Bootstrap ensemble", "wine_red", "", 0.57, 0.06),
    (7, LUNA_PAPER, "boston-lstat", "gap", 2.30, 0.22),
    (7, "MC dropout", "yacht-froude", "not gap", 1.61, 0.23),
]


@pytest.mark.parametrize(("table", "method", "dataset", "region", "mean", "std"), TYPED)
def test_cells_are_as_printed(table, method, dataset, region, mean, std):
    cell = paper_value(table, method, dataset, region)
    assert (cell.mean, cell.std) == pytest.approx((mean, std), abs=1e-12)


def test_every_table_has_nine_methods_and_all_its_cells():
    shapes = {number: (len(table.methods), len(table.datasets), len(table.regions)) for number, table in _tables()}
    assert shapes == {1: (9, 6, 1), 2: (9, 6, 2), 3: (9, 6, 2), 4: (9, 4, 1), 5: (9, 6, 1), 6: (9, 6, 1), 7: (9, 6, 2)}
    for _, table in _tables():
        assert len(table.cells) == math.prod(map(len, (table.methods, table.datasets, table.regions)))


def _tables():
    return paper_tables().items()


def test_only_log_likelihoods_of_ensembles_are_not_given():
    missing = {(c.table, c.method) for _, table in _tables() for c in table.cells.values() if c.mean is None}
    ensembles = ("Bootstrap ensemble", "Vanilla ensemble", "Anchored ensemble")
    assert missing == {(table, method) for table in (3, 5) for method in ensembles}


def test_names_are_those_of_our_methods_and_gap_sets():
    assert set(paper_table(1).methods) == {method.label for method in METHODS.values() if method.printed}
    assert {label for _, table in _tables() for label in table.methods} <= set(METHODS)
    for number in (1, 2, 3, 7):
        assert set(paper_table(number).datasets) == set(GAP_SETS)


def test_eurc_is_the_change_between_the_epistemic_stds_but_for_the_cell_that_is_named():
    outside = []
    for (method, dataset, _), cell in paper_table(1).cells.items():
        gap, rest = (paper_value(7, method, dataset, region).mean for region in ("gap", "not gap"))
        if abs(gap / rest - 1 - cell.mean) > max(0.05, cell.std):
            outside.append((method, dataset))
    assert outside == [("Bootstrap ensemble", "yacht-froude")]
    why = why_not_comparable(paper_value(1, "Bootstrap ensemble", "yacht-froude"))
    assert "-21 %" in why
    assert why_not_comparable(paper_value(1, "Bootstrap ensemble", "boston-rm")) == ""


def test_noise_was_too_large_on_four_standard_sets():
    barred = {c.dataset for c in paper_table(5).cells.values() if "noise variance" in why_not_comparable(c)}
    assert barred == {"boston", "concrete", "yacht", "energy"}
    assert why_not_comparable(paper_value(5, LUNA_PAPER, "kin8nm")) == ""
    assert why_not_comparable(paper_value(6, LUNA_PAPER, "boston")) == ""


@pytest.mark.parametrize("table", [1, 2, 3, 7])
def test_three_fits_of_the_papers_failed(table):
    cells = paper_table(table).cells.values()
    failed = {(c.method, c.dataset) for c in cells if "fit failed" in why_not_comparable(c)}
    assert failed == {("Mean-field VI", name) for name in ("yacht-froude", "concrete-super", "boston-ptratio")}


def test_an_unknown_table_names_the_known():
    with pytest.raises(ValueError, match="1, 2, 3, 4, 5, 6, 7"):
        paper_table(8)
