"""What is computed from a model on UCI data: with a gap, and on the usual splits."""

import time

import numpy as np

from unabases.metrics.calibration import calibration_curve, calibration_error, interval_coverage
from unabases.metrics.crps import crps
from unabases.metrics.scores import epistemic, eurc, log_likelihood, mae, rmse
from unabases.paper.data import Rows
from unabases.paper.plan import Trial
from unabases.paper.trials import Outcome
from unabases.predictive.base import AbstractPredictive
from unabases.regressors.shared.base import AbstractRegressor

_LEVEL = 0.9


def gap_split(trial: Trial, rows: Rows, model: AbstractRegressor) -> Outcome:
    """Every score on the test rows and, with `_gap` after its name, on the rows of the gap; EURC between the two."""
    assert rows.X_gap is not None
    assert rows.y_gap is not None
    outside, inside = model.predict_dist(rows.X_test), model.predict_dist(rows.X_gap)
    test = _on_test_rows(model, rows, outside)
    in_gap = {f"{name}_gap": value for name, value in scores_of(inside, rows.y_gap).items()}
    curves = {**test.curves, "calibration_gap": calibration_curve(inside, rows.y_gap)._asdict()}
    return Outcome({**test.scores, **in_gap, "eurc": eurc(inside, outside)}, curves)


def standard_split(trial: Trial, rows: Rows, model: AbstractRegressor) -> Outcome:
    """Every score on the test rows."""
    return _on_test_rows(model, rows, model.predict_dist(rows.X_test))


def scores_of(prediction: AbstractPredictive, y: np.ndarray) -> dict[str, float]:
    """Scores of a prediction against the observed values."""
    return {
        "rmse": rmse(prediction, y),
        "mae": mae(prediction, y),
        "log_likelihood": log_likelihood(prediction, y),
        "crps": crps(prediction, y),
        "epistemic": epistemic(prediction),
        "coverage_90": interval_coverage(prediction, y, _LEVEL),
        "calibration_error": calibration_error(prediction, y),
    }


def _on_test_rows(model: AbstractRegressor, rows: Rows, prediction: AbstractPredictive) -> Outcome:
    """Scores and calibration, and the time of a prediction that has nothing left to compile."""
    begin = time.perf_counter()
    model.predict_dist(rows.X_test)
    scores = {"predict_seconds": time.perf_counter() - begin, **scores_of(prediction, rows.y_test)}
    return Outcome(scores, {"calibration": calibration_curve(prediction, rows.y_test)._asdict()})
