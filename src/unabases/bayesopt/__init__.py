"""Bayesian optimisation with any of the models as a surrogate."""

from unabases.bayesopt.acquisition import expected_improvement, log_expected_improvement, lower_confidence_bound
from unabases.bayesopt.defaults import default_surrogate
from unabases.bayesopt.loop import BayesOpt, SpaceExhaustedError
from unabases.bayesopt.record import Evaluation
from unabases.bayesopt.state import StudyFileError
from unabases.selection.space import Space

__all__ = [
    "BayesOpt",
    "Evaluation",
    "Space",
    "SpaceExhaustedError",
    "StudyFileError",
    "default_surrogate",
    "expected_improvement",
    "log_expected_improvement",
    "lower_confidence_bound",
]
