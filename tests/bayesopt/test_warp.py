import numpy as np
import pytest

from unabases.bayesopt.warp import fit_warp

TOLD = np.array([3.0, 1.0, 2.0, 1e12, 7.0, 40.0])


def test_the_better_half_stays_as_it_is_and_the_order_stays_for_all():
    seen = fit_warp(TOLD).apply(TOLD)
    better = TOLD <= 3.0
    np.testing.assert_array_equal(seen[better], TOLD[better])
    np.testing.assert_array_equal(np.argsort(seen), np.argsort(TOLD))


def test_above_it_values_come_together_by_one_over_a_root():
    seen = fit_warp(TOLD).apply(TOLD)  # the knee is at 3, a spread is 2
    np.testing.assert_allclose(seen[[4, 5]], [3 + 4 * (1 - 3**-0.5), 3 + 4 * (1 - 19.5**-0.5)], rtol=1e-12)
    assert 6.99 < seen[3] < 7


def test_the_knee_is_smooth():
    warp = fit_warp(TOLD)
    near = warp.apply(3 + np.array([-1e-6, 0.0, 1e-6]))
    np.testing.assert_allclose(np.diff(near), 1e-6, rtol=1e-5)


def test_undo_gives_back_what_was_told_and_nothing_worse():
    warp = fit_warp(TOLD[TOLD < 1e9])
    usual = np.array([-5.0, 1.0, 2.5, 3.0, 7.0, 39.0])
    np.testing.assert_allclose(warp.undo(warp.apply(usual)), usual, rtol=1e-12)
    assert (warp.undo(np.array([6.9, 7.0, 8.0, 1e9])) == 40.0).all()


def test_a_standard_deviation_is_half_of_what_lies_between_mean_plus_and_minus_it():
    warp = fit_warp(TOLD)
    low, high = np.array([1.5, 3.0]), np.array([2.5, 40.0])
    mean, std = (warp.apply(low) + warp.apply(high)) / 2, (warp.apply(high) - warp.apply(low)) / 2
    found = warp.undo_moments(mean, std)
    np.testing.assert_allclose(found[0], warp.undo(mean))
    np.testing.assert_allclose(found[1], (high - low) / 2, rtol=1e-12)


@pytest.mark.parametrize("shift", [-1e6, 0.0, 1e6])
@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_units_do_not_matter(scale, shift):
    told = np.array([3.0, 1.0, 2.0, 90.0, 7.0, 40.0])
    seen = fit_warp(scale * (told + shift)).apply(scale * (told + shift))
    np.testing.assert_allclose(seen / scale - shift, fit_warp(told).apply(told), rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("told", [[2.0, 2.0, 2.0], [1.0, 1.0, 1.0, 5.0], [4.0, 4.5]])
def test_where_the_better_half_is_one_value_nothing_changes(told):
    told = np.array(told)
    warp = fit_warp(told)
    np.testing.assert_array_equal(warp.apply(told), told)
    np.testing.assert_array_equal(warp.undo(told), told)
    np.testing.assert_array_equal(warp.undo_moments(told, told), [told, told])


def test_values_at_the_end_of_what_a_float_can_hold_stay_finite():
    told = np.array([0.0, 1.0, 2.0, 1.7e308, -1e3])
    with np.errstate(over="ignore"):
        assert np.isfinite(fit_warp(told).apply(told)).all()
