"""The choice of the factors against brute force, and what a scale does to predictions."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import brute
from scipy.stats import norm

from unabases.predictive import Mixture, Normal
from unabases.regressors.shared.left_out import LeftOut
from unabases.regressors.wrappers.gap_scale import FACTORS, Factors, GapScale, Trial, choose_factors, own_factor

RNG = np.random.default_rng(0)
LEVEL = np.array([0.3])


def trial(kind, wrong_by, seed, mixture=False):
    """Thirty rows whose variances are too small by a factor."""
    rng = np.random.default_rng(seed)
    mean, epistemic, noise = rng.normal(size=30), rng.uniform(0.2, 2, 30), np.full(30, 0.5)
    y = mean + rng.normal(size=30) * np.sqrt(wrong_by * epistemic**2 + noise**2)
    members = mean + epistemic * rng.normal(size=(7, 30))
    prediction = Mixture(members, noise) if mixture else Normal(mean, epistemic, noise)
    return Trial(LeftOut(kind, kind, np.ones(30, dtype=bool)), prediction, y, LEVEL)


def log_likelihood(one, log_c, log_r):
    """Written out for a Gaussian."""
    v, noise = one.prediction.epistemic_std**2, one.prediction.noise_std
    wider = np.where(v > LEVEL, LEVEL + np.exp(log_c) * (v - LEVEL), v)
    return norm.logpdf(one.y, one.prediction.mean, np.sqrt(wider + np.exp(log_r) * noise**2)).mean()


@pytest.mark.parametrize("wrong_by", [0.2, 1.0, 9.0, 100.0])
@pytest.mark.parametrize("prior_std", [0.5, 2.0])
def test_the_epistemic_factor_is_that_of_brute_force(wrong_by, prior_std):
    slabs = [trial("slab", wrong_by, seed) for seed in range(4)]
    grid = np.linspace(-4, 8, 12001)
    score = [sum(log_likelihood(slab, c, 0.0) for slab in slabs) - c**2 / (2 * prior_std**2) for c in grid]
    made = choose_factors(slabs, 0, prior_std)
    assert_allclose(np.log(made.epistemic), grid[np.argmax(score)], atol=2e-3)
    assert made.noise == 1.0


def test_both_factors_are_those_of_brute_force():
    slabs, folds = [trial("slab", 9.0, seed) for seed in range(3)], [trial("fold", 0.5, seed) for seed in (7, 8)]

    def loss(logs):
        score = sum(log_likelihood(slab, *logs) for slab in slabs)
        score += 3 / 2 * sum(log_likelihood(fold, *logs) for fold in folds)
        return np.sum(np.square(logs)) / 8 - score

    best = brute(loss, [slice(-2, 5, 0.1), slice(-2, 2, 0.1)])
    assert_allclose(np.log(choose_factors(slabs + folds, 0, 2.0)), best, atol=5e-3)


def test_folds_alone_choose_the_noise_and_nothing_chooses_nothing():
    folds = [trial("fold", 1.0, seed) for seed in range(3)]
    made = choose_factors(folds, 0, 2.0)
    assert made.epistemic == 1.0
    assert made.noise != 1.0
    assert choose_factors([], 0, 2.0) == Factors(1.0, 1.0)


def test_a_strong_prior_keeps_the_factor_at_one():
    slabs = [trial("slab", 100.0, seed) for seed in range(4)]
    free, shrunk, held = (choose_factors(slabs, 0, std).epistemic for std in (10.0, 1.0, 0.01))
    assert free > shrunk > held
    assert_allclose(held, 1.0, atol=0.01)


def test_a_mixture_takes_a_factor_too():
    slabs = [trial("slab", 25.0, seed, mixture=True) for seed in range(4)]
    scores = [
        sum(GapScale(np.array([c]), np.ones(1), LEVEL).apply(s.prediction).log_prob(s.y).mean() for s in slabs)
        - np.log(c) ** 2 / 8
        for c in FACTORS
    ]
    assert_allclose(np.log10(choose_factors(slabs, 0, 2.0).epistemic), np.log10(FACTORS[np.argmax(scores)]), atol=0.06)


def test_only_what_exceeds_the_level_is_multiplied():
    prediction = Normal(np.zeros(3), np.sqrt([0.5, 1.0, 3.0]), 1.0)
    made = GapScale(np.array([10.0]), np.array([4.0]), np.array([1.0])).apply(prediction)
    assert_allclose(made.epistemic_std**2, [0.5, 1.0, 21.0])
    assert_allclose(made.noise_std, 2.0)
    assert_array_equal(made.mean, prediction.mean)


def test_without_a_level_all_of_it_is_multiplied_and_nothing_stays_nothing():
    made = GapScale(np.array([10.0, 2.0]), np.ones(2), np.zeros(2)).apply(Normal(np.zeros((1, 2)), [[2.0, 0.0]], 1.0))
    assert_allclose(made.epistemic_std**2, [[40.0, 0.0]])


def test_the_factor_of_a_slab_alone():
    assert own_factor(-np.abs(np.log(FACTORS / 10))) == pytest.approx(10)
    assert own_factor(np.zeros(len(FACTORS))) == pytest.approx(1)
