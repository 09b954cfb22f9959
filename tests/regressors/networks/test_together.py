"""Models fitted together are what they are when fitted alone, and share a program."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis.strategies import booleans, fixed_dictionaries, lists, sampled_from
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from unabases import LUNA, DivergedError, GaussianProcess, NeuralLinear, VanillaEnsemble
from unabases.regressors.networks.together import fit_together
from unabases.training import loop

RNG = np.random.default_rng(0)
X = RNG.uniform(-2, 2, (60, 2))
Y = np.sin(X[:, 0]) + 0.1 * RNG.standard_normal(60)
NEW = RNG.uniform(-3, 3, (10, 2))
FAST = {"hidden_layer_sizes": (16, 8), "sigma2": 0.01, "max_steps": 150, "random_state": 0}


def alone(model):
    return clone(model).fit(X, Y).predict_dist(NEW)


def assert_same_as_alone(models):
    assert fit_together(models, X, Y) == [None] * len(models)
    for model in models:
        d, reference = model.predict_dist(NEW), alone(model)
        assert_allclose(d.mean, reference.mean, rtol=1e-6, atol=1e-9)
        assert_allclose(d.epistemic_std, reference.epistemic_std, rtol=1e-6)
        assert_allclose(d.noise_std, reference.noise_std, rtol=1e-6)


MIXES = {
    "random_state": sampled_from([0, 0, 1]),
    "gamma": sampled_from([0.1, 1.0]),
    "prior_variance": sampled_from([0.3, "evidence"]),
    "learning_rate": sampled_from([1e-2, 3e-3]),
    "standardize": sampled_from([True, False, "common"]),
    "restarts": sampled_from([1, 2]),
    "batch_size": sampled_from([None, 16]),
    "early_stopping": booleans(),
}
LUNA_MIXES = {"lam": sampled_from([0.1, 5.0]), "schedule": sampled_from(["none", "sqrt"])}


@settings(max_examples=8, deadline=None, derandomize=True)
@given(
    lists(fixed_dictionaries(MIXES), min_size=2, max_size=4),
    lists(fixed_dictionaries({**MIXES, **LUNA_MIXES}), min_size=0, max_size=2),
)
def test_fitted_together_is_fitted_alone_for_any_mix_of_parameters(plain, lunas):
    models = [NeuralLinear(**{**FAST, **own}) for own in plain]
    models += [LUNA(**{**FAST, **own}, n_heads=3, n_points=8) for own in lunas]
    assert_same_as_alone(models)


def test_scales_are_each_models_own():
    rows, targets = X * [1.0, 100.0] + 50.0, 40.0 * Y
    raw = NeuralLinear(**{**FAST, "sigma2": 16.0}, standardize=False)
    scaled = NeuralLinear(**{**FAST, "sigma2": 16.0})
    assert fit_together([scaled, raw], rows, targets) == [None, None]
    assert_array_equal(raw.predict(rows), clone(raw).fit(rows, targets).predict(rows))
    assert_array_equal(scaled.predict(rows), clone(scaled).fit(rows, targets).predict(rows))


def test_models_with_the_same_seed_become_the_same_model():
    first, second = (LUNA(**FAST, n_heads=3, n_points=8) for _ in range(2))
    fit_together([LUNA(**{**FAST, "random_state": 7}, n_heads=3, n_points=8), first, second], X, Y)
    assert_array_equal(first.predict(NEW), second.predict(NEW))


def test_lunas_with_different_strengths_schedules_and_seeds_share_one_program():
    base = {**FAST, "n_heads": 3, "n_points": 8}
    models = [
        LUNA(**{**base, "random_state": seed}, lam=lam, gamma=gamma, schedule=schedule, learning_rate=rate)
        for seed, (lam, gamma, schedule, rate) in enumerate(
            [(0.1, 1.0, "none", 1e-2), (1.0, 0.1, "sqrt", 5e-3), (10.0, 0.3, "tanh", 1e-2), (3.0, 0.3, "sigmoid", 1e-2)]
        )
    ]
    before = loop._run_chunk._cached._cache_size()
    assert fit_together(models, X, Y) == [None] * 4
    assert loop._run_chunk._cached._cache_size() <= before + 1
    assert len({float(model.diversity_) for model in models}) == 4
    assert all(model.score(X, Y) > 0.5 for model in models)


def test_what_cannot_share_is_fitted_too():
    models = [NeuralLinear(**FAST), NeuralLinear(**{**FAST, "hidden_layer_sizes": (8,)}), GaussianProcess(restarts=0)]
    models += [VanillaEnsemble(n_members=2, **FAST), NeuralLinear(early_stopping=True, **FAST)]
    assert fit_together(models, X, Y) == [None] * 5
    assert [model.predict(NEW).shape for model in models] == [(10,)] * 5


def test_one_that_fails_does_not_stop_the_others():
    models = [NeuralLinear(**FAST), NeuralLinear(**FAST, learning_rate=1e30), NeuralLinear(**FAST, gamma=-1.0)]
    fine, diverged, refused = fit_together(models, X, Y)
    assert fine is None
    assert isinstance(diverged, DivergedError)
    assert isinstance(refused, ValueError)
    assert "`gamma`" in str(refused)
    assert models[0].score(X, Y) > 0.5
    with pytest.raises(NotFittedError):
        models[1].predict(NEW)


def test_restarts_keep_the_lowest_loss():
    model = NeuralLinear(restarts=3, **FAST)
    fit_together([model], X, Y)
    assert_allclose(model.predict(NEW), alone(model).mean, rtol=1e-5)
