"""Models fitted together are what they are when fitted alone, and share a program."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from unabases import LUNA, DivergedError, GaussianProcess, NeuralLinear, VanillaEnsemble
from unabases.regressors.together import fit_together
from unabases.training import loop

RNG = np.random.default_rng(0)
X = RNG.uniform(-2, 2, (60, 2))
Y = np.sin(X[:, 0]) + 0.1 * RNG.standard_normal(60)
NEW = RNG.uniform(-3, 3, (10, 2))
FAST = {"hidden_layer_sizes": (16, 8), "sigma2": 0.01, "max_steps": 150, "random_state": 0}


def alone(model):
    return clone(model).fit(X, Y).predict_dist(NEW)


def test_one_model_is_the_same_as_by_fit():
    model = NeuralLinear(**FAST)
    assert fit_together([model], X, Y) == [None]
    assert_allclose(model.predict(NEW), alone(model).mean, rtol=1e-6)


def test_models_that_draw_nothing_are_the_same_as_alone():
    models = [
        NeuralLinear(gamma=gamma, prior_variance=alpha, **FAST) for gamma, alpha in ((0.1, 0.3), (1.0, 1.0), (5.0, 0.1))
    ]
    assert fit_together(models, X, Y) == [None] * 3
    for model in models:
        d, reference = model.predict_dist(NEW), alone(model)
        assert_allclose(d.mean, reference.mean, rtol=1e-3, atol=1e-4)
        assert_allclose(d.epistemic_std, reference.epistemic_std, rtol=1e-3)


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
