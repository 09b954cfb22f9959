"""Marginal likelihood of the features, with the last layer integrated out."""

from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jax.scipy.linalg import solve_triangular
from jaxtyping import Array, Float, PRNGKeyArray

from unabases.objectives.base import AbstractObjective, Batch, Draws, Terms, squared_norm


class Basis(eqx.Module):
    """Features and the logarithms of the variances that may be learned with them."""

    phi: Any
    log_alpha: Float[Array, " p"]
    log_sigma2: Float[Array, " p"]


class Marginal(AbstractObjective):
    r"""Train features by how probable they make the data, with the last layer integrated out.

    .. math:: \frac1N \Big[ -\log N(y; 0, \alpha \Phi_\theta \Phi_\theta^\top + \sigma^2 I)
        + \gamma \|\theta\|^2 \Big]

    It runs in float64 on all rows at once, since the evidence is not a sum over rows.

    Parameters
    ----------
    alpha, sigma2 : array of shape (p,)
        Prior variance of the last layer and noise variance, for each output; where learning starts, if they are
        learned.
    gamma : float
        Weight penalty on θ.
    learn_alpha, learn_sigma2 : bool
        Whether to train that variance along with θ.

    See Also
    --------
    unabases.linear.log_evidence : the same number for given features.
    """

    alpha: Any
    sigma2: Any
    gamma: Any
    learn_alpha: bool = eqx.field(static=True, default=False)
    learn_sigma2: bool = eqx.field(static=True, default=False)
    dtype: str = eqx.field(static=True, default="float64")
    full_batch: bool = eqx.field(static=True, default=True)

    def init(self, phi: Any, k: int, p: int, *, key: PRNGKeyArray) -> Basis:
        """The features and the given variances."""
        ones = jnp.ones(p)
        return Basis(phi, jnp.log(self.alpha) * ones, jnp.log(self.sigma2) * ones)

    def draw(self, rng: np.random.Generator, progress: np.ndarray, rows: np.ndarray, d: int) -> Draws:
        """Nothing is random."""
        return None

    def loss(self, params: Basis, batch: Batch, draws: Draws) -> tuple[Float[Array, ""], Terms]:
        """Negative log evidence per row and the weight penalty."""
        alpha, sigma2 = self._variances(params)
        Phi = _design(params.phi, batch)
        per_output = jax.vmap(_log_evidence, in_axes=(None, 1, None, 0, 0))
        evidence = jnp.sum(per_output(Phi, batch.y, batch.weight, alpha, sigma2))
        fit = -evidence / batch.total
        weight_penalty = self.gamma * squared_norm(params.phi) / batch.total
        loss = fit + weight_penalty
        return loss, {"loss": loss, "fit": fit, "weight_penalty": weight_penalty}

    def validate(self, params: Basis, batch: Batch) -> Float[Array, ""]:
        """Not defined: held-out rows need the posterior of the others."""
        raise NotImplementedError("the marginal likelihood takes no validation rows: it penalises complexity itself.")

    def _variances(self, params: Basis) -> tuple[Array, Array]:
        log_alpha = params.log_alpha if self.learn_alpha else jax.lax.stop_gradient(params.log_alpha)
        log_sigma2 = params.log_sigma2 if self.learn_sigma2 else jax.lax.stop_gradient(params.log_sigma2)
        return jnp.exp(log_alpha), jnp.exp(log_sigma2)


def _design(phi: Any, batch: Batch) -> Float[Array, "n k"]:
    """Φ with a column of ones, each row times the square root of its weight, which zeroes padding."""
    h = jax.vmap(phi)(batch.X)
    return jnp.concatenate([h, jnp.ones_like(h[:, :1])], axis=1) * jnp.sqrt(batch.weight)[:, None]


def _log_evidence(
    Phi: Float[Array, "n k"], y: Float[Array, " n"], weight: Float[Array, " n"], alpha: Array, sigma2: Array
) -> Float[Array, ""]:
    """Log N(y; 0, alpha Φ Φᵀ + sigma2 I) over rows that come as often as they weigh, by the k × k precision."""
    n, k = jnp.sum(weight), Phi.shape[1]
    y = y * jnp.sqrt(weight)
    B = jnp.eye(k) + Phi.T @ Phi * (alpha / sigma2)  # alpha · A: its determinant is that of the n × n matrix
    L = jnp.linalg.cholesky(B)
    v = solve_triangular(L, Phi.T @ y, lower=True) * jnp.sqrt(alpha) / sigma2
    quadratic = jnp.sum(y**2) / sigma2 - jnp.sum(v**2)
    log_det = 2 * jnp.sum(jnp.log(jnp.diagonal(L)))
    return -0.5 * (n * jnp.log(2 * jnp.pi * sigma2) + log_det + quadratic)
