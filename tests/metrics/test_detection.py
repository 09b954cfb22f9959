"""AUROC against scikit-learn and counting of pairs; risk-coverage against a loop over everything that ties allow."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis.strategies import integers, lists, sampled_from
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.metrics import roc_auc_score

from unabases.metrics import auroc, mae, risk_coverage, risk_coverage_area, rmse
from unabases.predictive import Mixture, Normal

few_values = lists(integers(0, 5), min_size=1, max_size=12)  # many ties
RNG = np.random.default_rng(0)


def unsure(stds, mean=None):
    stds = np.asarray(stds, dtype=float)
    return Normal(np.zeros(stds.shape) if mean is None else mean, stds, 1.0)


@settings(deadline=None)
@given(few_values, few_values)
def test_auroc_is_scikit_learns_with_ties(gap, not_gap):
    wanted = roc_auc_score([1] * len(gap) + [0] * len(not_gap), [*gap, *not_gap])
    assert_allclose(auroc(unsure(gap), unsure(not_gap)), wanted, atol=1e-12)
    assert_allclose(auroc(unsure(not_gap), unsure(gap)), 1 - wanted, atol=1e-12)


def test_auroc_of_many_rows_is_scikit_learns_and_the_share_of_pairs():
    gap, not_gap = RNG.gamma(3, size=700), RNG.gamma(2, size=900)
    wanted = roc_auc_score(np.repeat([1, 0], [700, 900]), np.concatenate([gap, not_gap]))
    assert_allclose(auroc(unsure(gap), unsure(not_gap)), wanted, rtol=1e-12)
    assert_allclose(np.mean(gap[:, None] > not_gap), wanted, rtol=1e-12)


def test_auroc_at_its_ends_and_for_the_blind():
    assert auroc(unsure([2.0, 3.0]), unsure([0.0, 1.0])) == 1
    assert auroc(unsure([0.0, 1.0]), unsure([2.0, 3.0])) == 0
    assert auroc(unsure([1.0, 1.0]), unsure([1.0])) == 0.5


def test_auroc_ignores_the_noise_and_counts_outputs_alike():
    gap = Normal(np.zeros((2, 2)), [[2.0, 1e6], [3.0, 2e6]], [9.0, 0.0])
    not_gap = Normal(np.zeros((1, 2)), [[1.0, 3e6]], [0.0, 9.0])
    assert auroc(gap, not_gap) == 0.5  # 1 and 0: the unit of an output does not matter


def test_auroc_of_a_mixture():
    members = RNG.normal(0, [1.0, 1.0, 5.0, 5.0], (200, 4))
    assert auroc(Mixture(members[:, 2:], 1.0), Mixture(members[:, :2], 1.0)) == 1


def brute_force(stds, losses, k):
    """Mean loss of the k surest, over all orders that put no surer row after a less sure one."""
    n = len(stds)
    orders = [o for o in permutations(range(n)) if all(stds[o[i]] <= stds[o[i + 1]] for i in range(n - 1))]
    return np.mean([np.mean(losses[list(order[:k])]) for order in orders])


@given(sampled_from(["rmse", "mae"]), lists(integers(0, 2), min_size=1, max_size=6), integers(0, 10**6))
def test_curve_is_the_mean_over_all_orders_of_ties(error, stds, seed):
    n, y = len(stds), np.random.default_rng(seed).normal(0, 3, len(stds))
    losses = y**2 if error == "rmse" else np.abs(y)
    wanted = np.array([brute_force(stds, losses, k) for k in range(1, n + 1)])
    kept, risk = risk_coverage(unsure(stds), y, error)
    assert_allclose(kept, np.arange(1, n + 1) / n)
    assert_allclose(risk, np.sqrt(wanted) if error == "rmse" else wanted, rtol=1e-10)
    assert_allclose(risk_coverage_area(unsure(stds), y, error), risk.mean())


@pytest.mark.parametrize(("error", "whole"), [("rmse", rmse), ("mae", mae)])
def test_curve_without_ties_is_a_loop_over_the_kept(error, whole):
    prediction = unsure(RNG.uniform(0, 3, 60), mean=RNG.normal(0, 1, 60))
    y = RNG.normal(0, 2, 60)
    order = np.argsort(prediction.std)
    wanted = [whole(prediction[order[:k]], y[order[:k]]) for k in range(1, 61)]
    assert_allclose(risk_coverage(prediction, y, error).risk, wanted, rtol=1e-12)
    assert_allclose(risk_coverage(prediction, y, error).risk[-1], whole(prediction, y))


def test_what_does_not_know_its_errors_gains_nothing():
    y = RNG.normal(0, 2, 50)
    constant = unsure(np.ones(50))
    assert_allclose(risk_coverage(constant, y).risk, rmse(constant, y))
    assert_allclose(risk_coverage_area(constant, y, "mae"), mae(constant, y))


def test_order_of_rows_does_not_matter():
    y, prediction, rows = RNG.normal(0, 2, 30), unsure(RNG.integers(0, 4, 30)), RNG.permutation(30)
    assert_allclose(risk_coverage(prediction[rows], y[rows]).risk, risk_coverage(prediction, y).risk)


def test_knowing_the_errors_is_best_and_the_opposite_worst():
    y = RNG.normal(0, 2, 200)
    best, worst = risk_coverage_area(unsure(np.abs(y)), y), risk_coverage_area(unsure(5 - np.abs(y) / 2), y)
    assert best < risk_coverage_area(unsure(RNG.uniform(0, 1, 200)), y) < worst
    assert np.all(np.diff(risk_coverage(unsure(np.abs(y)), y).risk) >= 0)


def test_order_by_total_or_by_epistemic_std():
    prediction = Normal([0.0, 0.0], [1.0, 2.0], [5.0, 0.0])
    assert_array_equal(risk_coverage(prediction, [4.0, 2.0], "mae").risk, [2, 3])
    assert_array_equal(risk_coverage(prediction, [4.0, 2.0], "mae", by="epistemic").risk, [4, 3])


def test_each_output_has_its_own_order():
    two = Normal(np.zeros((2, 2)), [[1.0, 200.0], [2.0, 100.0]], 0.0)
    y = [[1.0, 20.0], [3.0, 10.0]]
    assert_allclose(risk_coverage(two, y, "mae").risk, [5.5, 8.5])
    assert_allclose(risk_coverage(two, y).risk, [np.sqrt(50.5), rmse(two, y)])


def test_choices_must_be_known():
    with pytest.raises(ValueError, match="`error` must be one of 'rmse', 'mae', got 'mse'"):
        risk_coverage(unsure([1.0]), [0.0], error="mse")
    with pytest.raises(ValueError, match="`by` must be one of 'total', 'epistemic', got 'noise'"):
        risk_coverage_area(unsure([1.0]), [0.0], by="noise")


def test_outputs_must_be_the_same():
    with pytest.raises(ValueError, match=r"`gap` has shape \(3, 2\) and `not_gap` \(3, 1\)"):
        auroc(unsure(np.ones((3, 2))), unsure(np.ones((3, 1))))


def test_nothing_to_rank_is_an_error():
    for pair in ((unsure([1.0]), unsure([])), (unsure([]), unsure([1.0]))):
        with pytest.raises(ValueError, match="no rows"):
            auroc(*pair)


def test_nan_predictions_stay_visible():
    assert np.isnan(auroc(unsure([np.nan, 1.0]), unsure([0.5])))
    assert np.isnan(risk_coverage(unsure([np.nan, 1.0]), [0.0, 0.0]).risk).all()
    assert np.isnan(risk_coverage_area(unsure([1.0, 2.0], mean=[np.nan, 0.0]), [0.0, 0.0]))


@settings(deadline=None)
@given(few_values, few_values, integers(0, 10**6))
def test_auroc_with_weights_is_scikit_learns_and_that_of_repeated_rows(gap, not_gap, seed):
    rng = np.random.default_rng(seed)
    here, there = rng.integers(0, 4, len(gap)), rng.integers(0, 4, len(not_gap))
    here[0], there[0] = 1, 2
    found = auroc(unsure(gap), unsure(not_gap), here, there)
    assert_allclose(found, auroc(unsure(np.repeat(gap, here)), unsure(np.repeat(not_gap, there))), atol=1e-12)
    real = rng.uniform(0.1, 2, len(gap) + len(not_gap))
    truth, stds = [1] * len(gap) + [0] * len(not_gap), [*gap, *not_gap]
    found = auroc(unsure(gap), unsure(not_gap), real[: len(gap)], real[len(gap) :])
    assert_allclose(found, roc_auc_score(truth, stds, sample_weight=real), atol=1e-12)


@pytest.mark.parametrize("error", ["rmse", "mae"])
@pytest.mark.parametrize("outputs", [(), (2,)])
def test_risk_with_whole_weights_is_that_of_repeated_rows(error, outputs):
    stds, y, count = RNG.integers(1, 9, (40, *outputs)), RNG.normal(0, 2, (40, *outputs)), RNG.integers(0, 4, 40)
    weighted = risk_coverage(unsure(stds), y, error, sample_weight=count)
    repeated = risk_coverage(unsure(np.repeat(stds, count, axis=0)), np.repeat(y, count, axis=0), error)
    assert_allclose(weighted.kept, repeated.kept, rtol=1e-12)
    assert_allclose(weighted.risk, repeated.risk, rtol=1e-12)
    area = risk_coverage_area(unsure(stds), y, error, sample_weight=count)
    assert_allclose(area, repeated.risk.mean(), rtol=1e-12)


def test_risk_with_weights_below_1_is_that_of_rows_in_their_proportion():
    stds, y, count = RNG.integers(1, 9, 40), RNG.normal(0, 2, 40), RNG.integers(1, 4, 40)
    repeated = risk_coverage(unsure(np.repeat(stds, count)), np.repeat(y, count))
    weighted = risk_coverage(unsure(stds), y, sample_weight=count / 8)
    assert_allclose(weighted.kept, repeated.kept, rtol=1e-12)
    assert_allclose(weighted.risk, repeated.risk, rtol=1e-12)


def test_risk_with_uneven_weights_ends_at_the_error_and_large_ones_need_few_points():
    prediction, y, weight = unsure(RNG.uniform(1, 2, 50)), RNG.normal(0, 2, 50), RNG.uniform(0.3, 4, 50)
    assert_allclose(risk_coverage(prediction, y, sample_weight=weight).risk[-1], rmse(prediction, y, weight))
    smooth = risk_coverage(prediction, y, "mae", sample_weight=1e9 * weight)
    assert len(smooth.risk) <= 2**20
    order = np.argsort(prediction.std)
    ends = np.cumsum(weight[order])
    wanted = np.cumsum((weight * np.abs(y))[order]) / ends
    assert_allclose(np.interp(ends / ends[-1], smooth.kept, smooth.risk), wanted, rtol=1e-4)


def test_weights_are_checked_by_name():
    with pytest.raises(ValueError, match=r"`not_gap_weight` has shape \(2,\) but there are 1 rows"):
        auroc(unsure([1.0]), unsure([0.5]), not_gap_weight=[1.0, 1.0])
    with pytest.raises(ValueError, match="`gap_weight` must be finite numbers that are zero or positive"):
        auroc(unsure([1.0]), unsure([0.5]), gap_weight=[-1.0])
    with pytest.raises(ValueError, match=r"`sample_weight` must be finite .* not all zero"):
        risk_coverage(unsure([1.0]), [0.5], sample_weight=[0.0])


def test_a_row_of_weight_0_may_be_nan():
    assert auroc(unsure([np.nan, 1.0]), unsure([0.5]), gap_weight=[0.0, 1.0]) == 1
    assert risk_coverage_area(unsure([np.nan, 1.0]), [0.0, 2.0], sample_weight=[0.0, 1.0]) == 2
