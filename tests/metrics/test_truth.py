"""Coverage of the truth and ratios to a reference, by hand and for functions drawn from the prediction itself."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from unabases.metrics import epistemic_coverage, epistemic_ratio
from unabases.predictive import Mixture, Normal

RNG = np.random.default_rng(0)


@pytest.mark.parametrize("level", [0.5, 0.9])
def test_functions_drawn_from_the_prediction_are_covered_as_often_as_stated(level):
    prediction = Normal(RNG.normal(size=4000), RNG.uniform(0.1, 3, 4000), 10.0)
    (f,) = prediction.sample(1, random_state=1, noise=False)
    assert abs(epistemic_coverage(prediction, f, level) - level) < 4 * np.sqrt(level * (1 - level) / 4000)


def test_the_noise_does_not_help():
    assert epistemic_coverage(Normal([0.0] * 2, [0.1] * 2, 100.0), [1.0, 0.0]) == 0.5


def test_a_mixture_is_judged_by_its_spread():
    prediction = Mixture([[-1.0, -1.0], [1.0, 1.0]], 0.1)  # epistemic std 1
    assert epistemic_coverage(prediction, [1.6, 1.7]) == 0.5


def test_coverage_counts_every_output_and_shows_nan():
    two = Normal(np.zeros((2, 2)), np.ones((2, 2)), 1.0)
    assert epistemic_coverage(two, [[0.0, 5.0], [0.0, 0.0]]) == 0.75
    assert np.isnan(epistemic_coverage(Normal([np.nan], [1.0], 1.0), [0.0]))


def test_ratio_of_means_and_of_rows():
    prediction, reference = Normal([0.0] * 5, [1.0, 2.0, 3.0, 4.0, 10.0], 9.0), [1.0, 1.0, 1.0, 2.0, 5.0]
    assert epistemic_ratio(prediction, reference) == 2
    assert epistemic_ratio(prediction, reference, quantile=0) == 1
    assert epistemic_ratio(prediction, reference, quantile=1) == 3
    assert_allclose(epistemic_ratio(prediction, reference, quantile=0.5), np.median([1, 2, 3, 2, 2]))


def test_a_reference_without_doubt():
    assert epistemic_ratio(Normal([0.0], [1.0], 1.0), [0.0]) == np.inf
    assert np.isnan(epistemic_ratio(Normal([0.0], [0.0], 1.0), [0.0]))


@pytest.mark.parametrize("outputs", [(), (2,)])
@pytest.mark.parametrize("quantile", [None, 0.0, 0.1, 0.5, 1.0])
def test_whole_weights_are_repeated_rows(outputs, quantile):
    mean, std, f = RNG.normal(size=(3, 9, *outputs))
    prediction, reference, times = Normal(mean, abs(std), 1.0), RNG.uniform(1, 2, mean.shape), np.arange(9) % 4
    repeated = Normal(np.repeat(mean, times, 0), np.repeat(abs(std), times, 0), 1.0)
    assert_allclose(
        epistemic_coverage(prediction, f, sample_weight=times), epistemic_coverage(repeated, np.repeat(f, times, 0))
    )
    weighted = epistemic_ratio(prediction, reference, quantile, sample_weight=times / 3)
    if quantile is None:
        assert_allclose(weighted, epistemic_ratio(repeated, np.repeat(reference, times, 0)))
    else:
        ratios = repeated.epistemic_std / np.repeat(reference, times, 0)
        assert_allclose(weighted, np.quantile(ratios, quantile, method="inverted_cdf"))


def test_a_row_of_weight_0_may_be_nan_and_others_show():
    prediction = Normal([0.0, 0.0], [1.0, np.nan], 1.0)
    for quantile in (None, 0.5):
        assert epistemic_ratio(prediction, [2.0, 1.0], quantile, sample_weight=[1, 0]) == 0.5
        assert np.isnan(epistemic_ratio(prediction, [2.0, 1.0], quantile, sample_weight=[1, 1]))


def test_errors_name_the_argument():
    prediction = Normal([0.0, 0.0], [1.0, 1.0], 1.0)
    with pytest.raises(ValueError, match=r"`f` has shape \(2, 1\) but .* Try `f.reshape\(\(2,\)\)`"):
        epistemic_coverage(prediction, [[0.0], [0.0]])
    with pytest.raises(ValueError, match="strictly between 0 and 1"):
        epistemic_coverage(prediction, [0.0, 0.0], level=90.0)
    with pytest.raises(ValueError, match="`reference` has 1 of 2 values that are NaN"):
        epistemic_ratio(prediction, [np.nan, 1.0])
    with pytest.raises(ValueError, match="`reference` holds standard deviations, but its smallest is -1"):
        epistemic_ratio(prediction, [-1.0, 1.0])
    with pytest.raises(ValueError, match="`quantile` must lie between 0 and 1, got 10"):
        epistemic_ratio(prediction, [1.0, 1.0], 10, sample_weight=[1, 1])
    with pytest.raises(ValueError, match=r"`sample_weight` has shape \(1,\) but there are 2 rows"):
        epistemic_ratio(prediction, [1.0, 1.0], 0.1, sample_weight=[1])
