# The public names and where they come from: `unabases.lazy` imports each when it is first used.

from unabases.regressors.anchored_ensemble import AnchoredEnsemble
from unabases.regressors.bootstrap_ensemble import BootstrapEnsemble
from unabases.regressors.conformal import Conformal
from unabases.regressors.gap_calibrated import GapCalibrated
from unabases.regressors.gaussian_process import GaussianProcess
from unabases.regressors.hamiltonian_bnn import HamiltonianBNN
from unabases.regressors.linearised_laplace import LinearisedLaplace
from unabases.regressors.listing import all_regressors
from unabases.regressors.luna import LUNA
from unabases.regressors.mc_dropout import MCDropout
from unabases.regressors.mean_field_vi import MeanFieldVI
from unabases.regressors.networks.step_one import DivergedError
from unabases.regressors.neural_linear import NeuralLinear
from unabases.regressors.random_fourier_sngp import RandomFourierSNGP
from unabases.regressors.shared.base import AbstractRegressor
from unabases.regressors.sngp import SNGP
from unabases.regressors.table_regressor import TableRegressor
from unabases.regressors.una import UNA
from unabases.regressors.vanilla_ensemble import VanillaEnsemble

__all__ = [
    "LUNA",
    "SNGP",
    "UNA",
    "AbstractRegressor",
    "AnchoredEnsemble",
    "BootstrapEnsemble",
    "Conformal",
    "DivergedError",
    "GapCalibrated",
    "GaussianProcess",
    "HamiltonianBNN",
    "LinearisedLaplace",
    "MCDropout",
    "MeanFieldVI",
    "NeuralLinear",
    "RandomFourierSNGP",
    "TableRegressor",
    "VanillaEnsemble",
    "all_regressors",
]
