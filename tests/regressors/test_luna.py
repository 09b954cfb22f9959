"""LUNA's own parameters, history and heads; what its defaults must show is in test_gaps.py."""

import numpy as np
import optax
import pytest

from unabases import LUNA
from unabases.regressors.luna import AS_IN_PAPER
from unabases.training.muon import muon

RNG = np.random.default_rng(1)
X = RNG.uniform(-2, 2, (60, 2))
Y = np.sin(X[:, 0]) + 0.5 * X[:, 1] + 0.1 * RNG.standard_normal(60)
NEW = RNG.uniform(-3, 3, (25, 2))
FAST = {"max_steps": 150, "hidden_layer_sizes": (16, 8), "gamma": 0.3, "random_state": 0}


def test_history_names_every_term():
    model = LUNA(**FAST, sigma2=0.01, n_heads=4, where="between").fit(X, Y)
    assert set(model.history_.columns) == {"loss", "fit", "weight_penalty", "diversity"}
    assert list(model.history_.index[[0, -1]]) == [1, 150]
    assert 0 <= model.diversity_ <= 1
    assert model.predict_heads(NEW).shape == (4, 25)


def test_several_places_have_a_history_each_and_their_mean_is_the_diversity():
    for penalty in ("squared-cosine", "log-barrier"):
        model = LUNA(**FAST, sigma2=0.01, n_heads=4, where=("between", "beyond"), penalty=penalty).fit(X, Y)
        between, beyond = (model.history_[f"diversity_{name}"].to_numpy()[-100:] for name in ("between", "beyond"))
        if penalty == "log-barrier":
            between, beyond = 1 - np.exp(-between), 1 - np.exp(-beyond)
        assert abs(model.diversity_ - np.mean([between, beyond])) < 2e-3
        assert np.max(np.abs(between - beyond)) > 0.01  # other points, other cosines


@pytest.mark.parametrize("strength", [{"lam": 1e8}, {"gamma": 1e8}, {"lam": 0.0, "gamma": 0.0}])
def test_extreme_strengths_give_finite_predictions(strength):
    d = LUNA(**FAST, sigma2=0.01, n_heads=4).set_params(**strength).fit(X, Y).predict_dist(NEW)
    assert np.isfinite(d.mean).all()
    assert np.isfinite(d.std).all()


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_heads": 1}, "`n_heads`"),
        ({"lam": -1.0}, "`lam`"),
        ({"gamma": "evidence"}, "`gamma`"),
        ({"n_directions": 0}, "`n_directions`"),
        ({"epsilon": 0.0}, "`epsilon`"),
        ({"schedule": "cubic"}, "unknown schedule.*sqrt"),
        ({"similarity": "cosine"}, "unknown similarity.*field"),
        ({"gradient": "autodiff"}, "unknown gradient.*exact"),
        ({"penalty": "cube"}, "unknown penalty.*log-barrier"),
        ({"where": "gaps"}, "unknown `where`.*between"),
        ({"where": ()}, "`where` must name one place or several"),
        ({"where": ("between", "between")}, "several different ones"),
        ({"n_points": 0}, "`n_points`"),
        ({"where": lambda X, key: X[:, :1]}, "must return points"),
    ],
)
def test_lunas_own_parameters_are_checked(parameters, message):
    with pytest.raises(ValueError, match=message):
        LUNA(**{**FAST, "sigma2": 0.01, **parameters}).fit(X, Y)


def test_a_prior_variance_can_follow_the_evidence_of_whatever_rows_are_learned():
    model = LUNA(**FAST, sigma2=0.01, n_heads=4, prior_variance="auto").fit(X, Y)
    cautious = model.prior_variance_
    freely = model.set_params(prior_variance="evidence").refit(X, Y).prior_variance_
    assert np.isclose(cautious, 0.6 * freely)
    wiggly = model.set_params(prior_variance="auto").refit(X, np.sin(9 * X[:, 0])).prior_variance_
    assert wiggly > 2 * cautious  # what needs large weights may be unknown by as much


def test_the_papers_method_is_printed_whatever_the_defaults_are():
    model = LUNA.as_in_paper(random_state=3)
    own = {"where": "data", "n_points": None, "hidden_layer_sizes": (50, 50), "n_heads": 20}
    assert {name: model.get_params()[name] for name in own} == own
    assert model.random_state == 3
    assert LUNA.as_in_paper(n_heads=7, lam=0.1).get_params() | {"n_heads": 20, "lam": 1.5} == {
        **model.get_params(),
        "random_state": None,
    }
    penalty = {"penalty", "similarity", "gradient", "epsilon", "schedule", "lam", "gamma", "n_directions", *own}
    assert set(AS_IN_PAPER) == {
        *penalty,
        "prior_variance",
        "sigma2",
        "batch_size",
        "max_steps",
        "optimizer",
    }  # nothing that makes it is left to the defaults


def test_more_rows_than_a_full_batch_has_are_learned_by_muon():
    few, more, many = (LUNA()._plan(n) for n in (4096, 4097, 10**6))
    assert (few.optimizer, few.recipe.steps) == (optax.adam, 2000)
    assert (more.optimizer, more.recipe.steps) == (muon, 1500)
    assert (many.optimizer, many.recipe.steps) == (muon, 5000)
    given = LUNA(optimizer="adam")._plan(10**6)
    assert (given.optimizer, given.recipe.steps) == (optax.adam, 10_000)
    assert LUNA(features=lambda d, *, key: None)._optimizer(10**6) == "adam"  # nobody knows whether Muon suits them
    assert LUNA.as_in_paper()._optimizer(10**6) == "adam"
