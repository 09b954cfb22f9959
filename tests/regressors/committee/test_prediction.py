"""What a committee says is the mixture of its members, and its functions have the same moments."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from tests.regressors.test_una import FAST, NEW, X, Y
from unabases import UNA
from unabases.regressors.committee.variances import widened


@pytest.fixture(scope="module")
def model():
    return UNA(**FAST).fit(X, Y)


def test_the_prediction_is_the_mixture_of_the_members(model):
    d = model.predict_dist(NEW)
    spread, center = model.y_scale_.spread[0], model.y_scale_.center[0]
    means, variances = [], []
    Z = model.x_scale_.apply(NEW)
    for member, layer in zip(model.members_, model.layers_, strict=True):
        Phi = member(Z, model.variances_.ratio)
        (posterior,) = layer.posteriors
        means.append(Phi @ posterior.m)
        known = np.sum(np.linalg.solve(posterior.L, Phi.T) ** 2, axis=0)
        unknown = model.variances_.ratio * model.prior_variance_ * member.kernel.missing(Z)
        variances.append(widened(known + unknown, posterior.sigma2, model.epistemic_factor_))
    assert len(means) == 5  # three folds and two slabs
    assert_allclose(d.mean, np.mean(means, axis=0) * spread + center)
    expected = np.mean(variances, axis=0) + np.var(means, axis=0)
    assert_allclose(d.epistemic_std, np.sqrt(expected) * spread, rtol=1e-6)


def test_far_away_it_knows_no_more_than_its_kernel(model):
    far = np.full((1, 2), 40.0)
    Z = model.x_scale_.apply(far)
    kernel = model.variances_.ratio * model.prior_variance_ * model.members_[0].kernel.kernel.amplitude
    assert model.predict_dist(far).epistemic_std > 0.5 * np.sqrt(kernel) * model.y_scale_.spread[0]
    assert model.members_[0].kernel.missing(Z) > 0.9 * model.members_[0].kernel.kernel.amplitude


def test_samples_have_the_moments_of_the_prediction(model):
    d = model.predict_dist(NEW, covariance=True)
    draws = model.sample_posterior(NEW, 6000, random_state=0)
    assert draws.shape == (6000, 25)
    assert_allclose(draws.mean(axis=0), d.mean, atol=5 * d.epistemic_std.max() / np.sqrt(6000))
    scale = np.outer(d.epistemic_std, d.epistemic_std)
    assert_allclose(np.cov(draws.T) / scale, d.covariance / scale, atol=0.1)
    assert model.sample_prior(NEW, 3, random_state=0).shape == (3, 25)
    with pytest.raises(ValueError, match="`n` must be a whole number"):
        model.sample_posterior(NEW, -1)


def test_many_rows_are_predicted_as_few(model):
    few, many = model.predict_dist(NEW), model.predict_dist(np.tile(NEW, (100, 1)))  # many pay for inverse factors
    assert_allclose(many.mean, np.tile(few.mean, 100), rtol=1e-9)
    assert_allclose(many.epistemic_std, np.tile(few.epistemic_std, 100), rtol=1e-8)
