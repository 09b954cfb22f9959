"""Scorers of distributions in scikit-learn's tools."""

import pickle

import numpy as np
import pytest
import sklearn
from numpy.testing import assert_allclose
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV, KFold, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from unabases import GaussianProcess
from unabases.metrics import crps, interval_coverage, interval_score, log_likelihood, scorers
from unabases.metrics.scorers import SCORERS, coverage_error, make_dist_scorer

RNG = np.random.default_rng(0)
X = np.linspace(-1, 1, 40)[:, None]
Y = np.sin(3 * X[:, 0]) + 0.1 * RNG.standard_normal(40)
WEIGHT = RNG.uniform(0.5, 2, 40)
MODEL = GaussianProcess(restarts=0, random_state=0)
BY_HAND = {
    "log_likelihood": lambda d, y, w: log_likelihood(d, y, w),
    "neg_crps": lambda d, y, w: -crps(d, y, w),
    "neg_interval_score": lambda d, y, w: -interval_score(d, y, sample_weight=w),
    "coverage": lambda d, y, w: interval_coverage(d, y, sample_weight=w),
    "neg_coverage_error": lambda d, y, w: -coverage_error(d, y, sample_weight=w),
}


@pytest.mark.parametrize("weight", [None, WEIGHT])
def test_a_scorer_is_its_metric_the_larger_the_better(weight):
    fitted = MODEL.fit(X, Y)
    given = {} if weight is None else {"sample_weight": weight}
    for name, by_hand in BY_HAND.items():
        assert_allclose(SCORERS[name](fitted, X, Y, **given), by_hand(fitted.predict_dist(X), Y, weight))
    assert set(BY_HAND) == set(SCORERS)


def test_cross_validation_takes_all_of_them_also_of_pipelines():
    """A regressor standardises its inputs itself, so a scaler before it changes nothing."""
    cv = KFold(2, shuffle=True, random_state=0)
    alone, piped = (
        cross_validate(model, X, Y, scoring=SCORERS, cv=cv) for model in (MODEL, make_pipeline(StandardScaler(), MODEL))
    )
    for name in SCORERS:
        assert_allclose(piped[f"test_{name}"], alone[f"test_{name}"], rtol=1e-3, err_msg=name)


def test_a_search_can_choose_by_a_scorer_and_be_scored_by_one():
    search = GridSearchCV(MODEL, {"sigma2": [0.01, 1.0]}, scoring=scorers.log_likelihood, cv=KFold(2, shuffle=True))
    assert search.fit(X, Y).best_params_ == {"sigma2": 0.01}
    best = search.best_estimator_.predict_dist(X)
    assert search.score(X, Y) == log_likelihood(best, Y)
    assert scorers.neg_crps(search, X, Y) == -crps(best, Y)


def test_weights_are_routed_to_the_fit_and_to_the_scorer():
    with sklearn.config_context(enable_metadata_routing=True):
        model = GaussianProcess(restarts=0, random_state=0).set_fit_request(sample_weight=True)
        scorer = make_dist_scorer(log_likelihood).set_score_request(sample_weight=True)
        cv = KFold(2)
        found = cross_validate(model, X, Y, scoring=scorer, cv=cv, params={"sample_weight": WEIGHT})["test_score"]
    for score, (train, test) in zip(found, cv.split(X), strict=True):
        fitted = GaussianProcess(restarts=0, random_state=0).fit(X[train], Y[train], sample_weight=WEIGHT[train])
        assert_allclose(score, log_likelihood(fitted.predict_dist(X[test]), Y[test], WEIGHT[test]))


def test_a_scorer_says_what_it_is_and_can_be_pickled():
    scorer = make_dist_scorer(interval_score, lower_is_better=True, level=0.5)
    assert repr(scorer) == "make_dist_scorer(interval_score, lower_is_better=True, level=0.5)"
    again = pickle.loads(pickle.dumps(scorer))
    fitted = MODEL.fit(X, Y)
    assert again(fitted, X, Y) == scorer(fitted, X, Y) == -interval_score(fitted.predict_dist(X), Y, level=0.5)


def test_a_regressor_without_distributions_is_refused_by_name():
    with pytest.raises(TypeError, match=r"Ridge has no `predict_dist`"):
        scorers.neg_crps(Ridge().fit(X, Y), X, Y)
