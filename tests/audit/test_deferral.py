"""Guarantees of deferral, on rows that neither the model nor the policy has seen."""

import numpy as np
import pytest
from scipy import stats

from unabases import DeferralPolicy, GaussianProcess
from unabases.audit.deferral import mean_bound_p_value


def scores(rng, n):
    """Errors that grow with the std, and have heavy tails."""
    std = rng.gamma(2.0, size=n)
    return std, np.abs(std * rng.standard_t(4, size=n))


def test_the_share_deferred_is_at_most_the_one_asked_for():
    deferred = []
    for seed in range(400):
        rng = np.random.default_rng(seed)
        policy = DeferralPolicy.from_scores(rng.gamma(2.0, size=49), share=0.1)
        deferred.append(np.mean(rng.gamma(2.0, size=200) > policy.threshold))
    spread = np.std(deferred) / np.sqrt(len(deferred))
    assert 0.1 - 1 / 50 - 3 * spread <= np.mean(deferred) <= 0.1 + 3 * spread


def test_ties_defer_fewer():
    policy = DeferralPolicy.from_scores(np.ones(100), share=0.3)
    assert policy.threshold == 1.0
    assert policy.kept == 1.0


def test_too_few_rows_defer_nothing_and_say_so():
    with pytest.warns(UserWarning, match="20 rows are enough"):
        policy = DeferralPolicy.from_scores(np.arange(10.0), share=0.05)
    assert policy.threshold == np.inf


def test_the_error_of_those_kept_is_at_most_the_one_asked_for_as_often_as_stated():
    """The true error of the kept rows comes from half a million fresh rows; tails are cut at the cap, as stated."""
    fresh_std, fresh_error = scores(np.random.default_rng(10**6), 500_000)
    broken, kept, runs = 0, [], 150
    for seed in range(runs):
        policy = DeferralPolicy.from_scores(
            *scores(np.random.default_rng(seed), 400), max_error=1.0, confidence=0.8, random_state=seed
        )
        stays = fresh_std <= policy.threshold
        broken += bool(stays.any() and np.minimum(fresh_error[stays], 5.0).mean() > 1.0)
        kept.append(stays.mean())
    assert broken <= stats.binom.ppf(0.999, runs, 0.2)
    possible = np.mean(fresh_std <= np.quantile(fresh_std, 0.55))
    assert np.mean(kept) > 0.3 * possible  # it does not keep its promise by deferring everything


def test_betting_rejects_a_true_hypothesis_as_rarely_as_stated():
    rejected = 0
    for seed in range(1000):
        losses = np.random.default_rng(seed).beta(0.3, 0.7, size=80)  # mean 0.3, skewed
        rejected += mean_bound_p_value(losses, 0.3, 1.0) <= 0.1
    assert rejected <= stats.binom.ppf(0.999, 1000, 0.1)


def test_betting_rejects_a_false_hypothesis():
    losses = np.random.default_rng(0).beta(1, 9, size=200)  # mean 0.1
    assert mean_bound_p_value(losses, 0.2, 1.0) < 1e-3
    assert mean_bound_p_value(losses[:0], 0.2, 1.0) == 1.0


def test_an_error_that_cannot_be_reached_defers_everything_and_says_so():
    with pytest.warns(UserWarning, match="every row is deferred"):
        policy = DeferralPolicy.from_scores(*scores(np.random.default_rng(0), 200), max_error=0.01)
    assert (policy.threshold, policy.kept) == (-np.inf, 0.0)


def test_a_model_defers_where_it_has_no_data():
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, size=(150, 1))
    y = np.sin(3 * X[:, 0]) + 0.1 * rng.normal(size=150)
    model = GaussianProcess(restarts=0).fit(X[:50], y[:50])
    policy = DeferralPolicy.fit(model, X[50:], y[50:], share=0.2)
    assert policy.defer([[0.0], [4.0]]).tolist() == [False, True]
    by_error = DeferralPolicy.fit(model, X[50:], y[50:], max_error=0.2)
    assert by_error.defer([[0.0]]).tolist() == [False]
    assert "at most 0.2" in by_error.statement


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "give either `max_error` or `share`"),
        ({"share": 0.1, "max_error": 1.0}, "give either `max_error` or `share`"),
        ({"share": 1.0}, "`share` must lie between 0 and 1"),
        ({"max_error": -1.0}, "`max_error` must be positive"),
        ({"max_error": 1.0, "confidence": 1.0}, "`confidence` must lie between 0 and 1"),
        ({"max_error": 1.0, "cap": 0.5}, "`cap` must be above `max_error`"),
    ],
)
def test_what_makes_no_sense_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        DeferralPolicy.from_scores(np.ones(30), np.ones(30), **options)
    with pytest.raises(ValueError, match="no validation rows"):
        DeferralPolicy.from_scores(np.zeros(0), share=0.1)
    with pytest.raises(ValueError, match="without a model"):
        DeferralPolicy.from_scores(np.ones(30), share=0.5).defer([[1.0]])
