"""Calibration pictures show the curve beside the diagonal and what chance allows."""

import numpy as np
from matplotlib.figure import Figure

from unabases.metrics import CalibrationCurve
from unabases.plotting import Look, draw_calibration

CURVE = CalibrationCurve(np.array([0.05, 0.25, 0.5, 0.75, 0.95]), np.array([0.07, 0.2, 0.5, 0.9, 0.94]))


def test_the_curve_runs_from_corner_to_corner_beside_the_diagonal():
    ax = draw_calibration(Figure().subplots(), CURVE)
    diagonal, curve = ax.lines
    np.testing.assert_array_equal(diagonal.get_xdata(), diagonal.get_ydata())
    np.testing.assert_allclose(curve.get_xdata(), [0, 0.5, 0.9, 1])
    np.testing.assert_allclose(curve.get_ydata(), [0, 0.7, 0.87, 1])
    assert ax.get_xlabel() == "stated: probability of an interval"
    assert ax.get_ylabel() == "observed: share of outcomes inside"
    assert ax.get_aspect() == 1


def test_the_band_of_chance_is_that_of_a_binomial_share():
    ax = draw_calibration(Figure().subplots(), CURVE, n_rows=100)
    points = ax.collections[0].get_paths()[0].vertices
    np.testing.assert_allclose(points[:, 1].max() - 0, 1.0, atol=0.05)
    middle = points[np.isclose(points[:, 0], 0.5), 1]
    np.testing.assert_allclose([middle.min(), middle.max()], [0.5 - 1.645 * 0.05, 0.5 + 1.645 * 0.05])


def test_further_curves_are_hollow_and_dashed():
    named = {"not gap": CURVE, "gap": CURVE}
    ax = draw_calibration(Figure().subplots(), named, look=Look("#ff0000", "s"))
    _, first, second = ax.lines
    assert [first.get_linestyle(), second.get_linestyle()] == ["-", "--"]
    assert second.get_markerfacecolor() == "white"
    assert first.get_color() == second.get_color() == "#ff0000"
    assert ax.get_legend_handles_labels()[1] == ["exact", "not gap", "gap"]


def test_a_single_curve_says_at_90_per_cent_what_coverage_says():
    texts = [text.get_text() for text in draw_calibration(Figure().subplots(), CURVE).texts]
    assert "90 % stated,\n87 % observed" in texts
    texts = [text.get_text() for text in draw_calibration(Figure().subplots(), {"a": CURVE, "b": CURVE}).texts]
    assert not any("stated" in text for text in texts)
