"""Pictures of honesty show the numbers of their rows."""

import numpy as np
import pytest

from tests.paper.report.synthetic import honesty_rows
from unabases.paper.methods import GP, LUNA, NLM_MAP, QUANTILES, UNA
from unabases.paper.report.figures.honesty import draw_function, draw_methods


def test_the_exact_posterior_comes_first_and_then_the_regressors_with_their_ratios():
    figure = draw_function(honesty_rows())
    titles = [ax.get_title() for ax in figure.axes if ax.axison]
    assert [title.partition("\n")[0] for title in titles] == ["Exact posterior", UNA, LUNA, GP, NLM_MAP]
    assert titles[3].endswith("std / exact: 0.50 in the gap, 0.50 outside")


def test_the_function_with_most_methods_is_drawn():
    few = [row for row in honesty_rows() if row.method == UNA or "matern" in row.dataset]
    shift = {"truth": np.full(41, 7.0)}
    few = [row._replace(curves=row.curves | shift) if "matern" in row.dataset else row for row in few]
    lines = draw_function(few).axes[0].lines
    assert any(np.array_equal(line.get_ydata(), shift["truth"]) for line in lines)


def test_a_mark_for_each_method_and_region_the_best_on_top():
    figure = draw_methods(honesty_rows())
    left, right = figure.axes
    names = [label.get_text() for label in left.get_yticklabels()]
    assert names == [QUANTILES, NLM_MAP, LUNA, GP, UNA]
    marks = {line.get_label(): line.get_xdata() for line in left.lines if not line.get_label().startswith("_")}
    for words in ("on the data", "in gaps", "in tails"):
        assert marks[words] == pytest.approx([0.8] * 4 + [0.9])
    medians = [line.get_xdata()[0] for line in right.lines if len(line.get_xdata()) == 1]
    assert sorted(medians) == pytest.approx(sorted(2 * [0, 0.1, 0.2, 0.3, 0.4]))


def test_without_rows_nothing_is_drawn():
    assert draw_function([]) is draw_methods([]) is None
    assert draw_function([row for row in honesty_rows() if "step" in row.dataset]) is None
