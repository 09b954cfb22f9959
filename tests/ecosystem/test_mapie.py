"""MAPIE's conformal intervals around a regressor of this package hold their level."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, RegressorMixin

from tests.ecosystem.rows import quick_model
from unabases import Conformal

regression = pytest.importorskip("mapie.regression")
ResidualNormalisedScore = pytest.importorskip("mapie.conformity_scores").ResidualNormalisedScore


def test_split_conformal_intervals_of_a_fitted_model_hold_their_level():
    rng = np.random.default_rng(0)
    X = rng.uniform(-2, 2, (700, 1))
    y = np.sin(2 * X[:, 0]) + 0.2 * rng.standard_normal(700)  # twice the noise that the model is told
    model = quick_model().fit(X[:100], y[:100])
    conformal = regression.SplitConformalRegressor(model, confidence_level=0.9, prefit=True)
    conformal.conformalize(X[100:400], y[100:400])
    mean, intervals = conformal.predict_interval(X[400:])
    np.testing.assert_allclose(mean, model.predict(X[400:]))
    low, high = intervals[:, 0, 0], intervals[:, 1, 0]
    inside = np.mean((low <= y[400:]) & (y[400:] <= high))
    assert 0.85 < inside < 0.95
    own_low, own_high = model.predict_dist(X[400:]).interval(0.9)
    assert np.mean((own_low <= y[400:]) & (y[400:] <= own_high)) < 0.75  # the model alone was told too little noise


def test_cross_conformal_intervals_refit_clones():
    rng = np.random.default_rng(1)
    X = rng.uniform(-2, 2, (120, 2))
    y = np.sin(2 * X[:, 0]) + 0.1 * rng.standard_normal(120)
    conformal = regression.CrossConformalRegressor(quick_model(), confidence_level=0.9, cv=3, random_state=0)
    intervals = conformal.fit_conformalize(X, y).predict_interval(X)[1]
    assert np.mean((intervals[:, 0, 0] <= y) & (y <= intervals[:, 1, 0])) > 0.85


class Spread(RegressorMixin, BaseEstimator):
    """What our model says of its own std, as MAPIE's model of the residuals."""

    def __init__(self, model):
        self.model = model
        self.fitted_ = True

    def fit(self, X, y):
        return self

    def predict(self, X):
        return self.model.predict(X, return_std=True)[1]


def test_with_our_std_as_its_scale_it_gives_the_intervals_of_our_own_conformal_step():
    rng = np.random.default_rng(2)
    X = rng.uniform(-2, 2, (120, 2))
    y = np.sin(2 * X[:, 0]) + 0.1 * rng.standard_normal(120) * (1 + X[:, 1] ** 2)
    ours = Conformal(quick_model(), held_out=0).fit(X[:60], y[:60]).calibrate(X[60:100], y[60:100])
    score = ResidualNormalisedScore(Spread(ours.estimator_), prefit=True)
    theirs = regression.SplitConformalRegressor(
        ours.estimator_, confidence_level=[0.5, 0.9], conformity_score=score, prefit=True
    )
    intervals = theirs.conformalize(X[60:100], y[60:100]).predict_interval(X[100:])[1]
    for i, level in enumerate((0.5, 0.9)):
        np.testing.assert_allclose(ours.predict_dist(X[100:]).interval(level), intervals[:, :, i].T)
