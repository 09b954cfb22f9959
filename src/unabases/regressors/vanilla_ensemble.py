"""Networks that differ in nothing but their random starts."""

from typing import Any

import numpy as np

from unabases.objectives import map_objective
from unabases.regressors.networks.ensemble import AbstractEnsemble, Members
from unabases.regressors.networks.network import gamma_parameter
from unabases.regressors.shared.base import check_positive
from unabases.regressors.shared.parameters import estimator


@estimator
class VanillaEnsemble(AbstractEnsemble):
    """Networks trained on the same data from different random starts; where they disagree, the model is unsure.

    Simple, robust and often hard to beat off the data, at the price of training many networks.

    Attributes
    ----------
    networks_ : pytree
        The trained networks, stacked along a leading axis of members.
    {sigma2_, history_}

    See Also
    --------
    BootstrapEnsemble : Members that each see a resample of the rows.
    AnchoredEnsemble : Members held near draws from a prior, closer to a Bayesian posterior.

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

    gamma: Any = gamma_parameter(0.01)

    def _members(
        self, networks: Any, rest: np.ndarray, n: int, sigma2: np.ndarray, rng: np.random.Generator
    ) -> Members:
        gamma = np.float64(check_positive("gamma", self.gamma, zero=True))
        return Members([map_objective(sigma2, gamma)] * len(networks.W), networks)
