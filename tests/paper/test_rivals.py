"""Regressors of other packages, with distributions."""

import numpy as np
import pytest
from scipy.stats import norm
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.linear_model import BayesianRidge
from sklearn.model_selection import KFold
from sklearn.neighbors import KNeighborsRegressor

from unabases import all_regressors
from unabases.paper.rivals import RIVALS, Rival, known_regressors

NEEDED = {
    "ngboost": ("ngboost",),
    "catboost": ("catboost",),
    "laplace-torch": ("torch", "laplace"),
    "vbll": ("torch", "vbll"),
}


def rows(n=80, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(5, 3, (n, 2))
    return X, 100 + 4 * X[:, 0] + rng.normal(0, 2.0, n)


@pytest.mark.parametrize("name", RIVALS)
def test_every_rival_predicts_a_distribution_in_units_of_y(name):
    for package in NEEDED.get(name, ()):
        pytest.importorskip(package)
    X, y = rows()
    model = Rival(model=name, random_state=0).fit(X, y)
    found = model.predict_dist(X)
    assert found.mean.shape == y.shape
    assert np.corrcoef(found.mean, y)[0, 1] > 0.8
    assert (found.std > 0).all()
    assert np.array_equal(found.noise_std, found.std) == (RIVALS[name].noise is None)
    assert np.array_equal(model.predict(X), found.mean)


def test_the_variance_is_that_of_errors_on_rows_left_out():
    X, y = rows()
    Z, t = (X - X.mean(axis=0)) / X.std(axis=0), (y - y.mean()) / y.std()
    errors = np.empty(len(y))
    for train, test in KFold(5, shuffle=True, random_state=3).split(Z):
        errors[test] = t[test] - KNeighborsRegressor().fit(Z[train], t[train]).predict(Z[test])
    model = Rival(model="nearest neighbours", random_state=3).fit(X, y)
    assert model.sigma2_ == pytest.approx(np.mean(errors**2) * y.var())
    assert model.predict_dist(X[:2]).std == pytest.approx(np.sqrt(model.sigma2_))


def test_a_distribution_of_its_own_is_kept():
    X, y = rows()
    Z, t = (X - X.mean(axis=0)) / X.std(axis=0), (y - y.mean()) / y.std()
    mean, std = BayesianRidge().fit(Z, t).predict(Z, return_std=True)
    found = Rival(model="bayesian ridge").fit(X, y).predict_dist(X)
    assert found.mean == pytest.approx(mean * y.std() + y.mean())
    assert found.std == pytest.approx(std * y.std())


LEVELS = (0.05, 0.25, 0.5, 0.75, 0.95)


def through_quantiles(Z, t, Z_new):
    """Mean and std of the normal distribution closest to boosted quantiles, by a regression on normal quantiles."""
    models = [HistGradientBoostingRegressor(loss="quantile", quantile=q, random_state=0).fit(Z, t) for q in LEVELS]
    quantiles = np.sort([model.predict(Z_new) for model in models], axis=0)
    std, mean = np.polyfit(norm.ppf(LEVELS), quantiles, 1)
    return mean, std


def test_quantiles_become_a_normal_distribution_that_is_widened_until_left_out_rows_are_likely():
    X, y = rows(120)
    Z, t = (X - X.mean(axis=0)) / X.std(axis=0), (y - y.mean()) / y.std()
    model = Rival(model="quantile boosting", random_state=0).fit(X, y)
    mean, std = through_quantiles(Z, t, Z)
    found = model.predict_dist(X)
    assert found.mean == pytest.approx(mean * y.std() + y.mean())
    assert found.std == pytest.approx(np.sqrt(std**2 + model.added_) * y.std())

    left_out = np.empty((2, len(t)))
    for kept, out in KFold(5, shuffle=True, random_state=0).split(Z):
        left_out[:, out] = through_quantiles(Z[kept], t[kept], Z[out])
    levels = [np.mean(norm.logpdf(t, left_out[0], np.sqrt(left_out[1] ** 2 + v))) for v in np.logspace(-6, 0.5, 200)]
    own = np.mean(norm.logpdf(t, left_out[0], np.sqrt(left_out[1] ** 2 + model.added_)))
    assert own == pytest.approx(max(levels), abs=5e-3)


def test_rivals_are_known_to_experiments_and_not_to_the_library():
    assert known_regressors()["Rival"] is Rival
    assert "Rival" not in all_regressors()


def test_what_a_rival_cannot_do_is_said():
    X, y = rows(30)
    with pytest.raises(ValueError, match="unknown rival 'oracle'; known ones are boosting"):
        Rival(model="oracle").fit(X, y)
    with pytest.raises(ValueError, match="one target; got 2"):
        Rival().fit(X, np.column_stack([y, y]))
    model = Rival(model="bayesian ridge").fit(X, y)
    with pytest.raises(ValueError, match="no covariance"):
        model.predict_dist(X, covariance=True)
    with pytest.raises(TypeError, match="not saved"):
        model.get_state()
    with pytest.raises(TypeError, match="not saved"):
        model.set_state({}, {})
