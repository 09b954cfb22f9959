"""Gap pictures show the prediction, its two bands and the training data."""

import numpy as np
from matplotlib.figure import Figure

from unabases.plotting import GapData, draw_functions, draw_gap, draw_gap_grid, gap_panel
from unabases.predictive import Normal

X = np.linspace(-3, 3, 7)[:, None]
DATA = GapData(X, X[:, 0], (-1.0, 1.0), truth=X[:, 0])
PANEL = gap_panel("GP", X, Normal(X[:, 0], np.full(7, 0.3), np.full(7, 0.4)), "a note")


def ends(band):
    """Lower and upper end of a band at the first input."""
    points = band.get_paths()[0].vertices
    at = points[points[:, 0] == X[0, 0], 1]
    return at.min(), at.max()


def test_bands_are_two_standard_deviations_either_way():
    np.testing.assert_allclose(PANEL.std, 0.5)
    ax = draw_gap(Figure().subplots(), PANEL, DATA)
    total, epistemic = ax.collections
    np.testing.assert_allclose(ends(total), (-4, -2))
    np.testing.assert_allclose(ends(epistemic), (-3.6, -2.4))


def test_mean_truth_data_and_gap_are_named():
    ax = draw_gap(Figure().subplots(), PANEL, DATA)
    names = set(ax.get_legend_handles_labels()[1])
    assert names == {"no data", "total ± 2 std", "epistemic ± 2 std", "truth", "mean", "training data"}
    assert ax.get_title() == "GP\na note"
    without = draw_gap(Figure().subplots(), PANEL, DATA._replace(truth=None))
    assert "truth" not in without.get_legend_handles_labels()[1]


def test_functions_are_drawn_one_by_one_and_named_once():
    ax = draw_functions(Figure().subplots(), X, np.stack([X[:, 0], -X[:, 0]]), DATA)
    np.testing.assert_array_equal(ax.lines[1].get_ydata(), -X[:, 0])
    assert set(ax.get_legend_handles_labels()[1]) == {"no data", "functions held possible", "truth", "training data"}


def test_a_grid_has_one_scale_and_its_legend_in_a_free_place():
    figure = draw_gap_grid(Figure(), [PANEL] * 3, DATA, columns=2, limits=(-9.0, 9.0))
    assert [ax.axison for ax in figure.axes] == [True, True, True, False]
    assert {ax.get_ylim() for ax in figure.axes} == {(-9, 9)}
    assert [ax.get_legend() is not None for ax in figure.axes] == [False, False, False, True]
    assert [ax.get_xlabel() for ax in figure.axes[:3]] == ["", "x", "x"]


def test_a_full_grid_has_its_legend_below():
    figure = draw_gap_grid(Figure(layout="constrained"), [PANEL] * 2, DATA)
    assert [ax.get_legend() is not None for ax in figure.axes] == [False, False]
    (legend,) = figure.legends
    assert "mean" in [text.get_text() for text in legend.get_texts()]
