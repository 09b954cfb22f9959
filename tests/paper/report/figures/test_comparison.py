"""Figures of `unabases compare` and `unabases demo` have a panel for each method."""

import numpy as np
import pandas as pd

from unabases.datasets import cubic_gap
from unabases.paper import Comparison, DemoResult
from unabases.paper.fan import Fan
from unabases.paper.report.figures import comparison_figure, demo_figure, fan_figure
from unabases.predictive import Normal

GRID = np.linspace(-4, 4, 9)[:, None]
CURVE = Normal(GRID[:, 0] ** 3, np.full(9, 1.5), np.full(9, 3.0))


def test_a_comparison_says_the_spread_on_the_data_and_in_the_gap():
    rows = pd.DataFrame({"method": ["GP", "LUNA"], "seed": 0, "epistemic_data": 0.71, "epistemic_gap": 8.26})
    figure = comparison_figure(Comparison(rows, cubic_gap(), GRID, {"GP": CURVE, "LUNA": CURVE}))
    titles = [ax.get_title() for ax in figure.axes]
    assert titles == ["GP\n0.7 on the data, 8.3 in the gap", "LUNA\n0.7 on the data, 8.3 in the gap"]
    assert "no data for −2 < x < 2" in figure.get_suptitle()


def test_the_demo_has_its_panels_side_by_side_on_one_scale():
    scores = {"epistemic std, data": 0.7, "epistemic std, gap": 8.3}
    results = [DemoResult(name, CURVE, scores) for name in ("NLM (MAP)", "LUNA", "Gaussian process")]
    figure = demo_figure(cubic_gap(), GRID, results)
    assert len(figure.axes) == 3
    assert {ax.get_ylim() for ax in figure.axes} == {(-110.0, 110.0)}
    assert figure.axes[1].get_title() == "LUNA\n0.7 on the data, 8.3 in the gap"
    assert "mean epistemic std" in figure.get_suptitle()


def test_the_fan_shows_an_ordinary_model_functions_and_a_band_with_other_seeds_behind_it():
    functions = GRID[:, 0] ** 3 + np.arange(4.0)[:, None]
    figure = fan_figure(Fan(cubic_gap(), GRID, CURVE, functions, [CURVE, CURVE, CURVE]))
    left, middle, right = figure.axes
    assert {ax.get_ylim() for ax in figure.axes} == {(-110.0, 110.0)}
    assert [len(ax.lines) for ax in (left, middle, right)] == [3, 6, 7]  # truth, mean, data; functions; ends of bands
    np.testing.assert_allclose(middle.lines[3].get_ydata(), functions[3])
