"""LUNA: several heads on shared features, pushed to have different input gradients."""

from collections.abc import Callable, Mapping
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from unabases.features.base import repeated
from unabases.objectives.base import Draws
from unabases.objectives.places import AbstractPlaces, Points
from unabases.objectives.schedules import check_schedule
from unabases.objectives.una import AbstractTerm, Heads, Una

SIMILARITIES = ("field", "pointwise")
GRADIENTS = ("finite-difference", "exact")
PENALTIES = ("squared-cosine", "log-barrier")
HEAD_SPREAD = 6.0  # of the heads at the start: chosen with the other defaults, see docs/defaults.md
_BLOCK = 2**22  # numbers of the stacked Jacobian held at once; beyond, inputs are taken in blocks
_FLOOR = 1e-2  # smallest perturbation, in units of epsilon · spread
_PARALLEL = 1e-3  # how far beyond parallel heads the barrier stands, so that it stays finite
_TINY = 1e-12  # squared gradient norm below which a head counts as flat and similar to none


class Diversity(AbstractTerm):
    r"""Penalty on heads whose input gradients point the same way: LUNA's term.

    It is the mean over all pairs of M heads of the squared cosine between their gradients: 0 if all are orthogonal, 1
    if all are parallel.

    .. math:: \frac{2}{M(M-1)} \sum_{i<j} \cos^2(\nabla f_i, \nabla f_j)

    Parameters
    ----------
    weight : float
        Strength λ of the penalty.
    epsilon : float
        Standard deviation of the finite-difference perturbation, in units of each input's `spread`.
    spread : array of shape (d,)
        Standard deviation of each input, in the units that the network sees.
    where : AbstractPlaces
        The points at which gradients are taken.
    schedule : str
        How λ grows over training: one of `SCHEDULES`.
    similarity : {"field", "pointwise"}
        `"field"` stacks a head's gradients over all points and inputs into one vector before the cosine;
        `"pointwise"` averages the cos² of each point, which is constant when there is one input.
    gradient : {"finite-difference", "exact"}
        Finite differences use one random perturbation per input, new at each step.
    n_directions : int or None
        With more inputs than this, finite differences are taken along so many random directions, new at each step,
        instead of along every input: the mean product of two heads' slopes along a random direction is their
        gradients' inner product. None for every input, however many.
    penalty : {"squared-cosine", "log-barrier"}
        What the mean squared cosine c costs: c itself, or −log(1 − c). They agree for heads that differ. The barrier
        grows without bound as heads become parallel, where c is flat, so the heads cannot all fall in line.
    name : str
        What histories call it.

    References
    ----------
    Thakur, Lorsung, Yacoby, Doshi-Velez, Pan (2020). Uncertainty-aware (UNA) bases for deep Bayesian regression using
    multi-headed auxiliary networks.
    """

    weight: Any
    epsilon: Any
    spread: Any
    where: AbstractPlaces
    schedule: str = "sqrt"
    similarity: str = eqx.field(static=True, default="field")
    gradient: str = eqx.field(static=True, default="finite-difference")
    penalty: str = eqx.field(static=True, default="squared-cosine")
    n_directions: int | None = eqx.field(static=True, default=None)
    name: str = eqx.field(static=True, default="diversity")

    def __check_init__(self):
        """Refuse unknown names."""
        check_schedule(self.schedule)
        for value, known, what in (
            (self.similarity, SIMILARITIES, "similarity"),
            (self.gradient, GRADIENTS, "gradient"),
            (self.penalty, PENALTIES, "penalty"),
        ):
            if value not in known:
                raise ValueError(f"unknown {what} {value!r}; known ones are {', '.join(known)}.")

    def draw(self, rng: np.random.Generator, steps: int, d: int) -> Draws:
        """Standard normal perturbations kept away from 0 and, if inputs are many, the unit vectors along which they go.

        Nothing for exact gradients.
        """
        if self.gradient == "exact":
            return None
        few = min(d, self.n_directions or d)
        z = rng.standard_normal((steps, few))
        lengths = (np.sign(z) * np.maximum(np.abs(z), _FLOOR)).astype(np.float32)
        if few == d:
            return lengths
        towards = rng.standard_normal((*z.shape, d), dtype=np.float32)
        return lengths, towards / np.linalg.norm(towards, axis=-1, keepdims=True)

    def value(self, heads: Heads, points: Points, draws: Draws) -> Float[Array, ""]:
        """What the mean squared cosine over pairs of heads, averaged over outputs, costs."""
        delta, directions = None, None
        if isinstance(draws, tuple):
            lengths, towards = draws
            delta, directions = lengths * self.epsilon, towards * self.spread
        elif self.gradient != "exact":
            delta = draws * self.epsilon * self.spread
        if self.similarity == "field":
            cosine = mean_squared_cosine(field_gram(heads, points, delta, directions))
        else:
            cosine = points.mean(jax.vmap(mean_squared_cosine)(pointwise_gram(heads, points, delta, directions)))
        return cosine if self.penalty == "squared-cosine" else -jnp.log1p(-cosine / (1 + _PARALLEL))


