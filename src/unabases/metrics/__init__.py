"""Metrics: how good a prediction and its uncertainty are; `metrics.scorers` has them for scikit-learn."""

from unabases.metrics.calibration import (
    CalibrationCurve,
    calibration_curve,
    calibration_error,
    interval_coverage,
    interval_curve,
    interval_score,
    interval_width,
    sharpness,
)
from unabases.metrics.crps import crps
from unabases.metrics.detection import RiskCoverage, auroc, risk_coverage, risk_coverage_area
from unabases.metrics.joint import joint_log_likelihood
from unabases.metrics.retention import (
    Retention,
    error_correlation,
    prediction_rejection_ratio,
    retention_area,
    retention_curve,
)
from unabases.metrics.scores import epistemic, eurc, log_likelihood, mae, rmse
from unabases.metrics.summary import score
from unabases.metrics.truth import epistemic_coverage, epistemic_ratio
from unabases.metrics.weighted_crps import weighted_crps

__all__ = [
    "CalibrationCurve",
    "Retention",
    "RiskCoverage",
    "auroc",
    "calibration_curve",
    "calibration_error",
    "crps",
    "epistemic",
    "epistemic_coverage",
    "epistemic_ratio",
    "error_correlation",
    "eurc",
    "interval_coverage",
    "interval_curve",
    "interval_score",
    "interval_width",
    "joint_log_likelihood",
    "log_likelihood",
    "mae",
    "prediction_rejection_ratio",
    "retention_area",
    "retention_curve",
    "risk_coverage",
    "risk_coverage_area",
    "rmse",
    "score",
    "sharpness",
    "weighted_crps",
]
