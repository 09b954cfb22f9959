"""Searches: they choose by their rule, survive what goes wrong, and go on where they stopped."""

import inspect
import pickle

import optuna
import pandas as pd
import pytest
from optuna.distributions import FloatDistribution
from sklearn.base import clone
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from tests.selection.cases import FAST, LUNA_FAST, SMALL, X, Y
from unabases import GaussianProcess, NeuralLinear
from unabases.selection import LikelihoodSearch, LUNASearch, Space, likeliest, validation


def test_anything_can_be_searched_and_the_rule_replaced():
    space = {
        "prior_variance": (0.1, 10.0),
        "hidden_layer_sizes": [(16, 8), (8,)],
        "n_heads": (2, 3),
        "where": ["data", "between"],
    }
    model = LUNASearch(LUNA_FAST, space=space, rule=likeliest, **SMALL).fit(X, Y)
    assert set(model.results_["hidden_layer_sizes"]) <= {(16, 8), (8,)}
    assert set(model.results_["n_heads"]) <= {2, 3}
    assert model.best_index_ == model.results_["log_likelihood"].idxmax()


def test_a_range_means_the_same_in_a_dictionary_and_in_a_space():
    space = {"gamma": (0.5, 2.0), "n_heads": (2, 3), "lam": FloatDistribution(0.1, 1.0, step=0.3)}
    tables = [
        LUNASearch(LUNA_FAST, space=own, **{**SMALL, "n_trials": 0}).fit(X, Y).results_ for own in (space, Space(space))
    ]
    pd.testing.assert_frame_equal(*(table.drop(columns="seconds") for table in tables))
    assert tables[0]["gamma"].between(0.5, 2.0).all()
    assert tables[0]["n_heads"].isin([2, 3]).all()
    assert tables[0]["lam"].round(9).isin([0.1, 0.4, 0.7, 1.0]).all()


def test_the_noise_is_settled_once():
    model = LUNASearch(clone(LUNA_FAST).set_params(sigma2="residual"), **SMALL).fit(X, Y)
    assert 0.001 < model.best_estimator_.sigma2_ < 0.1
    assert model.best_estimator_.sigma2_ == pytest.approx(model.sigma2_)


def test_inside_scikit_learn_with_pandas_and_a_validation_set_of_ones_own():
    small = {**SMALL, "n_trials": 0}
    pipeline = make_pipeline(StandardScaler(), LikelihoodSearch(NeuralLinear(**FAST), **small))
    assert (cross_val_score(pipeline, X, Y, cv=2) > 0).all()
    frame = pd.DataFrame(X, columns=["a", "b"])
    held_out = (frame.iloc[:10], pd.Series(Y[:10]))
    model = LikelihoodSearch(NeuralLinear(**FAST), **{**small, "validation": held_out}).fit(
        frame.iloc[10:], pd.Series(Y[10:])
    )
    assert model.best_estimator_.layer_.statistics.n == 50


def test_trials_that_diverge_are_noted_and_do_not_end_the_search():
    space = {"learning_rate": [1e-2, 1e30]}
    model = LikelihoodSearch(NeuralLinear(**FAST), space=space, **{**SMALL, "n_random": 8, "n_trials": 0}).fit(X, Y)
    assert set(model.results_["state"]) == {"complete", "fail"}
    assert model.best_params_ == {"learning_rate": 1e-2}
    assert model.results_.loc[model.results_["state"] == "fail", "error"].str.contains("diverged").all()


def test_only_if_all_fail_is_it_an_error():
    with pytest.raises(ValueError, match=r"none of 3 trials.*diverged"):
        LikelihoodSearch(NeuralLinear(**FAST), space={"learning_rate": [1e30]}, **{**SMALL, "n_trials": 0}).fit(X, Y)


