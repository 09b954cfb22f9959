"""Training with hidden units silenced at random."""

from typing import Any

import equinox as eqx
import jax
import numpy as np
from jaxtyping import Array, Float, PRNGKeyArray

from unabases.objectives.base import AbstractObjective, Batch, Draws, Terms, gaussian_nll, squared_norm
from unabases.objectives.places import draw_keys
from unabases.objectives.una import Heads, init_heads, mean_nll


class Dropout(AbstractObjective):
    """Fit the data while some hidden units are silent, with a weight penalty.

    Each row of each step has its own silent units. A feature map with `masked` drops units in every hidden layer, any
    other map only in its features.

    Parameters
    ----------
    sigma2 : array of shape (p,)
        Noise variance of each output.
    gamma : float
        Weight penalty γ on the sum of squares of all weights.
    rate : float
        Probability that a unit is dropped. The others are divided by 1 − rate, so that sums keep their mean.

    References
    ----------
    Gal, Ghahramani (2016). Dropout as a Bayesian approximation: representing model uncertainty in deep learning.
    """

    sigma2: Any
    gamma: Any
    rate: Any
    dtype: str = eqx.field(static=True, default="float32")
    full_batch: bool = eqx.field(static=True, default=False)

    def init(self, phi: Any, k: int, p: int, *, key: PRNGKeyArray) -> Heads:
        """An ordinary network."""
        return init_heads(phi, k, p, key=key)

    def draw(self, rng: np.random.Generator, progress: np.ndarray, rows: np.ndarray, d: int) -> Draws:
        """A key for each step, from which the masks are made: they are too many numbers to pass in."""
        return draw_keys(rng, len(progress))

    def loss(self, params: Heads, batch: Batch, draws: Draws) -> tuple[Float[Array, ""], Terms]:
        """Fit with dropped units, and the weight penalty, per row."""
        key = jax.random.wrap_key_data(draws, impl="threefry2x32")
        shape = (len(batch.X), count_units(params))
        masks = (jax.random.uniform(key, shape) >= self.rate) / (1 - self.rate)
        per_row = jax.vmap(lambda x, y, mask: gaussian_nll(masked_network(params, x, mask), y, self.sigma2))
        fit = batch.mean(per_row(batch.X, batch.y, masks.astype(batch.X.dtype)))
        weight_penalty = self.gamma * squared_norm(params) / batch.total
        loss = fit + weight_penalty
        return loss, {"loss": loss, "fit": fit, "weight_penalty": weight_penalty}

    def validate(self, params: Heads, batch: Batch) -> Float[Array, ""]:
        """Negative log-likelihood per row of the whole network."""
        return mean_nll(params, batch, self.sigma2)


def count_units(network: Heads) -> int:
    """How many units of a network can be dropped."""
    return sum(network.phi.widths) if hasattr(network.phi, "masked") else network.W.shape[-1] - 1


def masked_network(network: Heads, x: Float[Array, " d"], mask: Float[Array, " units"]) -> Float[Array, " p"]:
    """Value at one input when every unit is multiplied by its mask."""
    h = network.phi.masked(x, mask) if hasattr(network.phi, "masked") else network.phi(x) * mask
    return network.of_features(h)[0]
