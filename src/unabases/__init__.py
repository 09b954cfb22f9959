"""Deep Bayesian regression that knows where it has no data."""

from unabases.regressors import LUNA, DivergedError, GaussianProcess, NeuralLinear
from unabases.saving import ModelFileError, load, save

__version__ = "0.1.0"

__all__ = [
    "LUNA",
    "DivergedError",
    "GaussianProcess",
    "ModelFileError",
    "NeuralLinear",
    "__version__",
    "load",
    "save",
]
