"""Networks that differ in nothing but their random starts."""

from typing import Any

import numpy as np

from unabases.objectives import map_objective
from unabases.regressors.base import check_positive
from unabases.regressors.ensemble import AbstractEnsemble, Members


class VanillaEnsemble(AbstractEnsemble):
    """Networks trained independently from random starts on the same data; their spread is the uncertainty.

    Parameters
    ----------
    n_members
        How many networks.
    gamma
        Weight penalty γ of each.
    hidden_layer_sizes, activation, features, sigma2, max_steps, learning_rate, decay, batch_size, optimizer
        As in `NeuralLinear`; the noise is a given number or `"residual"`.
    early_stopping, validation_fraction, patience, standardize, random_state, verbose
        As in `NeuralLinear`.

    Attributes
    ----------
    networks_, sigma2_, history_
        The members, stacked; the noise variance in y's units squared; the loss at each step, averaged over members.

    References
    ----------
    Lakshminarayanan, Pritzel, Blundell (2017). Simple and scalable predictive uncertainty estimation using deep
    ensembles. Without their adversarial training, and with one noise variance for all inputs.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.linspace(-1, 1, 40)[:, None]
    >>> model = VanillaEnsemble(n_members=3, max_steps=200, sigma2=0.01, random_state=0).fit(X, X[:, 0] ** 2)
    >>> model.predict_dist(X).members.shape
    (3, 40)
    """

    def __init__(
        self,
        *,
        n_members=20,
        hidden_layer_sizes=(50, 50),
        activation="relu",
        features=None,
        gamma=0.01,
        sigma2="residual",
        max_steps=2000,
        learning_rate=1e-2,
        decay="cosine",
        batch_size=None,
        optimizer="adam",
        early_stopping=False,
        validation_fraction=0.1,
        patience=10,
        standardize=True,
        random_state=None,
        verbose=False,
    ):
        self.n_members = n_members
        self.hidden_layer_sizes = hidden_layer_sizes
        self.activation = activation
        self.features = features
        self.gamma = gamma
        self.sigma2 = sigma2
        self.max_steps = max_steps
        self.learning_rate = learning_rate
        self.decay = decay
        self.batch_size = batch_size
        self.optimizer = optimizer
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.patience = patience
        self.standardize = standardize
        self.random_state = random_state
        self.verbose = verbose

    def _members(
        self, networks: Any, rest: np.ndarray, n: int, sigma2: np.ndarray, rng: np.random.Generator
    ) -> Members:
        gamma = np.float64(check_positive("gamma", self.gamma, zero=True))
        return Members([map_objective(sigma2, gamma)] * len(networks.W), networks)
