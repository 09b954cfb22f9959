import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from scipy.stats import norm

from unabases.metrics import epistemic, eurc, log_likelihood, mae, rmse
from unabases.metrics.checks import refuse_empty
from unabases.predictive import Normal


def prediction(epistemic_std):
    return Normal(np.zeros(len(epistemic_std)), epistemic_std, 1.0)


BY_HAND = Normal([0.0, 1.0, 2.0, 3.0], [3.0, 0.0, 1.0, 4.0], [4.0, 1.0, 0.5, 3.0])
Y = np.array([1.0, 1.0, 5.0, 0.0])  # off by 1, 0, 3, 3


def test_errors_by_hand():
    assert_allclose(rmse(BY_HAND, Y), np.sqrt(19 / 4))
    assert_allclose(mae(BY_HAND, Y), 7 / 4)


def test_log_likelihood_is_the_mean_of_logs():
    std = [5.0, 1.0, np.sqrt(1.25), 5.0]
    assert_allclose(log_likelihood(BY_HAND, Y), norm.logpdf(Y, [0, 1, 2, 3], std).mean())


def test_epistemic_leaves_the_noise_out():
    assert epistemic(BY_HAND) == 2


def test_several_outputs_are_averaged_together():
    two = Normal(np.zeros((2, 2)), [[1.0, 2.0], [3.0, 4.0]], [0.0, 0.0])
    y = np.array([[1.0, -1.0], [3.0, -3.0]])
    assert epistemic(two) == 2.5
    assert mae(two, y) == 2
    assert_allclose(rmse(two, y), np.sqrt(5))
    assert_allclose(log_likelihood(two, y), norm.logpdf(y, 0, [[1, 2], [3, 4]]).mean())


def test_order_of_rows_does_not_matter():
    rows = [2, 0, 3, 1]
    for score in (rmse, mae, log_likelihood):
        assert_allclose(score(BY_HAND[rows], Y[rows]), score(BY_HAND, Y))


def test_the_true_noise_maximises_the_expected_log_likelihood():
    y = np.random.default_rng(0).normal(0, 2, size=20_000)
    scores = [log_likelihood(Normal(np.zeros_like(y), np.zeros_like(y), std), y) for std in (1.0, 2.0, 4.0)]
    assert np.argmax(scores) == 1
    assert_allclose(scores[1], -norm(0, 2).entropy(), atol=0.02)


@pytest.mark.filterwarnings("error")
def test_an_outcome_held_impossible_outweighs_a_certain_one():
    certain = Normal([0.0, 0.0], [0.0, 0.0], 0.0)
    assert log_likelihood(certain, [0.0, 0.0]) == np.inf
    assert log_likelihood(certain, [0.0, 1.0]) == -np.inf
    assert log_likelihood(certain, [0.0, 1.0], sample_weight=[2.0, 0.0]) == np.inf  # it does not count


def test_eurc_is_a_fraction_of_the_uncertainty_outside_the_gap():
    assert_allclose(eurc(prediction([3.0, 7.0]), prediction([1.0, 2.0, 3.0])), 1.5)
    assert_allclose(eurc(prediction([1.0]), prediction([2.0])), -0.5)
    assert eurc(BY_HAND, BY_HAND) == 0


def test_eurc_of_the_published_averages_is_near_the_published_change():
    # 7.29 in and 1.45 out of the gap were reported as +416 % (a mean over splits, not of means).
    assert_allclose(eurc(prediction([7.29]), prediction([1.45])), 4.03, atol=0.005)


@pytest.mark.filterwarnings("error")
def test_eurc_without_uncertainty_outside():
    assert eurc(prediction([1.0]), prediction([0.0])) == np.inf
    assert np.isnan(eurc(prediction([0.0]), prediction([0.0])))


def test_results_are_plain_floats():
    for value in (rmse(BY_HAND, Y), mae(BY_HAND, Y), log_likelihood(BY_HAND, Y), epistemic(BY_HAND)):
        assert type(value) is float


def test_y_may_be_a_series_or_a_list():
    assert rmse(BY_HAND, pd.Series(Y, index=[4, 3, 2, 1])) == rmse(BY_HAND, list(Y)) == rmse(BY_HAND, Y)


@pytest.mark.parametrize("score", [rmse, mae, log_likelihood])
def test_a_column_vector_is_refused_with_both_shapes(score):
    with pytest.raises(ValueError, match=r"\(4, 1\) but the prediction has shape \(4,\).*reshape\(\(4,\)\)"):
        score(BY_HAND, Y[:, None])


@pytest.mark.parametrize("score", [rmse, mae, log_likelihood])
@pytest.mark.parametrize("shape", [(), (3,), (2, 4)])
def test_other_shapes_are_refused(score, shape):
    with pytest.raises(ValueError, match=r"`y` has shape .* but the prediction has shape \(4,\)"):
        score(BY_HAND, np.zeros(shape))


def test_nothing_to_average_is_an_error():
    with pytest.raises(ValueError, match="no rows"):
        rmse(BY_HAND[:0], np.zeros(0))
    with pytest.raises(ValueError, match="no rows"):
        eurc(BY_HAND, BY_HAND[:0])


def test_rows_count_by_their_weights():
    weight, repeated = [0.0, 1.0, 2.0, 1.0], [1, 2, 2, 3]
    for metric in (rmse, mae, log_likelihood):
        assert_allclose(metric(BY_HAND, Y, sample_weight=weight), metric(BY_HAND[repeated], Y[repeated]))
    gap_weight = [3.0, 0.0, 1.0, 0.0]
    wanted = eurc(BY_HAND[[0, 0, 0, 2]], BY_HAND[repeated])
    assert_allclose(eurc(BY_HAND, BY_HAND, gap_weight, weight), wanted)
    for bad in ([1.0], [-1.0, 1.0, 1.0, 1.0], [0.0] * 4, [np.nan] * 4):
        with pytest.raises(ValueError, match="sample_weight"):
            rmse(BY_HAND, Y, sample_weight=bad)


def test_errors_of_means_need_no_distribution_and_the_rest_says_that_it_does():
    assert rmse(BY_HAND.mean, Y) == rmse(BY_HAND, Y)
    assert mae(BY_HAND.mean.tolist(), Y) == mae(BY_HAND, Y)
    with pytest.raises(TypeError, match=r"needs a distribution.*ndarray.*predict_dist"):
        refuse_empty(BY_HAND.mean)
