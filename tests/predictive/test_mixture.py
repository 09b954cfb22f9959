"""Mixtures against SciPy, numerical integration and counting."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.integrate import quad
from scipy.stats import norm

from unabases.predictive import Mixture

RNG = np.random.default_rng(0)
MEMBERS = RNG.normal(0, 2, (6, 5))
NOISE = RNG.uniform(0.3, 1.5, 5)
D = Mixture(MEMBERS, NOISE)


@pytest.mark.parametrize("i", range(5))
def test_moments_are_those_of_the_density(i):
    def moment(power, center):
        density = lambda y: norm.pdf(y, MEMBERS[:, i], NOISE[i]).mean()  # noqa: E731
        return quad(lambda y: (y - center) ** power * density(y), -30, 30, limit=200)[0]

    assert_allclose(D.mean[i], moment(1, 0.0), atol=1e-8)
    assert_allclose(D.std[i] ** 2, moment(2, D.mean[i]), rtol=1e-6)
    assert_allclose(D.epistemic_std[i], MEMBERS[:, i].std())


def test_log_prob_and_cdf_against_scipy():
    y = RNG.normal(0, 3, 5)
    assert_allclose(D.log_prob(y), np.log(norm.pdf(y, MEMBERS, NOISE).mean(axis=0)))
    assert_allclose(D.cdf(y), norm.cdf(y, MEMBERS, NOISE).mean(axis=0))
    many = RNG.normal(0, 3, (4, 5))
    assert_allclose(D.log_prob(many)[2], D.log_prob(many[2]))
    assert D.log_prob(0.0).shape == (5,)


def test_density_far_away_is_small_but_not_lost():
    assert_allclose(D.log_prob(1e4), -0.5 * ((1e4 - MEMBERS.max(axis=0)) / NOISE) ** 2, rtol=1e-3)


@pytest.mark.parametrize("q", [1e-9, 0.025, 0.5, 0.9, 1 - 1e-9])
def test_quantile_inverts_cdf(q):
    tail = D.cdf(D.quantile(q)) if q <= 0.5 else 1 - D.cdf(D.quantile(q))
    assert_allclose(tail, min(q, 1 - q), rtol=1e-6)


def test_quantiles_at_the_ends_and_of_several_levels():
    assert_array_equal(D.quantile(0.0), -np.inf)
    assert_array_equal(D.quantile(1.0), np.inf)
    assert D.quantile([0.1, 0.9]).shape == (2, 5)
    lower, upper = D.interval(0.8)
    assert_allclose(D.cdf(upper) - D.cdf(lower), 0.8)
    with pytest.raises(ValueError, match="between 0 and 1"):
        D.quantile(1.5)


def test_one_member_is_a_normal():
    one = Mixture(MEMBERS[:1], NOISE)
    assert_array_equal(one.epistemic_std, 0)
    assert_allclose(one.quantile(0.3), norm.ppf(0.3, MEMBERS[0], NOISE))


def test_samples_have_the_moments_and_share_their_function():
    draws = D.sample(40_000, random_state=0)
    assert_allclose(draws.mean(axis=0), D.mean, atol=0.06)
    assert_allclose(draws.std(axis=0), D.std, rtol=0.03)
    for f in D.sample(20, random_state=1, noise=False):
        assert any(np.array_equal(f, member) for member in MEMBERS)
    assert_array_equal(D.sample(3, random_state=2), D.sample(3, random_state=2))


def test_covariance_is_that_of_the_functions():
    assert_allclose(D.covariance, np.cov(MEMBERS.T, ddof=0))
    two = Mixture(RNG.normal(size=(7, 4, 2)), [1.0, 2.0])
    assert two.covariance.shape == (2, 4, 4)
    assert_allclose(two.covariance[1], np.cov(two.members[..., 1].T, ddof=0))
    assert_allclose(np.einsum("pnn->np", two.covariance), two.epistemic_std**2)


def test_rows_can_be_selected():
    assert_array_equal(D[1:3].members, MEMBERS[:, 1:3])
    assert_array_equal(D[np.array([True, False, False, False, True])].noise_std, NOISE[[0, 4]])
    assert len(D[0]) == 1


@pytest.mark.parametrize(
    ("members", "noise", "message"),
    [
        (np.zeros(3), 1.0, "shape"),
        (np.zeros((0, 3)), 1.0, "at least 1"),
        (np.zeros((2, 3)), -1.0, "negative"),
        (np.zeros((2, 3)), 0.0, "positive"),
        (np.zeros((2, 3)), [1.0, 2.0], "broadcast"),
    ],
)
def test_impossible_arrays_are_refused(members, noise, message):
    with pytest.raises(ValueError, match=message):
        Mixture(members, noise)


def test_targets_of_another_shape_are_refused():
    with pytest.raises(ValueError, match="shape"):
        D.log_prob(np.zeros((5, 1)))


def test_a_row_that_is_undefined_stays_so_and_does_not_hold_the_others_up():
    d = Mixture([[np.nan, 1e6], [np.nan, 1e6 + 1]], 1e-8)
    lower, upper = d.interval(0.9)
    assert np.isnan(lower[0])
    assert_allclose([lower[1], upper[1]], [1e6, 1e6 + 1])
