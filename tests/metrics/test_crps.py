"""CRPS against its definition by numerical integration, its energy form by Monte Carlo, and the sum over all pairs."""

import sys
import tracemalloc
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis.strategies import floats, integers, lists, sampled_from
from numpy.testing import assert_allclose
from scipy.integrate import quad
from scipy.stats import norm, t

from unabases.metrics import crps, mae
from unabases.predictive import AbstractPredictive, Mixture, Normal
from unabases.predictive import StudentT as Heavy

MODULE = sys.modules[crps.__module__]  # `unabases.metrics.crps` names the function
RNG = np.random.default_rng(0)
moderate = floats(-50, 50)
positive = floats(0.05, 20)


def by_integration(cdf, y, points):
    """∫ (F − 1{y ≤ x})² between kinks, far beyond all points."""
    edges = sorted({-1e3, *points, y, 1e3})
    return sum(quad(lambda x: (cdf(x) - (y < x)) ** 2, a, b, limit=400, epsabs=1e-11)[0] for a, b in pairwise(edges))


def over_all_pairs(members, std, y):
    """Grimit et al. written out for one row."""

    def A(mean, var):
        s = np.sqrt(var)
        return 2 * s * norm.pdf(mean / s) + mean * (2 * norm.cdf(mean / s) - 1)

    M = len(members)
    return A(y - members, std**2).mean() - A(members[:, None] - members, 2 * std**2).sum() / (2 * M**2)


class StudentT(AbstractPredictive):
    """Neither Gaussian nor a mixture: what a user might bring."""

    def __init__(self, loc, scale, df):
        self.mean, self.df, self.scale = np.asarray(loc), df, np.asarray(scale)
        self.noise_std = self.scale * np.sqrt(df / (df - 2))
        self.epistemic_std = np.zeros_like(self.mean)
        self.t = t(df, self.mean, self.scale)

    covariance = property(lambda self: np.zeros((len(self), len(self))))

    def log_prob(self, y):
        return self.t.logpdf(y)

    def cdf(self, y):
        return self.t.cdf(y)

    def quantile(self, q):
        q = np.asarray(q)
        return self.t.ppf(q.reshape(q.shape + (1,) * self.mean.ndim))

    def sample(self, n, random_state=None, noise=True):
        raise NotImplementedError

    def scaled(self, epistemic=1.0, noise=1.0):
        raise NotImplementedError

    def __getitem__(self, rows):
        return StudentT(self.mean[rows], self.scale[rows], self.df)


@settings(max_examples=30, deadline=None)
@given(moderate, positive, positive, moderate)
def test_normal_is_the_integral(mean, epistemic, noise, y):
    std = np.hypot(epistemic, noise)
    wanted = by_integration(lambda x: norm.cdf(x, mean, std), y, mean + std * np.array([-6, 0, 6]))
    assert_allclose(crps(Normal([mean], [epistemic], noise), [y]), wanted, rtol=1e-7)


@settings(max_examples=30, deadline=None)
@given(lists(moderate, min_size=1, max_size=6), positive, moderate)
def test_mixture_is_the_integral(members, noise, y):
    f = np.array(members)
    wanted = by_integration(
        lambda x: norm.cdf(x, f, noise).mean(), y, {a + k * noise for a in members for k in (-4, 4)}
    )
    assert_allclose(crps(Mixture(f[:, None], noise), [y]), wanted, rtol=1e-6)


@pytest.mark.parametrize(
    "prediction",
    [Normal([1.0, -2.0], [1.0, 0.5], 0.7), Mixture(RNG.normal(0, 2, (7, 2)), [0.5, 2.0])],
    ids=["normal", "mixture"],
)
def test_energy_form_by_monte_carlo(prediction):
    y, n = np.array([0.3, 4.0]), 400_000
    first, second = prediction.sample(n, random_state=1), prediction.sample(n, random_state=2)
    draws = (np.abs(first - y) - 0.5 * np.abs(first - second)).mean(axis=1)
    assert abs(draws.mean() - crps(prediction, y)) < 4 * draws.std() / np.sqrt(n)


