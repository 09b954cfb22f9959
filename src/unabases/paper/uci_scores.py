"""What is computed of a model on real data: with a gap, and on the usual splits."""

import time

import numpy as np

from unabases.metrics.calibration import calibration_curve, calibration_error, interval_coverage
from unabases.metrics.crps import crps
from unabases.metrics.scores import epistemic, eurc, log_likelihood, mae, rmse
from unabases.paper.data import Rows
from unabases.paper.plan import Trial
from unabases.paper.trials import Outcome
from unabases.predictive.base import AbstractPredictive
from unabases.regressors.base import AbstractRegressor

_LEVEL = 0.9


def gap_split(trial: Trial, rows: Rows, model: AbstractRegressor) -> Outcome:
    """Every score on the test rows and, with `_gap` after its name, on the rows of the gap; EURC between the two."""
    assert rows.X_gap is not None
    assert rows.y_gap is not None
    outside, inside = model.predict_dist(rows.X_test), model.predict_dist(rows.X_gap)
    in_gap = {f"{name}_gap": value for name, value in scores_of(inside, rows.y_gap).items()}
    scores = {**scores_of(outside, rows.y_test), **in_gap, "eurc": eurc(inside, outside)}
    curves = {
        "calibration": calibration_curve(outside, rows.y_test)._asdict(),
        "calibration_gap": calibration_curve(inside, rows.y_gap)._asdict(),
    }
    return Outcome({**scores, "predict_seconds": _seconds_to_predict(model, rows.X_test)}, curves)


def standard_split(trial: Trial, rows: Rows, model: AbstractRegressor) -> Outcome:
    """Every score on the test rows."""
    outside = model.predict_dist(rows.X_test)
    curves = {"calibration": calibration_curve(outside, rows.y_test)._asdict()}
    scores = {**scores_of(outside, rows.y_test), "predict_seconds": _seconds_to_predict(model, rows.X_test)}
    return Outcome(scores, curves)


def scores_of(prediction: AbstractPredictive, y: np.ndarray) -> dict[str, float]:
    """Scores of a prediction beside what was observed."""
    return {
        "rmse": rmse(prediction, y),
        "mae": mae(prediction, y),
        "log_likelihood": log_likelihood(prediction, y),
        "crps": crps(prediction, y),
        "epistemic": epistemic(prediction),
        "coverage_90": interval_coverage(prediction, y, _LEVEL),
        "calibration_error": calibration_error(prediction, y),
    }


def _seconds_to_predict(model: AbstractRegressor, X: np.ndarray) -> float:
    """Time of a prediction that has nothing left to compile."""
    begin = time.perf_counter()
    model.predict_dist(X)
    return time.perf_counter() - begin
