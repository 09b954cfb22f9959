import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import ConstantKernel, DotProduct
from sklearn.linear_model import Ridge

from unabases.linear import (
    accumulate,
    condition,
    condition_on,
    covariance,
    forget,
    predict,
    root,
    sample_posterior,
    sample_prior,
    update,
)

SHAPES = st.sampled_from([(1, 1), (3, 8), (30, 4)])
SEEDS = st.integers(0, 10**6)
VARIANCES = st.floats(0.05, 20)
few = settings(max_examples=30, deadline=None)


def draw(shape, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=shape), rng.normal(size=shape[0]), rng.normal(size=(5, shape[1]))


def dual(Phi, y, new, alpha, sigma2):
    """Mean and covariance of f at new rows through the n x n Gaussian, the route the code does not take."""
    K = alpha * Phi @ Phi.T + sigma2 * np.eye(len(y))
    cross = alpha * new @ Phi.T
    return cross @ np.linalg.solve(K, y), alpha * new @ new.T - cross @ np.linalg.solve(K, cross.T)


@few
@given(SHAPES, SEEDS, VARIANCES, VARIANCES)
def test_predictions_equal_the_dual_gaussian(shape, seed, alpha, sigma2):
    Phi, y, new = draw(shape, seed)
    mean, cov = dual(Phi, y, new, alpha, sigma2)
    for posterior in (
        condition(Phi, y, alpha=alpha, sigma2=sigma2),
        condition_on(accumulate(Phi, y), alpha=alpha, sigma2=sigma2),
    ):
        predicted, variance = predict(posterior, new)
        assert_allclose(predicted, mean, atol=1e-9)
        assert_allclose(variance, np.diag(cov), atol=1e-9)
        assert_allclose(covariance(posterior, new), cov, atol=1e-9)
        assert_allclose(covariance(posterior, new[:2], new), cov[:2], atol=1e-9)


def test_mean_is_ridge_regression():
    Phi, y, _ = draw((50, 6))
    ridge = Ridge(alpha=0.3 / 2.0, fit_intercept=False, solver="svd").fit(Phi, y)
    assert_allclose(condition(Phi, y, alpha=2.0, sigma2=0.3).m, ridge.coef_, rtol=1e-10)


def test_predictions_are_those_of_a_gaussian_process_with_a_linear_kernel():
    Phi, y, new = draw((30, 4))
    kernel = ConstantKernel(2.0, "fixed") * DotProduct(sigma_0=0.0, sigma_0_bounds="fixed")
    gp = GaussianProcessRegressor(kernel, alpha=0.3, optimizer=None).fit(Phi, y)
    mean, std = gp.predict(new, return_std=True)
    predicted, variance = predict(condition(Phi, y, alpha=2.0, sigma2=0.3), new)
    assert_allclose(predicted, mean, rtol=1e-8)
    assert_allclose(variance, std**2, rtol=1e-8)


def test_factor_is_the_lower_cholesky_of_the_precision():
    Phi, y, _ = draw((30, 4))
    posterior = condition(Phi, y, alpha=2.0, sigma2=0.3)
    after = update(posterior, Phi, y)
    for L, count in ((posterior.L, 1), (after.L, 2), (forget(after, Phi, y).L, 1)):
        assert_array_equal(L, np.tril(L))
        assert (np.diag(L) > 0).all()
        assert_allclose(L @ L.T, count * Phi.T @ Phi / 0.3 + np.eye(4) / 2.0, rtol=1e-9, atol=1e-9)


def test_outputs_of_statistics_are_separate_regressions():
    rng = np.random.default_rng(0)
    Phi, Y = rng.normal(size=(30, 4)), rng.normal(size=(30, 3))
    s = accumulate(Phi, Y)
    for j in range(3):
        expected = condition(Phi, Y[:, j], alpha=2.0, sigma2=0.3).m
        assert_allclose(condition_on(s, alpha=2.0, sigma2=0.3, output=j).m, expected, rtol=1e-9)
    with pytest.raises(ValueError, match=r"`output` is 3 but the statistics hold 3"):
        condition_on(s, alpha=2.0, sigma2=0.3, output=3)


@few
@given(SHAPES, SEEDS, VARIANCES, VARIANCES)
def test_update_equals_conditioning_on_all_rows_and_forget_undoes_it(shape, seed, alpha, sigma2):
    Phi, y, new = draw(shape, seed)
    old = condition(Phi, y, alpha=alpha, sigma2=sigma2)
    targets = np.cos(np.arange(5.0))
    both = condition(np.concatenate([Phi, new]), np.concatenate([y, targets]), alpha=alpha, sigma2=sigma2)
    after = update(old, new, targets)
    assert_allclose(after.m, both.m, atol=1e-9)
    assert_allclose(after.L, both.L, atol=1e-9)
    back = forget(after, new, targets)
    assert_allclose(back.m, old.m, atol=1e-7)
    assert_allclose(back.L, old.L, atol=1e-7)


def test_forgetting_every_row_leaves_the_prior():
    Phi, y, _ = draw((30, 4))
    left = forget(condition(Phi, y, alpha=2.0, sigma2=0.3), Phi, y)
    assert_allclose(left.m, 0, atol=1e-10)
    assert_allclose(left.L, np.eye(4) / np.sqrt(2.0), atol=1e-10)


def test_rows_never_seen_cannot_be_forgotten():
    Phi, y, new = draw((30, 4))
    posterior = condition(Phi, y, alpha=2.0, sigma2=0.3)
    with pytest.raises(ValueError, match="These 1 rows were not part of the posterior"):
        forget(posterior, 10 * new[:1], np.zeros(1))
    prior = condition(Phi[:0], y[:0], alpha=2.0, sigma2=0.3)
    with pytest.raises(ValueError, match="not part of the posterior"):
        forget(prior, 0.1 * new[:1], np.zeros(1))
    with pytest.raises(ValueError, match="not part of the posterior"):
        forget(forget(posterior, Phi[:20], y[:20]), Phi[:20], y[:20])


