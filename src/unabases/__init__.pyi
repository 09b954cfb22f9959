# The public names and where they come from: `unabases.lazy` imports each when it is first used.

from unabases.audit import AuditResult, DeferralPolicy, audit
from unabases.regressors import (
    LUNA,
    SNGP,
    UNA,
    AnchoredEnsemble,
    BootstrapEnsemble,
    Conformal,
    DivergedError,
    GapCalibrated,
    GaussianProcess,
    HamiltonianBNN,
    LinearisedLaplace,
    MCDropout,
    MeanFieldVI,
    NeuralLinear,
    RandomFourierSNGP,
    TableRegressor,
    VanillaEnsemble,
    all_regressors,
)
from unabases.runtime import to_onnx
from unabases.saving import ModelFileError, load, save
from unabases.tables import TableModel

__version__: str

__all__ = [
    "LUNA",
    "SNGP",
    "UNA",
    "AnchoredEnsemble",
    "AuditResult",
    "BootstrapEnsemble",
    "Conformal",
    "DeferralPolicy",
    "DivergedError",
    "GapCalibrated",
    "GaussianProcess",
    "HamiltonianBNN",
    "LinearisedLaplace",
    "MCDropout",
    "MeanFieldVI",
    "ModelFileError",
    "NeuralLinear",
    "RandomFourierSNGP",
    "TableModel",
    "TableRegressor",
    "VanillaEnsemble",
    "__version__",
    "all_regressors",
    "audit",
    "load",
    "save",
    "to_onnx",
]
