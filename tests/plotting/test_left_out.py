"""The picture of what was left out."""

import numpy as np
import pytest
from matplotlib.figure import Figure
from numpy.testing import assert_allclose

from unabases import GapCalibrated, GaussianProcess
from unabases.plotting import draw_left_out, left_out_panel

RNG = np.random.default_rng(0)
X = RNG.uniform(-1, 1, (40, 2))
Y = np.column_stack([np.sin(3 * X[:, 0]), X[:, 1] ** 2]) + 0.1 * RNG.standard_normal((40, 2))
MODEL = GapCalibrated(GaussianProcess(restarts=0), n_slabs=6, random_state=0).fit(X, Y)


@pytest.mark.parametrize("output", [0, 1])
def test_each_curve_is_zero_at_the_factor_its_slab_would_choose_alone(output):
    panel = left_out_panel(MODEL, output)
    own = MODEL.left_out_.query(f"output == {output}")["own_factor"]
    assert len(panel.losses) == len(own) == 6  # slabs along random directions have names of their own too
    for curve, factor in zip(panel.losses.values(), own, strict=True):
        assert_allclose(curve[np.isclose(panel.factors, factor)], 0, atol=1e-12)
        assert curve.max() == 0
    assert panel.chosen == MODEL.epistemic_factor_[output]


def test_the_choice_is_marked():
    ax = draw_left_out(Figure().subplots(), MODEL, output=1)
    line = next(line for line in ax.lines if str(line.get_label()).startswith("chosen"))
    assert_allclose(line.get_xdata(), MODEL.epistemic_factor_[1])
    assert ax.get_xscale() == "log"
    assert len(ax.get_legend().get_texts()) == 7


def test_nothing_left_out_is_an_empty_picture_with_a_factor_of_one():
    few = GapCalibrated(GaussianProcess(restarts=0)).fit(X[:10], Y[:10, 0])
    ax = draw_left_out(Figure().subplots(), few)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["chosen: 1"]


def test_an_output_that_is_not_there():
    with pytest.raises(ValueError, match="from 0 to 1, got 2"):
        draw_left_out(Figure().subplots(), MODEL, output=2)
