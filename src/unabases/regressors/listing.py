"""The list of all regressors: one line each, and whatever runs over all of them knows a new one."""

from unabases.regressors.anchored_ensemble import AnchoredEnsemble
from unabases.regressors.bootstrap_ensemble import BootstrapEnsemble
from unabases.regressors.gaussian_process import GaussianProcess
from unabases.regressors.hamiltonian_bnn import HamiltonianBNN
from unabases.regressors.linearised_laplace import LinearisedLaplace
from unabases.regressors.luna import LUNA
from unabases.regressors.mc_dropout import MCDropout
from unabases.regressors.mean_field_vi import MeanFieldVI
from unabases.regressors.neural_linear import NeuralLinear
from unabases.regressors.random_fourier_sngp import RandomFourierSNGP
from unabases.regressors.shared.base import AbstractRegressor
from unabases.regressors.sngp import SNGP
from unabases.regressors.una import UNA
from unabases.regressors.vanilla_ensemble import VanillaEnsemble

_REGRESSORS: tuple[type[AbstractRegressor], ...] = (
    UNA,
    LUNA,
    NeuralLinear,
    GaussianProcess,
    VanillaEnsemble,
    BootstrapEnsemble,
    AnchoredEnsemble,
    SNGP,
    RandomFourierSNGP,
    LinearisedLaplace,
    HamiltonianBNN,
    MCDropout,
    MeanFieldVI,
)


def all_regressors() -> dict[str, type[AbstractRegressor]]:
    """Every regressor by name: what comparisons, saved files and the contract tests run over.

    Examples
    --------
    >>> "LUNA" in all_regressors()
    True
    """
    return {cls.__name__: cls for cls in _REGRESSORS}
