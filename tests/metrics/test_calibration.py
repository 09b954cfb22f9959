"""Coverage and calibration against hand counts and Binomial expectations on exact data."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis.strategies import floats, integers
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import binom, norm
from sklearn.metrics import mean_pinball_loss

from unabases.metrics import (
    CalibrationCurve,
    calibration_curve,
    calibration_error,
    interval_coverage,
    interval_curve,
    interval_score,
    interval_width,
    sharpness,
)
from unabases.predictive import Mixture, Normal

N = 4000


def exact(n=N, seed=0, shape=()):
    """Predictions of many kinds and outcomes drawn from them."""
    rng = np.random.default_rng(seed)
    prediction = Normal(rng.normal(0, 5, (n, *shape)), rng.uniform(0, 2, (n, *shape)), rng.uniform(0.5, 2, (n, *shape)))
    return prediction, prediction.sample(1, random_state=rng)[0]


def wrong(prediction, factor):
    return Normal(prediction.mean, factor * prediction.epistemic_std, factor * prediction.noise_std)


def test_coverage_and_width_by_hand():
    prediction = Normal([0.0, 0.0, 10.0, 10.0], [0.0, 3.0, 0.0, 0.0], [1.0, 4.0, 1.0, 2.0])  # stds 1, 5, 1, 2
    y = [1.6, 8.3, 8.0, 12.0]  # 1.6, 1.66, −2 and 1 stds off; 90 % reach 1.645
    assert interval_coverage(prediction, y) == 0.5
    assert interval_coverage(prediction, y, level=0.6) == 0  # 0.84 stds
    assert interval_coverage(prediction, y, level=0.99) == 1
    assert_allclose(interval_width(prediction), 2 * norm.ppf(0.95) * 9 / 4)
    assert_allclose(sharpness(prediction), 9 / 4)


def test_ends_belong_to_the_interval():
    certain = Normal([1.0, 1.0], [0.0, 0.0], 0.0)
    assert interval_coverage(certain, [1.0, 1.5]) == 0.5
    assert interval_width(certain) == sharpness(certain) == 0


@pytest.mark.parametrize("level", [0.5, 0.8, 0.95])
def test_an_exact_model_covers_a_binomial_number(level):
    low, high = binom.ppf([1e-4, 1 - 1e-4], N, level)
    assert low <= N * interval_coverage(*exact(), level) <= high


def test_a_mixture_covers_by_its_own_quantiles():
    rng = np.random.default_rng(3)
    prediction = Mixture(rng.choice([-5.0, 0.0, 5.0], (5, 2000)), 0.3)
    y = np.take_along_axis(prediction.members, rng.integers(0, 5, (1, 2000)), 0)[0] + 0.3 * rng.standard_normal(2000)
    low, high = binom.ppf([1e-4, 1 - 1e-4], 2000, 0.8)
    assert low <= 2000 * interval_coverage(prediction, y, 0.8) <= high
    lower, upper = prediction.interval(0.8)
    assert interval_width(prediction, 0.8) == np.mean(upper - lower)
    assert calibration_error(prediction, y) < 3 * 0.42 / np.sqrt(2000)


@given(floats(0.02, 0.98), integers(0, 10**6))
def test_coverage_agrees_with_the_transform(level, seed):
    prediction, y = exact(50, seed)
    below = prediction.cdf(y)
    assert interval_coverage(prediction, y, level) == np.mean(np.abs(below - 0.5) <= level / 2)


def test_curve_by_hand_count():
    prediction = Normal(np.zeros(5), np.zeros(5), 1.0)
    y = norm.ppf([0.05, 0.15, 0.35, 0.65, 0.97])
    expected, observed = calibration_curve(prediction, y, levels=[0.1, 0.2, 0.5, 0.9])
    assert_array_equal(expected, [0.1, 0.2, 0.5, 0.9])
    assert_allclose(observed, [0.2, 0.4, 0.6, 0.8])
    off = np.array([0.1, 0.2, 0.1, -0.1])
    assert_allclose(calibration_error(prediction, y, expected), np.sqrt(np.mean(off**2)))
    assert_allclose(calibration_error(prediction, y, expected, kind="mean"), np.mean(np.abs(off)))


def test_an_exact_model_is_calibrated_within_sampling_error():
    prediction, y = exact()
    expected, observed = calibration_curve(prediction, y)
    assert_array_equal(expected, np.arange(5, 100, 5) / 100)
    assert np.all(np.abs(observed - expected) < 4 * np.sqrt(expected * (1 - expected) / N))
    errors = [calibration_error(*exact(400, seed)) for seed in range(200)]
    assert_allclose(np.mean(np.square(errors)), np.mean(expected * (1 - expected)) / 400, rtol=0.25)
    assert_allclose(np.sqrt(np.mean(expected * (1 - expected))), 0.42, atol=0.005)  # as the docstring says


@pytest.mark.parametrize("factor", [0.5, 2.0])
def test_a_wrong_width_shows_as_computed(factor):
    prediction, y = exact()
    expected, observed = calibration_curve(wrong(prediction, factor), y)
    wanted = norm.cdf(factor * norm.ppf(expected))  # below the quantile of a std that is `factor` times too large
    assert_allclose(observed, wanted, atol=4 * 0.5 / np.sqrt(N))
    error = np.sqrt(np.mean((wanted - expected) ** 2))
    assert_allclose(calibration_error(wrong(prediction, factor), y), error, atol=0.02)
    assert calibration_error(wrong(prediction, factor), y) > 5 * calibration_error(prediction, y)
    assert np.sign(observed[1] - expected[1]) == np.sign(1 - factor)  # too wide: below the diagonal on the left


@given(floats(0.05, 0.99), integers(0, 10**6))
def test_interval_score_is_the_pinball_loss_of_both_ends(level, seed):
    prediction, y = exact(20, seed)
    y = y + 3
    ends = zip(prediction.interval(level), ((1 - level) / 2, (1 + level) / 2), strict=True)
    wanted = sum(mean_pinball_loss(y, end, alpha=q) for end, q in ends) * 2 / (1 - level)
    assert_allclose(interval_score(prediction, y, level), wanted, rtol=1e-8)


def test_interval_score_is_lowest_for_the_exact_prediction():
    prediction, y = exact()
    scores = [interval_score(wrong(prediction, factor), y) for factor in (1.0, 0.5, 0.8, 1.25, 2.0)]
    assert np.argmin(scores) == 0
    assert interval_score(prediction, prediction.mean) == interval_width(prediction)


def test_outputs_do_not_cancel():
    prediction, y = exact(shape=(2,))
    factors = np.array([0.5, 2.0])
    mixed = Normal(prediction.mean, factors * prediction.epistemic_std, factors * prediction.noise_std)
    observed = calibration_curve(mixed, y).observed
    assert observed.shape == (19, 2)
    each = []
    for j in range(2):
        one = Normal(mixed.mean[:, j], mixed.epistemic_std[:, j], mixed.noise_std[:, j])
        assert_array_equal(observed[:, j], calibration_curve(one, y[:, j]).observed)
        each.append(calibration_error(one, y[:, j]))
    assert_allclose(calibration_error(mixed, y), np.sqrt(np.mean(np.square(each))))
    assert min(each) > 0.1


def test_several_outputs_are_averaged_together():
    two = Normal(np.zeros((2, 2)), [[1.0, 2.0], [3.0, 4.0]], 0.0)
    y = [[0.5, 9.0], [1.0, 2.0]]
    assert interval_coverage(two, y) == 0.75
    assert_allclose(interval_width(two), 2 * norm.ppf(0.95) * 2.5)
    assert sharpness(two) == 2.5


@given(floats(0.01, 100))
def test_units_change_widths_and_nothing_else(scale):
    prediction, y = exact(40)
    scaled = Normal(scale * prediction.mean, scale * prediction.epistemic_std, scale * prediction.noise_std)
    assert_allclose(interval_width(scaled), scale * interval_width(prediction))
    assert_allclose(sharpness(scaled), scale * sharpness(prediction))
    assert_allclose(calibration_error(scaled, scale * y), calibration_error(prediction, y), atol=1e-12)


@pytest.mark.parametrize("levels", [[], 0.5, [[0.5]], [0.0, 0.5], [0.5, 1.0], [50.0], [np.nan]])
def test_levels_must_be_probabilities(levels):
    with pytest.raises(ValueError, match="`levels` must"):
        calibration_curve(*exact(5), levels=levels)


def test_one_level_and_kind_must_be_known():
    with pytest.raises(ValueError, match=r"`level` must lie strictly between 0 and 1, got 90.*0\.9"):
        interval_coverage(*exact(5), level=90.0)
    with pytest.raises(ValueError, match="`kind` must be one of 'rms', 'mean', got 'max'"):
        calibration_error(*exact(5), kind="max")


def test_nan_predictions_stay_visible():
    prediction = Normal([np.nan, 0.0], [1.0, 1.0], 1.0)
    assert np.isnan(interval_coverage(prediction, [0.0, 0.0]))
    assert np.isnan(interval_width(prediction))
    assert np.isnan(interval_score(prediction, [0.0, 0.0]))
    assert np.isnan(calibration_error(prediction, [0.0, 0.0]))


@pytest.mark.parametrize("factor", [0.5, 1.0, 2.0])
def test_shares_inside_intervals_are_the_coverage_of_each(factor):
    prediction, y = exact(n=500)
    prediction = wrong(prediction, factor)
    stated, observed = interval_curve(calibration_curve(prediction, y))
    assert_allclose(stated, np.arange(1, 10) / 10)
    assert_allclose(observed, [interval_coverage(prediction, y, level=level) for level in stated])
    backwards = interval_curve(calibration_curve(prediction, y, levels=np.arange(95, 0, -5) / 100))
    assert_allclose(backwards.observed, observed)


def test_an_interval_needs_both_of_its_ends():
    with pytest.raises(ValueError, match=r"symmetrically about 0.5.*got \[0.1, 0.5\]"):
        interval_curve(CalibrationCurve(np.array([0.1, 0.5]), np.array([0.1, 0.5])))
