"""What estimators share that reshape predictions; those that use it have tests of their own."""

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from unabases import GaussianProcess, NeuralLinear
from unabases.regressors.wrappers.calibrated import AbstractCalibrated, fit_copy, predict_with, seeded, sliceable

X = np.linspace(-1, 1, 20)[:, None]
Y = np.sin(3 * X[:, 0])
GP = GaussianProcess(restarts=0, sigma2=0.01)


def test_a_pipeline_predicts_distributions_by_its_last_step() -> None:
    pipe = make_pipeline(StandardScaler(), make_pipeline(StandardScaler(), GP))
    fitted = fit_copy(pipe, X, Y, np.full(20, 2.0))
    last = fitted[-1][-1]
    np.testing.assert_array_equal(predict_with(fitted, 2 * X).std, last.predict_dist(fitted[:-1].transform(2 * X)).std)
    weighted = GaussianProcess(restarts=0, sigma2=0.01).fit(X, Y, sample_weight=np.full(20, 2.0))
    np.testing.assert_allclose(predict_with(fitted, X).mean, weighted.predict(X), rtol=1e-3)
    assert not hasattr(pipe[-1], "n_features_in_")  # the pipeline itself was not fitted


def test_seeds_are_given_where_there_are_none() -> None:
    pipe = make_pipeline(StandardScaler(), NeuralLinear())
    made = seeded(pipe, np.random.RandomState(0))
    assert isinstance(made[-1].random_state, int)
    assert seeded(NeuralLinear(random_state=3), np.random.RandomState(0)).random_state == 3


def test_rows_can_be_taken_out_of_anything() -> None:
    assert sliceable([1, 2]) == [1, 2]
    assert isinstance(sliceable((1, 2)), np.ndarray)
    polars = pytest.importorskip("polars")
    assert sliceable(polars.DataFrame({"a": [1.0], "b": ["x"]})).dtypes.iloc[0] == np.float64


def test_each_kind_has_to_say_how_it_reshapes() -> None:
    assert {"_reshape", "_wrapped"} <= AbstractCalibrated.__abstractmethods__