@settings(max_examples=40, deadline=None)
@given(sampled_from([1, 2, 5, 80, 150]), floats(-3, 3), integers(0, 10**6))
def test_mixture_is_the_sum_over_all_pairs(M, log_spread, seed):
    rng = np.random.default_rng(seed)
    members = 10**log_spread * rng.standard_normal((M, 3))
    std, y = rng.uniform(0.2, 2, 3), (1 + 10**log_spread) * rng.standard_normal(3)
    wanted = np.mean([over_all_pairs(members[:, i], std[i], y[i]) for i in range(3)])
    assert_allclose(crps(Mixture(members, std), y), wanted, rtol=1e-11)


@pytest.mark.parametrize("M", [3, 40, 300])
@pytest.mark.parametrize("spread", [0.0, 0.1, 3.0, 30.0])
def test_both_routes_to_the_pairwise_term_agree(M, spread):
    f, std = np.sort(spread * RNG.standard_normal((M, 20)), axis=0) + 5, RNG.uniform(0.5, 2, 20)
    assert_allclose(MODULE._half_spread_by_sum(f, std), MODULE._half_spread_by_pairs(f, std), rtol=1e-12)


@pytest.mark.parametrize("spacing", [8.5, 10.0, 12.4, 12.6, 40.0])
def test_pairs_are_left_out_only_where_noise_adds_nothing(spacing):
    f, std = spacing * 0.3 * np.arange(4.0)[:, None], np.array([0.3])
    assert_allclose(MODULE._half_spread_by_pairs(f, std), MODULE._half_spread_by_sum(f, std), rtol=1e-13)


def test_clusters_far_apart():
    members = np.concatenate([RNG.normal(0, 1, 90), RNG.normal(1e6, 1, 60)])
    assert_allclose(crps(Mixture(members[:, None], 0.5), [3.0]), over_all_pairs(members, 0.5, 3.0), rtol=1e-11)


def test_rows_of_both_routes_and_several_blocks_find_their_places(monkeypatch):
    members = RNG.standard_normal((90, 40, 2)) * np.geomspace(0.1, 500, 40)[:, None]
    std, y = RNG.uniform(0.5, 2, (40, 2)), RNG.normal(0, 3, (40, 2))
    wanted = [[over_all_pairs(members[:, i, j], std[i, j], y[i, j]) for j in range(2)] for i in range(40)]
    monkeypatch.setattr(MODULE, "_BLOCK", 90 * 7)
    assert_allclose(MODULE._of_mixture(Mixture(members, std), y), wanted, rtol=1e-11)


def test_a_mixture_of_equals_is_a_normal():
    y, f = RNG.standard_normal(5), RNG.standard_normal(5)
    for M in (1, 4, 200):
        assert_allclose(crps(Mixture(np.tile(f, (M, 1)), 0.7), y), crps(Normal(f, np.zeros(5), 0.7), y), rtol=1e-12)


def test_many_members_of_a_gaussian_near_its_closed_form():
    f = norm.ppf((np.arange(1000) + 0.5) / 1000)[:, None] * np.full(3, 2.0)
    y = np.array([0.0, 1.0, -5.0])
    assert_allclose(crps(Mixture(f, 1.0), y), crps(Normal(np.zeros(3), np.full(3, 2.0), 1.0), y), rtol=1e-3)


@settings(max_examples=30, deadline=None)
@given(lists(moderate, min_size=1, max_size=5), moderate)
def test_without_spread_it_is_the_absolute_error(mean, y):
    mean, y = np.array(mean), np.full(len(mean), y)
    certain = Normal(mean, np.zeros(len(mean)), 0.0)
    assert crps(certain, y) == mae(certain, y)
    assert_allclose(crps(Normal(mean, np.zeros(len(mean)), 1e-9), y), mae(certain, y), atol=1e-9)
    assert_allclose(crps(Mixture(np.stack([mean] * 3), 1e-9), y), mae(certain, y), atol=1e-9)


