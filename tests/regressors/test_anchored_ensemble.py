"""An anchored ensemble whose members are linear, so that they are draws from a known posterior."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from tests.regressors.linear_network import LINEAR, NEW, PHI_NEW, X, Y, exact_posterior
from unabases import AnchoredEnsemble


@pytest.mark.parametrize("by_fan_in", [False, True])
def test_anchored_members_are_draws_from_the_exact_posterior(by_fan_in):
    members = 1000
    model = AnchoredEnsemble(n_members=members, prior_variance=0.5, by_fan_in=by_fan_in, **LINEAR).fit(X, Y)
    mean, covariance = exact_posterior([0.25, 0.25, 0.5] if by_fan_in else 0.5)
    W = np.asarray(model.networks_.W[:, 0, 0], dtype=np.float64)
    standardised = (W - mean) @ np.linalg.inv(np.linalg.cholesky(covariance)).T  # should be standard normal
    assert_allclose(standardised.mean(axis=0), 0, atol=4 / np.sqrt(members))
    assert_allclose(np.cov(standardised.T), np.eye(3), atol=5 * np.sqrt(2 / members))
    d = model.predict_dist(NEW)
    exact = np.sqrt(np.einsum("nk,kl,nl->n", PHI_NEW, covariance, PHI_NEW))
    assert_allclose(d.epistemic_std, exact, rtol=5 / np.sqrt(2 * members))


def test_without_noise_on_the_targets_the_spread_is_too_small():
    model = AnchoredEnsemble(n_members=500, prior_variance=0.5, perturb_targets=False, **LINEAR).fit(X, Y)
    _, covariance = exact_posterior([0.25, 0.25, 0.5])
    variance = np.var(np.asarray(model.networks_.W[:, 0, 0]), axis=0)
    shrunk = np.diag(covariance @ np.diag([4.0, 4.0, 2.0]) @ covariance)  # A⁻¹ (1/v) A⁻¹
    assert_allclose(variance, shrunk, rtol=5 * np.sqrt(2 / 500))
    assert (variance < 0.2 * np.diag(covariance)).all()


def test_starts_can_be_drawn_apart_from_the_anchors():
    few = {**LINEAR, "max_steps": 1, "learning_rate": 1e-9}
    model = AnchoredEnsemble(n_members=400, init_variance=9.0, **few).fit(X, Y)
    assert_allclose(np.std(model.networks_.W), 3.0, rtol=0.1)


@pytest.mark.parametrize(
    ("parameters", "name"), [({"prior_variance": 0.0}, "prior_variance"), ({"init_variance": -1.0}, "init_variance")]
)
def test_parameters_that_make_no_sense_are_refused(parameters, name):
    with pytest.raises(ValueError, match=f"`{name}`"):
        AnchoredEnsemble(**parameters, sigma2=1.0).fit(X, Y)
