"""The picture of a table model shows the rows that it held out."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

from unabases import GaussianProcess
from unabases.plotting import draw_predictions, figure_bytes, fit_figure
from unabases.tables import TableModel


def test_predictions_stand_over_what_was_observed_with_90_percent_intervals():
    y = np.arange(5.0)
    ax = draw_predictions(Figure().subplots(), y, y + 1, np.ones(5), "price", max_rows=3)
    means = next(line for line in ax.lines if line.get_label() == "mean")
    np.testing.assert_array_equal(means.get_xdata(), [0, 1, 2])
    np.testing.assert_array_equal(means.get_ydata(), [1, 2, 3])
    (bars,) = ax.collections
    first = bars.get_segments()[0]
    np.testing.assert_allclose(first[:, 1], [1 - 1.645, 1 + 1.645])
    assert ax.get_ylabel() == "price, predicted"


def test_a_fit_has_calibration_on_the_left_and_predictions_on_the_right():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"a": rng.standard_normal(60), "b": rng.standard_normal(60)})
    frame["price"] = frame["a"] + 0.1 * rng.standard_normal(60)
    model = TableModel.fit(frame, "price", regressor=GaussianProcess(restarts=0), random_state=0)
    figure = fit_figure(model)
    left, right = figure.axes
    curve = next(line for line in left.lines if line.get_label() == "model")
    assert curve.get_xdata()[-2] == 0.9
    assert curve.get_ydata()[-2] == pytest.approx(model.held_out.scores["interval_coverage"])  # what the terminal says
    assert right.get_xlabel() == "price, observed"
    assert figure.get_suptitle() == "GaussianProcess: 12 rows held out"


def test_a_target_that_looks_like_a_formula_is_drawn_as_it_is():
    figure, y = Figure(), np.arange(3.0)
    ax = draw_predictions(figure.subplots(), y, y, np.ones(3), r"$\frac{$")
    figure_bytes(figure)
    assert ax.get_xlabel() == r"\$\frac{\$, observed"
