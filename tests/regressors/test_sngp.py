"""SNGP: bounded layers after training, and an exact process on the network's features."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel

from unabases import SNGP, linear
from unabases.datasets import cubic_gap
from unabases.features import RandomFourier
from unabases.metrics import epistemic, rmse

RNG = np.random.default_rng(1)
X = RNG.uniform(-2, 2, (60, 2))
Y = 10 + 3 * (np.sin(X[:, 0]) + 0.5 * X[:, 1] + 0.1 * RNG.standard_normal(60))
NEW = RNG.uniform(-3, 3, (25, 2))
FAST = {"max_steps": 150, "hidden_layer_sizes": (16, 16), "n_fourier": 64, "random_state": 0, "sigma2": 0.09}


def oracle(model, rows, targets, j=0):
    """scikit-learn's process with the model's kernel, on the model's features."""
    process, scale = model.processes_[j], model.y_scale_
    kernel = ConstantKernel(process.amplitude) * RBF(process.lengths[0])
    gp = GaussianProcessRegressor(kernel, alpha=process.sigma2, optimizer=None)
    gp.fit(model.feature_matrix(rows), (targets - scale.center[j]) / scale.spread[j])

    def predict(new):
        mean, std = gp.predict(model.feature_matrix(new), return_std=True)
        return mean * scale.spread[j] + scale.center[j], std * scale.spread[j]

    shift = len(targets) * np.log(scale.spread[j])
    return predict, gp.log_marginal_likelihood_value_ - shift


@pytest.mark.parametrize(
    "given", [{}, {"length_scale": 2.0, "amplitude": 3.0}, {"length_scale": "evidence", "sigma2": "evidence"}]
)
def test_it_is_scikit_learns_process_on_the_features(given):
    model = SNGP(**{**FAST, **given}).fit(X, Y)
    predict, evidence = oracle(model, X, Y)
    mean, std = predict(NEW)
    d = model.predict_dist(NEW)
    assert_allclose(d.mean, mean, rtol=1e-6)
    assert_allclose(d.epistemic_std, std, rtol=1e-6)
    assert_allclose(model.log_evidence_, evidence, rtol=1e-6)
    if "amplitude" in given:
        assert (model.processes_[0].amplitude, *model.processes_[0].lengths) == (3.0, 2.0)


def test_two_outputs_are_two_processes_on_the_same_features():
    both = np.column_stack([Y, 50 * np.cos(X[:, 0])])
    model = SNGP(**{**FAST, "sigma2": [0.09, 1.0]}).fit(X, both)
    d = model.predict_dist(NEW)
    for j in range(2):
        mean, std = oracle(model, X, both[:, j], j)[0](NEW)
        assert_allclose(d.mean[:, j], mean, rtol=1e-6)
        assert_allclose(d.epistemic_std[:, j], std, rtol=1e-6)
    assert_allclose(model.sigma2_, [0.09, 1.0])


def test_amplitude_by_evidence_beats_its_neighbours():
    best = SNGP(**FAST).fit(X, Y)
    amplitude = best.processes_[0].amplitude
    for factor in (0.8, 1.25):
        other = SNGP(**FAST, amplitude=amplitude * factor).fit(X, Y)
        assert_array_equal(other.feature_matrix(X), best.feature_matrix(X))
        assert other.log_evidence_ < best.log_evidence_


@pytest.mark.parametrize("norm_bound", [0.05, 0.95])
def test_every_singular_value_is_bounded_after_training(norm_bound):
    model = SNGP(**FAST, norm_bound=norm_bound).fit(X, Y)
    weights = [np.asarray(W, np.float64) for W in model.phi_.bounded_weights]
    assert all(np.linalg.norm(W, 2) <= norm_bound * (1 + 1e-5) for W in weights)
    huge = eqx.tree_at(lambda m: m.weights, model.phi_, tuple(W * 1000 for W in model.phi_.weights))
    for W in huge.bounded_weights:
        assert 0.95 * norm_bound < np.linalg.norm(np.asarray(W, np.float64), 2) <= norm_bound * (1 + 1e-5)


def test_training_changes_the_layers_and_not_the_projection():
    model = SNGP(**FAST, gamma=10.0).fit(X, Y)
    P = np.asarray(model.phi_.projection.value, np.float64)
    assert_allclose(P.T @ P, np.eye(2), atol=1e-6)  # a penalty would have shrunk it
    assert model.phi_.norm_bound.value == np.float32(0.95)
    assert model.history_["fit"].iloc[-1] < model.history_["fit"].iloc[0]


