"""What an objective is, and the batch of rows that it sees."""

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
    """Rows of data, some of which may be padding; NumPy outside the compiled loop, JAX inside.

    Parameters
    ----------
    X : array of shape (n, d)
        Inputs, in the units that the network sees.
    y : array of shape (n, p)
        Targets.
    weight : array of shape (n,)
        How often a row counts: 1 for most, 0 for padding.
    total : scalar
        The weights of the whole data set together, of which these are all or a sample. Penalties that do not grow
        with the data are divided by it, so that a mini batch has the same optimum as all rows.

    Examples
    --------
    >>> batch = Batch(jnp.zeros((3, 1)), jnp.zeros((3, 1)), jnp.array([1.0, 1.0, 0.0]), jnp.asarray(2.0))
    >>> float(batch.mean(jnp.array([1.0, 3.0, 99.0])))
    2.0
    """

    X: Float[Array, "*models n d"]
    y: Float[Array, "*models n p"]
    weight: Float[Array, "*models n"]
    total: Float[Array, "*models"]

    def mean(self, values: Float[Array, " n"]) -> Float[Array, ""]:
        """Mean over the real rows of one value per row."""
        return weighted_mean(values, self.weight)

    def take(self, rows: Int[Array, " r"]) -> "Batch":
        """The rows at these indices, of the same total."""
        return Batch(self.X[rows], self.y[rows], self.weight[rows], self.total)


class AbstractObjective(eqx.Module):
    """What training minimises: a loss per row, and the named terms it is made of.

    Hyper-parameters are array leaves, so that objectives stacked along a leading axis train side by side. To write one
    of your own, derive from this class and give `init`, `draw`, `loss` and `validate`; `Anchored` is short to copy.

    Attributes
    ----------
    dtype : {"float32", "float64"}
        The precision in which it trains.
    full_batch : bool
        Whether the loss makes sense only on all rows at once, so that mini batches are refused.
    """

    dtype: eqx.AbstractVar[str]
    full_batch: eqx.AbstractVar[bool]

    @abc.abstractmethod
    def init(self, phi: Any, k: int, p: int, *, key: PRNGKeyArray) -> Params:
        """What is trained: the feature map `phi` with `k` features, and what stands on it for `p` outputs."""

    @abc.abstractmethod
    def draw(self, rng: np.random.Generator, progress: np.ndarray, rows: np.ndarray, d: int) -> Draws:
        """Draw the random numbers of some steps, outside the compiled loop.

        Parameters
        ----------
        rng : numpy.random.Generator
            The model's own source of random numbers.
        progress : array of shape (steps,)
            t/T of each step, for schedules.
        rows : array of int
            Indices of the real rows of a batch.
        d : int
            Length of an input.

        Returns
        -------
        pytree or None
            Arrays whose leading axis is the step; None if nothing is random.
        """

    @abc.abstractmethod
    def loss(self, params: Params, batch: Batch, draws: Draws) -> tuple[Float[Array, ""], Terms]:
        """Loss per row, and its terms before weighting, under the names that histories show."""

    @abc.abstractmethod
    def validate(self, params: Params, batch: Batch) -> Float[Array, ""]:
        """Negative log-likelihood per row on held-out rows, for early stopping."""


def squared_norm(tree: Any) -> Float[Array, ""]:
    """Sum of squares of all weights of a network that are trained.

    Examples
    --------
    >>> float(squared_norm({"W": jnp.array([[3.0]]), "b": jnp.array([4.0])}))
    25.0
    """
    leaves = jax.tree.leaves(eqx.filter(tree, trainable(tree)))
    return sum((jnp.sum(leaf**2) for leaf in leaves), start=jnp.zeros(()))


def gaussian_nll(
    f: Float[Array, "*heads p"], y: Float[Array, " p"], sigma2: Float[Array, " p"]
) -> Float[Array, "*heads"]:
    """−log N(y; f, diag(sigma2)) for each head, summed over outputs."""
    return 0.5 * jnp.sum((y - f) ** 2 / sigma2 + jnp.log(2 * jnp.pi * sigma2), axis=-1)


def weighted_mean(values: Float[Array, " n"], weight: Float[Array, " n"]) -> Float[Array, ""]:
    """Mean over what is not padding."""
    return jnp.sum(weight * values) / jnp.maximum(jnp.sum(weight), 1e-12)
