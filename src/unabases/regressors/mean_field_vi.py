"""A Bayesian network with an independent Gaussian for every weight."""

from typing import Any

import equinox as eqx
import jax
import numpy as np

from unabases.features import trainable
from unabases.objectives.variational import Factorised, Variational, draw_normals
from unabases.objectives.weight_prior import weight_variances
from unabases.regressors.networks.network import (
    by_fan_in_parameter,
    leaves_of,
    refill,
    restarts_parameter,
    weight_variance_parameter,
)
from unabases.regressors.networks.sampled import AbstractStack
from unabases.regressors.networks.step_one import Prepared, train_starts
from unabases.regressors.shared.base import check_count, check_positive
from unabases.regressors.shared.parameters import estimator, parameter
from unabases.regressors.shared.saved_state import SavedState


@estimator
class MeanFieldVI(AbstractStack):
    """A Bayesian network whose posterior is approximated by an independent Gaussian for every weight.

    Training maximises the evidence lower bound: gradients flow through drawn networks, and the divergence from the
    prior is exact. Predictions come from networks that are drawn once, after training. The uncertainty often hardly
    grows away from the data, since independent weights cannot follow a posterior in which they depend on each other.

    Attributes
    ----------
    networks_ : pytree
        The drawn networks, stacked along a leading axis.
    {sigma2_, history_}
    posterior_ : Factorised
        The mean network and the logarithms of the standard deviations of its weights, in standardised units.

    See Also
    --------
    HamiltonianBNN : Samples the posterior itself; slow.

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

    n_draws: Any = parameter(
        200, "Sampling", "int", "Networks drawn from the fitted Gaussian for predictions, once, after training."
    )
    draws_per_step: Any = parameter(4, "Sampling", "int", "Networks drawn in each training step.")
    prior_variance: Any = weight_variance_parameter(1.0)
    by_fan_in: Any = by_fan_in_parameter()
    restarts: Any = restarts_parameter()

    def _learn(self, data: Prepared) -> None:
        variance = check_positive("prior_variance", self.prior_variance)
        objective = Variational(
            sigma2=data.sigma2,
            variances=weight_variances(self._blank_network(), variance, self.by_fan_in),
            n_draws=check_count("draws_per_step", self.draws_per_step),
        )
        draws = check_count("n_draws", self.n_draws)
        start = train_starts(objective, data, restarts=check_count("restarts", self.restarts))
        self.posterior_, self.history_ = start.params, start.history
        self.networks_ = _draw_all(self.posterior_, draw_normals(objective.variances, (draws,), data.rng))
        self._set_noise(data.sigma2)

    def get_state(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """The posterior too."""
        arrays, values = super().get_state()
        arrays |= {f"posterior.{i}": np.asarray(leaf) for i, leaf in enumerate(leaves_of(self.posterior_))}
        return arrays, values

    def set_state(self, arrays: dict[str, np.ndarray], values: dict[str, Any]) -> None:
        """The posterior too."""
        super().set_state(arrays, values)
        like = eqx.filter_eval_shape(
            lambda blank: Factorised(blank, weight_variances(blank, 1.0)), self._network_shapes()
        )
        self.posterior_ = refill(like, SavedState(arrays, values).numbered("posterior."))


def _draw_all(posterior: Factorised, normals: Any) -> Any:
    """Networks drawn from the posterior, stacked as NumPy arrays."""
    own, rest = eqx.partition(posterior.mean, trainable(posterior.mean))
    count = len(jax.tree.leaves(normals)[0])
    drawn = jax.tree.map(lambda m, s, z: np.asarray(m) + np.exp(np.asarray(s)) * z, own, posterior.log_std, normals)
    shared = jax.tree.map(lambda leaf: np.repeat(leaf[None], count, 0) if eqx.is_array(leaf) else leaf, rest)
    return eqx.combine(drawn, shared)
