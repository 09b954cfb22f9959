"""Exact processes against the textbook formulas, and through named arrays and back."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import approx_fprime
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, Matern, WhiteKernel

from unabases.regressors.processes.exact_gp import (
    _Search,
    check_rows,
    fit_process,
    predict_processes,
    process_arrays,
    read_processes,
)
from unabases.regressors.shared.saved_state import SavedState

RNG = np.random.default_rng(0)
X, NEW = RNG.standard_normal((12, 2)), RNG.standard_normal((5, 2))
T = np.sin(X[:, 0]) + 0.1 * RNG.standard_normal(12)


def kernel(A, B, amplitude=1.7, length=0.8):
    squared = np.sum((A[:, None] - B[None]) ** 2, axis=-1)
    return amplitude * np.exp(-squared / (2 * length**2))


def given():
    return fit_process(X, T, kernel="rbf", amplitude=1.7, lengths=np.array([0.8]), sigma2=0.05)


def test_prediction_and_evidence_are_the_textbooks():
    process = given()
    mean, std, sigma2, root = predict_processes((process,), X, NEW, kernel="rbf", covariance=True)
    K, k = kernel(X, X) + 0.05 * np.eye(12), kernel(NEW, X)
    covariance = kernel(NEW, NEW) - k @ np.linalg.solve(K, k.T)
    assert_allclose(mean[:, 0], k @ np.linalg.solve(K, T), rtol=1e-8)
    assert_allclose(std[:, 0] ** 2, np.diag(covariance), rtol=1e-7)
    assert_allclose(root[0] @ root[0].T, covariance, rtol=1e-6, atol=1e-9)
    assert_allclose(sigma2, [0.05])
    log_det = np.linalg.slogdet(2 * np.pi * K)[1]
    assert_allclose(process.log_evidence, -0.5 * (T @ np.linalg.solve(K, T) + log_det))


def test_arrays_bring_the_same_process_back():
    saved = SavedState(process_arrays((given(),)), {"outputs": 1}, p=1, d=X.shape[1])
    (again,) = read_processes(saved, "d")
    for one, other in zip(given(), again, strict=True):
        assert_array_equal(one, other)


def test_too_many_rows_are_refused_with_advice():
    with pytest.raises(ValueError, match=r"6000 rows are more than `max_rows`=5000.*Use LUNA"):
        check_rows(6000, 5000, "LUNA")


@pytest.mark.parametrize("sigma2", [0.05, None])
def test_a_row_of_weight_w_counts_as_w_rows(sigma2):
    """Mean, spread and evidence are those of a process that sees the rows again and again."""
    weight = np.array([1, 2, 3] * 4)
    repeated = np.repeat(np.arange(12), weight)
    given = {"kernel": "rbf", "sigma2": sigma2}
    one = fit_process(X, T, **given, weight=1.0 * weight)
    other = fit_process(X[repeated], T[repeated], **given)
    assert_allclose(one.log_evidence, other.log_evidence, rtol=1e-4)
    assert_allclose(one.sigma2, other.sigma2, rtol=1e-2)
    for a, b in zip(
        predict_processes((one,), X, NEW, kernel="rbf", covariance=False)[:2],
        predict_processes((other,), X[repeated], NEW, kernel="rbf", covariance=False)[:2],
        strict=True,
    ):
        assert_allclose(a, b, rtol=1e-2, atol=1e-3)


@pytest.mark.parametrize("kernel", ["rbf", "matern"])
@pytest.mark.parametrize("n_lengths", [1, 2])
@pytest.mark.parametrize("weight", [None, 1.0 * np.array([1, 2, 3] * 4)])
def test_the_gradient_of_the_evidence_is_that_of_finite_differences(kernel, n_lengths, weight):
    search = _Search(X, T, kernel, None, None, None, n_lengths, weight)
    theta = np.r_[0.3, [0.2, -0.4][:n_lengths], -1.5]
    differences = approx_fprime(theta, lambda at: search.loss(at)[0], 1e-6)
    assert_allclose(search.loss(theta)[1], differences, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("kernel", ["rbf", "matern"])
@pytest.mark.parametrize("n_lengths", [1, 2])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_the_evidence_chooses_what_scikit_learn_chooses(kernel, n_lengths):
    process = fit_process(X, T, kernel=kernel, n_lengths=n_lengths, restarts=2, random=np.random.RandomState(3))
    lengths = np.ones(n_lengths)
    shape = RBF(lengths, (1e-2, 1e3)) if kernel == "rbf" else Matern(lengths, (1e-2, 1e3), nu=2.5)
    theirs = GaussianProcessRegressor(
        ConstantKernel(1.0, (1e-3, 1e6)) * shape + WhiteKernel(0.1, (1e-6, 1e1)), n_restarts_optimizer=2, random_state=3
    ).fit(X, T)
    ours = np.log([process.amplitude, *process.lengths, process.sigma2])
    assert_allclose(process.log_evidence, theirs.log_marginal_likelihood_value_, rtol=1e-6)
    assert_allclose(ours, theirs.kernel_.theta, atol=1e-2)
