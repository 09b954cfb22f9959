"""UNA: heads on shared features that fit the data and obey function-space terms.

With one head and no term it is maximum a posteriori training, and with `gamma=0` maximum likelihood.
"""

import abc
from collections.abc import Callable
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, PRNGKeyArray

from unabases.objectives.base import AbstractObjective, Batch, Draws, Terms, gaussian_nll, squared_norm
from unabases.objectives.places import AbstractPlaces, Points, draw_keys, make_places
from unabases.objectives.schedules import check_schedule, schedule_values


class Heads(eqx.Module):
    """M linear heads on one feature map: the functions f_1 … f_M that a term may evaluate anywhere."""

    phi: Any
    W: Float[Array, "M p k_and_bias"]

    def __call__(self, x: Float[Array, " d"]) -> Float[Array, "M p"]:
        """Values of all heads at one input, for each of p outputs."""
        return self.of_features(self.phi(x))

    def of_features(self, h: Float[Array, " k"]) -> Float[Array, "M p"]:
        """Values of all heads on the features `h` of one input."""
        return self.W[..., :-1] @ h + self.W[..., -1]


def init_heads(phi: Any, k: int, p: int, n_heads: int = 1, spread: float = 1.0, *, key: PRNGKeyArray) -> Heads:
    """Heads uniform on ±spread/√k on a feature map; one head with a spread of 1 makes an ordinary network."""
    rng = np.random.default_rng(np.asarray(jax.random.key_data(key)))
    W = spread * rng.uniform(-1, 1, (n_heads, p, k + 1)) / np.sqrt(k)
    return Heads(phi, jnp.asarray(W.astype(np.float32)))


def mean_nll(heads: Heads, batch: Batch, sigma2: Array) -> Float[Array, ""]:
    """Negative log-likelihood per row, averaged over the heads: of a network with one head, its own."""
    per_head = jax.vmap(lambda x, y: gaussian_nll(heads(x), y, sigma2))(batch.X, batch.y)
    return batch.mean(jnp.mean(per_head, axis=1))


class AbstractTerm(eqx.Module):
    """A penalty on the heads as functions; what it returns is multiplied by `weight` · s(t)."""

    name: eqx.AbstractVar[str]
    weight: eqx.AbstractVar[Any]
    schedule: eqx.AbstractVar[str]
    where: eqx.AbstractVar[AbstractPlaces]

    @abc.abstractmethod
    def draw(self, rng: np.random.Generator, steps: int, d: int) -> Draws:
        """The term's own random numbers, leading axis the step; places draw theirs apart."""

    @abc.abstractmethod
    def value(self, heads: Heads, points: Points, draws: Draws) -> Float[Array, ""]:
        """The penalty, of the order of 1 per row."""


class Term(AbstractTerm):
    """A user's function-space term.

    Parameters
    ----------
    name
        How histories call it.
    function
        `(heads, points, key) -> scalar`, to be small when the heads are as wanted. `heads(x)` is the (M, p)
        array of values at one input, `points.X` are the inputs, `points.mean(v)` averages a value per point.
    weight
        Its strength, in nats per row.
    where
        `"data"`, `"between"`, a sampler `(X, key) -> points`, or an `AbstractPlaces`.
    schedule
        How the weight grows over training: one of `SCHEDULES`.
    n_points
        Points a step; 0 means all rows (only at the data).
    """

    name: str = eqx.field(static=True)
    function: Callable[[Heads, Points, Array], Array] = eqx.field(static=True)
    weight: Any
    where: AbstractPlaces
    schedule: str  # not static: it acts where random numbers are drawn, so models with different ones share a program

    def __init__(
        self,
        name: str,
        function: Callable[[Heads, Points, Array], Array],
        weight: float = 1.0,
        where: str | Callable[[Array, Array], Array] | AbstractPlaces = "data",
        schedule: str = "none",
        n_points: int = 32,
    ):
        self.name = name
        self.function = function
        self.weight = np.asarray(weight, dtype=np.float32)
        self.where = make_places(where, n_points)
        self.schedule = check_schedule(schedule)

    def draw(self, rng: np.random.Generator, steps: int, d: int) -> Draws:
        """A key for each step."""
        return draw_keys(rng, steps)

    def value(self, heads: Heads, points: Points, draws: Draws) -> Float[Array, ""]:
        """What the function returns."""
        return self.function(heads, points, jax.random.wrap_key_data(draws, impl="threefry2x32"))


