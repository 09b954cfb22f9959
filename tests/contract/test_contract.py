"""What every regressor promises beyond scikit-learn's checks."""

import joblib
import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler

import unabases
from tests.contract.regressors import REGRESSORS

RNG = np.random.default_rng(0)
X = RNG.uniform(-2, 2, (60, 2))
Y = np.sin(X[:, 0]) + 0.5 * X[:, 1] + 0.1 * RNG.standard_normal(60)
NEW = RNG.uniform(-3, 3, (25, 2))

every = pytest.mark.parametrize("name", REGRESSORS)


@pytest.fixture(scope="module")
def fitted():
    return {name: clone(model).fit(X, Y) for name, model in REGRESSORS.items()}


@every
def test_variance_is_epistemic_plus_noise(fitted, name):
    d = fitted[name].predict_dist(NEW)
    assert_allclose(d.std**2, d.epistemic_std**2 + d.noise_std**2)
    assert (d.epistemic_std > 0).all()
    assert (d.noise_std > 0).all()
    mean, std = fitted[name].predict(NEW, return_std=True)
    assert_array_equal(mean, d.mean)
    assert_array_equal(std, d.std)
    assert_array_equal(fitted[name].predict(NEW), d.mean)


@every
@pytest.mark.filterwarnings("ignore:the chains have not converged")
def test_a_fit_follows_the_rows_that_weigh_more(name):
    """Every second row lies 3 higher: without weights, predictions would lie half-way between."""
    high = np.arange(60) % 2 == 1
    model = clone(REGRESSORS[name]).fit(X, Y + 3.0 * high, sample_weight=np.where(high, 1.0, 0.01))
    assert np.mean(model.predict(X) - Y) > 2


@every
def test_covariance_has_the_variances_on_its_diagonal(fitted, name):
    d = fitted[name].predict_dist(NEW, covariance=True)
    assert_allclose(np.diag(d.covariance), d.epistemic_std**2, rtol=1e-6)
    assert np.linalg.eigvalsh(d.covariance).min() > -1e-9
    _, cov = fitted[name].predict(NEW, return_cov=True)
    assert_allclose(np.diag(cov), d.std**2, rtol=1e-6)


@every
def test_asking_for_std_and_covariance_at_once_is_refused(fitted, name):
    with pytest.raises(ValueError, match="one of"):
        fitted[name].predict(NEW, return_std=True, return_cov=True)


@every
def test_a_fit_is_reproducible_to_the_bit(fitted, name):
    again = clone(REGRESSORS[name]).fit(X, Y).predict_dist(NEW)
    first = fitted[name].predict_dist(NEW)
    assert_array_equal(again.mean, first.mean)
    assert_array_equal(again.epistemic_std, first.epistemic_std)


@every
def test_units_of_x_and_y_change_only_the_units_of_the_answer(fitted, name):
    scaled = clone(REGRESSORS[name])
    if not isinstance(scaled.sigma2, str):
        scaled.set_params(sigma2=scaled.sigma2 * 1e-12)
    scaled.fit(X * 1e6 + 5e6, Y * 1e-6 - 3e-6)
    d, reference = scaled.predict_dist(NEW * 1e6 + 5e6), fitted[name].predict_dist(NEW)
    assert_allclose(d.mean * 1e6 + 3, reference.mean, rtol=1e-4, atol=1e-4)
    assert_allclose(d.epistemic_std * 1e6, reference.epistemic_std, rtol=1e-3)
    assert_allclose(d.noise_std * 1e6, reference.noise_std, rtol=1e-4)


@every
def test_it_works_inside_scikit_learn(name):
    model = clone(REGRESSORS[name])
    pipeline = make_pipeline(MinMaxScaler(), model)
    assert cross_val_score(pipeline, X, Y, cv=2).shape == (2,)
    grid = GridSearchCV(model, {"standardize": [True, False]}, cv=2).fit(X, Y)
    assert grid.best_score_ > 0.5


@every
def test_pandas_columns_are_remembered(name):
    frame = pd.DataFrame(X, columns=["a", "b"])
    model = clone(REGRESSORS[name]).fit(frame, pd.Series(Y))
    assert_array_equal(model.feature_names_in_, ["a", "b"])
    assert model.predict(frame).shape == (60,)
    with pytest.raises(ValueError, match="feature names"):
        model.predict(frame.rename(columns={"a": "c"}))


@every
def test_joblib_round_trip(fitted, name, tmp_path):
    joblib.dump(fitted[name], tmp_path / "model.joblib")
    assert_array_equal(joblib.load(tmp_path / "model.joblib").predict(NEW), fitted[name].predict(NEW))


