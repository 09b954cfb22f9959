"""Networks that each see their own resample of the data."""

from typing import Any

import numpy as np

from unabases.objectives import map_objective
from unabases.regressors.networks.ensemble import AbstractEnsemble, Members
from unabases.regressors.networks.network import gamma_parameter
from unabases.regressors.shared.base import check_positive
from unabases.regressors.shared.parameters import estimator


@estimator
class BootstrapEnsemble(AbstractEnsemble):
    """Networks that each see their own resample of the rows; where they disagree, the model is unsure.

    Every member draws as many rows as there are, with replacement, and starts from its own random weights.

    Attributes
    ----------
    networks_ : pytree
        The trained networks, stacked along a leading axis of members.
    {sigma2_, history_}
    counts_ : array of shape (n_members, n)
        How often each member saw each row.

    See Also
    --------
    VanillaEnsemble : The same without resampling; usually the better choice for networks.

    References
    ----------
    Breiman (1996). Bagging predictors.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.linspace(-1, 1, 40)[:, None]
    >>> model = BootstrapEnsemble(n_members=3, max_steps=200, sigma2=0.01, random_state=0).fit(X, X[:, 0] ** 2)
    >>> model.counts_.sum(axis=1)
    array([40, 40, 40])
    """

    gamma: Any = gamma_parameter(0.01)

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
