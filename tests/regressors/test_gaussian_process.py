"""The Gaussian process against scikit-learn itself."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, Matern

from unabases import GaussianProcess

RNG = np.random.default_rng(2)
X = RNG.uniform(-2, 2, (50, 2))
Y = 100 + 20 * np.sin(X[:, 0]) + 10 * X[:, 1] + RNG.standard_normal(50)
NEW = RNG.uniform(-4, 4, (20, 2))


@pytest.mark.parametrize("kernel", ["matern", "rbf"])
@pytest.mark.parametrize("ard", [False, True])
@pytest.mark.parametrize("sigma2", [1.0, "evidence"])
def test_it_is_scikit_learns_process_with_the_noise_apart(kernel, ard, sigma2):
    model = GaussianProcess(kernel=kernel, ard=ard, sigma2=sigma2, restarts=0, random_state=0).fit(X, Y)
    process = model.processes_[0]
    spread, center = Y.std(), Y.mean()
    shape = RBF(process.lengths) if kernel == "rbf" else Matern(process.lengths, nu=2.5)
    oracle = GaussianProcessRegressor(
        ConstantKernel(process.amplitude) * shape, alpha=model.sigma2_ / spread**2, optimizer=None
    ).fit((X - X.mean(0)) / X.std(0), (Y - center) / spread)
    mean, std = oracle.predict((NEW - X.mean(0)) / X.std(0), return_std=True)
    d = model.predict_dist(NEW, covariance=True)
    assert_allclose(d.mean, mean * spread + center, rtol=1e-6)
    assert_allclose(d.epistemic_std, std * spread, rtol=1e-5)
    cov = oracle.predict((NEW - X.mean(0)) / X.std(0), return_cov=True)[1]
    assert_allclose(d.covariance, cov * spread**2, atol=1e-6 * spread**2)
    assert_allclose(model.log_evidence_, oracle.log_marginal_likelihood_value_ - len(Y) * np.log(spread), rtol=1e-6)


def test_learned_noise_is_near_the_truth():
    assert 0.3 < GaussianProcess(random_state=0).fit(X, Y).sigma2_ < 3.0


def test_a_parameter_changed_after_fit_does_not_change_predictions():
    model = GaussianProcess(kernel="rbf", restarts=0).fit(X, Y)
    before = model.predict(X)
    assert (model.set_params(kernel="matern").predict(X) == before).all()


def test_too_many_rows_are_refused_with_the_size():
    with pytest.raises(ValueError, match=r"50 rows are more than `max_rows`=40.*GiB"):
        GaussianProcess(max_rows=40).fit(X, Y)


def test_an_unknown_kernel_names_the_known_ones():
    with pytest.raises(ValueError, match="unknown kernel 'cubic'; known ones are matern, rbf"):
        GaussianProcess(kernel="cubic").fit(X, Y)
