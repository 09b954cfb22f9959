"""`score` against the single functions."""

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from unabases import GaussianProcess
from unabases.metrics import (
    auroc,
    calibration_error,
    crps,
    epistemic,
    error_correlation,
    eurc,
    interval_coverage,
    interval_score,
    interval_width,
    log_likelihood,
    mae,
    prediction_rejection_ratio,
    retention_area,
    risk_coverage_area,
    rmse,
    score,
    sharpness,
)
from unabases.predictive import Mixture, Normal

RNG = np.random.default_rng(0)
X, X_GAP = RNG.uniform(-1, 1, (30, 2)), RNG.uniform(3, 4, (8, 2))


class Table:
    """A model that says what it was told, with more uncertainty further out."""

    def __init__(self, kind, outputs=()):
        self.kind, self.outputs = kind, outputs

    def predict_dist(self, X):
        X = np.asarray(X)
        far = np.abs(X).sum(axis=1).reshape(-1, *(1 for _ in self.outputs)) + np.zeros((len(X), *self.outputs))
        if self.kind == "normal":
            return Normal(np.sin(far), far, 0.5)
        return Mixture(np.sin(far) + np.linspace(-1, 1, 9).reshape(-1, *(1 for _ in far.shape)) * far, 0.5)


def alone(predictive, y, level):
    return {
        "log_likelihood": log_likelihood(predictive, y),
        "crps": crps(predictive, y),
        "rmse": rmse(predictive, y),
        "mae": mae(predictive, y),
        "epistemic": epistemic(predictive),
        "sharpness": sharpness(predictive),
        "interval_coverage": interval_coverage(predictive, y, level),
        "interval_width": interval_width(predictive, level),
        "interval_score": interval_score(predictive, y, level),
        "calibration_rms": calibration_error(predictive, y, kind="rms"),
        "calibration_mean": calibration_error(predictive, y, kind="mean"),
        "risk_coverage_rmse": risk_coverage_area(predictive, y, "rmse"),
        "risk_coverage_mae": risk_coverage_area(predictive, y, "mae"),
        "retention_area": retention_area(predictive, y),
        "prediction_rejection_ratio": prediction_rejection_ratio(predictive, y),
        "error_correlation": error_correlation(predictive, y),
    }


@pytest.mark.parametrize("kind", ["normal", "mixture"])
@pytest.mark.parametrize("outputs", [(), (1,), (3,)])
@pytest.mark.parametrize("level", [0.5, 0.9])
def test_score_is_the_single_functions(kind, outputs, level):
    model, y = Table(kind, outputs), RNG.normal(0, 1, (30, *outputs))
    predictive, gap = model.predict_dist(X), model.predict_dist(X_GAP)
    wanted = alone(predictive, y, level)
    assert score(model, X, y, level=level) == wanted
    wanted |= {"epistemic_gap": epistemic(gap), "eurc": eurc(gap, predictive), "auroc": auroc(gap, predictive)}
    found = score(model, X, y, X_GAP, level=level)
    assert found == wanted
    assert all(type(value) is float for value in found.values())
    assert list(found) == list(wanted)


def test_a_fitted_regressor_and_data_frames():
    y = np.sin(3 * X[:, 0]) + 0.1 * RNG.standard_normal(30)
    frame, target = pd.DataFrame(X, columns=["a", "b"]), pd.Series(y, index=range(100, 130))
    model = GaussianProcess().fit(frame, target)
    found = score(model, frame, target, X_gap=pd.DataFrame(X_GAP, columns=["a", "b"]))
    assert found["eurc"] > 1
    assert found["auroc"] == 1
    assert found["crps"] < found["sharpness"]
    assert all(np.isfinite(value) for value in found.values())


def test_a_pipeline_is_told_what_to_do():
    pipe = make_pipeline(StandardScaler(), GaussianProcess()).fit(X, X[:, 0])
    with pytest.raises(TypeError, match=r"`predict_dist`, which Pipeline has not.*pipe\[:-1\]\.transform"):
        score(pipe, X, X[:, 0])
    assert score(pipe[-1], pipe[:-1].transform(X), X[:, 0])["rmse"] < 0.1
    with pytest.raises(TypeError, match="which LinearRegression has not"):
        score(LinearRegression(), X, X[:, 0])


@pytest.mark.parametrize("outputs", [(), (2,)])
def test_weights_are_repeated_rows(outputs):
    y, count = RNG.normal(size=(30, *outputs)), np.arange(30) % 3
    weighted = score(Table("normal", outputs), X, y, X_gap=X_GAP, sample_weight=count)
    repeated = score(Table("normal", outputs), np.repeat(X, count, axis=0), np.repeat(y, count, axis=0), X_gap=X_GAP)
    assert list(weighted) == list(repeated)
    for name, value in weighted.items():
        np.testing.assert_allclose(value, repeated[name], rtol=1e-12, err_msg=name)
