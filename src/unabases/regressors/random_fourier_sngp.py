"""SNGP with random Fourier features in place of the Gaussian process layer."""

from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import numpy as np

from unabases.features import RandomFourier, SpectralResidual, activation_function, count_features
from unabases.features.residual import check_equal_widths
from unabases.objectives import AbstractObjective, map_objective
from unabases.regressors.networks.last_layer import AbstractLastLayer
from unabases.regressors.networks.network import checked_features
from unabases.regressors.shared.base import check_count, check_positive
from unabases.regressors.shared.parameters import estimator, parameter

RESIDUAL_WIDTHS = parameter(
    (50, 50), "Model", "tuple of int", "Units of each residual layer; all equal, since a layer adds to the one below."
)
NETWORK_BELOW = parameter(
    None,
    "Model",
    "callable or None",
    "A function `(d, *, key)` that makes the network under the Fourier features, instead of the residual one.",
)
NORM_BOUND = parameter(
    0.95,
    "Model",
    "float",
    "Bound c on the singular values of every layer. Below 1 the network keeps different inputs apart.",
)
LENGTH_SCALE = (
    "Length scale of the kernel in units of the network's output, which starts out as distances between standardised "
    "inputs. None for d/2, at most 2√d: near what the evidence finds on many inputs, and cautious on few. The width "
    "stands for d where there are more inputs than units."
)


@estimator
class RandomFourierSNGP(AbstractLastLayer):
    """A network that keeps distances, random Fourier features on its output, and an exact Bayesian linear layer.

    The linear layer on `n_fourier` features approximates a Gaussian process with an RBF kernel on the network's output,
    at a cost that is linear in the rows. Uncertainty grows with the distance from the training rows, as the network
    sees it.

    Attributes
    ----------
    {phi_, posterior_, prior_variance_, sigma2_, log_evidence_, history_}

    See Also
    --------
    SNGP : The Gaussian process itself instead of its approximation; for up to a few thousand rows.

    Notes
    -----
    The network below the Fourier features is `phi_.below`.

    References
    ----------
    Liu, Lin, Padhy, Tran, Bedrax-Weiss, Lakshminarayanan (2020). Simple and principled uncertainty estimation with
    deterministic deep learning via distance awareness.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.linspace(-1, 1, 40)[:, None]
    >>> model = RandomFourierSNGP(n_fourier=100, max_steps=200, sigma2=0.01, random_state=0).fit(X, X[:, 0] ** 2)
    >>> near, far = model.predict_dist([[0.0], [3.0]]).epistemic_std
    >>> bool(far > 3 * near)
    True
    """

    hidden_layer_sizes: Any = RESIDUAL_WIDTHS
    features: Any = NETWORK_BELOW
    norm_bound: Any = NORM_BOUND
    n_fourier: Any = parameter(
        500, "Model", "int", "How many Fourier features: the width of the layer that stands for the process."
    )
    length_scale: Any = parameter(None, "Model", "float or None", LENGTH_SCALE)
    gamma: Any = 0.1
    prior_variance: Any = "evidence"

    def _objective(self, X: np.ndarray, alpha: np.ndarray | None, sigma2: np.ndarray) -> AbstractObjective:
        return map_objective(sigma2, np.float64(check_positive("gamma", self.gamma, zero=True)))

    def _make_features(self) -> Callable[..., Any]:
        """Function of (d, key) that makes untrained Fourier features on an untrained network."""
        length_scale = None if self.length_scale is None else check_positive("length_scale", self.length_scale)
        return fourier_features(residual_network(self), self.n_fourier, length_scale)


def residual_network(model: Any) -> Callable[..., Any]:
    """Function of (d, key) that makes the network below: the model's own `features`, or a residual one."""
    if model.features is not None:
        return checked_features(model.features)
    widths = tuple(check_equal_widths(model.hidden_layer_sizes))
    activation_function(model.activation)
    return _MakeResidual(widths, model.activation, check_positive("norm_bound", model.norm_bound))


def fourier_features(network: Callable[..., Any], n_fourier: Any, length_scale: float | None) -> Callable[..., Any]:
    """Function of (d, key) that makes Fourier features on what `network` makes."""
    return _MakeFourier(network, check_count("n_fourier", n_fourier), length_scale)


class _MakeResidual(NamedTuple):
    """Makes an untrained residual network; equal ones make equal shapes."""

    widths: tuple[int, ...]
    activation: Any
    norm_bound: float

    def __call__(self, d: int, *, key: Any) -> SpectralResidual:
        return SpectralResidual(d, self.widths, self.activation, self.norm_bound, key=key)


class _MakeFourier(NamedTuple):
    """Makes Fourier features on an untrained network; equal ones make equal shapes."""

    network: Callable[..., Any]
    n_fourier: int
    length_scale: float | None

    def __call__(self, d: int, *, key: Any) -> RandomFourier:
        keys = (None, None) if key is None else jax.random.split(key)
        below = self.network(d, key=keys[0])
        scale = usual_length(min(d, count_features(below, d))) if self.length_scale is None else self.length_scale
        return RandomFourier(below, d, self.n_fourier, scale, key=keys[1])


def usual_length(d: int) -> float:
    """Length scale on d standardised inputs, whose distance is about √(2d)."""
    return min(d / 2, 2 * d**0.5)