def test_the_fourier_head_approaches_the_process_as_its_width_grows():
    model = SNGP(**FAST).fit(X, Y)
    process, scale = model.processes_[0], model.y_scale_
    d = model.predict_dist(NEW)
    t = (Y - scale.center[0]) / scale.spread[0]
    errors = []
    for width in (64, 1024, 16384):
        gaps = []
        for seed in range(3):
            fourier = RandomFourier(lambda h: h, 16, width, process.lengths[0], key=jax.random.key(seed))
            Phi, Phi_new = (
                np.asarray(jax.vmap(fourier)(jnp.asarray(model.feature_matrix(rows), jnp.float32)), np.float64)
                for rows in (X, NEW)
            )
            K = process.amplitude * Phi @ Phi.T + process.sigma2 * np.eye(60)
            cross = process.amplitude * Phi_new @ Phi.T
            mean = cross @ np.linalg.solve(K, t)
            var = process.amplitude * np.sum(Phi_new**2, axis=1) - np.sum(cross * np.linalg.solve(K, cross.T).T, axis=1)
            if width <= 1024:  # the dual above is the linear head
                posterior = linear.condition(Phi, t, alpha=process.amplitude, sigma2=process.sigma2)
                assert_allclose(linear.predict(posterior, Phi_new)[0], mean, atol=1e-6)
            gaps.append(np.abs(np.sqrt(var) - d.epistemic_std / scale.spread[0]).mean())
            gaps.append(np.abs(mean - (d.mean - scale.center[0]) / scale.spread[0]).mean())
        errors.append(np.mean(gaps))
    assert errors[0] > 2 * errors[1] > 4 * errors[2]
    assert errors[2] < 0.02


def test_refit_keeps_the_network_and_replaces_the_data():
    model = SNGP(**FAST, amplitude=2.0).fit(X, Y)
    before = model.feature_matrix(NEW)
    targets = 10 + np.cos(NEW[:, 0])
    d = model.refit(NEW, targets).predict_dist(X)
    mean, std = oracle(model, NEW, targets)[0](X)
    assert_array_equal(model.feature_matrix(NEW), before)
    assert_allclose(d.mean, mean, rtol=1e-6)
    assert_allclose(d.epistemic_std, std, rtol=1e-6)
    assert_allclose(model.sigma2_, 0.09)
    with pytest.raises(ValueError, match=r"fitted with 1 output"):
        model.refit(NEW, np.zeros((25, 2)))


def test_more_inputs_than_units_and_equal_rows():
    wide = np.column_stack([X, RNG.standard_normal((60, 30))])
    model = SNGP(**FAST).fit(wide, Y)
    assert model.feature_matrix(wide).shape == (60, 16)
    twice = SNGP(**{**FAST, "sigma2": 1e-14}).fit(np.r_[X, X], np.r_[Y, Y])
    assert np.isfinite(twice.predict_dist(NEW).std).all()
    assert SNGP(**FAST).fit(X, np.full(60, 5.0)).predict(NEW) == pytest.approx(5.0, abs=1e-3)


def test_a_users_own_network_goes_below_the_process():
    class Scale(eqx.Module):
        factor: jax.Array

        def __call__(self, x):
            return self.factor * x

    model = SNGP(**FAST, features=lambda d, *, key: Scale(jnp.ones(d))).fit(X, Y)
    assert model.feature_matrix(X).shape == (60, 2)
    assert not np.allclose(model.phi_.factor, 1)
    assert model.score(X, Y) > 0.9


def test_the_gap_of_the_cubic_is_noticed():
    data = cubic_gap(random_state=0)
    model = SNGP(sigma2=9.0, max_steps=500, random_state=0).fit(data.X_train, data.y_train)
    on_data, in_gap = model.predict_dist(data.X_test), model.predict_dist(data.gap_grid)
    assert rmse(on_data, data.y_test) < 3.5
    assert epistemic(in_gap) > 5 * epistemic(on_data)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"max_rows": 40}, r"60 rows are more than `max_rows`=40.*GiB.*RandomFourierSNGP"),
        ({"max_rows": 0}, "`max_rows`"),
        ({"hidden_layer_sizes": (16, 8)}, r"must be equal.*\(16, 8\)"),
        ({"norm_bound": 0.0}, "`norm_bound`"),
        ({"n_fourier": 0}, "`n_fourier`"),
        ({"length_scale": -1.0}, "`length_scale`"),
        ({"length_scale": "auto"}, "`length_scale`.*'evidence'; got 'auto'"),
        ({"amplitude": 0.0}, "`amplitude`"),
        ({"gamma": -1.0}, "`gamma`"),
        ({"restarts": 0}, "`restarts`"),
        ({"features": 3}, "`features`"),
        ({"activation": "reluu"}, "unknown activation"),
    ],
)
def test_impossible_values_are_named(parameters, message):
    with pytest.raises(ValueError, match=message):
        SNGP(**{**FAST, **parameters}).fit(X, Y)
