"""Weighted CRPS against the definition over quantiles, by adaptive integration."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis.strategies import floats, lists, sampled_from
from numpy.testing import assert_allclose
from scipy.integrate import quad
from scipy.stats import norm, t

from tests.metrics.test_crps import StudentT
from unabases.metrics import crps, weighted_crps
from unabases.predictive import Mixture, Normal

RNG = np.random.default_rng(0)
WEIGHTS = {"right": lambda q: q**2, "left": lambda q: (1 - q) ** 2}
moderate, positive, tails = floats(-5, 5), floats(0.1, 3), sampled_from(["left", "right"])


def by_definition(quantile, cdf, y, weight):
    """Gneiting and Ranjan (2011): the pinball loss of every level, weighted, with a break at F(y)."""

    def loss(q):
        x = quantile(q)
        return 2 * ((y <= x) - q) * (x - y) * weight(q)

    at_y = float(np.clip(cdf(y), 1e-12, 1 - 1e-12))
    edges = sorted({1e-12, 1e-6, 1e-3, 0.5, 1 - 1e-3, 1 - 1e-6, 1 - 1e-12, at_y})
    return sum(quad(loss, a, b, limit=300, epsabs=1e-11)[0] for a, b in pairwise(edges))


@settings(max_examples=25, deadline=None)
@given(moderate, positive, positive, moderate, tails)
def test_normal_is_the_definition(mean, epistemic, noise, y, tail):
    exact = norm(mean, np.hypot(epistemic, noise))
    wanted = by_definition(exact.ppf, exact.cdf, y, WEIGHTS[tail])
    assert_allclose(weighted_crps(Normal([mean], [epistemic], noise), [y], tail), wanted, rtol=1e-6, atol=1e-8)


@settings(max_examples=5, deadline=None)
@given(lists(moderate, min_size=1, max_size=4), positive, moderate, tails)
def test_mixture_is_the_definition(members, noise, y, tail):
    prediction = Mixture(np.array(members)[:, None], noise)
    wanted = by_definition(
        lambda q: prediction.quantile(q).item(), lambda x: prediction.cdf([x]).item(), y, WEIGHTS[tail]
    )
    assert_allclose(weighted_crps(prediction, [y], tail), wanted, rtol=1e-5, atol=1e-7)


def test_left_and_right_mirror_each_other():
    members, y = RNG.normal(0, 3, (7, 20)), RNG.normal(0, 4, 20)
    assert_allclose(
        weighted_crps(Mixture(members, 0.5), y, "left"), weighted_crps(Mixture(-members, 0.5), -y, "right"), rtol=1e-12
    )


def test_weights_that_sum_to_one_give_back_the_crps():
    """1 = q² + (1 − q)² + 2 q (1 − q); the middle is left to the definition."""
    prediction, y = Normal([0.3], [0.8], 0.3), [1.7]
    exact = norm(0.3, prediction.std.item())
    middle = by_definition(exact.ppf, exact.cdf, 1.7, lambda q: 2 * q * (1 - q))
    both = sum(weighted_crps(prediction, y, tail) for tail in WEIGHTS)
    assert_allclose(both + middle, crps(prediction, y), rtol=1e-6)


def test_other_predictions_are_integrated():
    y, wanted = [0.5, 4.0], []
    for loc, scale, outcome in zip([0.0, 1.0], [1.0, 2.0], y, strict=True):
        exact = t(5.0, loc, scale)
        wanted.append(by_definition(exact.ppf, exact.cdf, outcome, WEIGHTS["right"]))
    found = weighted_crps(StudentT([0.0, 1.0], [1.0, 2.0], 5.0), y, "right")
    assert_allclose(found, np.mean(wanted), rtol=1e-4)


def test_a_point_mass_is_a_weighted_distance():
    prediction = Normal([0.0, 0.0], [0.0, 0.0], 0.0)
    assert_allclose(weighted_crps(prediction, [3.0, -3.0], "right"), (3 / 2 + 3 / 6) / 2)


def test_far_members_and_far_outcomes():
    """With noise next to nothing the distribution is a staircase, whose integral is a sum."""
    members = np.array([-1.0, 0.0, 4.0, 10.0])
    F, widths = np.array([0.25, 0.5, 0.75]), np.diff(members)
    wanted = np.sum(F**4 / 2 * widths) + (100 - 10) / 2
    assert_allclose(weighted_crps(Mixture(members[:, None], 0.05), [100.0], "right"), wanted, rtol=1e-2)
    assert_allclose(weighted_crps(Mixture(members[:, None], 1e-4), [100.0], "right"), wanted, rtol=1e-3)


def test_rows_and_outputs_are_averaged():
    mean, std, y = RNG.normal(size=(2, 3)), RNG.uniform(1, 2, (2, 3)), RNG.normal(size=(2, 3))
    single = [
        weighted_crps(Normal([m], [s], 0.1), [t], "left")
        for m, s, t in zip(mean.ravel(), std.ravel(), y.ravel(), strict=True)
    ]
    assert_allclose(weighted_crps(Normal(mean, std, 0.1), y, "left"), np.mean(single), rtol=1e-10)


@pytest.mark.parametrize("tail", ["left", "right"])
def test_weights_are_repeated_rows(tail):
    rng = np.random.default_rng(0)
    mean, y, count = rng.normal(size=(6, 2)), rng.normal(size=(6, 2)), np.array([0, 1, 2, 3, 1, 0])
    for prediction in (Normal(mean, np.abs(mean), 0.5), Mixture(np.stack([mean, mean + 1]), 0.5)):
        rows = np.repeat(np.arange(6), count)
        wanted = weighted_crps(prediction[rows], y[rows], tail)
        assert_allclose(weighted_crps(prediction, y, tail, sample_weight=count), wanted, rtol=1e-12)


def test_the_true_distribution_scores_best():
    y, zero = RNG.standard_normal(4000), np.zeros(4000)
    predictions = [Normal(zero + m, zero, s) for m, s in ((0, 1.0), (0, 0.7), (0, 1.4), (0.3, 1.0), (-0.3, 1.0))]
    for tail in WEIGHTS:
        scores = [weighted_crps(prediction, y, tail) for prediction in predictions]
        assert np.argmin(scores) == 0


def test_nan_stays_visible_and_the_tail_must_be_known():
    assert np.isnan(weighted_crps(Normal([np.nan, 0.0], [1.0, 1.0], 1.0), [0.0, 0.0], "left"))
    with pytest.raises(ValueError, match="`tail` must be one of 'right', 'left', got 'both'"):
        weighted_crps(Normal([0.0], [1.0], 1.0), [0.0], "both")
