"""scikit-learn estimators, one file each."""

from unabases.regressors.base import AbstractRegressor
from unabases.regressors.gaussian_process import GaussianProcess
from unabases.regressors.luna import LUNA
from unabases.regressors.neural_linear import NeuralLinear
from unabases.regressors.step_one import DivergedError

__all__ = ["LUNA", "AbstractRegressor", "DivergedError", "GaussianProcess", "NeuralLinear"]
