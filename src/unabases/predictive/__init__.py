"""Predictions: a mean with epistemic uncertainty and noise, which all regressors return."""

from unabases.predictive.base import AbstractPredictive
from unabases.predictive.mixture import Mixture
from unabases.predictive.normal import Normal
from unabases.predictive.stretched import Stretched
from unabases.predictive.student_t import StudentT
from unabases.predictive.transformed import Transformed

__all__ = ["AbstractPredictive", "Mixture", "Normal", "Stretched", "StudentT", "Transformed"]
