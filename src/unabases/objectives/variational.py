"""Mean-field variational inference over all weights of a network."""

from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, PRNGKeyArray

from unabases.features.base import trainable
from unabases.objectives.base import AbstractObjective, Batch, Draws, Terms
from unabases.objectives.una import Heads, init_heads, mean_nll

_FIRST_STD = 0.05  # of q, as a share of the prior's


class Factorised(eqx.Module):
    """An independent Gaussian for every weight of a network: q(θ).

    `log_std` is a tree like the trained part of `mean`.
    """

    mean: Heads
    log_std: Any

    def draw(self, normals: Any) -> Heads:
        """One network, made of standard normal numbers in a tree like `log_std`."""
        own, rest = eqx.partition(self.mean, trainable(self.mean))
        moved = jax.tree.map(lambda m, s, z: m + jnp.exp(s) * z, own, self.log_std, normals)
        return eqx.combine(moved, rest)


def draw_normals(variances: Any, leading: tuple[int, ...], rng: np.random.Generator) -> Any:
    """Standard normal numbers in a tree like `variances`, each array with `leading` axes."""
    return jax.tree.map(lambda v: rng.standard_normal((*leading, *v.shape), np.float32), variances)


class Variational(AbstractObjective):
    r"""Learn a mean and a standard deviation for every weight, by the evidence lower bound.

    .. math:: \frac1N \Big[ -E_q \log N(y; f_\theta(X), \sigma^2 I) + KL(q \,\|\, N(0, v)) \Big]

    The expectation is estimated by drawing whole networks, through which gradients flow; the Kullback–Leibler
    divergence is in closed form.

    Parameters
    ----------
    sigma2 : array of shape (p,)
        Noise variance of each output.
    variances : pytree
        v: the prior variance of every weight (see `weight_variances`).
    n_draws : int
        Networks drawn at each step. More make the gradient less random, and a step slower.

    References
    ----------
    Blundell, Cornebise, Kavukcuoglu, Wierstra (2015). Weight uncertainty in neural networks.
    """

    sigma2: Any
    variances: Any
    n_draws: int = eqx.field(static=True, default=4)
    dtype: str = eqx.field(static=True, default="float32")
    full_batch: bool = eqx.field(static=True, default=False)

    def init(self, phi: Any, k: int, p: int, *, key: PRNGKeyArray) -> Factorised:
        """Means as in an ordinary network, standard deviations a small share of the prior's."""
        log_std = jax.tree.map(lambda v: jnp.asarray(0.5 * np.log(v) + np.log(_FIRST_STD), jnp.float32), self.variances)
        return Factorised(init_heads(phi, k, p, key=key), log_std)

    def draw(self, rng: np.random.Generator, progress: np.ndarray, rows: np.ndarray, d: int) -> Draws:
        """The normal numbers of every network that is drawn."""
        return draw_normals(self.variances, (len(progress), self.n_draws), rng)

    def loss(self, params: Factorised, batch: Batch, draws: Draws) -> tuple[Float[Array, ""], Terms]:
        """Expected fit and divergence, per row."""
        fit = jnp.mean(jax.lax.map(lambda z: mean_nll(params.draw(z), batch, self.sigma2), draws))
        divergence = self._divergence(params) / batch.total
        loss = fit + divergence
        return loss, {"loss": loss, "fit": fit, "divergence": divergence}

    def validate(self, params: Factorised, batch: Batch) -> Float[Array, ""]:
        """Negative log-likelihood per row at the mean of q."""
        return mean_nll(params.mean, batch, self.sigma2)

    def _divergence(self, params: Factorised) -> Float[Array, ""]:
        mean = eqx.filter(params.mean, trainable(params.mean))
        parts = jax.tree.map(
            lambda m, s, v: 0.5 * jnp.sum((jnp.exp(2 * s) + m**2) / v - 1 + jnp.log(v) - 2 * s),
            mean,
            params.log_std,
            self.variances,
        )
        return sum(jax.tree.leaves(parts), start=jnp.zeros(()))
