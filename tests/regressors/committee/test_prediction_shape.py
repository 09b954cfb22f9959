"""Predictions of skewed and noisy targets: their scale, their tails, and what is saved of them."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from tests.regressors.test_una import FAST, NEW, X, Y
from unabases import UNA, load, save
from unabases.predictive import Normal, StudentT, Transformed
from unabases.regressors.committee.heavy_tails import Tails
from unabases.terms import Bounds, Irrelevant


@pytest.fixture(scope="module")
def skewed():
    """A model of targets whose noise grows with them, with outliers, and what it was fitted to."""
    rng = np.random.default_rng(1)
    y = np.exp(2 * Y + 0.1 * rng.standard_t(2.5, 60))
    return UNA(**FAST).fit(X, y), y


def test_skewed_targets_are_learned_on_a_curve(skewed):
    model, y = skewed
    d = model.predict_dist(X)
    assert isinstance(d, Transformed)
    assert model.curve_.power[0] == 0.0
    assert (d.interval(0.9)[0] < d.mean).all()
    inside = np.mean((d.interval(0.9)[0] < y) & (y < d.interval(0.9)[1]))
    assert 0.8 < inside <= 1.0
    assert np.corrcoef(d.noise_std, d.mean)[0, 1] > 0.9  # the noise grows with y
    assert_allclose(model.sigma2_, np.mean(d.noise_std**2), rtol=0.5)


def test_a_curved_scale_is_saved_and_updated(skewed, tmp_path):
    model, y = skewed
    save(model, tmp_path / "model.una")
    other = load(tmp_path / "model.una")
    before = model.predict_dist(NEW)
    assert_allclose(other.predict_dist(NEW).quantile([0.1, 0.9]), before.quantile([0.1, 0.9]), rtol=1e-12)
    assert other.sigma2_ == model.sigma2_
    twice = other.update(X, y).predict_dist(X)
    assert twice.epistemic_std.mean() < model.predict_dist(X).epistemic_std.mean()
    assert_allclose(other.forget(X, y).predict_dist(NEW).mean, before.mean, rtol=1e-4)


def test_functions_on_a_curved_scale_have_the_moments_of_the_prediction(skewed):
    model, _ = skewed
    d, draws = model.predict_dist(X[:8]), model.sample_posterior(X[:8], 4000, random_state=0)
    assert_allclose(draws.mean(axis=0), d.mean, rtol=0.1)
    assert_allclose(draws.std(axis=0), d.epistemic_std, rtol=0.25)
    assert (model.sample_posterior(X, 20, random_state=0) > 0).mean() > 0.99


def test_outliers_make_tails_heavy_and_not_the_noise_large():
    rng = np.random.default_rng(3)
    y = Y + 4.0 * rng.choice([-1, 1], 60) * (rng.uniform(size=60) < 0.1)
    heavy, normal = UNA(**FAST).fit(X, y), UNA(**FAST, tails="normal").fit(X, y)
    assert isinstance(heavy.predict_dist(NEW), StudentT)
    assert isinstance(normal.predict_dist(NEW), Normal)
    assert heavy.tails_.df[0] < 10
    assert_allclose(heavy.predict(NEW), normal.predict(NEW))  # only the width differs
    usual = np.abs(Y - y) == 0
    assert heavy.predict_dist(X).log_prob(y)[usual].mean() > normal.predict_dist(X).log_prob(y)[usual].mean()


def test_tails_may_be_heavier_where_the_function_is_unknown(tmp_path):
    model = UNA(**FAST).fit(X, Y)
    model.tails_ = Tails(*np.array([[50.0], [1.0], [3.0]]))
    near, far = model.predict_dist(X), model.predict_dist(X + 50)
    assert near.df.min() > 2 * far.df.max()
    assert far.df.max() < 3.5
    share = near.epistemic_std**2 / near.var
    assert_allclose(near.df, 1 / ((1 - share) / 50 + share / 3))
    save(model, tmp_path / "model.una")
    again = load(tmp_path / "model.una").predict_dist(X + 50)
    assert_array_equal(again.interval(0.9), far.interval(0.9))


def test_a_given_noise_keeps_targets_and_tails_as_they_are():
    model = UNA(**FAST, sigma2=0.01).fit(X, np.exp(Y))
    assert model.curve_ is None
    assert model.tails_ is None
    assert_allclose(model.sigma2_, 0.01)
    with pytest.raises(ValueError, match="the noise has no one variance"):
        UNA(**FAST, sigma2=0.01, target="log").fit(X, np.exp(Y))


def test_statements_in_the_units_of_y_keep_the_scale_straight():
    y = 20 * np.exp(2 * Y)
    assert UNA(**FAST, terms=[Irrelevant(1)]).fit(X, y).curve_ is None
    with pytest.raises(ValueError, match="`terms` are statements in the units of y"):
        UNA(**FAST, terms=[Bounds(lower=0)], target="log").fit(X, y)


@pytest.mark.parametrize("parameter", ["noise", "tails", "target"])
def test_unknown_words_are_refused(parameter):
    with pytest.raises(ValueError, match=f"`{parameter}` must be one of"):
        UNA(**FAST, **{parameter: "odd"}).fit(X, Y)