def test_ctrl_c_ends_the_search_with_the_best_so_far(monkeypatch):
    calls = []

    def fit_then_stop(models, X, y, **given):
        calls.append(len(models))
        if len(calls) == 2:
            raise KeyboardInterrupt
        return fit_together(models, X, y, **given)

    fit_together = validation.fit_together
    monkeypatch.setattr(validation, "fit_together", fit_then_stop)
    model = LUNASearch(LUNA_FAST, **SMALL).fit(X, Y)
    assert model.interrupted_
    assert (model.results_["state"] == "complete").sum() == 3
    assert model.score(X, Y) > 0.5


def test_a_stored_search_goes_on_where_it_was(tmp_path):
    storage = f"sqlite:///{tmp_path / 'search.db'}"
    stored = {"storage": storage, "study_name": "luna", **SMALL}
    first = LUNASearch(LUNA_FAST, **{**stored, "n_trials": 0}).fit(X, Y)
    second = LUNASearch(LUNA_FAST, **stored).fit(X, Y)
    assert len(first.results_) == 3
    assert len(second.results_) == 6
    pd.testing.assert_series_equal(first.results_["gamma"], second.results_["gamma"].iloc[:3])
    assert len(LUNASearch(LUNA_FAST, **stored).fit(X, Y).results_) == 6
    told = optuna.load_study(storage=storage, study_name="luna")
    assert [direction.name for direction in told.directions] == ["MAXIMIZE", "MINIMIZE"]
    assert told.trials[4].values == list(second.results_.loc[4, ["log_likelihood", "diversity"]])


def test_pruning_trains_the_better_third_of_a_batch():
    model = LUNASearch(LUNA_FAST, prune=True, **{**SMALL, "n_random": 6, "n_trials": 0, "batch": 6}).fit(X, Y)
    assert model.results_["state"].value_counts().to_dict() == {"pruned": 4, "complete": 2}


@pytest.mark.parametrize(
    ("model", "error", "message"),
    [
        (LUNASearch(LUNA_FAST, space={"width": (1, 2)}), ValueError, "no parameter width"),
        (LUNASearch(LUNA_FAST, space={}), ValueError, "empty"),
        (LUNASearch(LUNA_FAST, space={"gamma": 3.0}), ValueError, "range"),
        (LUNASearch("luna"), TypeError, "regressor of unabases"),
        (LUNASearch(LUNA_FAST, n_random=0, n_trials=0), ValueError, "nothing to try"),
        (LUNASearch(LUNA_FAST, validation=2.0), ValueError, "`validation`"),
        (LUNASearch(LUNA_FAST, validation=1), ValueError, "folds from 2"),
        (LUNASearch(LUNA_FAST, validation=5, refit=False), ValueError, "refit=False"),
        (LUNASearch(LUNA_FAST, validation=61), ValueError, "too few"),
        (LUNASearch(LUNA_FAST, keep=0.0, n_random=1, n_trials=0), ValueError, "`keep`"),
        (LUNASearch(LUNA_FAST, batch=0), ValueError, "`batch`"),
        (LikelihoodSearch(GaussianProcess(), space={"ard": [True, False]}, prune=True), ValueError, "no `max_steps`"),
    ],
)
def test_what_makes_no_sense_is_refused(model, error, message):
    with pytest.raises(error, match=message):
        model.set_params(restarts=1).fit(X, Y)


@pytest.mark.parametrize("search", [LUNASearch, LikelihoodSearch])
def test_a_search_is_an_estimator_of_scikit_learn(search):
    model = search(LUNA_FAST, space=Space(gamma=(0.1, 10.0, "log")), n_trials=7, storage="sqlite:///x.db")
    names = list(inspect.signature(search).parameters)
    assert names[0] == "estimator"
    assert set(model.get_params(deep=False)) == set(names)
    for again in (clone(model), pickle.loads(pickle.dumps(model))):
        assert repr(again) == repr(model)
        assert again.get_params()["n_trials"] == 7
        assert again.space == model.space
    assert "n_trials=7" in repr(model)
    assert clone(model).set_params(n_random=3, estimator__max_steps=5).estimator.max_steps == 5
    with pytest.raises(TypeError):
        search(LUNA_FAST, {"gamma": (0.1, 10.0)})  # only the estimator has a place
    assert model == model  # by identity: parameters may be arrays
    assert model != clone(model)
