"""Whether a curve for the targets is found where one is needed, and not elsewhere."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from unabases.regressors.committee.target_curve import choose_target
from unabases.regressors.shared.weights import WeightedRows

N = 150


@pytest.fixture
def rows():
    rng = np.random.default_rng(0)
    Z = rng.standard_normal((N, 2))
    return Z, (np.sin(2 * Z[:, 0]) + Z[:, 1] + 0.3 * rng.standard_normal(N))[:, None]


def choose(Z, y, target="auto"):
    return choose_target(WeightedRows(Z, y, None), target).curve


def test_even_noise_needs_no_curve(rows):
    Z, y = rows
    assert choose(Z, y) is None
    assert choose(Z, 1e6 + 1e3 * y) is None


def test_noise_in_proportion_asks_for_a_logarithm(rows):
    Z, y = rows
    prices = 20 * np.exp(2 * y)
    curve = choose(Z, prices)
    assert_array_equal(curve.power, [0.0])
    assert_allclose(np.ptp(curve.bend(prices) - 2 * y), 0.0, atol=1e-8)


@pytest.mark.parametrize("zeros", [False, True])
def test_waiting_times_ask_for_a_cube_root(rows, zeros):
    """On a logarithm their small values lie far below the others, so that means there are too large."""
    Z, y = rows
    times = (
        np.exp(y)
        * np.random.default_rng(1).exponential(1.0, (N, 1))
        * np.where(zeros & (np.arange(N)[:, None] % 4 == 0), 0.0, 1.0)
    )
    curve = choose(Z, times)
    assert_array_equal(curve.power, [1 / 3])
    inside = times >= curve.center  # at half of the smallest above 0
    ratio = (curve.bend(times)[inside] - curve.bend(curve.center)) / (np.cbrt(times[inside]) - np.cbrt(curve.center))
    assert_allclose(ratio, ratio[0])
    assert_allclose(curve.straighten(curve.bend(times)), times, atol=1e-9 * times.max())


def test_each_output_has_its_own(rows):
    Z, y = rows
    curve = choose(Z, np.hstack([y, np.exp(1.5 * y)]))
    assert curve.power[0] == 1.0
    assert curve.power[1] < 1.0


def test_outliers_on_one_side_are_no_reason_for_a_curve(rows):
    Z, y = rows
    assert choose(Z, y + 5.0 * (np.arange(N) % 30 == 0)[:, None]) is None


@pytest.mark.parametrize("seed", range(3))
def test_a_curve_that_overshoots_is_not_taken(seed):
    """A logarithm is right about this noise, but leaps up between the few rows that are far out."""
    rng = np.random.default_rng(seed)
    x = np.exp(2 * rng.standard_normal((N, 1)))
    y = x * np.exp(0.3 * rng.standard_normal((N, 1)))
    assert choose((x - x.mean()) / x.std(), y) is None
    assert choose(np.log(x) / 2, y) is not None


def test_the_user_may_decide(rows):
    Z, y = rows
    assert choose(Z, np.exp(y), "identity") is None
    assert_array_equal(choose(Z, np.exp(y), "log").power, [0.0])
    assert choose(Z, y, "yeo-johnson") is not None
    with pytest.raises(ValueError, match="needs targets above 0, but the smallest is -"):
        choose(Z, y, "log")


def test_few_or_equal_targets_stay_as_they_are(rows):
    Z, y = rows
    assert choose(Z[:20], np.exp(3 * y[:20])) is None
    assert choose(Z, np.ones((N, 1))) is None
    assert choose(Z, np.ones((N, 1)), "yeo-johnson") is None


def test_two_values_are_no_reason_for_a_curve(rows):
    """Any curve through both fits them as well, and moves the mean in between."""
    Z, _ = rows
    rare = np.where(np.arange(N)[:, None] % 20 == 0, 1.0, 0.0)
    assert choose(Z, rare) is None
    assert choose(Z, rare, "identity") is None
    assert choose(Z, rare, "yeo-johnson") is not None


@pytest.mark.parametrize("constant", [0.0, 7.0])
def test_equal_targets_stay_beside_skewed_ones(rows, constant):
    Z, y = rows
    curve, even = choose(Z, np.hstack([np.exp(2 * y), np.full((N, 1), constant)])), np.full((1, 2), constant)
    assert curve.power[1] == 1.0
    assert curve.bend(even)[0, 1] == 0.0
    assert curve.straighten(curve.bend(even))[0, 1] == constant


def test_counts_are_no_reason_for_a_warning(rows):
    """Their smallest is 0, which has no logarithm."""
    Z, y = rows
    choose(Z, np.maximum(np.round(2 * y), 0))
