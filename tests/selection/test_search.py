"""Searches: they choose by their rule, survive what goes wrong, and go on where they stopped."""

import numpy as np
import optuna
import pandas as pd
import pytest
from scipy.stats import norm
from sklearn.base import clone
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from unabases import LUNA, GaussianProcess, NeuralLinear
from unabases.selection import LikelihoodSearch, LUNASearch, likeliest, most_diverse, search

RNG = np.random.default_rng(0)
X = RNG.uniform(-2, 2, (60, 2))
Y = np.sin(X[:, 0]) + 0.1 * RNG.standard_normal(60)
FAST = {"hidden_layer_sizes": (16, 8), "sigma2": 0.01, "max_steps": 150}
LUNA_FAST = LUNA(**FAST, n_heads=3, n_points=8)
SMALL = {"n_random": 3, "n_trials": 3, "batch": 3, "restarts": 1, "validation": 0.2, "random_state": 0}


@pytest.fixture(scope="module")
def searched():
    return LUNASearch(LUNA_FAST, keep=0.5, **SMALL).fit(X, Y)


def test_every_trial_is_in_the_table_and_the_choice_follows_the_rule(searched):
    table = searched.results_
    assert len(table) == 6
    assert (table["state"] == "complete").all()
    assert table["gamma"].between(1e-2, 1e2).all()
    assert table["lam"].between(1e-2, 1e2).all()
    assert set(table["schedule"]) <= {"none", "sqrt", "sigmoid", "tanh"}
    assert searched.best_index_ == most_diverse(table, 0.5)
    for name, value in searched.best_params_.items():
        assert getattr(searched.best_estimator_, name) == value


def test_the_chosen_model_is_fitted_to_all_rows(searched):
    assert searched.best_estimator_.layer_.statistics.n == 60
    assert searched.score(X, Y) > 0.7
    mean, std = searched.predict(X, return_std=True)
    assert mean.shape == std.shape == (60,)
    assert (searched.predict_dist(X).epistemic_std > 0).all()


def test_the_same_seed_gives_the_same_search(searched):
    again = LUNASearch(LUNA_FAST, keep=0.5, **SMALL).fit(X, Y)
    columns = ["gamma", "lam", "schedule", "log_likelihood", "diversity"]
    pd.testing.assert_frame_equal(again.results_[columns], searched.results_[columns])
    assert again.best_params_ == searched.best_params_


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


@pytest.mark.parametrize(
    ("estimator", "space"),
    [(NeuralLinear(**FAST), None), (GaussianProcess(restarts=0), {"kernel": ["matern", "rbf"], "ard": [True, False]})],
)
def test_other_regressors_by_likelihood(estimator, space):
    model = LikelihoodSearch(estimator, space=space, **SMALL).fit(X, Y)
    assert model.best_index_ == model.results_["log_likelihood"].idxmax()
    assert type(model.best_estimator_) is type(estimator)
    assert model.score(X, Y) > 0.7


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


def test_folds_score_every_row_once():
    """The score of a trial is that of predictions put together from models fitted by hand without each fold."""
    model = LikelihoodSearch(
        NeuralLinear(**FAST), **{**SMALL, "n_random": 2, "n_trials": 0, "batch": 2, "validation": 3}
    )
    model.fit(X, Y)
    assert model.best_estimator_.layer_.statistics.n == 60
    folds = np.array_split(np.random.RandomState(0).permutation(60), 3)
    trial = model.results_.iloc[0]
    squares, densities = [], []
    for number, fold in enumerate(folds):
        rest = np.setdiff1d(np.arange(60), fold)
        own = NeuralLinear(**FAST, gamma=trial["gamma"], random_state=int(trial["seed"]) + number)
        d = own.fit(X[rest], Y[rest]).predict_dist(X[fold])
        squares.append((d.mean - Y[fold]) ** 2)
        densities.append(norm.logpdf(Y[fold], d.mean, d.std))
    assert trial["rmse"] == pytest.approx(np.sqrt(np.concatenate(squares).mean()), rel=1e-4)
    assert trial["log_likelihood"] == pytest.approx(np.concatenate(densities).mean(), rel=1e-3)
    error = np.sqrt(sum(np.var(fold, ddof=1) / 20 for fold in densities) / 9)
    assert trial["standard_error"] == pytest.approx(error, rel=1e-3)


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

    def fit_then_stop(models, X, y):
        calls.append(len(models))
        if len(calls) == 2:
            raise KeyboardInterrupt
        return fit_together(models, X, y)

    fit_together = search.fit_together
    monkeypatch.setattr(search, "fit_together", fit_then_stop)
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
