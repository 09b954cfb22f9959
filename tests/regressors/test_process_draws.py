"""The kernel's evidence against finite differences, and draws against the exact posterior."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import check_grad
from scipy.stats import multivariate_normal

from unabases.regressors.process_draws import SmoothKernel, _loss, draw_functions, fit_kernel

RNG = np.random.default_rng(0)
Z, T = RNG.standard_normal((25, 3)), RNG.standard_normal(25)
USUAL, SPREAD = np.r_[0.0, -2.0, -3.0, np.full(3, 0.5)], np.full(6, 2.0)


def test_the_loss_is_the_evidence_and_its_gradient_is_right():
    x = USUAL + 0.3 * RNG.standard_normal(6)
    amplitude, linear, noise, *lengths = np.exp(x)
    K = SmoothKernel(amplitude, linear, noise, np.array(lengths))(Z, Z) + (noise + 1e-6) * np.eye(25)
    away = (x - USUAL) / SPREAD
    evidence = multivariate_normal.logpdf(T, cov=K) + 0.5 * 25 * np.log(2 * np.pi)
    value, gradient = _loss(x, Z, T, USUAL, SPREAD)
    assert_allclose(value, 0.5 * away @ away - evidence)
    off = check_grad(lambda x: _loss(x, Z, T, USUAL, SPREAD)[0], lambda x: _loss(x, Z, T, USUAL, SPREAD)[1], x)
    assert off < 1e-5 * np.linalg.norm(gradient)


def test_an_input_that_does_not_matter_gets_a_long_scale():
    rows = np.random.default_rng(1).standard_normal((150, 2))
    kernel = fit_kernel(rows, np.sin(2 * rows[:, 0]) + 0.1 * np.random.default_rng(2).standard_normal(150))
    assert kernel.lengths[1] > 5 * kernel.lengths[0]
    assert 0.005 < kernel.noise < 0.02


@pytest.mark.parametrize("linear", [1e-6, 0.5])
def test_draws_have_the_mean_and_covariance_of_the_posterior(linear):
    kernel = SmoothKernel(1.3, linear, 0.05, np.array([1.0, 1.5, 2.0]))
    points = np.random.default_rng(3).standard_normal((6, 3)) * 1.5
    drawn = np.concatenate(  # new random features for each part, so that their error averages out
        [draw_functions(kernel, Z, T, points, 100, np.random.default_rng(seed)) for seed in range(80)], axis=1
    )
    K, k = kernel(Z, Z) + 0.05 * np.eye(25), kernel(points, Z)
    mean, covariance = k @ np.linalg.solve(K, T), kernel(points, points) - k @ np.linalg.solve(K, k.T)
    std = np.sqrt(np.diag(covariance))
    assert_allclose(drawn.mean(axis=1), mean, atol=0.06 * std.max())
    assert_allclose(np.cov(drawn) / np.outer(std, std), covariance / np.outer(std, std), atol=0.1)
