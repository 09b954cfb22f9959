"""Tables of honesty hold the numbers of their rows."""

import pytest

from tests.paper.report.synthetic import HONESTY_METHODS, honesty_rows
from unabases.paper.methods import GP, QUANTILES, UNA
from unabases.paper.report.detail_tables import all_detail_tables
from unabases.paper.report.honesty_tables import EXACT, HONESTY_TABLES
from unabases.paper.report.rows import gather


def table(name, rows=None):
    found = all_detail_tables(gather(honesty_rows() if rows is None else rows))
    return next(one for one in found if one.spec.name == name)


@pytest.mark.parametrize(("name", "cells"), [("gaps", 3), ("tails", 2), ("data", 5)])
def test_methods_come_by_their_mean_rank_in_each_region(name, cells):
    frame = table(f"honesty-{name}").frame
    assert frame["method"].tolist() == list(HONESTY_METHODS)
    assert frame["log_likelihood_rank"].tolist() == frame["crps_rank"].tolist() == [1, 2, 3, 4, 5]
    assert frame["cells"].tolist() == [cells] * 5
    assert frame["coverage_90"].tolist() == pytest.approx([0.9] + [0.8] * 4)
    assert frame["most_behind"].tolist() == pytest.approx([0, 0.1, 0.2, 0.3, 0.4])


def test_mean_and_median_over_cells():
    frame = table("honesty-gaps").frame  # two columns of boston at -2.5 and one of yacht at -0.5
    assert frame["log_likelihood_mean"][0] == pytest.approx(-5.5 / 3)
    assert frame["log_likelihood_median"][0] == pytest.approx(-2.5)
    shown = table("honesty-gaps").shown.set_index("method")
    assert shown.loc[UNA, "EURC, median"] == "2.00"
    assert shown.loc[QUANTILES, "EURC, median"] == ""
    assert "EURC, median" not in table("honesty-data").shown


def test_every_table_has_its_lines_with_the_published_figures():
    shown = table("honesty-sets").shown.set_index(["data set", "method"])
    assert shown.loc[("boston", GP), "log-likelihood in gaps: mean (median)"] == "-2.60 (-2.60)"
    assert shown.loc[("boston", GP), "published in gaps"] == "-2.51"
    assert shown.loc[("yacht", UNA), "inside in tails"] == "0.90"


def test_drawn_functions_stand_beside_the_exact_posterior():
    shown = table("honesty-drawn").shown.set_index(["family", "method"])
    assert shown.loc[("rbf", EXACT), "truth inside in the gap"] == "0.91"
    assert shown.loc[("rbf", EXACT), "log-likelihood outside"] == "-0.50"
    assert shown.loc[("rbf", GP), "std / exact in the gap: median (least)"] == "0.50 (0.50)"
    assert shown.loc[("rbf", QUANTILES), "truth inside in the gap"] == ""
    assert ("step", EXACT) not in shown.index


def test_targets_have_a_verdict_each():
    shown = table("honesty-targets").shown.set_index("target")["here"]
    assert len(shown) == 12
    assert set(shown) <= {"meets it", "misses it"}
    assert shown.iloc[-1] == "misses it"  # LUNA has a quarter of the exact std


def test_failed_fits_are_counted():
    rows = honesty_rows()
    rows[0] = rows[0]._replace(failed="DivergedError: NaN")
    frame = table("honesty-gaps", rows).frame.set_index("method")
    assert frame.loc[UNA, "failed"] == 1
    assert frame.loc[UNA, "cells"] == 2


def test_the_tables_of_a_half_appear_when_it_was_run():
    assert not {one.spec for one in all_detail_tables(gather([]))} & set(HONESTY_TABLES)
    names = {one.spec.name for one in all_detail_tables(gather(honesty_rows("honesty-locked")))}
    assert "honesty-locked-drawn" in names
    assert "honesty-drawn" not in names
