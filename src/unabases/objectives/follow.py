"""A function-space term: heads that follow given functions where there may be no data."""

from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from unabases.objectives.base import Draws
from unabases.objectives.places import AbstractPlaces, AtData, Points
from unabases.objectives.schedules import check_schedule
from unabases.objectives.una import AbstractTerm, Heads


class Follow(AbstractTerm):
    r"""Pull each head towards a function of its own, known at a pool of points.

    .. math:: T = \frac{1}{2 M p} \sum_{m, j} \mathrm{mean}_x (f_{mj}(x) - g_{mj}(x))^2 / \tau_j

    With functions g drawn from a posterior, the features learn to span what that posterior holds possible, between the
    data and beyond them.

    Parameters
    ----------
    points : array of shape (P, d)
        The pool of inputs, standardised.
    values : array of shape (P, M, p)
        Values of the M functions at these points, for each of p outputs.
    tolerance : array of shape (p,)
        τ: squared distances of this size cost half a nat.
    weight : float
        Strength of the term, in nats per row.
    n_points : int
        Points of the pool that each step looks at, drawn anew.
    schedule : {"none", "sqrt", "sigmoid", "tanh"}
        How the weight grows over training.

    Examples
    --------
    >>> heads = Heads(phi=lambda x: x, W=jnp.array([[[2.0, 0.0]], [[0.0, 1.0]]]))  # 2x and 1
    >>> term = Follow(np.array([[3.0]]), np.array([[[5.0], [1.0]]]), np.array([1.0]), n_points=1)
    >>> nowhere = Points(jnp.zeros((1, 1)), jnp.ones(1))  # the term looks at its own points
    >>> float(term.value(heads, nowhere, np.array([0])))  # (6 - 5)² / 2, averaged over two heads
    0.25
    """

    points: Any
    values: Any
    tolerance: Any
    weight: Any
    where: AbstractPlaces
    schedule: str
    n_points: int = eqx.field(static=True)
    name: str = eqx.field(static=True)

    def __init__(
        self,
        points: Float[np.ndarray, "P d"],
        values: Float[np.ndarray, "P M p"],
        tolerance: Float[np.ndarray, " p"],
        weight: float = 1.0,
        n_points: int = 64,
        schedule: str = "none",
    ):
        self.points = np.asarray(points, dtype=np.float32)
        self.values = np.asarray(values, dtype=np.float32)
        self.tolerance = np.asarray(tolerance, dtype=np.float32)
        self.weight = np.asarray(weight, dtype=np.float32)
        self.where = AtData(1)  # it looks at its own points
        self.schedule = check_schedule(schedule)
        self.n_points = n_points
        self.name = "follow"

    def draw(self, rng: np.random.Generator, steps: int, d: int) -> Draws:
        """Which points of the pool each step looks at."""
        return rng.integers(0, len(self.points), (steps, self.n_points)).astype(np.int32)

    def value(self, heads: Heads, points: Points, draws: Draws) -> Float[Array, ""]:
        """Mean squared distance of the heads from their functions, in units of twice the tolerance."""
        gap = jax.vmap(heads)(jnp.asarray(self.points)[draws]) - jnp.asarray(self.values)[draws]
        return jnp.mean(gap**2 / (2 * self.tolerance))
