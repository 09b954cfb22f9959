"""Draws against the exact posterior."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from unabases.regressors.processes.draws import draw_functions
from unabases.regressors.processes.smooth_kernel import SmoothKernel

RNG = np.random.default_rng(0)
Z, T = RNG.standard_normal((25, 3)), RNG.standard_normal(25)


@pytest.mark.parametrize(("linear", "parts"), [(1e-6, None), (0.5, None), (0.5, (0, 1, 1))])
def test_draws_have_the_mean_and_covariance_of_the_posterior(linear, parts):
    kernel = SmoothKernel(1.3, linear, 0.05, np.array([1.0, 1.5, 2.0]), parts)
    points = np.random.default_rng(3).standard_normal((6, 3)) * 1.5
    drawn = np.concatenate(  # new random features for each part, so that their error averages out
        [draw_functions(kernel, Z, T, points, 100, np.random.default_rng(seed)) for seed in range(80)], axis=1
    )
    K, k = kernel(Z, Z) + 0.05 * np.eye(25), kernel(points, Z)
    mean, covariance = k @ np.linalg.solve(K, T), kernel(points, points) - k @ np.linalg.solve(K, k.T)
    std = np.sqrt(np.diag(covariance))
    assert_allclose(drawn.mean(axis=1), mean, atol=0.06 * std.max())
    assert_allclose(np.cov(drawn) / np.outer(std, std), covariance / np.outer(std, std), atol=0.1)
