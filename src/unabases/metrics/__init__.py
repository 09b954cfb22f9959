"""Metrics: how good a prediction and its uncertainty are."""

from unabases.metrics.calibration import (
    CalibrationCurve,
    calibration_curve,
    calibration_error,
    interval_coverage,
    interval_width,
    sharpness,
)
from unabases.metrics.crps import crps
from unabases.metrics.detection import RiskCoverage, auroc, risk_coverage, risk_coverage_area
from unabases.metrics.scores import epistemic, eurc, log_likelihood, mae, rmse
from unabases.metrics.summary import score

__all__ = [
    "CalibrationCurve",
    "RiskCoverage",
    "auroc",
    "calibration_curve",
    "calibration_error",
    "crps",
    "epistemic",
    "eurc",
    "interval_coverage",
    "interval_width",
    "log_likelihood",
    "mae",
    "risk_coverage",
    "risk_coverage_area",
    "rmse",
    "score",
    "sharpness",
]
