"""Ensembles whose members are linear, so that what each should become is known."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from tests.regressors.linear_network import NEW, PHI, PHI_NEW, SIGMA2, X, Y, exact_posterior, identity
from unabases import AnchoredEnsemble, BootstrapEnsemble, VanillaEnsemble
from unabases.regressors.bootstrap_ensemble import draw_counts

LINEAR = {
    "features": identity,
    "sigma2": SIGMA2,
    "standardize": False,
    "max_steps": 1500,
    "learning_rate": 0.05,
    "random_state": 0,
}


def ridge(gamma, weight):
    """Minimiser of Σ weight (y − Φw)² / 2σ² + γ‖w‖²."""
    A = (PHI * weight[:, None]).T @ PHI / SIGMA2 + 2 * gamma * np.eye(3)
    return np.linalg.solve(A, PHI.T @ (weight * Y) / SIGMA2)


def test_each_vanilla_member_is_the_penalised_fit():
    model = VanillaEnsemble(n_members=3, gamma=2.0, **LINEAR).fit(X, Y)
    for weights in model.networks_.W[:, 0, 0]:
        assert_allclose(weights, ridge(2.0, np.ones(40)), rtol=1e-3, atol=1e-4)
    assert_allclose(model.predict(NEW), PHI_NEW @ ridge(2.0, np.ones(40)), rtol=1e-3, atol=1e-3)


def test_each_bootstrap_member_is_the_fit_of_its_own_rows():
    model = BootstrapEnsemble(n_members=4, gamma=0.5, **LINEAR).fit(X, Y)
    for weights, counts in zip(model.networks_.W[:, 0, 0], model.counts_, strict=True):
        assert_allclose(weights, ridge(0.5, counts.astype(float)), rtol=1e-3, atol=1e-4)


def test_bootstrap_draws_are_multinomial():
    counts = draw_counts(20_000, np.arange(5), 7, np.random.default_rng(0))
    assert_array_equal(counts.sum(axis=1), 5)
    assert_array_equal(counts[:, 5:], 0)  # rows held out are never drawn
    assert_allclose(counts[:, :5].mean(axis=0), 1.0, atol=0.04)
    expected = 5 * (np.eye(5) / 5 - 1 / 25)  # covariance of a multinomial
    assert_allclose(np.cov(counts[:, :5].T), expected, atol=0.04)


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


def test_log_likelihood_is_that_of_the_mixture():
    model = VanillaEnsemble(n_members=3, gamma=0.1, **{**LINEAR, "max_steps": 30}).fit(X, Y)
    d = model.predict_dist(X)
    density = np.exp(-0.5 * (Y - d.members) ** 2 / SIGMA2) / np.sqrt(2 * np.pi * SIGMA2)
    assert_allclose(d.log_prob(Y), np.log(density.mean(axis=0)))


def test_early_stopping_holds_rows_out_of_every_member():
    model = BootstrapEnsemble(n_members=3, early_stopping=True, patience=1, **LINEAR).fit(X, Y)
    assert (model.counts_.sum(axis=0) == 0).sum() >= 4
    assert_array_equal(model.counts_.sum(axis=1), 36)


@pytest.mark.parametrize(
    ("model", "name"),
    [
        (VanillaEnsemble(n_members=1), "n_members"),
        (VanillaEnsemble(gamma=-1.0), "gamma"),
        (AnchoredEnsemble(prior_variance=0.0), "prior_variance"),
        (AnchoredEnsemble(init_variance=-1.0), "init_variance"),
    ],
)
def test_parameters_that_make_no_sense_are_refused(model, name):
    with pytest.raises(ValueError, match=f"`{name}`"):
        model.set_params(sigma2=1.0).fit(X, Y)
