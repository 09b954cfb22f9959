"""SNGP with random Fourier features in place of the Gaussian process layer."""

from collections.abc import Callable
from typing import Any

import jax
import numpy as np

from unabases.features import RandomFourier, SpectralResidual, activation_function, count_features
from unabases.features.residual import check_equal_widths
from unabases.objectives import AbstractObjective, map_objective
from unabases.regressors.base import check_count, check_positive
from unabases.regressors.last_layer import AbstractLastLayer
from unabases.regressors.network import checked_features


class RandomFourierSNGP(AbstractLastLayer):
    """A distance-keeping network under random Fourier features, trained a-posteriori, with an exact linear layer.

    The linear layer on n_fourier features approximates a Gaussian process with an RBF kernel on the network's output,
    at a cost linear in the rows; `SNGP` has the process itself.

    Parameters
    ----------
    hidden_layer_sizes, activation
        Equal widths of the residual layers; the activation.
    features
        A function `(d, *, key)` that makes the network under the Fourier features, instead of the residual one.
    norm_bound
        Bound c on the singular values of every layer. Below 1 the network keeps inputs apart.
    n_fourier
        How many Fourier features: the width of the layer that stands for the process.
    length_scale
        Of the kernel, in the units of the network's output, where it starts from distances of standardised inputs.
        None for d/2, at most 2√d: near what the evidence finds on many inputs, and cautious on few. The width stands
        for d where inputs are longer.
    gamma
        Weight penalty γ.
    prior_variance
        Prior variance of the last layer's weights, which is that of the function, for standardised y; or
        `"evidence"`.
    sigma2, max_steps, learning_rate, decay, batch_size, optimizer
        As in `NeuralLinear`.
    early_stopping, validation_fraction, patience, restarts, standardize, random_state, verbose
        As in `NeuralLinear`.

    Attributes
    ----------
    phi_, posterior_, prior_variance_, sigma2_, log_evidence_, history_
        As in `NeuralLinear`; the network is `phi_.below`.

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

    def __init__(
        self,
        *,
        hidden_layer_sizes=(50, 50),
        activation="relu",
        features=None,
        norm_bound=0.95,
        n_fourier=500,
        length_scale=None,
        gamma=0.1,
        prior_variance="evidence",
        sigma2="residual",
        max_steps=2000,
        learning_rate=1e-2,
        decay="cosine",
        batch_size=None,
        optimizer="adam",
        early_stopping=False,
        validation_fraction=0.1,
        patience=10,
        restarts=1,
        standardize=True,
        random_state=None,
        verbose=False,
    ):
        self.hidden_layer_sizes = hidden_layer_sizes
        self.activation = activation
        self.features = features
        self.norm_bound = norm_bound
        self.n_fourier = n_fourier
        self.length_scale = length_scale
        self.gamma = gamma
        self.prior_variance = prior_variance
        self.sigma2 = sigma2
        self.max_steps = max_steps
        self.learning_rate = learning_rate
        self.decay = decay
        self.batch_size = batch_size
        self.optimizer = optimizer
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.patience = patience
        self.restarts = restarts
        self.standardize = standardize
        self.random_state = random_state
        self.verbose = verbose

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
    widths = check_equal_widths(model.hidden_layer_sizes)
    activation_function(model.activation)
    c = check_positive("norm_bound", model.norm_bound)
    return lambda d, *, key: SpectralResidual(d, widths, model.activation, c, key=key)


def fourier_features(network: Callable[..., Any], n_fourier: Any, length_scale: float | None) -> Callable[..., Any]:
    """Function of (d, key) that makes Fourier features on what `network` makes."""
    width = check_count("n_fourier", n_fourier)

    def make(d: int, *, key: Any) -> RandomFourier:
        keys = jax.random.split(key)
        below = network(d, key=keys[0])
        scale = usual_length(min(d, count_features(below, d))) if length_scale is None else length_scale
        return RandomFourier(below, d, width, scale, key=keys[1])

    return make


def usual_length(d: int) -> float:
    """Length scale on d standardised inputs, whose distance is about √(2d)."""
    return min(d / 2, 2 * d**0.5)
