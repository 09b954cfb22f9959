"""Scores by cell, and what is made of them."""

import math

import pytest

from tests.paper.report.synthetic import honesty_rows, row
from unabases.paper.methods import GP, LUNA, UNA
from unabases.paper.report.honesty_cells import (
    behind_best,
    cell_ranks,
    cell_scores,
    family_of,
    on_drawn,
    on_tables,
    over_tables,
    table_scores,
)


def cell(dataset, method, **scores):
    return row("honesty", dataset, method, 0, scores=scores)


ROWS = [
    *(cell(f"boston-gap-{i}", method, crps_gap=value) for i in (0, 2, 4) for method, value in ((UNA, 1.0), (GP, 2.0))),
    *(cell("yacht-gap-4", method, crps_gap=value) for method, value in ((UNA, 5.0), (GP, 3.0), (LUNA, 4.0))),
]


def test_tables_and_drawn_functions_are_told_apart():
    rows = honesty_rows()
    assert len(on_tables(rows)) + len(on_drawn(rows)) == len(rows)
    assert {family_of(one) for one in on_drawn(rows)} == {"rbf", "matern", "step"}
    assert family_of(cell("drawn-rbf-10-long-quiet", GP)) == "rbf"


def test_a_table_with_many_columns_counts_no_more_than_one_with_few():
    scores = cell_scores(ROWS, "crps_gap")
    assert table_scores(scores[UNA]) == {"boston": 1, "yacht": 5}
    assert over_tables(scores[UNA]) == 3
    assert math.isnan(over_tables({}))
    assert cell_ranks(ROWS, "crps_gap") == {UNA: (1 + 3) / 2, GP: (2 + 1) / 2, LUNA: 2}


def test_more_is_better_for_a_likelihood_and_no_number_comes_last():
    rows = [cell("yacht-tail-4", m, log_likelihood_tail=v) for m, v in ((UNA, -1.0), (GP, math.nan), (LUNA, -9.0))]
    assert cell_ranks(rows, "log_likelihood_tail") == {UNA: 1, LUNA: 2, GP: 3}


def test_how_far_each_is_behind_the_best_of_its_cell():
    rows = [cell(f"yacht-gap-{i}", m, s=v) for i, m, v in ((3, UNA, 1.0), (3, GP, -1.0), (5, UNA, 2.0), (5, GP, 2.5))]
    found = behind_best(rows, "s")
    assert list(found[UNA].values()) == pytest.approx([0.0, 0.5])
    assert list(found[GP].values()) == pytest.approx([2.0, 0.0])


def test_a_failed_row_has_no_scores():
    rows = [cell("yacht-gap-4", UNA, s=1.0)._replace(failed="DivergedError: NaN")]
    assert cell_scores(rows, "s") == {UNA: {}}
