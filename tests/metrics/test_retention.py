"""Retention against a loop over the rows that are kept, PRR against its curves drawn by hand, ranks against SciPy."""

import warnings
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis.strategies import integers, sampled_from
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import spearmanr

from unabases.metrics import (
    error_correlation,
    mae,
    prediction_rejection_ratio,
    retention_area,
    retention_curve,
    risk_coverage,
    rmse,
)
from unabases.predictive import Mixture, Normal

RNG = np.random.default_rng(0)


def unsure(stds, mean=0.0):
    stds = np.asarray(stds, dtype=float)
    return Normal(np.zeros(stds.shape) + mean, stds, 0.0)


def area_of(order, losses):
    """Correct the least sure row, then the next, and average the error that is left by the trapezoidal rule."""
    left, errors = losses.astype(float).copy(), [losses.mean()]
    for row in order[::-1]:
        left[row] = 0.0
        errors.append(left.mean())
    return sum((a + b) / 2 for a, b in pairwise(errors)) / len(losses)


@given(sampled_from(["mse", "mae"]), integers(1, 15), integers(0, 10**6))
def test_area_and_ratio_are_those_of_correcting_row_by_row(error, n, seed):
    rng = np.random.default_rng(seed)
    stds, y = rng.permutation(n) + 1.0, rng.normal(0, 3, n)
    losses = y**2 if error == "mse" else np.abs(y)
    by_model, best = area_of(np.argsort(stds), losses), area_of(np.argsort(losses), losses)
    assert_allclose(retention_area(unsure(stds), y, error), by_model, rtol=1e-10)
    if n > 1:
        wanted = (losses.mean() / 2 - by_model) / (losses.mean() / 2 - best)
        assert_allclose(prediction_rejection_ratio(unsure(stds), y, error), wanted, rtol=1e-6, atol=1e-9)


def test_curve_starts_at_nothing_and_ends_at_the_error_of_the_model():
    prediction, y = unsure(RNG.uniform(1, 2, 40), mean=0.5), RNG.normal(0, 2, 40)
    squared, absolute = (retention_curve(prediction, y, error) for error in ("mse", "mae"))
    assert_allclose(squared.error[[0, -1]], [0, rmse(prediction, y) ** 2])
    assert_allclose(absolute.error[[0, -1]], [0, mae(prediction, y)])
    assert_allclose(absolute.kept, np.linspace(0, 1, 41))
    risk = risk_coverage(prediction, y, "mae")
    assert_allclose(absolute.error[1:], risk.risk * risk.kept)


def test_the_best_order_has_ratio_1_chance_0_and_the_worst_below():
    y = RNG.gamma(1, size=3000)
    assert_allclose(prediction_rejection_ratio(unsure(y), y), 1)
    assert abs(prediction_rejection_ratio(unsure(RNG.uniform(1, 2, 3000)), y)) < 0.1
    assert_allclose(prediction_rejection_ratio(unsure(np.ones(3000)), y), 0, atol=1e-12)
    assert prediction_rejection_ratio(unsure(1 / y), y) < -0.5


def test_ratio_has_no_units_and_ignores_a_larger_error_everywhere():
    stds, y = RNG.uniform(1, 2, 50), RNG.normal(0, 1, 50)
    first = prediction_rejection_ratio(unsure(stds), y)
    assert_allclose(prediction_rejection_ratio(unsure(1000 * stds), 7 * y), first)


def test_equal_losses_leave_nothing_to_order():
    assert np.isnan(prediction_rejection_ratio(unsure([1.0, 2.0, 3.0]), [0.1, -0.1, 0.1]))
    assert np.isnan(prediction_rejection_ratio(unsure([1.0]), [0.3]))


def test_rank_correlation_is_scipys():
    prediction, y = unsure(RNG.integers(1, 9, 60), mean=1.0), RNG.normal(0, 2, 60)
    assert_allclose(error_correlation(prediction, y), spearmanr(prediction.std, np.abs(y - 1)).statistic, rtol=1e-12)


