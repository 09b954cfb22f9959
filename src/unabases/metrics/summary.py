"""The metrics of a fitted model at once."""

from typing import Any

from numpy.typing import ArrayLike

from unabases.metrics.calibration import calibration_error, share_inside, sharpness, winkler
from unabases.metrics.checks import average, checked_outcomes
from unabases.metrics.crps import crps
from unabases.metrics.detection import auroc, risk_coverage_area
from unabases.metrics.retention import error_correlation, prediction_rejection_ratio, retention_area
from unabases.metrics.scores import epistemic, eurc, log_likelihood, mae, rmse
from unabases.predictive import AbstractPredictive

__all__ = ["score"]


def score(
    model: Any, X: Any, y: ArrayLike, X_gap: Any = None, level: float = 0.9, sample_weight: ArrayLike | None = None
) -> dict[str, float]:
    """Compute the metrics of a fitted model at once, on rows that it has not seen.

    Left out are those that need more than y: a tail (`weighted_crps`), the covariance between rows
    (`joint_log_likelihood`), or the truth (`epistemic_coverage`, `epistemic_ratio`).

    Parameters
    ----------
    model : regressor
        A fitted regressor with `predict_dist`.
    X, y : arrays of shape (n, d), and (n,) or (n, p)
        Test rows like the training data, and their outcomes.
    X_gap : array of shape (m, d), optional
        Rows unlike the training data; no outcomes are needed.
    level : float
        Probability of the intervals.
    sample_weight : array of shape (n,), optional
        How often each test row counts. Rows of `X_gap` count once.

    Returns
    -------
    dict of str to float
        `log_likelihood`, `crps`, `rmse`, `mae`, `epistemic`, `sharpness`, `interval_coverage`, `interval_width`,
        `interval_score`, `calibration_rms` and `calibration_mean` (`calibration_error` of both kinds),
        `risk_coverage_rmse` and `risk_coverage_mae` (`risk_coverage_area` of both errors), `retention_area`,
        `prediction_rejection_ratio` and `error_correlation`. With `X_gap` also `epistemic_gap`, `eurc` and `auroc`.
        Each is what the function of that name gives.

    Examples
    --------
    >>> import numpy as np
    >>> from unabases import GaussianProcess
    >>> X = np.linspace(-1, 1, 40)[:, None]
    >>> y = np.sin(3 * X[:, 0])
    >>> scores = score(GaussianProcess().fit(X[::2], y[::2]), X[1::2], y[1::2], X_gap=X + 5)
    >>> scores["rmse"] < 0.01, scores["auroc"]
    (True, 1.0)
    """
    predictive = _predict(model, X)
    y = checked_outcomes(predictive, y)
    interval = predictive.interval(level)  # of a mixture the costliest part, so once for both
    values = {
        "log_likelihood": log_likelihood(predictive, y, sample_weight),
        "crps": crps(predictive, y, sample_weight),
        "rmse": rmse(predictive, y, sample_weight),
        "mae": mae(predictive, y, sample_weight),
        "epistemic": epistemic(predictive, sample_weight),
        "sharpness": sharpness(predictive, sample_weight),
        "interval_coverage": share_inside(interval, y, sample_weight),
        "interval_width": average(interval[1] - interval[0], sample_weight),
        "interval_score": winkler(interval, y, level, sample_weight),
        "calibration_rms": calibration_error(predictive, y, sample_weight=sample_weight),
        "calibration_mean": calibration_error(predictive, y, kind="mean", sample_weight=sample_weight),
        "risk_coverage_rmse": risk_coverage_area(predictive, y, sample_weight=sample_weight),
        "risk_coverage_mae": risk_coverage_area(predictive, y, error="mae", sample_weight=sample_weight),
        "retention_area": retention_area(predictive, y, sample_weight=sample_weight),
        "prediction_rejection_ratio": prediction_rejection_ratio(predictive, y, sample_weight=sample_weight),
        "error_correlation": error_correlation(predictive, y, sample_weight=sample_weight),
    }
    if X_gap is not None:
        gap = _predict(model, X_gap)
        values["epistemic_gap"] = epistemic(gap)
        values["eurc"] = eurc(gap, predictive, not_gap_weight=sample_weight)
        values["auroc"] = auroc(gap, predictive, not_gap_weight=sample_weight)
    return values


def _predict(model: Any, X: Any) -> AbstractPredictive:
    if not hasattr(model, "predict_dist"):
        raise TypeError(
            f"`model` must have `predict_dist`, which {type(model).__name__} has not; for a pipeline, give its last "
            "step and rows that went through the other steps: `score(pipe[-1], pipe[:-1].transform(X), y)`."
        )
    return model.predict_dist(X)
