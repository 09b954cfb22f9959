"""SNGP with random Fourier features: what it adds to the exact linear head, which has its own tests."""

import jax
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from unabases import RandomFourierSNGP, linear
from unabases.datasets import cubic_gap
from unabases.features import MLP
from unabases.metrics import epistemic, rmse
from unabases.regressors.random_fourier_sngp import usual_length

RNG = np.random.default_rng(1)
X = RNG.uniform(-2, 2, (60, 2))
Y = 10 + 3 * (np.sin(X[:, 0]) + 0.5 * X[:, 1] + 0.1 * RNG.standard_normal(60))
NEW = RNG.uniform(-3, 3, (25, 2))
FAST = {"max_steps": 150, "hidden_layer_sizes": (16, 16), "n_fourier": 64, "random_state": 0, "sigma2": 0.09}


def test_prediction_equals_the_dual_gaussian_on_its_features():
    model = RandomFourierSNGP(**FAST, prior_variance=2.0).fit(X, Y)
    spread, center = model.y_scale_.spread[0], model.y_scale_.center[0]
    Phi, Phi_new = model.feature_matrix(X), model.feature_matrix(NEW)
    assert Phi.shape == (60, 65)
    K = 2.0 * Phi @ Phi.T + 0.09 / spread**2 * np.eye(60)
    cross = 2.0 * Phi_new @ Phi.T
    var = 2.0 * np.sum(Phi_new**2, axis=1) - np.sum(cross * np.linalg.solve(K, cross.T).T, axis=1)
    d = model.predict_dist(NEW)
    assert_allclose(d.mean, cross @ np.linalg.solve(K, (Y - center) / spread) * spread + center, rtol=1e-6)
    assert_allclose(d.epistemic_std, np.sqrt(var) * spread, rtol=1e-5)


def test_far_away_the_variance_is_that_of_the_prior_and_of_the_constant():
    model = RandomFourierSNGP(**{**FAST, "n_fourier": 1000}, prior_variance=2.0).fit(X, Y)
    far = model.predict_dist(1e3 * NEW / np.linalg.norm(NEW, axis=1, keepdims=True)).epistemic_std
    constant = linear.predict(model.posterior_, np.eye(1001)[-1:])[1][0]
    assert_allclose((far / model.y_scale_.spread[0]) ** 2, 2.0 + constant, rtol=0.1)


def test_frozen_arrays_are_those_of_the_start_after_training_with_a_penalty():
    one, many = (RandomFourierSNGP(**{**FAST, "max_steps": steps}, gamma=10.0).fit(X, Y).phi_ for steps in (1, 100))
    assert_array_equal(one.frequencies.value, many.frequencies.value)
    assert_array_equal(one.phases.value, many.phases.value)
    assert_array_equal(one.below.projection.value, many.below.projection.value)
    assert not np.allclose(one.below.weights[0], many.below.weights[0])


@pytest.mark.parametrize("norm_bound", [0.05, 0.95])
def test_every_singular_value_is_bounded_after_training(norm_bound):
    network = RandomFourierSNGP(**FAST, norm_bound=norm_bound, learning_rate=0.1).fit(X, Y).phi_.below
    for W in network.bounded_weights:
        assert np.linalg.norm(np.asarray(W, np.float64), 2) <= norm_bound * (1 + 1e-5)


@pytest.mark.parametrize(("d", "length"), [(1, 0.5), (8, 4.0), (16, 8.0), (100, 20.0)])
def test_the_usual_length_scale(d, length):
    assert usual_length(d) == pytest.approx(length)


def test_the_length_scale_divides_the_frequencies():
    short, long = (RandomFourierSNGP(**FAST, length_scale=scale).fit(X, Y).phi_ for scale in (0.5, 2.0))
    assert_allclose(short.frequencies.value, 4 * np.asarray(long.frequencies.value), rtol=1e-6)


def test_more_inputs_than_units_work():
    wide = np.column_stack([X, RNG.standard_normal((60, 30))])
    model = RandomFourierSNGP(**FAST).fit(wide, Y)
    assert model.phi_.below.projection.value.shape == (16, 32)
    assert np.isfinite(model.predict_dist(wide).std).all()


def test_a_users_own_network_goes_below_the_fourier_features():
    model = RandomFourierSNGP(**FAST, features=lambda d, *, key: MLP(d, (7,), key=key)).fit(X, Y)
    assert isinstance(model.phi_.below, MLP)
    assert model.phi_.frequencies.value.shape == (64, 7)
    assert model.score(X, Y) > 0.9


def test_the_gap_of_the_cubic_is_noticed():
    data = cubic_gap(random_state=0)
    model = RandomFourierSNGP(sigma2=9.0, max_steps=500, random_state=0).fit(data.X_train, data.y_train)
    on_data, in_gap = model.predict_dist(data.X_test), model.predict_dist(data.gap_grid)
    assert rmse(on_data, data.y_test) < 3.5
    assert epistemic(in_gap) > 5 * epistemic(on_data)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"hidden_layer_sizes": (16, 8)}, r"must be equal.*\(16, 8\)"),
        ({"norm_bound": -1.0}, "`norm_bound`"),
        ({"n_fourier": 2.5}, "`n_fourier`"),
        ({"length_scale": 0.0}, "`length_scale`"),
        ({"length_scale": "evidence"}, "`length_scale`"),
        ({"prior_variance": 0.0}, "`prior_variance`"),
        ({"gamma": -1.0}, "`gamma`"),
        ({"features": 3}, "`features`"),
        ({"activation": "reluu"}, "unknown activation"),
    ],
)
def test_impossible_values_are_named(parameters, message):
    with pytest.raises(ValueError, match=message):
        RandomFourierSNGP(**{**FAST, **parameters}).fit(X, Y)


def test_a_large_bound_with_tanh_trains_as_the_first_experiments_did():
    model = RandomFourierSNGP(**{**FAST, "activation": "tanh"}, norm_bound=10.0, length_scale=1.0).fit(X, Y)
    assert model.score(X, Y) > 0.9
    largest = max(np.linalg.norm(np.asarray(W), 2) for W in jax.tree.leaves(model.phi_.below.bounded_weights))
    assert largest <= 10.0 * (1 + 1e-5)