def luna_objective(
    *,
    sigma2: Any,
    gamma: Any,
    lam: Any,
    epsilon: Any,
    spread: Any,
    n_heads: int,
    where: AbstractPlaces | Mapping[str, AbstractPlaces],
    schedule: str = "sqrt",
    similarity: str = "field",
    gradient: str = "finite-difference",
    penalty: str = "squared-cosine",
    n_directions: int | None = None,
    head_spread: float = HEAD_SPREAD,
) -> Una:
    """LUNA's objective: UNA with the diversity of its heads as term, or one for each of several kinds of places.

    Parameters
    ----------
    sigma2, gamma, n_heads, head_spread
        Noise variances, weight penalty, number of heads and how far apart they start: see `Una`.
    lam : float
        Strength λ of the diversity term.
    where : AbstractPlaces or mapping of str to AbstractPlaces
        Where the heads must differ. Several places, by the names that histories show, have a term each: heads that
        differ in one of them have not yet met the wish in the others.
    epsilon, spread, schedule, similarity, gradient, penalty, n_directions
        How the diversity is measured: see `Diversity`.

    Examples
    --------
    >>> from unabases.objectives import Between
    >>> objective = luna_objective(
    ...     sigma2=np.array([0.1]), gamma=0.1, lam=1.0, epsilon=0.3, spread=np.ones(2), n_heads=20, where=Between(64)
    ... )
    >>> [term.name for term in objective.terms]
    ['diversity']
    """
    if n_heads < 2:
        raise ValueError(f"LUNA compares pairs of heads, so `n_heads` must be at least 2; got {n_heads}.")
    terms = tuple(
        Diversity(
            weight=lam,
            epsilon=epsilon,
            spread=spread,
            where=places,
            schedule=schedule,
            similarity=similarity,
            gradient=gradient,
            penalty=penalty,
            n_directions=n_directions,
            name=name,
        )
        for name, places in (where if isinstance(where, Mapping) else {"diversity": where}).items()
    )
    return Una(sigma2=sigma2, gamma=gamma, terms=terms, n_heads=n_heads, head_spread=head_spread)


def cosine_of(values: Float[np.ndarray, "..."], penalty: str) -> Float[np.ndarray, "..."]:
    """The mean squared cosines that made these values of a term.

    Examples
    --------
    >>> cosine_of(np.array([0.25]), "squared-cosine").tolist(), cosine_of(np.array([0.0]), "log-barrier").tolist()
    ([0.25], [0.0])
    """
    return values if penalty == "squared-cosine" else (1 + _PARALLEL) * -np.expm1(-values)


def mean_squared_cosine(K: Float[Array, "p M M"]) -> Float[Array, ""]:
    """Mean of K_ij² / (K_ii K_jj) over pairs i ≠ j and over outputs; a flat head counts as 0."""
    M = K.shape[-1]
    norm2 = jnp.diagonal(K, axis1=-2, axis2=-1)
    scale = jax.lax.rsqrt(jnp.maximum(norm2, _TINY))
    cos = K * scale[..., :, None] * scale[..., None, :]
    return jnp.sum(cos**2 * (1 - jnp.eye(M, dtype=K.dtype))) / (K.shape[0] * M * (M - 1))


