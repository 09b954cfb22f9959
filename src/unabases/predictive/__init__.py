"""Predictions: a mean with epistemic uncertainty and noise, which all regressors return."""

from unabases.predictive.base import AbstractPredictive
from unabases.predictive.mixture import Mixture
from unabases.predictive.normal import Normal

__all__ = ["AbstractPredictive", "Mixture", "Normal"]
