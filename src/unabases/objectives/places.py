"""Places: where in the input space a function-space term looks at the heads."""

import abc
from collections.abc import Callable
from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from unabases.objectives.base import Batch, Draws, weighted_mean


class Points(NamedTuple):
    """Inputs at which a term looks at the heads.

    `X` has a row for each of P points; `weight` is 1 for a real point and 0 for padding.
    """

    X: Float[Array, "P d"]
    weight: Float[Array, " P"]

    def mean(self, values: Float[Array, " P"]) -> Float[Array, ""]:
        """Mean over the real points of one value per point."""
        return weighted_mean(values, self.weight)


class AbstractPlaces(eqx.Module):
    """Chooses the points of each step; `AtData`, `Between`, `Beyond` and `Sampled` are the ready-made ones."""

    @abc.abstractmethod
    def draw(self, rng: np.random.Generator, steps: int, rows: np.ndarray) -> Draws:
        """Random numbers of `steps` steps, with the step as leading axis; `rows` are the real rows of a batch."""

    @abc.abstractmethod
    def __call__(self, batch: Batch, draws: Draws) -> Points:
        """The points of one step."""


class AtData(AbstractPlaces):
    """At the training inputs: at all rows of the batch, or at `n_points` of them, drawn anew each step."""

    n_points: int | None = eqx.field(static=True, default=None)

    def draw(self, rng: np.random.Generator, steps: int, rows: np.ndarray) -> Draws:
        """Row indices, or nothing when all rows are used."""
        return None if self.n_points is None else rng.choice(rows, (steps, self.n_points)).astype(np.int32)

    def __call__(self, batch: Batch, draws: Draws) -> Points:
        """All rows, or the chosen ones."""
        if self.n_points is None:
            return Points(batch.X, batch.weight)
        return Points(batch.X[draws], jnp.ones(self.n_points, batch.X.dtype))


class Between(AbstractPlaces):
    """On the lines between pairs of training inputs, so also inside the gaps between them.

    Each step draws `n_points` pairs of rows, and a point on the line between the two of each pair.
    """

    n_points: int = eqx.field(static=True)

    def draw(self, rng: np.random.Generator, steps: int, rows: np.ndarray) -> Draws:
        """Pairs of rows and the share of the first."""
        pairs = rng.choice(rows, (steps, 2, self.n_points)).astype(np.int32)
        return pairs, rng.uniform(size=(steps, self.n_points)).astype(np.float32)

    def __call__(self, batch: Batch, draws: Draws) -> Points:
        """The points on the lines."""
        (first, second), share = draws
        share = share[:, None].astype(batch.X.dtype)
        X = share * batch.X[first] + (1 - share) * batch.X[second]
        return Points(X, jnp.ones(self.n_points, batch.X.dtype))


class Beyond(AbstractPlaces):
    """On the lines through pairs of training inputs, past the second: outside the data, and around it.

    Each step draws `n_points` pairs of rows, and for each pair a point past the second by a random share of their
    distance, at most `reach`.
    """

    n_points: int = eqx.field(static=True)
    reach: float = eqx.field(static=True, default=0.7)

    def draw(self, rng: np.random.Generator, steps: int, rows: np.ndarray) -> Draws:
        """Pairs of rows and how far past the second."""
        pairs = rng.choice(rows, (steps, 2, self.n_points)).astype(np.int32)
        return pairs, rng.uniform(0, self.reach, (steps, self.n_points)).astype(np.float32)

    def __call__(self, batch: Batch, draws: Draws) -> Points:
        """The points past the second of each pair."""
        (first, second), share = draws
        away = batch.X[second] - batch.X[first]
        X = batch.X[second] + share[:, None].astype(batch.X.dtype) * away
        return Points(X, jnp.ones(self.n_points, batch.X.dtype))


class Sampled(AbstractPlaces):
    """At points that your own function makes.

    Parameters
    ----------
    sampler : callable
        `sampler(X, key)` returns points of shape (P, d). `X` holds `n_rows` random training inputs, in the units
        that the network sees (standardised ones, unless that is switched off); `key` is a JAX key, new at each step.
    n_rows : int
        How many training inputs the function is given.
    """

    sampler: Callable[[Array, Array], Array] = eqx.field(static=True)
    n_rows: int = eqx.field(static=True, default=64)

    def draw(self, rng: np.random.Generator, steps: int, rows: np.ndarray) -> Draws:
        """Rows to start from, and keys."""
        return rng.choice(rows, (steps, self.n_rows)).astype(np.int32), draw_keys(rng, steps)

    def __call__(self, batch: Batch, draws: Draws) -> Points:
        """What the user's function returns, checked."""
        rows, key = draws
        X = self.sampler(batch.X[rows], jax.random.wrap_key_data(key, impl="threefry2x32"))
        if X.ndim != 2 or X.shape[1] != batch.X.shape[1]:
            raise ValueError(
                f"the sampler given as `where` must return points of shape (P, {batch.X.shape[1]}); it gave {X.shape}."
            )
        return Points(X.astype(batch.X.dtype), jnp.ones(X.shape[0], batch.X.dtype))


def draw_keys(rng: np.random.Generator, steps: int) -> np.ndarray:
    """Raw JAX key data of `steps` keys."""
    return rng.integers(0, 2**32, (steps, 2), dtype=np.uint32)


def make_places(where: str | Callable[[Array, Array], Array] | AbstractPlaces, n_points: int) -> AbstractPlaces:
    """Turn the word or function that a user gives into places.

    Parameters
    ----------
    where : {"data", "between", "beyond"}, callable or AbstractPlaces
        At the training inputs, between them, beyond them, or wherever a function `(X, key) -> points` says; places are
        returned as they are.
    n_points : int
        Points at each step. 0 means all rows, for `"data"` only.

    Examples
    --------
    >>> make_places("between", 64)
    Between(n_points=64)
    """
    if isinstance(where, AbstractPlaces):
        return where
    if callable(where):
        return Sampled(where)
    if where == "data":
        return AtData(n_points or None)
    if where in ("between", "beyond"):
        if n_points < 1:
            raise ValueError(f'`n_points` must be at least 1 with `where="{where}"`; got {n_points}.')
        return Between(n_points) if where == "between" else Beyond(n_points)
    known = "data, between, beyond, or a function (X, key) -> points"
    raise ValueError(f"unknown `where` {where!r}; known ones are {known}.")
