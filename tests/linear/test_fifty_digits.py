"""The exact last layer at the edge of float64, against mpmath at fifty digits."""

import warnings

import mpmath
import numpy as np
import pytest
from numpy.testing import assert_allclose

from unabases.linear import (
    accumulate,
    condition,
    condition_on,
    forget,
    log_evidence,
    maximise_evidence,
    predict,
    spectrum,
    spectrum_evidence,
    update,
)

DIGITS = 50


def oracle(Phi, y, new, alpha, sigma2):
    """Mean and variance of f at new rows and the log evidence, through the n x n Gaussian, at fifty digits.

    Where the numbers differ by more than fifty digits can hold, there are more digits.
    """
    sizes = np.abs([*np.ravel(Phi), *np.ravel(new), alpha, sigma2])
    sizes = np.log10(sizes[sizes > 0], dtype=np.float64)
    with mpmath.workdps(DIGITS + 4 * int(np.ptp(sizes))):
        Phi, new, y = (mpmath.matrix(np.asarray(part, np.float64).tolist()) for part in (Phi, new, y))
        alpha, sigma2 = mpmath.mpf(alpha), mpmath.mpf(sigma2)
        K = alpha * Phi * Phi.T + sigma2 * mpmath.eye(Phi.rows)
        cross = alpha * new * Phi.T
        solved, whitened = mpmath.lu_solve(K, y), mpmath.inverse(K) * cross.T
        prior = alpha * new * new.T
        mean = [float(value) for value in cross * solved]
        variance = [float(prior[i, i] - (cross[i, :] * whitened[:, i])[0]) for i in range(new.rows)]
        volume = mpmath.log(mpmath.det(2 * mpmath.pi * K))
        return np.array(mean), np.array(variance), float(-((y.T * solved)[0] + volume) / 2)


def rows_of_condition(number, n=9, k=4, seed=0):
    """Features whose singular values fall from 1 to 1 / number."""
    rng = np.random.default_rng(seed)
    U = np.linalg.qr(rng.normal(size=(n, n)))[0][:, : min(n, k)]
    V = np.linalg.qr(rng.normal(size=(k, k)))[0][: min(n, k)]
    return (U * np.geomspace(1.0, 1.0 / number, min(n, k))) @ V


def check(Phi, y, *, alpha, sigma2, rtol):
    """Condition on rows, and on one after the other, and compare all that can be asked."""
    new = np.concatenate([Phi[:2], np.random.default_rng(1).normal(size=(3, Phi.shape[1])) * np.abs(Phi).max()])
    mean, variance, evidence = oracle(Phi, y, new, alpha, sigma2)
    begun = condition(Phi[:1], y[:1], alpha=alpha, sigma2=sigma2)
    for posterior in (condition(Phi, y, alpha=alpha, sigma2=sigma2), update(begun, Phi[1:], y[1:])):
        predicted, predicted_variance = predict(posterior, new)
        assert_allclose(predicted_variance, variance, rtol=rtol)
        assert_allclose((predicted - mean) / (np.sqrt(variance) + np.abs(mean)), 0, atol=rtol)
    found = log_evidence(Phi, y, alpha=alpha, sigma2=sigma2)
    assert_allclose(found, evidence, rtol=rtol, atol=rtol * len(y))


@pytest.mark.parametrize("number", [1e0, 1e4, 1e8, 1e12, 1e16])
@pytest.mark.parametrize("sigma2", [1.0, 1e-8])
def test_condition_numbers_up_to_1e16(number, sigma2):
    Phi = rows_of_condition(number)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check(Phi, np.sin(np.arange(9.0)), alpha=1.0, sigma2=sigma2, rtol=1e-7)


def test_hardly_any_noise_and_features_of_condition_1e16_are_told():
    """The precision has a condition number of 1e32 before the prior joins; what is lost is said or is small."""
    Phi = rows_of_condition(1e16)
    check(Phi, np.sin(np.arange(9.0)), alpha=1.0, sigma2=1e-16, rtol=1e-4)


