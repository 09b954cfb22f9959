"""Mean-field variational inference on a linear model, where the best factorised Gaussian is known."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from tests.regressors.linear_network import NEW, PHI, PHI_NEW, SIGMA2, X, Y, exact_posterior, identity
from unabases import MeanFieldVI

LINEAR = {
    "features": identity,
    "sigma2": SIGMA2,
    "standardize": False,
    "by_fan_in": False,
    "prior_variance": 0.5,
    "draws_per_step": 16,
    "max_steps": 3000,
    "learning_rate": 0.03,
    "random_state": 0,
}


@pytest.fixture(scope="module")
def model():
    return MeanFieldVI(n_draws=4000, **LINEAR).fit(X, Y)


def test_mean_is_exact_and_variance_the_inverse_diagonal_of_the_precision(model):
    mean, covariance = exact_posterior(0.5)
    std = np.exp(np.asarray(model.posterior_.log_std.W[0, 0]))
    assert_allclose(model.posterior_.mean.W[0, 0], mean, atol=0.1 * np.sqrt(np.diag(covariance)).min())
    assert_allclose(std**2, 1 / np.diag(np.linalg.inv(covariance)), rtol=0.1)


def test_predictions_are_draws_from_the_posterior(model):
    std = np.exp(np.asarray(model.posterior_.log_std.W[0, 0], dtype=np.float64))
    d = model.predict_dist(NEW)
    assert_allclose(d.epistemic_std, np.sqrt(PHI_NEW**2 @ std**2), rtol=0.08)
    assert_allclose(d.mean, PHI_NEW @ np.asarray(model.posterior_.mean.W[0, 0]), atol=0.02)


def test_the_bound_is_below_the_evidence_and_close_to_its_best(model):
    """At the best factorised Gaussian the gap to the evidence is ½ log(Π precision diagonal / |precision|)."""
    cov = SIGMA2 * np.eye(40) + 0.5 * PHI @ PHI.T
    evidence = -0.5 * (40 * np.log(2 * np.pi) + np.linalg.slogdet(cov)[1] + Y @ np.linalg.solve(cov, Y))
    precision = np.linalg.inv(exact_posterior(0.5)[1])
    gap = 0.5 * (np.log(np.diag(precision)).sum() - np.linalg.slogdet(precision)[1])
    bound = -40 * model.history_["loss"].to_numpy()[-500:].mean()
    assert bound == pytest.approx(evidence - gap, abs=0.15)


@pytest.mark.parametrize(
    ("name", "value"), [("n_draws", 0), ("draws_per_step", 0), ("prior_variance", 0.0), ("restarts", 0)]
)
def test_parameters_that_make_no_sense_are_refused(name, value):
    with pytest.raises(ValueError, match=f"`{name}`"):
        MeanFieldVI(sigma2=1.0).set_params(**{name: value}).fit(X, Y)
