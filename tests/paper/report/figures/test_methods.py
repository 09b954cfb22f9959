"""Figures that compare methods show the numbers of their rows."""

import pytest

from tests.paper.report.synthetic import consistency_rows, gap_rows, standard_rows
from unabases.paper.report.figures.methods import (
    calibration_curves,
    draw_all_calibration,
    draw_consistency,
    draw_cost,
)
from unabases.paper.report.figures.record import look


def test_calibration_is_the_mean_curve_inside_and_outside_the_gap():
    rows = gap_rows(methods=("GP", "LUNA"))
    curves = calibration_curves(rows)
    assert list(curves) == ["not gap", "gap"]
    assert curves["not gap"].observed == pytest.approx(curves["gap"].expected ** 1.2)
    assert curves["gap"].observed == pytest.approx(curves["gap"].expected ** 0.7)
    figure = draw_all_calibration(rows)
    assert [ax.get_title() for ax in figure.axes] == ["GP (18 fits)", "LUNA (18 fits)"]
    assert figure.axes[0].get_xlabel() == "stated: probability of an interval"
    assert [ax.get_legend() is not None for ax in figure.axes] == [True, False]  # one is enough


@pytest.mark.parametrize(("rows", "label"), [(standard_rows(), "test rows"), (gap_rows(n=1), "not gap")])
def test_calibration_speaks_of_a_gap_only_if_there_is_one(rows, label):
    figure = draw_all_calibration(rows)
    assert label in figure.axes[0].get_legend_handles_labels()[1]


def test_cost_is_ordered_with_the_slowest_on_top():
    (ax,) = draw_cost(gap_rows(methods=("GP", "LUNA", "NLM, MAP"))).axes
    assert [text.get_text() for text in ax.get_yticklabels()] == ["GP", "LUNA", "NLM, MAP"]
    assert ax.get_xscale() == "log"
    assert ax.lines[1].get_marker() == look("GP").marker


def test_consistency_has_a_mark_for_each_restart():
    (ax,) = draw_consistency(consistency_rows(n=7)).axes
    assert [len(line.get_xdata()) for line in ax.lines[:4]] == [7] * 4


def test_without_rows_nothing_is_drawn():
    assert draw_all_calibration([]) is draw_cost([]) is draw_consistency([]) is None
