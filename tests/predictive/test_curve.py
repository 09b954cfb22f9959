"""Curves for skewed targets, against SciPy's Yeo-Johnson and numerical slopes."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import yeojohnson

from unabases.predictive.curve import Curve, fit_curve

Y = np.random.default_rng(0).lognormal(1.0, 0.8, (60, 1))
CURVES = {power: fit_curve(Y, power) for power in (0.0, 0.5, 1.0, 1.5, 2.0)} | {"log": fit_curve(Y, 0.0, ratio=True)}
FAR = np.linspace(Y.min() - 50, Y.max() + 50, 300)[:, None]


@pytest.mark.parametrize("power", [0.0, 0.5, 1.5])
def test_on_the_targets_it_is_the_power_of_yeo_and_johnson(power):
    z = (Y - Y.mean()) / Y.std()
    assert_allclose(CURVES[power].bend(Y), yeojohnson(z, power), rtol=1e-10)


def test_the_logarithm_of_positive_targets():
    """On them, and by a factor of two beyond."""
    wider = np.vstack([Y, Y[[Y.argmin()]] / 1.9, Y[[Y.argmax()]] * 1.9])
    bent = CURVES["log"].bend(wider)
    assert_allclose(bent - bent[0], np.log(wider / wider[0]), atol=1e-12)


@pytest.mark.parametrize("name", CURVES)
def test_it_rises_and_finds_the_way_back_everywhere(name):
    curve = CURVES[name]
    bent = curve.bend(FAR)
    assert (np.diff(bent[:, 0]) > 0).all()
    assert_allclose(curve.straighten(bent), FAR, rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("name", CURVES)
def test_the_slope_is_the_derivative(name):
    curve, step = CURVES[name], 1e-5
    numeric = (curve.bend(FAR + step) - curve.bend(FAR - step)) / (2 * step)
    assert_allclose(np.exp(curve.log_slope(FAR)), numeric, rtol=1e-4)


def test_beyond_the_targets_it_is_a_straight_line():
    beyond = np.array([[1.0], [2.0], [3.0]]) * 1e3
    assert_allclose(np.diff(CURVES[0.0].bend(beyond), 2, axis=0), 0.0, atol=1e-9)


def test_outputs_have_powers_of_their_own():
    both = Curve(*(np.concatenate(pair) for pair in zip(CURVES[0.0], CURVES[1.5], strict=True)))
    two = np.hstack([Y, Y])
    assert_allclose(both.bend(two), np.hstack([CURVES[0.0].bend(Y), CURVES[1.5].bend(Y)]))
    assert_allclose(both.straighten(both.bend(two)), two)