def test_rank_correlation_of_what_is_constant():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert error_correlation(unsure([1.0, 1.0]), [0.0, 3.0]) == 0
        assert np.isnan(error_correlation(unsure([1.0, 2.0]), [3.0, -3.0]))


def test_order_by_total_or_by_epistemic_std():
    prediction, y = Normal([0.0, 0.0], [1.0, 2.0], [5.0, 0.0]), [4.0, 2.0]
    assert_array_equal(retention_curve(prediction, y, "mae").error, [0, 1, 3])
    assert_array_equal(retention_curve(prediction, y, "mae", by="epistemic").error, [0, 2, 3])
    assert prediction_rejection_ratio(prediction, y) == 1 == -prediction_rejection_ratio(prediction, y, by="epistemic")
    assert_allclose([error_correlation(prediction, y, by=by) for by in ("total", "epistemic")], [1, -1])


def test_each_output_has_its_own_order():
    two = Normal(np.zeros((2, 2)), [[1.0, 200.0], [2.0, 100.0]], 0.0)
    y = [[1.0, 20.0], [3.0, 10.0]]
    assert_allclose(retention_curve(two, y, "mae").error, [0, 2.75, 8.5])
    assert_allclose([prediction_rejection_ratio(two, y), error_correlation(two, y)], 1)


def test_a_mixture_is_ordered_by_its_spread():
    members = np.array([[0.0, 0.0], [1.0, 4.0]])
    assert_allclose(error_correlation(Mixture(members, 1.0), [0.6, 5.0]), 1)


def test_choices_and_nan():
    with pytest.raises(ValueError, match="`error` must be one of 'mse', 'mae', got 'rmse'"):
        retention_area(unsure([1.0]), [0.0], error="rmse")
    with pytest.raises(ValueError, match="`by` must be one of 'total', 'epistemic', got 'noise'"):
        prediction_rejection_ratio(unsure([1.0]), [0.0], by="noise")
    for stds, mean in (([np.nan, 1.0], 0.0), ([1.0, 2.0], [np.nan, 0.0])):
        prediction = unsure(stds, mean=np.asarray(mean))
        for metric in (retention_area, prediction_rejection_ratio, error_correlation):
            assert np.isnan(metric(prediction, [0.0, 1.0]))


ALL = (retention_area, prediction_rejection_ratio, error_correlation)


@pytest.mark.parametrize("outputs", [(), (2,)])
@pytest.mark.parametrize("times", [1, 0.25, 1e9])
def test_weights_are_repeated_rows_whatever_their_unit(outputs, times):
    stds, y = RNG.integers(1, 9, (40, *outputs)), RNG.normal(0, 2, (40, *outputs))
    count = RNG.integers(0, 4, 40)
    often, observed = np.repeat(stds, count, axis=0), np.repeat(y, count, axis=0)
    for metric in ALL:
        found = metric(unsure(stds), y, sample_weight=times * count)
        assert_allclose(found, metric(unsure(often), observed), rtol=1e-10, atol=1e-12, err_msg=metric.__name__)
    curve = retention_curve(unsure(stds), y, sample_weight=times * count)
    repeated = retention_curve(unsure(often), observed)
    assert_allclose(np.interp(repeated.kept, *curve), repeated.error, rtol=1e-10, atol=1e-12)


def test_order_by_the_losses_has_ratio_1_with_any_weights():
    y, weight = RNG.gamma(1, size=50), RNG.uniform(0, 3, 50)
    assert_allclose(prediction_rejection_ratio(unsure(y), y, sample_weight=weight), 1)
    assert_allclose(error_correlation(unsure(y), y, sample_weight=weight), 1)


def test_a_row_of_weight_0_may_be_nan():
    prediction, y = unsure([np.nan, 1.0, 3.0, 2.0]), [9.0, 1.0, 2.0, 3.0]
    for metric in ALL:
        assert metric(prediction, y, sample_weight=[0, 1, 1, 1]) == metric(prediction[1:], y[1:])