def field_gram(
    heads: Heads, points: Points, delta: Array | None, directions: Float[Array, "r d"] | None = None
) -> Float[Array, "p M M"]:
    """Inner products of the heads' stacked gradients, in the cheapest order and in bounded memory.

    Slopes are secants of length `delta`, or exact ones without it, along each input or each of the `directions`.

    With A the stacked Jacobian of φ (P·d × k), the Gram matrix is W (AᵀA) Wᵀ, or (A Wᵀ)ᵀ(A Wᵀ) when the heads
    are fewer than the features.
    """
    M, p, k = heads.W.shape[0], heads.W.shape[1], heads.W.shape[2] - 1
    P, d = points.X.shape
    W = heads.W[..., :-1]
    if delta is None and d > M * p:  # reverse mode: one pass a head rather than one an input

        def gram_of_points(X: Array, weight: Array) -> Array:
            slopes = jax.vmap(jax.jacrev(heads))(X)  # P M p d
            return jnp.einsum("nipd,njpd,n->pij", slopes, slopes, weight)

        return _sum_in_blocks(gram_of_points, (points.X, points.weight), fills=(0.0, 0.0), size=M * p * d)
    through_features = k * k < k * M * p + M * M * p

    def gram_of_inputs(directions: Array, steps: Array | None) -> Array:
        changes, per_unit = _feature_changes(heads, points.X, directions, steps)
        A, scale = changes.reshape(-1, k), jnp.outer(per_unit, jnp.sqrt(points.weight)).reshape(-1, 1)
        if through_features:
            return _gram(A * scale)
        return jax.vmap(lambda own: _gram((A @ own.T) * scale), in_axes=1)(W)

    directions = jnp.eye(d, dtype=points.X.dtype) if directions is None else directions
    total = _sum_in_blocks(gram_of_inputs, (directions, delta), fills=(0.0, 1.0), size=P * k)
    return jnp.einsum("ipk,kl,jpl->pij", W, total, W) if through_features else total


def pointwise_gram(
    heads: Heads, points: Points, delta: Array | None, directions: Float[Array, "r d"] | None = None
) -> Float[Array, "P p M M"]:
    """Inner products of the heads' gradients at each point."""
    W = heads.W[..., :-1]

    def gram(directions: Array, steps: Array | None) -> Array:
        changes, per_unit = _feature_changes(heads, points.X, directions, steps)
        slopes = jnp.einsum("bnk,ipk,b->bnpi", changes, W, per_unit)
        return jnp.einsum("bnpi,bnpj->npij", slopes, slopes)

    P, d = points.X.shape
    directions = jnp.eye(d, dtype=points.X.dtype) if directions is None else directions
    return _sum_in_blocks(gram, (directions, delta), fills=(0.0, 1.0), size=P * W.shape[-1])


def _feature_changes(
    heads: Heads, X: Array, directions: Array, steps: Array | None
) -> tuple[Float[Array, "b P k"], Float[Array, " b"]]:
    """Change of φ along each of b input directions, and what makes slopes of it.

    Secants are over `steps` units; without steps the changes are exact slopes.
    """
    phi = heads.phi
    if steps is None:
        slopes = jax.vmap(lambda v: jax.vmap(lambda x: jax.jvp(phi, (x,), (v,))[1])(X))(directions)
        return slopes, jnp.ones(len(directions), X.dtype)
    shifts = directions * steps[:, None]
    moved = phi.moved(X, shifts) if hasattr(phi, "moved") else jax.vmap(lambda v: jax.vmap(phi)(X + v))(shifts)
    return moved - repeated(jax.vmap(phi)(X), len(steps)), 1 / steps


@jax.custom_vjp
def _gram(A: Float[Array, "r k"]) -> Float[Array, "k k"]:
    """AᵀA, with one product on the way back instead of two."""
    return A.T @ A


_gram.defvjp(lambda A: (_gram(A), A), lambda A, g: (A @ (g + g.T),))


def _sum_in_blocks(
    function: Callable[..., Array], rows: tuple[Array | None, ...], fills: tuple[float, ...], size: int
) -> Array:
    """Sum over all rows of what `function` makes of them, at most `_BLOCK` numbers at a time.

    A row costs `size` numbers. Blocks are recomputed on the way back rather than kept. The last block is padded
    with `fills`, for which the function must give nothing.
    """
    n = rows[0].shape[0]  # pyright: ignore[reportOptionalMemberAccess]
    if n * size <= _BLOCK:
        return function(*rows)
    block = max(1, _BLOCK // size)
    count = -(-n // block)

    def split(array: Array | None, fill: float) -> Array | None:
        if array is None:
            return None
        widths = [(0, count * block - n)] + [(0, 0)] * (array.ndim - 1)
        return jnp.pad(array, widths, constant_values=fill).reshape(count, block, *array.shape[1:])

    blocks = tuple(split(array, fill) for array, fill in zip(rows, fills, strict=True))
    first = jax.eval_shape(function, *(None if array is None else array[0] for array in blocks))
    recomputed = jax.checkpoint(function)
    add = lambda total, part: (total + recomputed(*part), None)  # noqa: E731
    return jax.lax.scan(add, jnp.zeros(first.shape, first.dtype), blocks)[0]
