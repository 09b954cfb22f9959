"""What Step I minimises: an objective, and the batch of rows that it sees."""

import abc
from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int, PRNGKeyArray

from unabases.features.base import trainable

Params = Any  # a pytree: what the objective trains
Draws = Any  # a pytree of arrays: the random numbers of one step
Terms = dict[str, Array]


class Batch(NamedTuple):
    """Rows of data, some of which may be padding (weight 0); NumPy outside the compiled loop, JAX inside.

    `total` is how many real rows the whole data set has, of which these are all or a sample: penalties that
    do not grow with the data are divided by it, so that a mini batch has the same optimum as the full one.
    """

    X: Float[Array, "*models n d"]
    y: Float[Array, "*models n p"]
    weight: Float[Array, "*models n"]
    total: Float[Array, "*models"]

    def mean(self, values: Float[Array, " n"]) -> Float[Array, ""]:
        """Mean over the real rows."""
        return jnp.sum(self.weight * values) / jnp.maximum(jnp.sum(self.weight), 1e-12)

    def take(self, rows: Int[Array, " r"]) -> "Batch":
        """Some of the rows, of the same total."""
        return Batch(self.X[rows], self.y[rows], self.weight[rows], self.total)


class AbstractObjective(eqx.Module):
    """A loss per row and the named terms it is made of; its array leaves are hyper-parameters.

    Because hyper-parameters are leaves, objectives stacked along a leading axis train side by side.
    """

    dtype: eqx.AbstractVar[str]  # the precision it trains in: "float32" or "float64"
    full_batch: eqx.AbstractVar[bool]  # whether its loss makes no sense on a part of the rows

    @abc.abstractmethod
    def init(self, phi: Any, k: int, p: int, *, key: PRNGKeyArray) -> Params:
        """What is trained: the feature map with `k` features and what stands on it for `p` outputs."""

    @abc.abstractmethod
    def draw(self, rng: np.random.Generator, progress: np.ndarray, rows: np.ndarray, d: int) -> Draws:
        """Random numbers and schedules of some steps, drawn outside the compiled loop.

        `progress` is t/T of each step, `rows` the indices of the real rows of a batch; the leading axis of
        every array returned is the step.
        """

    @abc.abstractmethod
    def loss(self, params: Params, batch: Batch, draws: Draws) -> tuple[Float[Array, ""], Terms]:
        """Loss per row, and its terms before weighting."""

    @abc.abstractmethod
    def validate(self, params: Params, batch: Batch) -> Float[Array, ""]:
        """Negative log-likelihood per row on held-out rows, for early stopping."""


def squared_norm(tree: Any) -> Float[Array, ""]:
    """‖·‖² of all arrays of a network that are trained, together."""
    leaves = jax.tree.leaves(eqx.filter(tree, trainable(tree)))
    return sum((jnp.sum(leaf**2) for leaf in leaves), start=jnp.zeros(()))


def gaussian_nll(
    f: Float[Array, "*heads p"], y: Float[Array, " p"], sigma2: Float[Array, " p"]
) -> Float[Array, "*heads"]:
    """−log N(y; f, diag(sigma2)) for each head, summed over outputs."""
    return 0.5 * jnp.sum((y - f) ** 2 / sigma2 + jnp.log(2 * jnp.pi * sigma2), axis=-1)
