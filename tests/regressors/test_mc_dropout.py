"""Dropout noise of one layer, whose mean and variance are known."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from tests.regressors.linear_network import NEW, X, Y, identity
from unabases import MCDropout

FAST = {"max_steps": 200, "sigma2": 0.09, "random_state": 0}


@pytest.fixture(scope="module")
def one_layer():
    return MCDropout(rate=0.2, n_passes=20_000, hidden_layer_sizes=(12,), **FAST).fit(X, Y)


def layer_output(model):
    """What each hidden unit of the one layer contributes at NEW, and the bias, in y's units."""
    phi, W = model.network_.phi, np.asarray(model.network_.W[0, 0], dtype=np.float64)
    h = np.maximum(model.x_scale_.apply(NEW) @ np.asarray(phi.weights[0]).T + np.asarray(phi.biases[0]), 0)
    spread, center = model.y_scale_.spread[0], model.y_scale_.center[0]
    return h * W[:-1] * spread, W[-1] * spread + center


def test_mean_and_variance_are_those_of_dropout_noise(one_layer):
    parts, bias = layer_output(one_layer)
    d = one_layer.predict_dist(NEW)
    variance = np.sum(parts**2, axis=1) * 0.2 / 0.8
    assert_allclose(d.mean, parts.sum(axis=1) + bias, atol=5 * np.sqrt(variance.max() / 20_000))
    assert_allclose(d.epistemic_std**2, variance, rtol=0.06)


def test_passes_are_functions_that_repeat(one_layer):
    d = one_layer.predict_dist(NEW)
    assert_array_equal(one_layer.predict_dist(NEW).members, d.members)
    assert_allclose(one_layer.predict_dist(NEW[3:5]).members, d.members[:, 3:5], rtol=1e-5, atol=1e-6)
    parts, bias = layer_output(one_layer)
    assert_allclose(d.members[7], parts @ one_layer.masks_[7] + bias, rtol=1e-4, atol=1e-5)


def test_without_dropout_all_passes_agree():
    model = MCDropout(rate=0.0, n_passes=3, **FAST).fit(X, Y)
    assert_allclose(model.predict_dist(NEW).epistemic_std, 0, atol=1e-12)


def test_features_of_ones_own_are_dropped_as_a_whole_layer():
    model = MCDropout(rate=0.5, n_passes=4000, features=identity, gamma=0.0, standardize=False, **FAST).fit(X, Y)
    w = np.asarray(model.network_.W[0, 0], dtype=np.float64)
    variance = np.sum((NEW * w[:2]) ** 2, axis=1)  # rate / (1 − rate) is 1
    assert_allclose(model.predict_dist(NEW).epistemic_std ** 2, variance, rtol=0.1)


def test_precision_is_the_inverse_of_the_noise(one_layer):
    assert one_layer.tau_ == pytest.approx(1 / 0.09)


@pytest.mark.parametrize(("name", "value"), [("rate", 1.0), ("rate", -0.1), ("n_passes", 0), ("gamma", -1.0)])
def test_parameters_that_make_no_sense_are_refused(name, value):
    with pytest.raises(ValueError, match=f"`{name}`"):
        MCDropout(sigma2=1.0).set_params(**{name: value}).fit(X, Y)
