"""What is computed of a model with default settings on ordinary data: error, distribution, intervals."""

import numpy as np

from unabases.metrics.calibration import interval_coverage
from unabases.metrics.crps import crps
from unabases.metrics.scores import log_likelihood, mae, rmse
from unabases.paper.data import Rows
from unabases.paper.plan import Trial
from unabases.paper.trials import Outcome
from unabases.predictive.base import AbstractPredictive
from unabases.regressors.shared.base import AbstractRegressor

__all__ = ["accuracy_scores"]

_LEVEL = 0.9
_FEWEST = 30  # test rows whose thirds are worth counting


def accuracy_scores(trial: Trial, rows: Rows, model: AbstractRegressor) -> Outcome:
    """Score a fitted model on the test rows of its split.

    Where the true function is known, `rmse_ratio` is the error divided by that of the truth on the same rows: 1 is
    perfect. Where the predicted noise varies, `coverage_90_low`, `_middle` and `_high` are the shares inside the 90 %
    interval in each third of the test rows, by the predicted noise.
    """
    prediction, y = model.predict_dist(rows.X_test), rows.y_test
    error = rmse(prediction, y)
    scores = {
        "rmse": error,
        "mae": mae(prediction, y),
        "log_likelihood": log_likelihood(prediction, y),
        "crps": crps(prediction, y),
        "coverage_90": interval_coverage(prediction, y, _LEVEL),
        "mean_std": float(np.mean(prediction.std)),
        "y_std": float(np.std(y)),
        "rows": float(len(rows.y_train)),
    }
    if rows.f_test is not None:
        scores["rmse_ratio"] = error / float(np.sqrt(np.mean((y - rows.f_test) ** 2)))
    return Outcome({**scores, **_coverage_by_noise(prediction, y)})


def _coverage_by_noise(prediction: AbstractPredictive, y: np.ndarray) -> dict[str, float]:
    noise = np.asarray(prediction.noise_std)
    if len(y) < _FEWEST or np.ptp(noise) <= 1e-9 * np.max(noise):
        return {}
    thirds = np.array_split(np.argsort(noise, kind="stable"), 3)
    return {
        f"coverage_90_{name}": interval_coverage(prediction[third], y[third], _LEVEL)
        for name, third in zip(("low", "middle", "high"), thirds, strict=True)
    }
