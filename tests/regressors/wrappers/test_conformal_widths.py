"""Widths by ranks of distances, against counting by hand."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from unabases.predictive import Normal
from unabases.regressors.wrappers.conformal_widths import Witness, choose_widths, conformal_quantile, rows_needed

LEVELS = np.array([0.5, 0.9])


def witness(y, weight=None, std=1.0):
    y = np.asarray(y, dtype=float)
    return Witness(Normal(np.zeros_like(y), np.zeros_like(y), std), y, weight)


def test_ranks_are_counted_from_one_more_than_there_are():
    scores = np.random.default_rng(0).permutation(np.arange(1.0, 20.0))  # 19 of them: ranks are multiples of 1/20
    for level, rank in [(0.05, 1), (0.5, 10), (0.51, 11), (0.9, 18), (0.95, 19)]:
        assert conformal_quantile(scores, level) == rank
    assert conformal_quantile(scores, 0.951) == np.inf
    assert conformal_quantile(scores[:0], 0.5) == np.inf


@pytest.mark.parametrize(("level", "share"), [(0.5, 0.5), (0.9, 0.9), (0.87, 0.9)])
def test_a_new_score_exceeds_it_as_rarely_as_promised(level, share):
    """The share below the score of rank k among m uniform ones is k / (m + 1) on average."""
    drawn = np.random.default_rng(3).uniform(size=(2000, 9))
    below = [conformal_quantile(scores, level) for scores in drawn]
    assert abs(np.mean(below) - share) < 4 * np.std(below) / np.sqrt(2000)


@pytest.mark.parametrize("level", [0.3, 0.5, 0.8, 0.9])
def test_whole_weights_are_repeated_scores(level):
    rng = np.random.default_rng(1)
    scores, weight = rng.exponential(size=12), rng.integers(1, 4, 12)
    assert conformal_quantile(scores, level, weight.astype(float)) == conformal_quantile(
        np.repeat(scores, weight), level
    )


@pytest.mark.parametrize("level", [0.5, 0.8, 0.9, 0.95, 0.99, 0.123])
def test_the_rows_needed_are_enough_and_one_fewer_is_not(level):
    m = rows_needed(level)
    assert np.isfinite(conformal_quantile(np.arange(1.0, m + 1), level))
    assert m == 1 or conformal_quantile(np.arange(1.0, m), level) == np.inf


def test_distances_of_all_witnesses_are_ranked_together():
    y = np.arange(1.0, 20.0)
    found = choose_widths([witness(y[::2], std=2.0), witness(-y[1::2] / 2)], LEVELS, witness(y).prediction)
    assert_allclose(found.after, [[5.0], [9.0]])  # all distances are half of y
    assert_allclose(found.before, [[0.6744897501960817], [1.6448536269514722]])
    assert_allclose(found.covered, [[1 / 19], [3 / 19]])
    assert found.noise[0] > 20  # of a variance that is some thirty times as large


def test_outputs_are_ranked_apart():
    y = np.random.default_rng(2).normal(size=(30, 2)) * [1.0, 5.0]
    both = choose_widths([witness(y)], LEVELS, witness(y).prediction)
    for j in range(2):
        one = choose_widths([witness(y[:, j])], LEVELS, witness(y[:, j]).prediction)
        assert_array_equal(both.after[:, [j]], one.after)
        assert_array_equal(both.covered[:, [j]], one.covered)
        assert_allclose(both.noise[j], one.noise[0])


def test_levels_that_lack_rows_are_left_out():
    found = choose_widths([witness([1.0, 2.0, 3.0])], LEVELS, witness([0.0]).prediction)
    assert_array_equal(found.levels, [0.5])
    assert_array_equal(found.after, [[2.0]])
    assert len(choose_widths([], LEVELS, witness([0.0]).prediction).levels) == 0


def test_equal_distances_leave_the_intervals_rising_and_none_comes_nearer():
    found = choose_widths([witness(np.ones(30)), witness(np.zeros(5))], LEVELS, witness([0.0]).prediction)
    assert np.all(found.after >= 1.0)
    assert np.diff(found.after[:, 0])[0] > 0
    assert_allclose(found.after, 1.0, atol=2e-3)
