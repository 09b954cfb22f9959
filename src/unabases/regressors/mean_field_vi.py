"""A Bayesian network with an independent Gaussian for every weight."""

from typing import Any

import equinox as eqx
import jax
import numpy as np

from unabases.features import trainable
from unabases.objectives.variational import Factorised, Variational, draw_normals
from unabases.objectives.weight_prior import weight_variances
from unabases.regressors.base import check_count, check_positive
from unabases.regressors.network import leaves_of, numbered, refill
from unabases.regressors.sampled import AbstractStack
from unabases.regressors.step_one import Plan, train_starts


class MeanFieldVI(AbstractStack):
    """The factorised Gaussian closest to the posterior over the weights; predictions are draws from it.

    Trained on the evidence lower bound with gradients through drawn networks and the divergence from the prior in
    closed form.

    Parameters
    ----------
    n_draws
        Networks drawn from the fitted Gaussian for predictions, once.
    draws_per_step
        Networks drawn a training step.
    prior_variance
        Prior variance of a bias, and of a weight times the inputs its layer sums (see `by_fan_in`).
    by_fan_in
        Whether the variance of a layer's weights is divided by how many inputs it sums.
    hidden_layer_sizes, activation, features, sigma2, max_steps, learning_rate, decay, batch_size, optimizer
        As in `NeuralLinear`; the noise is a given number or `"residual"`.
    early_stopping, validation_fraction, patience, restarts, standardize, random_state, verbose
        As in `NeuralLinear`.

    Attributes
    ----------
    networks_, sigma2_, history_
        The drawn networks, stacked; the noise variance in y's units squared; the bound and its parts at each step.
    posterior_
        The mean network and the logarithms of the standard deviations of its weights, in standardised units.

    References
    ----------
    Blundell, Cornebise, Kavukcuoglu, Wierstra (2015). Weight uncertainty in neural networks.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.linspace(-1, 1, 40)[:, None]
    >>> model = MeanFieldVI(n_draws=50, max_steps=200, sigma2=0.01, random_state=0).fit(X, X[:, 0] ** 2)
    >>> model.predict_dist(X).members.shape
    (50, 40)
    """

    posterior_: Factorised

    def __init__(
        self,
        *,
        n_draws=200,
        draws_per_step=4,
        hidden_layer_sizes=(50, 50),
        activation="relu",
        features=None,
        prior_variance=1.0,
        by_fan_in=True,
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
        self.n_draws = n_draws
        self.draws_per_step = draws_per_step
        self.hidden_layer_sizes = hidden_layer_sizes
        self.activation = activation
        self.features = features
        self.prior_variance = prior_variance
        self.by_fan_in = by_fan_in
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
        variance = check_positive("prior_variance", self.prior_variance)
        objective = Variational(
            sigma2=sigma2,
            variances=weight_variances(self._blank_network(), variance, self.by_fan_in),
            n_draws=check_count("draws_per_step", self.draws_per_step),
        )
        draws = check_count("n_draws", self.n_draws)
        start = train_starts(objective, Z, t, restarts=check_count("restarts", self.restarts), plan=plan, rng=rng)
        self.posterior_, self.history_ = start.params, start.history
        self.networks_ = _draw_all(self.posterior_, draw_normals(objective.variances, (draws,), rng))
        self._set_noise(sigma2)

    def get_state(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """The posterior too."""
        arrays, values = super().get_state()
        arrays |= {f"posterior.{i}": np.asarray(leaf) for i, leaf in enumerate(leaves_of(self.posterior_))}
        return arrays, values

    def set_state(self, arrays: dict[str, np.ndarray], values: dict[str, Any]) -> None:
        """The posterior too."""
        super().set_state(arrays, values)
        blank = self._blank_network()
        like = Factorised(blank, weight_variances(blank, 1.0))
        self.posterior_ = refill(like, numbered(arrays, "posterior."))


def _draw_all(posterior: Factorised, normals: Any) -> Any:
    """Networks drawn from the posterior, stacked as NumPy arrays."""
    own, rest = eqx.partition(posterior.mean, trainable(posterior.mean))
    count = len(jax.tree.leaves(normals)[0])
    drawn = jax.tree.map(lambda m, s, z: np.asarray(m) + np.exp(np.asarray(s)) * z, own, posterior.log_std, normals)
    shared = jax.tree.map(lambda leaf: np.repeat(leaf[None], count, 0) if eqx.is_array(leaf) else leaf, rest)
    return eqx.combine(drawn, shared)