def test_forgetting_beyond_float64_is_refused_not_guessed():
    Phi, y = np.array([[1e8]]), np.ones(1)
    with pytest.raises(ValueError, match="use `condition` on the rows that remain"):
        forget(condition(Phi, y, alpha=1.0, sigma2=1.0), Phi, y)


@few
@given(SHAPES, SEEDS, VARIANCES, VARIANCES, st.floats(-100, 100))
def test_a_new_row_never_raises_epistemic_variance(shape, seed, alpha, sigma2, scale):
    Phi, y, new = draw(shape, seed)
    old = condition(Phi, y, alpha=alpha, sigma2=sigma2)
    after = update(old, scale * new[:1], np.zeros(1))
    before = predict(old, new)[1]
    assert (predict(after, new)[1] <= before * (1 + 1e-10)).all()


@few
@given(SEEDS, VARIANCES, VARIANCES)
def test_rotating_features_and_permuting_rows_change_nothing(seed, alpha, sigma2):
    Phi, y, new = draw((30, 4), seed)
    rng = np.random.default_rng(seed)
    Q = np.linalg.qr(rng.normal(size=(4, 4)))[0]
    order = rng.permutation(30)
    expected = predict(condition(Phi, y, alpha=alpha, sigma2=sigma2), new)
    turned = predict(condition(Phi[order] @ Q, y[order], alpha=alpha, sigma2=sigma2), new @ Q)
    assert_allclose(turned, expected, atol=1e-9)


def test_samples_have_the_right_mean_and_covariance():
    Phi, y, new = draw((6, 4))
    posterior = condition(Phi, y, alpha=2.0, sigma2=0.3)
    rng = np.random.default_rng(1)
    n = 100_000
    prior_draws = sample_prior(new, 2.0, n, rng)
    draws = sample_posterior(posterior, new, n, rng)
    assert prior_draws.shape == draws.shape == (n, 5)
    mean, cov = dual(Phi, y, new, 2.0, 0.3)
    for x, m, C in ((prior_draws, np.zeros(5), 2.0 * new @ new.T), (draws, mean, cov)):
        # Standard errors of a sample mean and of sample covariances; five of them is far out.
        d = np.diag(C)
        assert (np.abs(x.mean(axis=0) - m) < 5 * np.sqrt(d / n)).all()
        assert (np.abs(np.cov(x.T) - C) < 5 * np.sqrt((np.outer(d, d) + C**2) / n)).all()


def test_same_generator_state_gives_the_same_samples():
    Phi, y, new = draw((6, 4))
    posterior = condition(Phi, y, alpha=2.0, sigma2=0.3)
    first, second = (sample_posterior(posterior, new, 3, np.random.default_rng(7)) for _ in range(2))
    assert_array_equal(first, second)


def test_root_squares_to_the_covariance():
    Phi, y, new = draw((30, 4))
    posterior = condition(Phi, y, alpha=2.0, sigma2=0.3)
    R = root(posterior, new)
    assert R.shape == (5, 4)
    assert_allclose(R @ R.T, dual(Phi, y, new, 2.0, 0.3)[1], atol=1e-10)


def test_without_rows_the_posterior_is_the_prior():
    for posterior in (
        condition(np.ones((0, 3)), np.ones(0), alpha=4.0, sigma2=0.1),
        condition_on(accumulate(np.ones((0, 3)), np.ones(0)), alpha=4.0, sigma2=0.1),
    ):
        assert_array_equal(posterior.m, np.zeros(3))
        assert_allclose(posterior.L, np.eye(3) / 2.0)


def test_a_dead_feature_keeps_its_prior():
    Phi, y, _ = draw((30, 4))
    Phi[:, 2] = 0
    posterior = condition(Phi, y, alpha=2.0, sigma2=0.3)
    assert posterior.m[2] == 0
    assert_allclose(predict(posterior, np.eye(4)[2:3])[1], 2.0)


def test_float32_rows_are_accepted():
    Phi, y, new = (part.astype(np.float32) for part in draw((30, 4)))
    mean, variance = predict(condition(Phi, y, alpha=2.0, sigma2=0.3), new)
    assert mean.dtype == variance.dtype == np.float64
    expected = dual(*(part.astype(np.float64) for part in (Phi, y, new)), 2.0, 0.3)
    assert_allclose(mean, expected[0], rtol=1e-9)


@pytest.mark.parametrize("k", [3, 129])
def test_many_rows_are_predicted_as_few(k):
    Phi, y, _ = draw((60, k))
    new = np.random.default_rng(1).normal(size=(4100, k))
    posterior = condition(Phi, y, alpha=2.0, sigma2=0.1)
    parts = [predict(posterior, new[start : start + 10]) for start in range(0, len(new), 10)]
    for together, apart in zip(predict(posterior, new), map(np.concatenate, zip(*parts, strict=True)), strict=True):
        assert_allclose(together, apart, rtol=1e-10, atol=1e-12)


def test_an_inverse_that_rounding_spoils_is_not_used():
    L = np.tril(np.full((40, 40), -1.0), -1) + np.eye(40) * 0.3  # its inverse has numbers of the order of 1e24
    posterior = condition(*draw((60, 40))[:2], alpha=1.0, sigma2=1.0)._replace(L=L)
    new = np.random.default_rng(1).normal(size=(2000, 40))
    solved = root(posterior, new)
    assert_array_equal(predict(posterior, new)[1], np.einsum("ij,ij->i", solved, solved))
