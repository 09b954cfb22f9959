"""MAPIE's conformal intervals around a regressor of this package hold their level."""

import numpy as np
import pytest

from tests.ecosystem.rows import quick_model

regression = pytest.importorskip("mapie.regression")


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
