"""What a prediction is: the one thing metrics, optimisation and reports see."""

from unabases.predictive.base import AbstractPredictive
from unabases.predictive.mixture import Mixture
from unabases.predictive.normal import Normal

__all__ = ["AbstractPredictive", "Mixture", "Normal"]
