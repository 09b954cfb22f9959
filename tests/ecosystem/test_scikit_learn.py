"""scikit-learn's tools take a regressor of this package like their own; what they give has a known answer."""

import numpy as np
import pytest
from sklearn.compose import TransformedTargetRegressor
from sklearn.ensemble import BaggingRegressor, StackingRegressor, VotingRegressor
from sklearn.feature_selection import RFE, SelectFromModel, SequentialFeatureSelector
from sklearn.inspection import partial_dependence, permutation_importance
from sklearn.linear_model import LinearRegression
from sklearn.metrics import make_scorer, r2_score
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_validate, learning_curve
from sklearn.multioutput import MultiOutputRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures, StandardScaler

from tests.ecosystem.rows import X, quick_model, y
from unabases.selection import importances

TRAIN, TEST = slice(0, 80), slice(80, 120)


@pytest.mark.parametrize(
    "wrapped",
    [
        make_pipeline(StandardScaler(), quick_model()),
        make_pipeline(PolynomialFeatures(2, include_bias=False), quick_model()),
        TransformedTargetRegressor(quick_model(), func=lambda t: 3 * t + 1, inverse_func=lambda t: (t - 1) / 3),
        BaggingRegressor(quick_model(), n_estimators=3, random_state=0),
        StackingRegressor([("ours", quick_model()), ("theirs", LinearRegression())], cv=3),
        VotingRegressor([("a", quick_model()), ("b", quick_model())]),
    ],
    ids=lambda wrapped: type(wrapped).__name__,
)
def test_what_wraps_a_regressor_still_predicts_well(wrapped):
    assert r2_score(y[TEST], wrapped.fit(X[TRAIN], y[TRAIN]).predict(X[TEST])) > 0.9


def test_a_pipeline_passes_the_wish_for_a_std_on():
    pipeline = make_pipeline(StandardScaler(), quick_model()).fit(X[TRAIN], y[TRAIN])
    mean, std = pipeline.predict(X[TEST], return_std=True)
    last = pipeline[-1].predict_dist(pipeline[0].transform(X[TEST]))
    np.testing.assert_array_equal(mean, last.mean)
    np.testing.assert_array_equal(std, last.std)


def test_cross_validation_gives_the_predictions_of_each_fold():
    predicted = cross_val_predict(quick_model(), X, y, cv=3)
    by_hand = quick_model().fit(X[40:], y[40:]).predict(X[:40])
    np.testing.assert_allclose(predicted[:40], by_hand, rtol=1e-6, atol=1e-8)


def test_a_grid_search_takes_any_parameter_and_a_score_of_its_own():
    search = GridSearchCV(quick_model(), {"kernel": ["rbf", "matern"]}, cv=3, scoring=make_scorer(r2_score)).fit(X, y)
    assert search.best_params_["kernel"] in ("rbf", "matern")
    assert search.best_score_ > 0.9
    assert len(cross_validate(search.best_estimator_, X, y, cv=3)["test_score"]) == 3


def test_inspection_finds_the_column_that_matters():
    model = quick_model().fit(X, y)
    importance = permutation_importance(model, X, y, n_repeats=3, random_state=0).importances_mean
    assert importance[0] > 50 * abs(importance[1])
    shape = partial_dependence(model, X, [0], grid_resolution=20)
    np.testing.assert_allclose(shape["average"][0], np.sin(2 * shape["grid_values"][0]), atol=0.15)


@pytest.mark.parametrize("selector", [SequentialFeatureSelector(quick_model(), n_features_to_select=1, cv=3)])
def test_selection_keeps_the_column_that_matters(selector):
    assert selector.fit(X, y).get_support().tolist() == [True, False]


@pytest.mark.parametrize(
    "selector",
    [
        RFE(quick_model(), n_features_to_select=1, importance_getter=importances),
        SelectFromModel(quick_model(), max_features=1, importance_getter=importances),
    ],
)
def test_selection_by_importances_keeps_the_column_that_matters(selector):
    assert selector.fit(X, y).get_support().tolist() == [True, False]


def test_a_learning_curve_rises():
    scores = learning_curve(quick_model(), X, y, train_sizes=[10, 80], cv=3)[2].mean(axis=1)
    assert scores[1] > scores[0]


def test_several_outputs_one_by_one():
    both = np.stack([y, -y], axis=1)
    predicted = MultiOutputRegressor(quick_model()).fit(X[TRAIN], both[TRAIN]).predict(X[TEST])
    np.testing.assert_allclose(predicted[:, 0], -predicted[:, 1], atol=1e-5)
