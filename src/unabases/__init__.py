"""Deep Bayesian regression that knows where it has no data."""

from unabases.regressors import (
    LUNA,
    AnchoredEnsemble,
    BootstrapEnsemble,
    DivergedError,
    GaussianProcess,
    LinearisedLaplace,
    MCDropout,
    MeanFieldVI,
    NeuralLinear,
    VanillaEnsemble,
    all_regressors,
)
from unabases.saving import ModelFileError, load, save

__version__ = "0.1.0"

__all__ = [
    "LUNA",
    "AnchoredEnsemble",
    "BootstrapEnsemble",
    "DivergedError",
    "GaussianProcess",
    "LinearisedLaplace",
    "MCDropout",
    "MeanFieldVI",
    "ModelFileError",
    "NeuralLinear",
    "VanillaEnsemble",
    "__version__",
    "all_regressors",
    "load",
    "save",
]
