"""Skewed predictions, against the log-normal distribution and brute-force draws."""

from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import quad
from scipy.stats import lognorm

from unabases.predictive import Normal, StudentT, Transformed
from unabases.predictive.curve import Curve, fit_curve

EXP = fit_curve(np.array([[2.0], [5e8]]), 0.0, ratio=True)  # bend is the logarithm from 1 to 1e9
DECADES = fit_curve(np.array([[2.0], [50.0]]), 0.0, ratio=True)
SKEWED = fit_curve(np.random.default_rng(1).lognormal(0, 1, (50, 1)), 0.5)

BOTH = Curve(*(np.concatenate(pair) for pair in zip(SKEWED, DECADES, strict=True)))


def test_on_a_logarithm_it_is_log_normal():
    prediction, reference = Transformed(Normal([5.0], [0.3], 0.4), EXP), lognorm(0.5, scale=np.exp(5.0))
    y = np.array([200.0])
    assert_allclose(prediction.log_prob(y), reference.logpdf(y))
    assert_allclose(prediction.cdf(y), reference.cdf(y))
    assert_allclose(prediction.quantile([0.1, 0.9])[:, 0], reference.ppf([0.1, 0.9]))
    assert_allclose(prediction.mean, reference.mean(), rtol=1e-6)
    assert_allclose(prediction.std, reference.std(), rtol=1e-6)


def test_the_parts_of_the_variance_are_those_of_the_expected_function():
    prediction = Transformed(Normal([5.0], [0.3], 0.4), EXP)
    function = lognorm(0.3, scale=np.exp(5.0 + 0.4**2 / 2))  # E[exp(f + noise) | f]
    assert_allclose(prediction.epistemic_std, function.std(), rtol=1e-6)
    assert_allclose(prediction.var, prediction.epistemic_std**2 + prediction.noise_std**2)


@pytest.mark.parametrize("df", [None, 4.0])
@pytest.mark.parametrize("curve", [SKEWED, DECADES], ids=["power", "logarithm"])
def test_moments_are_those_of_the_density(df, curve):
    numbers = ([0.4], [0.5], 0.6)
    prediction = Transformed(Normal(*numbers) if df is None else StudentT(*numbers, df), curve)

    def moment(function):
        edges = [-200, -5, 0, *curve.straighten(curve.bend(np.array([[1.0], [100.0]]))).ravel(), 2e4]
        return sum(
            quad(lambda y: function(y) * np.exp(prediction.log_prob(y))[0], *pair, limit=200)[0]
            for pair in pairwise(sorted(edges))
        )

    assert_allclose(prediction.mean, moment(lambda y: y), rtol=0.005)
    assert_allclose(prediction.std, np.sqrt(moment(lambda y: (y - prediction.mean[0]) ** 2)), rtol=0.01)


def test_draws_without_noise_are_expected_functions():
    prediction = Transformed(Normal([[0.4, 0.4]], [[0.5, 0.5]], 0.6), BOTH)
    f = prediction.sample(100_000, random_state=3, noise=False)
    assert_allclose(prediction.mean, f.mean(axis=0), rtol=0.01)
    assert_allclose(prediction.epistemic_std, f.std(axis=0), rtol=0.01)


def test_rows_scales_and_noise():
    base = Normal([0.1, 0.5], [0.3, 0.2], 0.4, root=[[0.3, 0.0], [0.0, 0.2]])
    prediction = Transformed(base, SKEWED)
    assert_allclose(prediction[1:].mean, prediction.mean[1:])
    assert_allclose(prediction.scaled(4.0, 9.0).base.noise_std, 3 * base.noise_std)
    assert_allclose(prediction.with_noise(2 * prediction.noise_std).base.noise_std, 2 * base.noise_std)
    assert_allclose(np.diag(prediction.covariance), prediction.epistemic_std**2)


def test_far_from_all_targets_moments_stay_finite():
    far = Transformed(Normal([0.0, 40.0], [30.0, 30.0], 0.1), SKEWED)
    assert np.isfinite(far.mean).all()
    assert np.isfinite(far.std).all()


def test_a_curve_for_other_outputs_is_refused():
    with pytest.raises(ValueError, match=r"made for 1 output\(s\), but the prediction has 2"):
        Transformed(Normal([[0.0, 0.0]], [[1.0, 1.0]], 1.0), SKEWED)


def test_noise_that_is_lost_beside_the_epistemic_std_is_found_and_can_be_replaced():
    curve = fit_curve(np.array([[2.0], [50.0]]), 0.0, ratio=True)
    prediction = Transformed(Normal([1.0, 2.0], [0.3, 0.5], 1e-9), curve)
    noise = 1e-9 * np.exp(np.array([1.0, 2.0]) + np.array([0.3, 0.5]) ** 2)  # to first order: the std of a log-normal
    assert_allclose(prediction.noise_std, noise, rtol=1e-3)
    louder = prediction.with_noise(2 * prediction.noise_std)
    assert_allclose(louder.base.noise_std, 2e-9)
