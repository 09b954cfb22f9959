"""Each shape has what its name says."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from unabases.datasets.shapes import SHAPES, draw_function

GRID = np.linspace(-1, 1, 2001)[:, None]


def draw(shape, d=1, seed=0):
    return draw_function(shape, d, np.random.default_rng(seed))


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("d", [2, 5])
def test_mean_is_0_and_std_1_over_the_box(shape, d):
    f = draw(shape, d)(np.random.default_rng(1).uniform(-1, 1, (20_000, d)))
    assert f.shape == (20_000,)
    assert abs(f.mean()) < 0.15
    assert abs(f.std() - 1) < 0.15


@pytest.mark.parametrize("shape", SHAPES)
def test_a_seed_is_a_function(shape):
    X = np.random.default_rng(1).uniform(-2, 2, (50, 3))
    assert_allclose(draw(shape, 3)(X), draw(shape, 3)(X))
    assert not np.allclose(draw(shape, 3)(X), draw(shape, 3, seed=1)(X))


def bends(f):
    """Number of grid points at which the slope changes."""
    return int(np.sum(np.abs(np.diff(f, 2)) > 1e-9))


def test_lines_do_not_bend_and_pieces_bend_at_their_knots():
    assert bends(draw("linear")(GRID)) == 0
    assert 1 <= bends(draw("piecewise-linear")(GRID)) <= 2 * 4


def test_a_step_has_levels_and_nothing_in_between():
    assert len(np.unique(draw("step")(GRID).round(9))) == 4


def test_a_wave_repeats_and_a_chirp_gets_faster():
    wave = draw("periodic")
    periods = 2 * np.pi / np.linspace(4, 8, 2001)
    assert min(np.abs(wave(GRID[::20] + period) - wave(GRID[::20])).max() for period in periods) < 0.05
    turns = np.flatnonzero(np.diff(np.sign(np.diff(draw("chirp")(GRID)))))
    assert np.all(np.diff(np.diff(turns)) < 0)


def test_shapes_but_the_interaction_are_sums_over_inputs():
    """A mixed difference is 0 for a sum over inputs."""
    corners = np.array([[0.1, 0.2], [0.1, 0.9], [0.8, 0.2], [0.8, 0.9]])
    for shape in SHAPES:
        a, b, c, d = draw(shape, 2)(corners)
        assert (abs(a - b - c + d) < 1e-9) == (shape != "interaction")


def test_unknown_shapes_and_too_few_inputs_are_refused():
    with pytest.raises(ValueError, match="unknown shape 'circle'; choose one of linear, piecewise-linear"):
        draw("circle")
    with pytest.raises(ValueError, match="an interaction needs at least 2 inputs, got `d` = 1"):
        draw("interaction")
