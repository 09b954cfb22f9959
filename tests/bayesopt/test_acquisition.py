import itertools

import jax
import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm

from unabases.bayesopt import expected_improvement, log_expected_improvement, lower_confidence_bound
from unabases.bayesopt.acquisition import log_h

COMPILED = jax.jit(jax.value_and_grad(log_h))


def log_h_by_integration(z):
    """log ∫_0^∞ s φ(z − s) ds with the largest value of the integrand taken out, so that nothing underflows.

    h(z) = E[max(z + ε, 0)] = ∫ s φ(s − z) ds over s > 0.
    """
    top = (z + np.sqrt(z * z + 4)) / 2  # where s φ(s − z) is largest
    height = np.log(top) - (top - z) ** 2 / 2
    integrand = lambda s: np.exp(np.log(s) - (s - z) ** 2 / 2 - height) if s > 0 else 0.0  # noqa: E731
    width = 1 / np.sqrt(1 / top**2 + 1)
    points = np.clip(top + width * np.array([-8, -4, -2, 0, 2, 4, 8, 16, 40]), 0, None)
    whole = sum(quad(integrand, a, b, epsabs=0, epsrel=1e-13)[0] for a, b in itertools.pairwise(points))
    whole += quad(integrand, 0, points[0], epsabs=1e-14, epsrel=1e-10)[0] if points[0] > 0 else 0.0
    return np.log(whole) + height - 0.5 * np.log(2 * np.pi)


@pytest.mark.parametrize(("mean", "std", "best"), [(0.3, 1.2, 0.0), (2.0, 0.5, 1.0), (-1.0, 0.1, 3.0), (5.0, 1.5, 1.0)])
def test_expected_improvement_is_the_integral_of_the_improvement(mean, std, best):
    value, _ = quad(
        lambda f: (best - f) * norm.pdf(f, mean, std), mean - 12 * std, best, epsabs=1e-14, points=[min(mean, best)]
    )
    found = expected_improvement(np.array([mean]), np.array([std]), best)[0]
    assert found == pytest.approx(value, rel=1e-9)
    assert log_expected_improvement(np.array([mean]), np.array([std]), best)[0] == pytest.approx(
        np.log(value), rel=1e-9
    )


@pytest.mark.parametrize("z", [8.0, 1.0, 0.0, -1.0, -3.0, -4.99, -5.0, -5.01, -6.0, -10.0, -20.0, -40.0, -200.0])
def test_log_expected_improvement_keeps_its_digits_far_from_the_best(z):
    found = log_expected_improvement(np.array([-z]), np.array([1.0]), 0.0)[0]
    assert found == pytest.approx(log_h_by_integration(z), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("t", [1e3, 1e6, 1e100])
def test_log_expected_improvement_follows_its_asymptote(t):
    found = log_expected_improvement(np.array([t]), np.array([1.0]), 0.0)[0]
    series = np.log1p(-3 / t**2)
    assert found == pytest.approx(-0.5 * t**2 - 0.5 * np.log(2 * np.pi) - 2 * np.log(t) + series, rel=1e-13)


def test_the_two_branches_meet():
    z = np.array([-5 - 1e-12, -5 + 1e-12])
    a, b = log_expected_improvement(-z, np.ones(2), 0.0)
    assert a == pytest.approx(b, rel=1e-10)


def test_expected_improvement_scales_and_shifts_with_the_values():
    mean, std = np.array([1.0, -2.0, 7.0]), np.array([0.5, 2.0, 1e-3])
    once = log_expected_improvement(mean, std, 0.4)
    again = log_expected_improvement(1e3 * mean + 5, 1e3 * std, 1e3 * 0.4 + 5)
    np.testing.assert_allclose(again, once + np.log(1e3), rtol=1e-9)


def test_without_uncertainty_only_a_lower_mean_promises():
    mean = np.array([0.0, 1.0, 2.0])
    np.testing.assert_array_equal(expected_improvement(mean, np.zeros(3), 1.0), [1.0, 0.0, 0.0])
    assert log_expected_improvement(mean, np.zeros(3), 1.0)[2] == -np.inf


def test_a_confidence_bound_is_a_quantile():
    low = lower_confidence_bound(np.array([3.0]), np.array([2.0]), kappa=1.5)
    assert norm.cdf(low, 3.0, 2.0)[0] == pytest.approx(norm.cdf(-1.5), rel=1e-12)


@pytest.mark.parametrize("z", [-1e4, -40.0, -5.1, -4.9, -0.3, 0.0, 2.0, 50.0])
def test_the_compiled_form_agrees_and_its_slope_is_a_difference_quotient(z):
    with jax.enable_x64(True):
        value, slope = COMPILED(z)
    assert float(value) == pytest.approx(log_expected_improvement(np.array([-z]), np.ones(1), 0.0)[0], rel=1e-12)
    step = 1e-4 * max(1.0, abs(z))
    ends = log_expected_improvement(-np.array([z - step, z + step]), np.ones(2), 0.0)
    assert float(slope) == pytest.approx((ends[1] - ends[0]) / (2 * step), rel=1e-6)


def test_single_precision_is_stable_too():
    z = np.float32(-40.0)
    value, slope = COMPILED(z)
    assert float(value) == pytest.approx(log_h_by_integration(-40.0), rel=1e-6)
    assert float(slope) == pytest.approx(40.0, rel=0.01)