@pytest.mark.parametrize(("n", "k"), [(3, 8), (1, 6), (8, 3), (1, 1)])
@pytest.mark.parametrize("number", [1e0, 1e10])
def test_more_features_than_rows_and_one_row(n, k, number):
    check(rows_of_condition(number, n, k), np.cos(np.arange(float(n))), alpha=2.0, sigma2=0.3, rtol=1e-8)


@pytest.mark.filterwarnings("ignore::unabases.linear.IllConditionedWarning")  # a weak prior is told
@pytest.mark.parametrize("of_phi", [1e-150, 1e-75, 1e75, 1e150])
@pytest.mark.parametrize("of_y", [1e-150, 1.0, 1e150])
def test_scales_of_1e150_either_way(of_phi, of_y):
    """Each variance in the units that belong to it, as far as float64 holds it."""
    rng = np.random.default_rng(2)
    Phi, y = of_phi * rng.normal(size=(7, 3)), of_y * rng.normal(size=7)
    exponent = 2 * (np.log10(of_y) - np.log10(of_phi))
    check(Phi, y, alpha=10.0 ** float(np.clip(exponent, -300, 300)), sigma2=of_y**2, rtol=1e-8)


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_rows_of_few_digits_are_taken_at_their_word(dtype):
    rng = np.random.default_rng(3)
    Phi, y = rng.normal(size=(9, 4)).astype(dtype), rng.normal(size=9).astype(dtype)
    check(Phi, y, alpha=2.0, sigma2=0.3, rtol=1e-10)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_statistics_of_any_precision_are_summed_in_float64(dtype):
    rng = np.random.default_rng(4)
    Phi, y = (100 * rng.normal(size=(9, 3))).astype(dtype), (100 * rng.normal(size=9)).astype(dtype)
    mean, variance, evidence = oracle(Phi, y, Phi[:4], 2.0, 30.0)
    statistics = accumulate(Phi, y)
    predicted, predicted_variance = predict(condition_on(statistics, alpha=2.0, sigma2=30.0), Phi[:4])
    assert_allclose(predicted, mean, rtol=1e-9)
    assert_allclose(predicted_variance, variance, rtol=1e-9)
    assert_allclose(spectrum_evidence(spectrum(statistics), 2.0, 30.0), evidence, rtol=1e-10)


@pytest.mark.parametrize("number", [1e0, 1e4, 1e6])
def test_chosen_variances_have_the_largest_evidence(number):
    """Steps of a percent away from the choice, the evidence at fifty digits is smaller."""
    Phi = rows_of_condition(number, n=12, k=3)
    y = Phi @ [3.0, -2.0, 5.0] + 0.05 * np.sin(7.0 * np.arange(12.0))
    chosen = maximise_evidence(spectrum(accumulate(Phi, y)))
    best = oracle(Phi, y, Phi[:1], chosen.alpha, chosen.sigma2)[2]
    assert_allclose(chosen.log_evidence, best, rtol=1e-8)
    for alpha, sigma2 in ((1.01, 1.0), (0.99, 1.0), (1.0, 1.01), (1.0, 0.99)):
        assert oracle(Phi, y, Phi[:1], alpha * chosen.alpha, sigma2 * chosen.sigma2)[2] < best


@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e3])
def test_a_row_that_is_forgotten_leaves_what_the_others_say(scale):
    rng = np.random.default_rng(5)
    Phi, y = scale * rng.normal(size=(9, 4)), rng.normal(size=9)
    posterior = forget(condition(Phi, y, alpha=2.0, sigma2=0.3), Phi[6:], y[6:])
    mean, variance, _ = oracle(Phi[:6], y[:6], Phi, 2.0, 0.3)
    predicted, predicted_variance = predict(posterior, Phi)
    assert_allclose(predicted, mean, rtol=1e-7)
    assert_allclose(predicted_variance, variance, rtol=1e-7)