class Una(AbstractObjective):
    r"""Average fit of M heads, a weight penalty, and function-space terms.

    .. math:: \frac1N \Big[ -\frac1M \sum_m \log N(y; f_m(X), \sigma^2 I) + \gamma \|\Psi\|^2 \Big]
        + \sum_j s_j(t) \lambda_j T_j(f_1, \dots, f_M)

    Divided by the N rows, so that a term's weight means the same on small and large data.

    Parameters
    ----------
    sigma2
        Noise variance of each output.
    gamma
        Weight penalty on all of Ψ = (θ, W).
    terms
        Function-space terms; none for maximum likelihood and maximum a posteriori.
    n_heads
        M.
    head_spread
        How far apart the heads start. Heads that start close become parallel while they learn to fit, and the
        squared cosine is flat there: wide apart, they stay free to differ where the data does not bind them.
    """

    sigma2: Any
    gamma: Any
    terms: tuple[AbstractTerm, ...] = ()
    n_heads: int = eqx.field(static=True, default=1)
    head_spread: float = eqx.field(static=True, default=1.0)
    dtype: str = eqx.field(static=True, default="float32")
    full_batch: bool = eqx.field(static=True, default=False)

    def __check_init__(self):
        """Refuse two histories of one name."""
        names = ["loss", "fit", "weight_penalty", *(term.name for term in self.terms)]
        if len(set(names)) < len(names):
            raise ValueError(
                f"terms need names of their own, other than loss, fit and weight_penalty; got {', '.join(names[3:])}."
            )

    def init(self, phi: Any, k: int, p: int, *, key: PRNGKeyArray) -> Heads:
        """Heads uniform on ±head_spread/√k; a spread of 1 is what a layer of the network would have."""
        return init_heads(phi, k, p, self.n_heads, self.head_spread, key=key)

    def draw(self, rng: np.random.Generator, progress: np.ndarray, rows: np.ndarray, d: int) -> Draws:
        """For each term: its annealed share, its places' numbers and its own."""
        steps = len(progress)
        return tuple(
            (
                schedule_values(term.schedule, progress),
                term.where.draw(rng, steps, rows),
                term.draw(rng, steps, d),
            )
            for term in self.terms
        )

    def loss(self, params: Heads, batch: Batch, draws: Draws) -> tuple[Float[Array, ""], Terms]:
        """Loss per row; named are the negative log-likelihood, the weight penalty, each term unweighted."""
        fit = self.validate(params, batch)
        weight_penalty = self.gamma * squared_norm(params) / batch.total
        loss, named = fit + weight_penalty, {"fit": fit, "weight_penalty": weight_penalty}
        for term, (annealed, place_draws, term_draws) in zip(self.terms, draws, strict=True):
            value = term.value(params, term.where(batch, place_draws), term_draws)
            loss = loss + term.weight * annealed * value
            named[term.name] = value
        return loss, {"loss": loss, **named}

    def validate(self, params: Heads, batch: Batch) -> Float[Array, ""]:
        """Negative log-likelihood per row, averaged over the heads."""
        return mean_nll(params, batch, self.sigma2)


def map_objective(sigma2: Any, gamma: Any) -> Una:
    """Maximum a posteriori: one head, a weight penalty, no term. `gamma=0` is maximum likelihood."""
    return Una(sigma2=sigma2, gamma=gamma)
