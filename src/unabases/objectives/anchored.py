"""Weights pulled towards a random anchor instead of zero."""

from typing import Any

import equinox as eqx
import numpy as np
from jaxtyping import Array, Float, PRNGKeyArray

from unabases.objectives.base import AbstractObjective, Batch, Draws, Terms
from unabases.objectives.una import Heads, init_heads, mean_nll
from unabases.objectives.weight_prior import squared_distance


class Anchored(AbstractObjective):
    r"""Fit the data, and stay near an anchor: weights drawn from the prior.

    .. math:: \frac1N \Big[ -\log N(y; f_\theta(X), \sigma^2 I) + \tfrac12 \sum_i (\theta_i - a_i)^2 / v_i \Big]

    Networks with different anchors agree where there are data and differ elsewhere, about as draws from the posterior
    do.

    Parameters
    ----------
    sigma2 : array of shape (p,)
        Noise variance of each output.
    anchor : pytree
        a: weights drawn from the prior, in a tree like the trained part of the network (see `sample_weights`).
    variances : pytree
        v: the prior variance of every weight, in a tree like `anchor` (see `weight_variances`).

    References
    ----------
    Pearce, Leibfried, Brintrup (2020). Uncertainty in neural networks: approximately Bayesian ensembling.
    """

    sigma2: Any
    anchor: Any
    variances: Any
    dtype: str = eqx.field(static=True, default="float32")
    full_batch: bool = eqx.field(static=True, default=False)

    def init(self, phi: Any, k: int, p: int, *, key: PRNGKeyArray) -> Heads:
        """An ordinary network; its start does not depend on the anchor."""
        return init_heads(phi, k, p, key=key)

    def draw(self, rng: np.random.Generator, progress: np.ndarray, rows: np.ndarray, d: int) -> Draws:
        """Nothing is random."""
        return None

    def loss(self, params: Heads, batch: Batch, draws: Draws) -> tuple[Float[Array, ""], Terms]:
        """Fit and distance from the anchor, per row."""
        fit = self.validate(params, batch)
        anchoring = 0.5 * squared_distance(params, self.anchor, self.variances) / batch.total
        loss = fit + anchoring
        return loss, {"loss": loss, "fit": fit, "anchoring": anchoring}

    def validate(self, params: Heads, batch: Batch) -> Float[Array, ""]:
        """Negative log-likelihood per row."""
        return mean_nll(params, batch, self.sigma2)