@pytest.mark.filterwarnings("error")
def test_noise_of_hardly_any_size_does_not_overflow():
    members = np.array([[0.0], [1.0], [3.0]])
    wanted = np.abs(members - 2).mean() - np.abs(members - members.T).mean() / 2  # of three atoms
    assert_allclose(crps(Mixture(members, 1e-310), [2.0]), wanted)
    assert_allclose(crps(Normal([0.0], [0.0], 1e-310), [2.0]), 2.0)


@settings(max_examples=30, deadline=None)
@given(sampled_from([1, 3, 100]), floats(1e-3, 1e3), moderate, integers(0, 10**6))
def test_units_and_origin(M, scale, shift, seed):
    rng = np.random.default_rng(seed)
    members, y = rng.normal(0, 2, (M, 4)), rng.normal(0, 2, 4)
    moved = Mixture(scale * members + shift, scale * 0.8), scale * y + shift
    assert_allclose(crps(*moved), scale * crps(Mixture(members, 0.8), y), rtol=1e-8)
    mirrored = Mixture(-members, 0.8)
    assert_allclose(crps(mirrored, -y), crps(Mixture(members, 0.8), y), rtol=1e-12)


def test_the_truth_scores_best_on_average():
    y = np.random.default_rng(0).normal(1, 2, 20_000)
    off = [(1, 1), (1, 4), (0, 2), (2, 2)]
    scores = [crps(Normal(np.full_like(y, m), np.zeros_like(y), s), y) for m, s in [(1, 2), *off]]
    assert np.argmin(scores) == 0
    assert_allclose(scores[0], 2 / np.sqrt(np.pi), rtol=0.02)  # the expected one


def test_another_distribution_is_integrated():
    loc, scale, y = np.array([0.0, 1.0, -3.0, 2.0]), np.array([1.0, 0.2, 5.0, 1.0]), np.array([0.1, 4.0, -30.0, 2.0])
    wanted = [
        by_integration(t(5, loc[i], scale[i]).cdf, y[i], loc[i] + scale[i] * np.array([-30, -3, 0, 3, 30]))
        for i in range(4)
    ]
    assert_allclose(crps(StudentT(loc, scale, 5), y), np.mean(wanted), rtol=1e-6)


@pytest.mark.parametrize("y", [-40.0, -1.0, 0.0, 2.5, 40.0])
def test_integration_agrees_with_the_closed_forms(y):
    mixture, y = Mixture([[0.0, -3.0], [1.0, 0.0], [5.0, 3.0]], 0.8), np.full(2, y)
    found = MODULE.by_quadrature(mixture, y, below=lambda F: F**2, above=lambda F: (1 - F) ** 2)
    assert_allclose(found, MODULE._of_mixture(mixture, y), rtol=1e-6)


def test_memory_is_bounded():
    members = RNG.standard_normal((1000, 300)) * np.geomspace(0.1, 1e3, 300)
    prediction, y = Mixture(members, 1.0), np.zeros(300)
    tracemalloc.start()
    crps(prediction, y)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 16e6  # a square of the members alone would be 8 MB a row


def test_nan_predictions_stay_visible():
    assert np.isnan(crps(Normal([np.nan, 0.0], [1.0, 1.0], 1.0), [0.0, 0.0]))
    assert np.isnan(crps(Mixture([[np.nan, 0.0], [0.0, 1.0]], 1.0), [0.0, 0.0]))


def test_a_student_t_prediction_is_integrated_as_any_other():
    prediction = Heavy([0.5, -1.0], [0.3, 2.0], 0.4, 3.0)
    y = np.array([0.1, 7.0])
    reference = StudentT(prediction.mean, prediction.std / np.sqrt(3), 3)  # SciPy's, by quadrature
    assert_allclose(crps(prediction, y), crps(reference, y), rtol=1e-6)
    assert_allclose(crps(Heavy([1.0], [0.0], 0.0, 3.0), [4.0]), 3.0)
