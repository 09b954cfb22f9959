"""Networks that each see their own resample of the data."""

from typing import Any

import numpy as np

from unabases.objectives import map_objective
from unabases.regressors.base import check_positive
from unabases.regressors.ensemble import AbstractEnsemble, Members


class BootstrapEnsemble(AbstractEnsemble):
    """Networks from random starts, each on as many rows as there are, drawn from them with replacement.

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
        As in `VanillaEnsemble`.
    counts_
        How often each member saw each row, shape (n_members, n).

    References
    ----------
    Breiman (1996). Bagging predictors.
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
        self.counts_ = draw_counts(len(networks.W), rest, n, rng)
        objective = map_objective(sigma2, gamma)
        return Members([objective] * len(networks.W), networks, weight=self.counts_.astype(np.float64))


def draw_counts(members: int, rest: np.ndarray, n: int, rng: np.random.Generator) -> np.ndarray:
    """How often each row comes when each member draws as many rows as `rest` has from it, with replacement."""
    counts = np.zeros((members, n), dtype=np.int64)
    counts[:, rest] = rng.multinomial(len(rest), np.full(len(rest), 1 / len(rest)), size=members)
    return counts
