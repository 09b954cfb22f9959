"""The Gaussian in the rows' own space, against dense matrices over all weights."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from unabases.linear import condition, covariance, log_evidence, predict
from unabases.linear.row_space import ALPHAS, RowSpace, best_alpha, decompose, informed_part, log_volume, root, variance

SHAPES = pytest.mark.parametrize("shape", [(1, 1), (1, 6), (7, 20), (20, 20), (50, 8)])


def draw(shape, seed=0):
    rng = np.random.default_rng(seed)
    return 3 * rng.standard_normal(shape), rng.standard_normal((5, shape[1]))


def blocks(J, size=4):
    return (J[i : i + size] for i in range(0, len(J), size))


@SHAPES
@pytest.mark.parametrize("alpha", [1e-3, 1.0, 1e3])
def test_variances_and_covariance_equal_the_dense_precision(shape, alpha):
    J, new = draw(shape)
    space = decompose(blocks(J), *shape)
    expected = new @ np.linalg.solve(J.T @ J + np.eye(shape[1]) / alpha, new.T)
    assert_allclose(variance(space, new, alpha), np.diag(expected), rtol=1e-9)
    R = root(space, new, alpha)
    assert_allclose(R @ R.T, expected, atol=1e-9 * np.abs(expected).max())


@SHAPES
def test_it_is_bayesian_linear_regression(shape):
    J, new = draw(shape, seed=1)
    y = np.sin(np.arange(shape[0]))
    posterior = condition(J, y, alpha=0.7, sigma2=0.04)
    space = decompose(blocks(J / 0.2), *shape)
    assert_allclose(variance(space, new, 0.7), predict(posterior, new)[1], rtol=1e-9)
    R = root(space, new, 0.7)
    assert_allclose(R @ R.T, covariance(posterior, new), atol=1e-9)
    m = posterior.m
    fit = -0.5 * np.sum((y - J @ m) ** 2 / 0.04 + np.log(2 * np.pi * 0.04))
    evidence = fit - 0.5 * (m @ m / 0.7 + log_volume(space, 0.7))
    assert_allclose(evidence, log_evidence(J, y, alpha=0.7, sigma2=0.04), rtol=1e-9)


@SHAPES
def test_log_volume_is_the_log_determinant(shape):
    J, _ = draw(shape)
    expected = np.linalg.slogdet(np.eye(shape[1]) + 0.3 * J.T @ J)[1]
    assert_allclose(log_volume(decompose(blocks(J), *shape), 0.3), expected, rtol=1e-10)


@SHAPES
@pytest.mark.parametrize("squared_norm", [0.01, 1.0, 300.0])
def test_the_best_alpha_beats_every_other(shape, squared_norm):
    J, _ = draw(shape)
    space = decompose(blocks(J), *shape)

    def evidence(alpha):
        return -0.5 * (squared_norm / alpha + np.linalg.slogdet(np.eye(shape[1]) + alpha * J.T @ J)[1])

    best = best_alpha(space, squared_norm)
    grid = np.exp(np.linspace(*np.log(ALPHAS), 500))
    assert evidence(best) >= max(map(evidence, grid)) - 1e-9
    step = 1e-4
    slope = (evidence(best * np.exp(step)) - evidence(best * np.exp(-step))) / (2 * step)
    assert abs(slope) < 1e-6 * max(1.0, squared_norm / best)


def test_weights_of_nothing_and_rows_that_say_nothing_end_at_the_bounds():
    J, _ = draw((7, 20))
    assert best_alpha(decompose([J], 7, 20), 0.0) == ALPHAS[0]
    assert best_alpha(decompose([0 * J], 7, 20), 1.0) == ALPHAS[1]


def test_rows_that_repeat_each_other_leave_the_rest_to_the_prior():
    J = np.repeat(draw((3, 20))[0], 5, axis=0)
    space = decompose(blocks(J), 15, 20)
    new = np.eye(20)
    expected = np.diag(np.linalg.inv(J.T @ J + np.eye(20)))
    assert_allclose(variance(space, new, 1.0), expected, rtol=1e-10)


@pytest.mark.parametrize("n", [10, 40])
def test_a_sure_direction_keeps_its_digits_next_to_a_vague_prior(n):
    """Prior minus explained would lose all digits here: 1e8 against 1e-8."""
    rng = np.random.default_rng(3)
    Q = np.linalg.qr(rng.standard_normal((20, 20)))[0]
    J = 1e4 * np.linalg.qr(rng.standard_normal((n, min(n, 20))))[0] @ Q[: min(n, 20)]
    space = decompose([J], n, 20)
    assert_allclose(variance(space, Q[:3], 1e8), 1 / (1e8 + 1e-8), rtol=1e-9)
    if n < 20:
        assert_allclose(variance(space, Q[-3:], 1e8), 1e8, rtol=1e-9)


def test_a_prior_variance_must_be_positive():
    J, new = draw((7, 20))
    with pytest.raises(ValueError, match="`alpha` is a variance"):
        variance(decompose([J], 7, 20), new, 0.0)


@pytest.mark.parametrize("r", [8, 20])
def test_directions_without_information_can_be_left_out(r):
    V = np.linalg.qr(draw((20, 20))[0])[0][:, :r]
    space = RowSpace(V, np.r_[1e4, 3.0, 1e-3, np.full(r - 3, 1e-12)])
    few, new = informed_part(space, 1.0), draw((5, 20), seed=2)[0]
    assert few.V.shape == (20, 3)
    assert_allclose(variance(few, new, 1.0), variance(space, new, 1.0), rtol=1e-9)
    assert_allclose(root(few, new, 1.0) @ root(few, new, 1.0).T, root(space, new, 1.0) @ root(space, new, 1.0).T)
    assert informed_part(space, 1e6) is space  # all of them count
