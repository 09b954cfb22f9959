"""The kernel's evidence against finite differences, and its features against the exact process."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import check_grad
from scipy.stats import multivariate_normal, norm

from unabases import linear
from unabases.regressors.processes.smooth_kernel import (
    GivenNumbers,
    KernelFeatures,
    SmoothKernel,
    _loss,
    draw_kernels,
    fit_kernel,
    kernel_evidence,
    kernel_features,
)
from unabases.regressors.shared.saved_state import SavedState

RNG = np.random.default_rng(0)
Z, T = RNG.standard_normal((25, 3)), RNG.standard_normal((25, 2))
USUAL, SPREAD = np.r_[0.0, -2.0, -3.0, np.full(3, 0.5)], np.full(6, 2.0)
KERNEL = SmoothKernel(1.3, 0.4, 0.05, np.array([1.0, 1.5, 2.0]))


@pytest.mark.parametrize("parts", [None, (0, 1, 1)])
def test_the_loss_is_the_evidence_of_all_outputs_and_its_gradient_is_right(parts):
    x = USUAL + 0.3 * RNG.standard_normal(6)
    amplitude, slope, noise, *lengths = np.exp(x)
    kernel = SmoothKernel(amplitude, slope, noise, np.array(lengths), parts)
    K = kernel(Z, Z) + (noise + kernel.jitter(Z)) * np.eye(25)
    away = (x - USUAL) / SPREAD
    evidence = multivariate_normal.logpdf(T.T, cov=K).sum() + 25 * np.log(2 * np.pi)
    fixed = (Z, T, USUAL, SPREAD, None, Z @ Z.T, parts)
    value, gradient = _loss(x, *fixed)
    assert_allclose(value, 0.5 * away @ away - evidence)
    off = check_grad(lambda x: _loss(x, *fixed)[0], lambda x: _loss(x, *fixed)[1], x)
    assert off < 1e-5 * np.linalg.norm(gradient)


@pytest.mark.parametrize(("periods", "others"), [(30, 0), (15, 5)])
def test_waves_of_many_periods_are_found(periods, others):
    """From lengths that are longer than a wave, all climbs end at a flat function and noise."""
    rng = np.random.default_rng(1)
    rows = rng.uniform(-1.7, 1.7, (300, 1 + others))
    trend = np.sum(rows[:, 1:2], axis=1, keepdims=True)  # of one other input, if there are any
    t = trend + np.sin(2 * np.pi * periods / 3.4 * rows[:, [0]]) + 0.3 * rng.standard_normal((300, 1))
    kernel = fit_kernel(rows, t)
    assert 0.4 < kernel.lengths[0] * periods < 2.5
    assert kernel.noise < 0.15
    assert (kernel.lengths[1:] > 2).all()


def test_the_kernel_of_a_sum_is_the_mean_of_those_of_its_parts():
    parts = KERNEL._replace(parts=(0, 1, 1))
    alone = SmoothKernel(1.3, 0.0, 0.05, KERNEL.lengths[:1])(Z[:, :1], Z[:4, :1])
    others = SmoothKernel(1.3, 0.0, 0.05, KERNEL.lengths[1:])(Z[:, 1:], Z[:4, 1:])
    assert_allclose(parts(Z, Z[:4]), (alone + others) / 2 + 0.4 * Z @ Z[:4].T)
    assert_allclose(parts.variance(Z), np.diag(parts(Z, Z)))


def test_the_evidence_of_a_sum_tells_which_inputs_interact():
    rows = np.random.default_rng(6).standard_normal((60, 3))
    t = np.sin(2 * rows[:, [0]]) + rows[:, [1]] * rows[:, [2]] + 0.1 * RNG.standard_normal((60, 1))
    right, all_apart, together = (kernel_evidence(rows, t, parts=parts) for parts in ((0, 1, 1), (0, 1, 2), None))
    assert right > together + 5
    assert together > all_apart + 5
    drawn = draw_kernels(rows, t, fit_kernel(rows, t, parts=(0, 1, 1)), 3, np.random.default_rng(0))
    assert {one.parts for one in drawn} == {(0, 1, 1)}


def test_an_input_that_does_not_matter_gets_a_long_scale():
    rows = np.random.default_rng(1).standard_normal((150, 2))
    t = np.sin(2 * rows[:, :1]) + 0.1 * np.random.default_rng(2).standard_normal((150, 1))
    kernel = fit_kernel(rows, t)
    assert kernel.lengths[1] > 4 * kernel.lengths[0]
    assert 0.005 < kernel.noise < 0.02
    again = fit_kernel(rows[:140], t[:140], start=kernel)
    assert_allclose(again.lengths[0], kernel.lengths[0], rtol=0.3)


def test_an_exact_layer_on_the_features_of_all_rows_is_the_exact_process():
    features, new = kernel_features(KERNEL, Z), np.random.default_rng(3).standard_normal((7, 3)) * 2
    posterior = linear.condition(features(Z), T[:, 0], alpha=1.0, sigma2=0.05)
    mean, variance = linear.predict(posterior, features(new))
    K, k = KERNEL(Z, Z) + 0.05 * np.eye(25), KERNEL(new, Z)
    assert_allclose(mean, k @ np.linalg.solve(K, T[:, 0]), rtol=1e-6, atol=1e-8)
    exact = KERNEL.variance(new) - np.sum(k * np.linalg.solve(K, k.T).T, axis=1)
    assert_allclose(variance + features.missing(new), exact, rtol=1e-6)


def test_what_a_few_centres_miss_makes_the_prior_whole():
    features, new = kernel_features(KERNEL, Z[:5]), np.random.default_rng(4).standard_normal((7, 3))
    F, root = features(new), features.missing_root(new)
    assert_allclose(F @ F.T + root @ root.T, KERNEL(new, new), atol=1e-6)
    assert_allclose(np.sum(root**2, axis=1), features.missing(new), atol=1e-6)
    assert_allclose(KERNEL.variance(new), np.diag(KERNEL(new, new)))


@pytest.mark.parametrize("parts", [None, (0, 1, 1)])
def test_features_come_back_from_their_arrays(parts):
    features = kernel_features(KERNEL._replace(parts=parts), Z[:5])
    again = KernelFeatures.read(SavedState(features.arrays(), {}, d=Z.shape[1]), parts)
    np.testing.assert_array_equal(again(Z), features(Z))
    np.testing.assert_array_equal(again.missing(Z), features.missing(Z))


def test_weighted_rows_have_the_loss_of_repeated_rows_but_for_a_constant():
    weight = np.arange(25) % 3 + 1
    repeated = np.repeat(np.arange(25), weight)
    more, losses = Z[repeated], []
    for x in USUAL + 0.3 * RNG.standard_normal((2, 6)):
        weighted = _loss(x, Z, T, USUAL, SPREAD, 1.0 * weight, Z @ Z.T)
        expected = _loss(x, more, T[repeated], USUAL, SPREAD, None, more @ more.T)
        assert_allclose(weighted[1], expected[1], rtol=1e-6, atol=1e-6)  # the jitter is not divided
        losses.append(weighted[0] - expected[0])
    assert_allclose(losses[0], losses[1], atol=0.01)


def test_a_function_without_noise_is_seen_to_have_next_to_none():
    rows = np.random.default_rng(5).uniform(-2, 2, (80, 1))
    kernel = fit_kernel(rows, np.sin(2 * rows))
    assert kernel.noise < 1e-7
    features = kernel_features(kernel, rows)
    mean, _ = linear.predict(
        linear.condition(features(rows), np.sin(2 * rows[:, 0]), alpha=1.0, sigma2=1e-8), features(rows)
    )
    assert_allclose(mean, np.sin(2 * rows[:, 0]), atol=1e-4)


def test_a_row_far_from_all_others_leaves_a_cholesky_factor():
    rows = np.vstack([Z, np.full((1, 3), 1e5)])
    kernel = fit_kernel(rows, rows[:, :1] / 1e5)
    assert np.all(np.isfinite(kernel_features(kernel, rows)(rows)))


def test_the_evidence_integrates_the_noise_out():
    rng = np.random.default_rng(0)
    rows = rng.standard_normal((25, 1))
    t = np.sin(2 * rows) + 0.3 * rng.standard_normal((25, 1))
    smooth = SmoothKernel(1.0, 0.0, 0.0, np.array([0.7]))

    def log_density(noise):  # of the rows, but for their constant, and of the logarithm of the noise
        K = smooth(rows, rows) + noise * np.eye(25)
        given = multivariate_normal.logpdf(t[:, 0], cov=K) + 12.5 * np.log(2 * np.pi)
        return given + norm.logpdf(np.log(noise), -3.0, 2.5)

    grid = np.linspace(-8, 1, 400)
    exact = np.log(np.trapezoid(np.exp([log_density(noise) for noise in np.exp(grid)]), grid))
    assert_allclose(kernel_evidence(rows, t, GivenNumbers(1.0, np.array([0.7]))), exact, atol=0.1)


def test_kernels_are_drawn_from_the_posterior_of_their_numbers():
    rng = np.random.default_rng(0)
    rows = rng.standard_normal((60, 1))
    t = np.sin(2 * rows) + 0.3 * rng.standard_normal((60, 1))
    given = GivenNumbers(1.0, np.array([0.7]))  # so that only the noise is drawn
    start = fit_kernel(rows, t, given=given)
    drawn = draw_kernels(rows, t, start, 400, rng, given)
    assert all(one.amplitude == 1.0 and one.lengths[0] == 0.7 for one in drawn)
    grid = np.linspace(-6, 1, 300)
    K = SmoothKernel(1.0, 0.0, 0.0, np.array([0.7]))(rows, rows)
    logs = [multivariate_normal.logpdf(t[:, 0], cov=K + np.exp(x) * np.eye(60)) + norm.logpdf(x, -3, 2.5) for x in grid]
    density = np.exp(logs - np.max(logs)) / np.sum(np.exp(logs - np.max(logs)))
    mean = density @ grid
    found = np.log([one.noise for one in drawn])
    assert_allclose(found.mean(), mean, atol=0.1)
    assert_allclose(found.std(), np.sqrt(density @ (grid - mean) ** 2), rtol=0.2)


def test_numbers_that_rows_do_not_tell_are_drawn_from_the_prior():
    rows = np.random.default_rng(1).standard_normal((40, 2))
    rows[:, 1] = 0.0  # its length scale cannot be known
    t = np.sin(2 * rows[:, :1])
    drawn = draw_kernels(rows, t, fit_kernel(rows, t), 300, np.random.default_rng(2))
    known, unknown = np.log([one.lengths for one in drawn]).std(axis=0)
    assert known < 0.3
    assert_allclose(unknown, 1.0, rtol=0.15)


def test_seasons_on_a_slow_wave_are_no_noise():
    Z = np.linspace(-1.7, 1.7, 192)[:, None]
    slow, seasons = 2 * np.sin(1.5 * Z), np.sin(2 * np.pi * 16 * Z / 3.4)
    t = slow + seasons + 0.3 * np.random.default_rng(0).standard_normal(Z.shape)
    assert_allclose(fit_kernel(Z, t / t.std()).noise * t.var(), 0.3**2, rtol=0.3)


def test_short_lengths_on_a_design_of_few_settings_leave_a_cholesky_factor():
    """Rows that differ in an input with a long scale alone are nearly copies, between which distances are rounded."""
    rng = np.random.default_rng(0)
    shapes = np.repeat(2 * rng.standard_normal((4, 5)), 100, axis=0)
    rows = np.hstack([shapes, rng.integers(0, 4, (400, 1)), rng.integers(0, 5, (400, 1))])
    lengths = np.array([0.01, 0.01, 0.01, 0.01, 0.01, 170.0, 170.0])
    kernel = SmoothKernel(400.0, 0.04, 1e-8, lengths)
    prior = np.zeros(10), np.ones(10)
    x = np.log(np.r_[kernel[:3], lengths])
    value, gradient = _loss(x, rows, rng.standard_normal((400, 1)), *prior, None, rows @ rows.T)
    assert np.isfinite(value)
    assert np.all(np.isfinite(gradient))
    features = kernel_features(kernel, rows)(rows)
    assert_allclose(features @ features.T, kernel(rows, rows), atol=400 * 1e-6)
