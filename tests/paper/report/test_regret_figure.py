"""Pictures of searches show medians over seeds, a column a problem."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from tests.paper.report.synthetic import bayesopt_rows, row
from unabases.paper.bayesopt import METHODS
from unabases.paper.report.look import LOOKS, look
from unabases.paper.report.regret_figure import courses, draw_regret, draw_searches, draw_time, problems

CURVES = [[3.0, 2.0, 1.0], [5.0, 1.0, 0.5], [4.0, 4.0, 0.0]]
ROWS = [
    row("bayesopt", "branin", "LUNA", seed=i, curves={"regret": curve, "seconds": [0.0, 0.2, 0.1 * (i + 1)]})
    for i, curve in enumerate(CURVES)
]


def test_regret_is_the_median_over_seeds():
    ax = draw_regret(Figure().subplots(), ROWS)
    np.testing.assert_allclose(ax.lines[0].get_ydata(), [4.0, 2.0, 0.5])
    assert ax.get_yscale() == "log"
    (course,) = courses(ROWS, "regret")
    np.testing.assert_allclose(course.low, [3.5, 1.5, 0.25])
    np.testing.assert_allclose(course.high, [4.5, 3.0, 0.75])
    with pytest.raises(ValueError, match="one problem at a time: these rows are of branin and hartmann6"):
        draw_regret(Figure().subplots(), [*ROWS, ROWS[0]._replace(dataset="hartmann6")])


def test_a_regret_of_nothing_has_a_place_on_the_axis():
    ax = draw_regret(Figure().subplots(), ROWS[2:])
    assert ax.lines[0].get_ydata()[-1] == 1e-6


def test_time_is_the_median_over_seeds_and_none_is_not_drawn():
    ax = draw_time(Figure().subplots(), ROWS)
    np.testing.assert_allclose(ax.lines[0].get_ydata(), [np.nan, 0.2, 0.2])
    assert ax.get_ylabel() == "seconds per evaluation"


def test_there_is_a_column_a_problem_in_the_papers_order_and_one_legend():
    rows = bayesopt_rows()
    figure = draw_searches(Figure(layout="constrained"), [*reversed(rows), rows[0]._replace(failed="no", curves={})])
    titles = [ax.get_title() for ax in figure.axes]
    assert titles == ["branin\n10 searches a method", "svm\n3 searches a method", "", ""]
    names = [text.get_text() for text in figure.legends[0].get_texts()]
    assert names == ["NLM, MAP", "LUNA", "Random search", "the paper's LUNA, at the end"]
    assert figure.axes[0].lines[-1].get_ydata()[0] == 0.01  # printed for Branin
    assert list(problems(rows)) == ["branin", "svm"]


def test_every_method_has_a_look_of_its_own():
    assert set(METHODS) <= set(LOOKS)
    assert len({look(method).marker for method in METHODS}) == len({look(m).colour for m in METHODS}) == len(METHODS)
