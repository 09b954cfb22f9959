"""Dropout kept on at prediction: each pass through the network is a function."""

from typing import Any

import equinox as eqx
import jax
import numpy as np
from jaxtyping import Float

from unabases.objectives.dropout import Dropout, count_units, masked_network
from unabases.regressors.base import check_count, check_positive
from unabases.regressors.network import leaves_of, numbered, refill
from unabases.regressors.sampled import AbstractSampled
from unabases.regressors.step_one import Plan, train_starts


class MCDropout(AbstractSampled):
    """One network trained with dropout, whose predictions are the mixture of many passes with units dropped.

    A pass drops the same units for every row, so that it is a function, and a fitted model always uses the same
    passes: predictions repeat, and those of a part of the rows agree with those of all.

    Parameters
    ----------
    rate
        Probability that a unit is dropped, in training and prediction.
    n_passes
        Passes through the network for a prediction.
    gamma
        Weight penalty γ. In the terms of Gal and Ghahramani it is (1 − rate) l² / 2 with l the prior's length scale.
    hidden_layer_sizes, activation, features, sigma2, max_steps, learning_rate, decay, batch_size, optimizer
        As in `NeuralLinear`; the noise is a given number or `"residual"`, the inverse of their precision τ. Units of
        every hidden layer are dropped, with `features` of one's own only the features, unless the map has `masked`.
    early_stopping, validation_fraction, patience, restarts, standardize, random_state, verbose
        As in `NeuralLinear`.

    Attributes
    ----------
    network_, sigma2_, history_
        The network; the noise variance in y's units squared; the loss at each step.
    tau_
        The precision 1 / sigma2_.

    References
    ----------
    Gal, Ghahramani (2016). Dropout as a Bayesian approximation: representing model uncertainty in deep learning.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.linspace(-1, 1, 40)[:, None]
    >>> model = MCDropout(n_passes=50, max_steps=200, sigma2=0.01, random_state=0).fit(X, X[:, 0] ** 2)
    >>> model.predict_dist(X).members.shape
    (50, 40)
    """

    def __init__(
        self,
        *,
        rate=0.05,
        n_passes=1000,
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
        restarts=1,
        standardize=True,
        random_state=None,
        verbose=False,
    ):
        self.rate = rate
        self.n_passes = n_passes
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
        self.restarts = restarts
        self.standardize = standardize
        self.random_state = random_state
        self.verbose = verbose

    def _learn(self, Z: np.ndarray, t: np.ndarray, sigma2: np.ndarray, plan: Plan, rng: np.random.Generator) -> None:
        rate = check_positive("rate", self.rate, zero=True)
        if rate >= 1:
            raise ValueError(f"`rate` is a probability below 1; got {self.rate!r}.")
        passes = check_count("n_passes", self.n_passes)
        objective = Dropout(
            sigma2=sigma2,
            gamma=np.float64(check_positive("gamma", self.gamma, zero=True)),
            rate=np.float64(rate),
        )
        start = train_starts(objective, Z, t, restarts=check_count("restarts", self.restarts), plan=plan, rng=rng)
        self.network_, self.history_ = start.params, start.history
        kept = rng.random((passes, count_units(self.network_))) >= rate
        self.masks_ = (kept / (1 - rate)).astype(np.float32)
        self._set_noise(sigma2)
        self._describe()

    def _n_functions(self) -> int:
        return len(self.masks_)

    def _functions(self, Z: Float[np.ndarray, "b d"]) -> Float[np.ndarray, "M b p"]:
        return np.asarray(_pass_through(self.network_, self.masks_, Z))

    def get_state(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Weights, masks, scales and noise."""
        arrays, values = self._sampled_state()
        arrays |= {f"network.{i}": np.asarray(leaf) for i, leaf in enumerate(leaves_of(self.network_))}
        return {**arrays, "masks": self.masks_}, values

    def set_state(self, arrays: dict[str, np.ndarray], values: dict[str, Any]) -> None:
        """Put back what `get_state` gave."""
        self._set_sampled_state(arrays, values)
        self.network_ = refill(self._blank_network(), numbered(arrays, "network."))
        self.masks_ = arrays["masks"]
        self._describe()

    def _describe(self) -> None:
        self.tau_ = 1 / self.sigma2_


@eqx.filter_jit
def _pass_through(network: Any, masks: Any, Z: Any) -> Any:
    """Values (T, n, p) of T passes, one at a time."""
    return jax.lax.map(lambda mask: jax.vmap(lambda x: masked_network(network, x, mask))(Z), masks)
