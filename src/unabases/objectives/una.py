"""UNA: heads on shared features that fit the data and are shaped by function-space terms.

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
    """Several linear heads on one feature map: functions f_1 … f_M that a term may evaluate anywhere.

    Parameters
    ----------
    phi : callable
        The feature map, from one input to k features.
    W : array of shape (M, p, k + 1)
        Weights of M heads with p outputs; the last column is the bias.

    Examples
    --------
    >>> heads = Heads(phi=lambda x: x, W=jnp.array([[[2.0, 1.0]], [[-1.0, 0.0]]]))
    >>> heads(jnp.array([3.0])).tolist()
    [[7.0], [-3.0]]
    """

    phi: Any
    W: Float[Array, "M p k_and_bias"]

    def __call__(self, x: Float[Array, " d"]) -> Float[Array, "M p"]:
        """Values of all heads at one input, for each of p outputs."""
        return self.of_features(self.phi(x))

    def of_features(self, h: Float[Array, " k"]) -> Float[Array, "M p"]:
        """Values of all heads on the features `h` of one input."""
        return self.W[..., :-1] @ h + self.W[..., -1]


def init_heads(phi: Any, k: int, p: int, n_heads: int = 1, spread: float = 1.0, *, key: PRNGKeyArray | None) -> Heads:
    """Random heads on a feature map, uniform on ±spread/√k; one head with spread 1 is an ordinary network.

    Without a key they are zeros, for a network that only has to have the right shapes.
    """
    if key is None:
        return Heads(phi, jnp.zeros((n_heads, p, k + 1), dtype=jnp.float32))
    rng = np.random.default_rng(np.asarray(jax.random.key_data(key)))
    W = spread * rng.uniform(-1, 1, (n_heads, p, k + 1)) / np.sqrt(k)
    return Heads(phi, jnp.asarray(W.astype(np.float32)))


def mean_nll(heads: Heads, batch: Batch, sigma2: Array) -> Float[Array, ""]:
    """Negative log-likelihood per row, averaged over the heads."""
    per_head = jax.vmap(lambda x, y: gaussian_nll(heads(x), y, sigma2))(batch.X, batch.y)
    return batch.mean(jnp.mean(per_head, axis=1))


class AbstractTerm(eqx.Module):
    """A penalty on the heads as functions.

    The loss contains `weight` · s(t) · `value(...)`, with s the `schedule`. Derive from this class for a term with
    hyper-parameters or random numbers of its own; for anything simpler use `Term`.
    """

    name: eqx.AbstractVar[str]
    weight: eqx.AbstractVar[Any]
    schedule: eqx.AbstractVar[str]
    where: eqx.AbstractVar[AbstractPlaces]

    @abc.abstractmethod
    def draw(self, rng: np.random.Generator, steps: int, d: int) -> Draws:
        """The term's own random numbers, with the step as leading axis; the places draw theirs separately."""

    @abc.abstractmethod
    def value(self, heads: Heads, points: Points, draws: Draws) -> Float[Array, ""]:
        """The penalty, of the order of 1 per row."""


class Term(AbstractTerm):
    """A penalty of your own on the functions that the heads compute, such as "f must not fall in x_1".

    Parameters
    ----------
    name : str
        What histories call it.
    function : callable
        `function(heads, points, key)` returns a number that is small when the heads are as wanted. `heads(x)` is
        the (M, p) array of values at one input, `points.X` are the inputs, `points.mean(v)` averages one value per
        point.
    weight : float
        Its strength, in nats per row.
    where : {"data", "between"}, callable or AbstractPlaces
        Where the term looks: at the training inputs, between them, or at the points that a function
        `(X, key) -> points` makes.
    schedule : {"none", "sqrt", "sigmoid", "tanh"}
        How the weight grows over training.
    n_points : int
        Points at each step; 0 means all rows (only at the data).

    See Also
    --------
    AbstractTerm : for terms with hyper-parameters of their own.

    Examples
    --------
    Heads that must not fall in the first input:

    >>> def falling(heads, points, key):
    ...     slopes = jax.vmap(jax.jacfwd(heads))(points.X)[..., 0]  # points, heads, outputs
    ...     return points.mean(jnp.mean(jax.nn.relu(-slopes), axis=(1, 2)))
    >>> term = Term("falling", falling, weight=10.0, where="between")
    >>> heads = Heads(phi=lambda x: x, W=jnp.array([[[2.0, 0.0]], [[-1.0, 0.0]]]))
    >>> float(falling(heads, Points(jnp.zeros((4, 1)), jnp.ones(4)), None))
    0.5
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
    r"""Fit the data with several heads on shared features, under a weight penalty and function-space terms.

    .. math:: \frac1N \Big[ -\frac1M \sum_m \log N(y; f_m(X), \sigma^2 I) + \gamma \|\Psi\|^2 \Big]
        + \sum_j s_j(t) \lambda_j T_j(f_1, \dots, f_M)

    The loss is per row, so that a term's weight means the same on small and large data.

    Parameters
    ----------
    sigma2 : array of shape (p,)
        Noise variance of each output.
    gamma : float
        Weight penalty on all weights Ψ = (θ, W).
    terms : tuple of AbstractTerm
        Function-space terms; none for maximum likelihood and maximum a posteriori.
    n_heads : int
        Number of heads, M.
    head_spread : float
        How far apart the heads start. Heads that start close together become parallel while they learn to fit, and
        the squared cosine is flat there; heads that start far apart stay free to differ where no data hold them.

    References
    ----------
    Thakur, Lorsung, Yacoby, Doshi-Velez, Pan (2020). Uncertainty-aware (UNA) bases for deep Bayesian regression using
    multi-headed auxiliary networks.
    """

    sigma2: Any
    gamma: Any
    terms: tuple[AbstractTerm, ...] = ()
    n_heads: int = eqx.field(static=True, default=1)
    head_spread: float = eqx.field(static=True, default=1.0)
    dtype: str = eqx.field(static=True, default="float32")
    full_batch: bool = eqx.field(static=True, default=False)

    def __check_init__(self):
        """Refuse two terms of the same name."""
        names = ["loss", "fit", "weight_penalty", "validation", *(term.name for term in self.terms)]
        if len(set(names)) < len(names):
            taken, own = ", ".join(names[:4]), ", ".join(names[4:])
            raise ValueError(f"terms need different names, other than {taken}; got {own}.")

    def init(self, phi: Any, k: int, p: int, *, key: PRNGKeyArray) -> Heads:
        """Heads uniform on ±head_spread/√k; a spread of 1 is what a layer of the network would have."""
        return init_heads(phi, k, p, self.n_heads, self.head_spread, key=key)

    def draw(self, rng: np.random.Generator, progress: np.ndarray, rows: np.ndarray, d: int) -> Draws:
        """For each term: its share of the full weight, the draws of its places, and its own."""
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
        """Loss per row; the named terms are the fit, the weight penalty, and each term before weighting."""
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
    """Maximum a posteriori training of an ordinary network: one head, a weight penalty, no term.

    Parameters
    ----------
    sigma2 : array of shape (p,)
        Noise variance of each output.
    gamma : float
        Weight penalty; 0 makes it maximum likelihood.
    """
    return Una(sigma2=sigma2, gamma=gamma)
