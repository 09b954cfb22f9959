"""Variances chosen by what was left out, against predictions by brute force."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import norm
from scipy.stats import t as t_law

from unabases.regressors.committee.heavy_tails import Tails
from unabases.regressors.committee.variances import (
    Moments,
    _AtRatio,
    _climb,
    _Found,
    choose_variances,
    choose_width,
    predict_left_out,
    widened,
)

Q = 4  # features of the network


def make_member(Phi, t, rows, missing=0.0):
    """A member that saw all rows but some."""
    seen = Phi[~rows]
    lacking = np.full(rows.sum(), missing)
    return Moments(seen.T @ seen, seen.T @ t[~rows], Phi[rows], lacking, t[rows], Q, np.ones(rows.sum()))


@pytest.fixture
def data():
    rng = np.random.default_rng(2)
    Phi = rng.standard_normal((80, 6))
    weights = rng.standard_normal((6, 2)) * np.r_[np.full(Q, 0.1), np.full(2, 1.5)][:, None]
    return Phi, Phi @ weights + np.array([0.3, 0.1]) * rng.standard_normal((80, 2))


def brute_force(Phi, t, rows, alpha, kernel, sigma2, missing):
    """Mean and variance of the left-out rows, from the covariance between rows."""
    prior = np.r_[np.full(Q, alpha), np.full(Phi.shape[1] - Q, kernel)]
    C = Phi * prior @ Phi.T
    K = C[np.ix_(~rows, ~rows)] + sigma2 * np.eye((~rows).sum())
    k = C[np.ix_(rows, ~rows)]
    variance = np.diag(C)[rows] - np.sum(k * np.linalg.solve(K, k.T).T, axis=1)
    return k @ np.linalg.solve(K, t[~rows]), variance + kernel * missing


def test_rows_left_out_at_random_decide_prior_variances_and_noise(data):
    Phi, t = data
    folds = [np.arange(80) % 2 == k for k in range(2)]
    chosen = choose_variances([make_member(Phi, t, rows, 1e-4) for rows in folds], np.full(2, np.nan))

    def score(j, alpha, kernel, sigma2):
        scores = []
        for rows in folds:
            mean, variance = brute_force(Phi, t[:, j], rows, alpha, kernel, sigma2, 1e-4)
            scores.append(norm(mean, np.sqrt(variance + sigma2)).logpdf(t[rows, j]).mean())
        return np.mean(scores)

    for j, truth in enumerate((0.09, 0.01)):
        alpha, sigma2 = chosen.alpha[j], chosen.sigma2[j]
        best = score(j, alpha, alpha * chosen.ratio, sigma2)
        for a, s in ((3, 1), (1 / 3, 1), (1, 1.6), (1, 1 / 1.6)):
            assert score(j, a * alpha, a * alpha * chosen.ratio, s * sigma2) < best + 0.02
        assert 0.5 * truth < sigma2 < 2 * truth
    assert chosen.ratio > 10  # the kernel's weights are larger
    assert_allclose(choose_width([], chosen).factor, 1.0)  # no region was left out


def test_a_known_noise_variance_stays(data):
    Phi, t = data
    chosen = choose_variances([make_member(Phi, t, np.arange(80) % 2 == 0)], np.array([0.2, np.nan]))
    assert chosen.sigma2[0] == 0.2
    assert chosen.sigma2[1] != 0.2


def test_regions_left_out_decide_the_factor():
    rng = np.random.default_rng(5)
    Phi = rng.standard_normal((400, 6))
    t = (Phi @ rng.standard_normal(6) + 0.1 * rng.standard_normal(400))[:, None]
    rows = np.arange(400) % 2 == 0
    folds = [make_member(Phi, t, rows), make_member(Phi, t, ~rows)]
    far = t + 0.7 * rng.standard_normal((400, 1)) * rows[:, None]  # what nobody could know
    slab = make_member(Phi, far, rows, missing=0.02)
    chosen = choose_variances(folds, np.array([np.nan]))
    (factor,), tails = choose_width([slab], chosen)
    assert 1 < choose_width([slab], chosen, stated=True).factor[0] < factor  # whose prior was stated
    assert tails is None
    factors = np.geomspace(0.7, 200, 400)
    mean, variance = brute_force(
        Phi, far[:, 0], rows, chosen.alpha[0], chosen.alpha[0] * chosen.ratio, chosen.sigma2[0], 0.02
    )
    total = widened(variance[:, None], chosen.sigma2[0], factors) + chosen.sigma2[0]
    scores = norm(mean[:, None], np.sqrt(total)).logpdf(far[rows]).mean(axis=0) - 0.01 * np.log(factors) ** 2
    assert_allclose(factor, factors[np.argmax(scores)], rtol=0.25)
    assert factor > 3
    (heavy,), _ = choose_width([slab], chosen, Tails(np.array([3.0]), np.array([0.5]), np.array([3.0])))
    total = widened(variance[:, None], chosen.sigma2[0], factors) + 0.5 * chosen.sigma2[0]
    scores = t_law(3, mean[:, None], np.sqrt(total / 3)).logpdf(far[rows]).mean(axis=0) - 0.01 * np.log(factors) ** 2
    assert_allclose(heavy, factors[np.argmax(scores)], rtol=0.25)
    assert heavy != factor


def test_regions_that_ask_for_different_factors_make_tails_heavy_far_away():
    rng = np.random.default_rng(6)
    Phi = rng.standard_normal((400, 6))
    t = (Phi @ rng.standard_normal(6) + 0.1 * rng.standard_normal(400))[:, None]
    rows = np.arange(400) % 2 == 0
    chosen = choose_variances([make_member(Phi, t, rows), make_member(Phi, t, ~rows)], np.array([np.nan]))
    strayed = [t + by * rng.standard_normal((400, 1)) * rows[:, None] for by in (0.05, 0.1, 1.5)]
    (factor,), tails = choose_width([make_member(Phi, y, rows, missing=0.02) for y in strayed], chosen, heavier=True)
    assert tails is not None
    far = float(tails.far[0])
    assert far <= 4
    assert tails.df[0] > 1e5  # on the data they stay normal

    def score(factor, far):
        found = 0.0 if far > 1e5 else -0.2 / far
        for y in strayed:
            mean, variance = brute_force(
                Phi, y[:, 0], rows, chosen.alpha[0], chosen.alpha[0] * chosen.ratio, chosen.sigma2[0], 0.02
            )
            wide = widened(variance, chosen.sigma2[0], factor)
            total = wide + chosen.sigma2[0]
            df = 1 / (wide / total / far + (1 - wide / total) / 1e6)
            found += t_law(df, mean, np.sqrt(total * (df - 2) / df)).logpdf(y[rows, 0]).mean() / 3
        return found - 0.01 * np.log(factor) ** 2

    best = score(factor, far)
    assert all(score(factor * by, far) < best + 1e-6 for by in (0.7, 1.4))
    assert all(score(factor, other) < best + 1e-6 for other in (2.3, 3.0, 4.0, 6.0, 1e6))
    alike = [make_member(Phi, t + 0.7 * rng.standard_normal((400, 1)) * rows[:, None], rows, missing=0.02)] * 3
    assert choose_width(alike, chosen, heavier=True).tails is None


def test_a_factor_of_one_changes_nothing_and_small_variances_stay():
    variances = np.geomspace(1e-4, 1e3, 8)
    assert_allclose(widened(variances, 0.1, 1.0), variances)
    wide = widened(variances, 0.1, 25.0)
    assert_allclose(wide[0], variances[0], rtol=1e-4)
    assert_allclose(wide[-1], 25 * variances[-1], rtol=1e-2)
    assert (np.diff(wide) > 0).all()


def test_a_few_rows_that_fit_by_chance_do_not_make_the_noise_vanish():
    rng = np.random.default_rng(1)
    Phi = rng.standard_normal((4, 6))
    t = (Phi @ rng.standard_normal(6))[:, None]
    one_by_one = [make_member(Phi, t, np.arange(4) == k) for k in range(4)]
    assert choose_variances(one_by_one, np.array([np.nan])).sigma2[0] > 1e-3


def test_a_member_predicts_what_it_left_out_as_by_brute_force(data):
    Phi, t = data
    rows = np.arange(80) % 2 == 0
    member = make_member(Phi, t, rows, 1e-2)
    chosen = choose_variances([member], np.full(2, np.nan))
    mean, variance = predict_left_out(member, chosen)
    for j, (alpha, sigma2) in enumerate(zip(chosen.alpha, chosen.sigma2, strict=True)):
        expected = brute_force(Phi, t[:, j], rows, alpha, alpha * chosen.ratio, sigma2, 1e-2)
        assert_allclose(mean[:, j], expected[0], rtol=1e-6, atol=1e-8)
        assert_allclose(variance[:, j], expected[1], rtol=1e-6)


@pytest.mark.parametrize("peak", range(6))
def test_uphill_from_the_middle_is_the_top_of_one_hill(peak):
    tried = []

    def at(ratio, start):
        assert start == (_AtRatio(3.0, [], [_Found(-abs(3.0 - peak), 1.0, 1.0, [0.5])]) if tried else None)
        tried.append(ratio)
        return _AtRatio(ratio, [], [_Found(-abs(ratio - peak), 1.0, 1.0, [0.5])])

    assert _climb([0.0, 1.0, 2.0, 3.0, 4.0, 5.0], at).ratio == peak
    assert len(tried) == len(set(tried)) <= 5


def test_one_row_far_from_all_others_does_not_decide_by_its_error():
    """It is known to be unknown, so the likelihood takes its error, of whatever size, for what it is."""
    rng = np.random.default_rng(0)

    def member(far: bool) -> Moments:
        F = np.c_[rng.standard_normal(60), 0.05 * np.ones(60), np.zeros(60)]  # the last feature is the kernel's
        t = F[:, :1] + 0.3 * rng.standard_normal((60, 1))
        seen, features, out = F[:50], F[50:], t[50:]
        if far:
            features[0, 1], out[0] = 50.0, -30.0 * np.sign(np.sum(t[:50] - seen[:, :1]))
        moments = seen.T @ seen, seen.T @ t[:50]
        return Moments(*moments, features, np.zeros(10), out, of_network=2, louder=np.ones(10))

    alone = choose_variances([member(False) for _ in range(5)], np.array([np.nan]))
    beside = choose_variances([member(i == 4) for i in range(5)], np.array([np.nan]))
    for chosen in (alone, beside):
        assert 0.05 < chosen.sigma2 < 0.2