@every
def test_saving_keeps_every_bit(fitted, name, tmp_path):
    unabases.save(fitted[name], tmp_path / "model.una")
    loaded = unabases.load(tmp_path / "model.una")
    d, reference = loaded.predict_dist(NEW), fitted[name].predict_dist(NEW)
    assert type(loaded) is type(fitted[name])
    assert_array_equal(d.mean, reference.mean)
    assert_array_equal(d.epistemic_std, reference.epistemic_std)
    assert loaded.get_params() == fitted[name].get_params()
    assert getattr(loaded, "log_evidence_", None) == getattr(fitted[name], "log_evidence_", None)


@every
def test_several_outputs_have_their_own_noise(name):
    both = np.column_stack([Y, 100 * Y**2])
    model = clone(REGRESSORS[name])
    if not isinstance(model.sigma2, str):
        model.set_params(sigma2=[0.01, 100.0])
    model.fit(X, both)
    d = model.predict_dist(NEW, covariance=True)
    assert d.mean.shape == d.epistemic_std.shape == (25, 2)
    assert np.shape(model.sigma2_) == (2,)
    assert model.sigma2_[1] > 10 * model.sigma2_[0]
    assert_allclose(np.einsum("pnn->np", d.covariance), d.epistemic_std**2, rtol=1e-6)
    assert model.predict(NEW, return_cov=True)[1].shape == (25, 25, 2)
    assert model.score(X, both) > 0.5


@every
@pytest.mark.parametrize(
    ("rows", "targets", "message"),
    [
        (np.where(X > 1.9, np.inf, X), Y, "infinity"),
        (X, np.where(Y > 1, np.nan, Y), "NaN"),
        (X.astype(str) + "x", Y, "could not convert|dtype"),
        (np.empty((0, 2)), np.empty(0), "0 sample"),
        (X[:1], Y[:1], "1 sample|minimum of 2"),
        (X, Y[:-1], "inconsistent"),
        (X[:, 0], Y, "2D array"),
    ],
    ids=["inf", "nan-y", "strings", "empty", "one-row", "lengths", "vector"],
)
def test_bad_data_is_refused_with_a_reason(name, rows, targets, message):
    with pytest.raises(ValueError, match=message):
        clone(REGRESSORS[name]).fit(rows, targets)


@every
def test_the_wrong_width_is_refused_at_prediction(fitted, name):
    with pytest.raises(ValueError, match=r"3 features.*2 features"):
        fitted[name].predict(np.zeros((4, 3)))


@every
@pytest.mark.parametrize("value", [-1.0, 0.0, np.nan, "nonsense", [1.0, 2.0, 3.0]])
def test_impossible_noise_is_refused(name, value):
    with pytest.raises(ValueError, match="`sigma2`"):
        clone(REGRESSORS[name]).set_params(sigma2=value).fit(X, Y)


@every
def test_constant_and_duplicate_columns_do_no_harm(name):
    wide = np.column_stack([X, np.full(60, 7.0), X[:, 0], np.zeros(60)])
    model = clone(REGRESSORS[name]).fit(wide, Y)
    assert model.score(wide, Y) > 0.8
    assert np.isfinite(model.predict_dist(wide + 1).epistemic_std).all()


@every
@pytest.mark.parametrize("constant", [0.0, 5.0, -1e9])
def test_a_constant_target_is_predicted(name, constant):
    model = clone(REGRESSORS[name])
    d = model.fit(X, np.full(60, constant)).predict_dist(X)
    assert_allclose(d.mean, constant, atol=0.3 + 1e-6 * abs(constant))
    assert np.isfinite(d.std).all()


@every
@pytest.mark.parametrize("n", [2, 3, 11])
def test_a_handful_of_rows_is_enough(name, n):
    d = clone(REGRESSORS[name]).fit(X[:n], Y[:n]).predict_dist(NEW)
    assert np.isfinite(d.mean).all()
    assert np.isfinite(d.std).all()
    assert (d.epistemic_std > 0).all()


@every
def test_no_rows_to_predict_gives_scikit_learns_error(fitted, name):
    with pytest.raises(ValueError, match="0 sample"):
        fitted[name].predict(np.empty((0, 2)))


@every
def test_a_fit_that_fails_leaves_no_half_fitted_model(name):
    model = clone(REGRESSORS[name]).set_params(sigma2=-1.0)
    with pytest.raises(ValueError, match="`sigma2`"):
        model.fit(X, Y)
    with pytest.raises(NotFittedError):
        model.predict(NEW)
