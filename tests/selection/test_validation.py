"""Rows that train and rows that validate, and the scores of trials on them."""

import numpy as np
import pandas as pd
import pytest
from optuna.trial import TrialState
from scipy.stats import norm

from tests.selection.cases import FAST, SMALL, X, Y
from unabases import NeuralLinear
from unabases.selection import LikelihoodSearch
from unabases.selection.validation import better_third, short_likelihoods, split_rows, validate, with_parameters


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


def test_folds_hold_out_every_row_once():
    parts = split_rows(X, pd.Series(Y), 4, np.random.RandomState(0))
    assert sorted(np.concatenate([part.y_val for part in parts])) == sorted(Y)
    for part in parts:
        assert len(part.y) == len(part.X) == 45
        assert not set(part.y) & set(part.y_val)


def test_a_share_is_held_out_once_and_rows_of_your_own_are_taken_as_they_are():
    (part,) = split_rows(X, Y, 0.2, np.random.RandomState(0))
    assert (len(part.y), len(part.y_val)) == (48, 12)
    (own,) = split_rows(X, Y, (X[:3], Y[:3]), np.random.RandomState(0))
    assert own.X is X
    assert len(own.y_val) == 3


@pytest.mark.parametrize(("validation", "says"), [(1.5, "share"), (True, "share"), (1, "from 2"), (61, "too few")])
def test_what_cannot_be_split_is_refused(validation, says):
    with pytest.raises(ValueError, match=says):
        split_rows(X, Y, validation, np.random.RandomState(0))


def test_outcomes_say_how_a_model_ended():
    parts = split_rows(X, Y, 2, np.random.RandomState(0))
    good, bad = (NeuralLinear(**FAST, learning_rate=rate, random_state=0) for rate in (1e-2, 1e30))
    outcomes = validate([bad, good], parts, lambda model: {"width": model.layer_.posteriors[0].m.size})
    assert [outcome.state for outcome in outcomes] == [TrialState.FAIL, TrialState.COMPLETE]
    assert "diverged" in outcomes[0].error
    assert outcomes[0].scores == {}
    assert outcomes[1].scores["width"] == 9
    assert outcomes[1].error == ""


def test_the_better_third_is_the_one_that_fits_early():
    parts = split_rows(X, Y, 0.2, np.random.RandomState(0))
    models = [NeuralLinear(**FAST, learning_rate=rate, random_state=0) for rate in (1e30, 1e-2, 1e-6)]
    assert better_third(short_likelihoods(models, parts)) == [1]
    assert not hasattr(models[1], "head_")  # the models themselves are not fitted


def test_a_copy_has_the_changed_parameters_and_leaves_the_original():
    model = NeuralLinear(gamma=1.0)
    assert with_parameters(model, gamma=2.0).gamma == 2.0
    assert model.gamma == 1.0


def test_weights_go_with_their_rows_into_fits_and_scores():
    weight = 1.0 + np.arange(60) % 3
    (part,) = split_rows(X, Y, 0.2, np.random.RandomState(0), weight)
    by_row = dict(zip(Y, weight, strict=True))
    assert [by_row[y] for y in part.y] == part.weight.tolist()
    assert [by_row[y] for y in part.y_val] == part.weight_val.tolist()
    (outcome,) = validate([NeuralLinear(**FAST, random_state=0)], [part], lambda model: {})
    own = NeuralLinear(**FAST, random_state=0).fit(part.X, part.y, sample_weight=part.weight)
    d = own.predict_dist(part.X_val)
    densities, share = norm.logpdf(part.y_val, d.mean, d.std), part.weight_val / part.weight_val.sum()
    assert outcome.scores["log_likelihood"] == pytest.approx(share @ densities, rel=1e-4)
    drawn = np.random.default_rng(0).integers(0, 12, (12, 4000))  # the same rows, drawn again and again
    means = np.sum(share[drawn] * densities[drawn], axis=0) / np.sum(share[drawn], axis=0)
    assert outcome.scores["standard_error"] == pytest.approx(means.std(), rel=0.15)
