"""Networks each held near its own draw from a prior: randomised maximum a posteriori."""

from typing import Any

import equinox as eqx
import jax
import numpy as np

from unabases.features import trainable
from unabases.objectives.anchored import Anchored
from unabases.objectives.weight_prior import sample_weights, weight_variances
from unabases.regressors.networks.ensemble import AbstractEnsemble, Members
from unabases.regressors.networks.network import by_fan_in_parameter, weight_variance_parameter
from unabases.regressors.networks.step_one import take_member
from unabases.regressors.shared.base import check_positive
from unabases.regressors.shared.parameters import estimator, parameter


@estimator
class AnchoredEnsemble(AbstractEnsemble):
    """Networks that fit the data while each stays near its own draw from a prior over the weights.

    A member minimises ‖y − f(X)‖² / σ² + ‖θ − anchor‖² / prior variance. If the model were linear in its weights, the
    members would be exact draws from the Bayesian posterior, provided that each also sees its own noise on the targets
    (`perturb_targets`).

    Attributes
    ----------
    networks_ : pytree
        The trained networks, stacked along a leading axis of members.
    {sigma2_, history_}

    See Also
    --------
    VanillaEnsemble : Members that differ only in their random starts.

    References
    ----------
    Pearce, Leibfried, Brintrup, Zaki, Neely (2020). Uncertainty in neural networks: approximately Bayesian
    ensembling.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.linspace(-1, 1, 40)[:, None]
    >>> model = AnchoredEnsemble(n_members=3, max_steps=200, sigma2=0.01, random_state=0).fit(X, X[:, 0] ** 2)
    >>> model.predict_dist(X).members.shape
    (3, 40)
    """

    prior_variance: Any = weight_variance_parameter(10.0)
    by_fan_in: Any = by_fan_in_parameter()
    init_variance: Any = parameter(
        None,
        "Training",
        "float or None",
        "Variance of the random starts, which are drawn apart from the anchors. None for the network's usual start.",
    )
    perturb_targets: Any = parameter(
        True,
        "Model",
        "bool",
        "If True, each member sees its own noise on the targets. Pearce et al. leave it out, which makes the spread "
        "too small where there is data.",
    )

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
