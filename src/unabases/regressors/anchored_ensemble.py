"""Networks each held near its own draw from a prior: randomised maximum a posteriori."""

from typing import Any

import equinox as eqx
import jax
import numpy as np

from unabases.features import trainable
from unabases.objectives.anchored import Anchored
from unabases.objectives.weight_prior import sample_weights, weight_variances
from unabases.regressors.base import check_positive
from unabases.regressors.ensemble import AbstractEnsemble, Members
from unabases.regressors.step_one import take_member


class AnchoredEnsemble(AbstractEnsemble):
    """Networks that fit the data while held near anchors drawn from a Gaussian prior over the weights.

    A member minimises ‖y − f(X)‖² / σ² + ‖θ − anchor‖² / prior variance. For a model that is linear in its weights
    the members are then exact draws from the posterior, provided that the targets are perturbed by noise of
    variance σ² as well.

    Parameters
    ----------
    n_members
        How many networks.
    prior_variance
        Variance of the anchors: of a bias, and of a weight times the inputs its layer sums (see `by_fan_in`).
    by_fan_in
        Whether the variance of a layer's weights is divided by how many inputs it sums.
    init_variance
        Variance of the starts, which are drawn apart from the anchors; None for the network's usual start.
    perturb_targets
        Whether each member sees its own noise on the targets. Pearce et al. leave it out, which makes the spread
        too small where the data is.
    hidden_layer_sizes, activation, features, sigma2, max_steps, learning_rate, decay, batch_size, optimizer
        As in `NeuralLinear`; the noise is a given number or `"residual"`.
    early_stopping, validation_fraction, patience, standardize, random_state, verbose
        As in `NeuralLinear`.

    Attributes
    ----------
    networks_, sigma2_, history_
        As in `VanillaEnsemble`.

    References
    ----------
    Pearce, Leibfried, Brintrup, Zaki, Neely (2020). Uncertainty in neural networks: approximately Bayesian
    ensembling.
    """

    def __init__(
        self,
        *,
        n_members=20,
        hidden_layer_sizes=(50, 50),
        activation="relu",
        features=None,
        prior_variance=10.0,
        by_fan_in=True,
        init_variance=None,
        perturb_targets=True,
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
        self.prior_variance = prior_variance
        self.by_fan_in = by_fan_in
        self.init_variance = init_variance
        self.perturb_targets = perturb_targets
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
        count = len(networks.W)
        one = take_member(networks, 0)
        variances = weight_variances(one, check_positive("prior_variance", self.prior_variance), self.by_fan_in)
        anchors = [sample_weights(variances, one, rng) for _ in range(count)]
        objectives = [
            Anchored(sigma2=sigma2, anchor=eqx.filter(anchor, trainable(anchor)), variances=variances)
            for anchor in anchors
        ]
        if self.init_variance is not None:
            spread = np.sqrt(check_positive("init_variance", self.init_variance))
            trained, rest_of = eqx.partition(networks, trainable(networks))
            drawn = jax.tree.map(lambda leaf: (spread * rng.standard_normal(leaf.shape)).astype(leaf.dtype), trained)
            networks = eqx.combine(drawn, rest_of)
        shift = None
        if self.perturb_targets:
            shift = np.sqrt(sigma2) * rng.standard_normal((count, n, len(sigma2)))
        return Members(objectives, networks, shift=shift)
