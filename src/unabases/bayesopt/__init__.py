"""Bayesian optimisation with any of the models."""

from unabases.bayesopt.acquisition import expected_improvement, log_expected_improvement, lower_confidence_bound
from unabases.bayesopt.defaults import default_surrogate
from unabases.bayesopt.loop import BayesOpt, Evaluation, SpaceExhaustedError
from unabases.bayesopt.space import Categorical, Integer, Real, Space
from unabases.bayesopt.state import StudyFileError

__all__ = [
    "BayesOpt",
    "Categorical",
    "Evaluation",
    "Integer",
    "Real",
    "Space",
    "SpaceExhaustedError",
    "StudyFileError",
    "default_surrogate",
    "expected_improvement",
    "log_expected_improvement",
    "lower_confidence_bound",
]
