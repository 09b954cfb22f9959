"""Maximise an acquisition: many starts climb at once in one program, or a search does without gradients."""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float
from scipy.linalg import solve_triangular

from unabases.bayesopt.acquisition import log_expected_improvement, log_h, lower_confidence_bound
from unabases.bayesopt.surrogate import AbstractBelief, Linear, Moments
from unabases.selection.space import Space
from unabases.training import use_compilation_cache

__all__ = ["Goal", "acquisition_values", "best_place"]

RANDOM, LOCAL = 1024, 512  # places to try before any start climbs: anywhere, and near good rows
JOINT = 512  # places where values are drawn together, if the surrogate cannot draw a function
STARTS = 32  # places that climb
CLIMB = 100  # steps of the climb
_RATES = (0.03, 3e-4)  # first and last step length, in units of the cube
_SCALES = (0.1, 0.03, 0.01, 3e-3)  # distances from good rows, and from good starts, at which to try places
_CHILDREN = 16  # places to try near each start at each of these distances
_ASCENTS = 10  # steps along slopes that are taken from differences
_APART = 1e-4  # the distance of such a difference on either side
_LENGTHS = (3e-2, 1e-2, 3e-3, 1e-3, 1e-4)  # of a step, in its largest column
_SMALL = 2048  # a space with no more points than this is tried completely
SEPARATE = 1e-3  # a place within this distance of a taken one, in every column, tells nothing new
_SAME = 1e-9  # the same in a small space, where every point counts
_TINY = 1e-30  # variance that counts as none


class Goal(NamedTuple):
    """What to maximise: an acquisition by name, with the value to beat and the width of a confidence bound."""

    acquisition: str
    best: float
    kappa: float = 2.0


def acquisition_values(goal: Goal, moments: Moments) -> Float[np.ndarray, " n"]:
    """What to maximise: log expected improvement, minus the lower confidence bound, or minus a drawn function."""
    mean, std = moments
    if goal.acquisition == "ei":
        return log_expected_improvement(mean, std, goal.best)
    return -lower_confidence_bound(mean, std, goal.kappa) if goal.acquisition == "lcb" else -mean


def best_place(
    space: Space,
    belief: AbstractBelief,
    goal: Goal,
    *,
    good: Float[np.ndarray, "r width"],
    taken: Float[np.ndarray, "s width"],
    rng: np.random.Generator,
    apart: float = SEPARATE,
) -> Float[np.ndarray, " width"] | None:
    """The place of the most promising point that is not taken; None if a finite space has none left.

    Parameters
    ----------
    space
        Where to look.
    belief
        The fitted surrogate.
    goal
        What to maximise.
    good
        The best rows told so far; places near them are tried as well.
    taken
        Places of points that were told or asked for.
    rng
        Source of candidates, and of the function that Thompson sampling draws.
    apart
        Least distance, in some column, from all taken places, if such a place exists. In a small space, the place only
        has to be a different one.
    """
    drawn = belief.draw(rng) if goal.acquisition == "thompson" else belief
    small = space.size <= _SMALL
    places = space.all() if small else _candidates(space, good, rng)
    apart = _SAME if small else apart
    free = _free(places, taken, apart)
    if drawn is None:  # a joint draw is of some places only
        places = rng.permutation(places[free])[:JOINT]
        return places[np.argmin(belief.draw_at(places, rng))] if len(places) else None

    def score(U: np.ndarray) -> np.ndarray:
        return np.nan_to_num(acquisition_values(goal, drawn.moments(U)), nan=-math.inf, neginf=-math.inf)

    values = score(places)
    if not small:
        found = _starts(places, values)
        form = drawn.as_linear()
        if form is not None:
            found = space.snap(climb(form, goal, found, space.movable))
        if form is None or space.discrete:
            found = refine(space, score, found, rng)
        if form is None:
            found = space.snap(ascend(score, found, space.movable))
        places, values = np.concatenate([found, places]), np.concatenate([score(found), values])
        free = _free(places, taken, apart)
    return places[free][np.argmax(values[free])] if free.any() else None


def climb(
    form: Linear, goal: Goal, starts: Float[np.ndarray, "s width"], movable: Bool[np.ndarray, " width"]
) -> Float[np.ndarray, "s width"]:
    """Climb from all starts at once in one program, and return the best place on each way; columns of choices stay.

    This is projected Adam in float64: the length of its steps does not depend on the scale of the acquisition.
    """
    use_compilation_cache()
    scale = form.y_scale
    best = (goal.best - scale.center[0]) / scale.spread[0]
    with jax.enable_x64(True):
        # A product instead of a solve, whose threads wait for each other at every step; results are scored again later.
        inverse = solve_triangular(form.L, np.eye(len(form.m)), lower=True)
        numbers = (*form.x_scale, form.m, inverse, np.float64(best), np.float64(goal.kappa))
        return np.asarray(_climb(goal.acquisition, form.phi, numbers, starts, movable.astype(np.float64)))


@eqx.filter_jit
def _climb(acquisition: str, phi: Any, numbers: Any, starts: Any, movable: Any) -> Array:
    center, spread, m, inverse, best, kappa = numbers

    def promise(U: Float[Array, "s width"]) -> tuple[Array, Array]:
        h = jax.vmap(phi)((U - center) / spread)
        Phi = jnp.concatenate([h, jnp.ones((len(U), 1), h.dtype)], axis=1)
        mean = Phi @ m
        if acquisition == "thompson":
            values = -mean
        else:
            std = jnp.sqrt(jnp.sum((Phi @ inverse.T) ** 2, axis=1) + _TINY)
            values = kappa * std - mean if acquisition == "lcb" else log_h((best - mean) / std) + jnp.log(std)
        return jnp.sum(values), values  # rows do not touch each other: the slope of the sum is that of each

    rates = np.geomspace(*_RATES, CLIMB)

    def step(i: Array, carry: Any) -> Any:
        U, first, second, top, reached = carry
        (_, values), slope = jax.value_and_grad(promise, has_aux=True)(U)
        better = values > reached
        top, reached = jnp.where(better[:, None], U, top), jnp.where(better, values, reached)
        slope = jnp.where(jnp.isfinite(slope), slope, 0.0) * movable
        first, second = 0.9 * first + 0.1 * slope, 0.99 * second + 0.01 * slope**2
        unbiased = first / (1 - 0.9 ** (i + 1.0)), second / (1 - 0.99 ** (i + 1.0))
        U = jnp.clip(U + jnp.asarray(rates)[i] * unbiased[0] / (jnp.sqrt(unbiased[1]) + _TINY), 0.0, 1.0)
        return U, first, second, top, reached

    zero = jnp.zeros_like(starts)
    begin = (starts, zero, zero, starts, jnp.full(len(starts), -jnp.inf))
    U, _, _, top, reached = jax.lax.fori_loop(0, CLIMB, step, begin)
    return jnp.where((promise(U)[1] > reached)[:, None], U, top)


def refine(
    space: Space,
    score: Callable[[np.ndarray], np.ndarray],
    starts: Float[np.ndarray, "s width"],
    rng: np.random.Generator,
) -> Float[np.ndarray, "s width"]:
    """Improve each start by random steps that get shorter."""
    places, values = starts, score(starts)
    rows = np.arange(len(starts))
    for scale in _SCALES:
        near = space.neighbours(np.repeat(places, _CHILDREN, axis=0), scale, rng)
        found = score(near).reshape(len(starts), _CHILDREN)
        child = np.argmax(found, axis=1)
        better = found[rows, child] > values
        places = np.where(better[:, None], near.reshape(len(starts), _CHILDREN, -1)[rows, child], places)
        values = np.where(better, found[rows, child], values)
    return places


def ascend(
    score: Callable[[np.ndarray], np.ndarray], starts: Float[np.ndarray, "s width"], movable: Bool[np.ndarray, " width"]
) -> Float[np.ndarray, "s width"]:
    """Climb from all starts at once, by slopes from differences: for surrogates that no compiled program can use.

    Each step goes along the slope by the best of some lengths, or nowhere; columns of choices stay.
    """
    places, values, rows = starts, score(starts), np.arange(len(starts))
    columns = np.flatnonzero(movable)
    for _ in range(_ASCENTS if len(columns) else 0):
        ends = np.stack(
            [np.clip(places + sign * _APART * np.eye(len(movable))[columns, None], 0, 1) for sign in (1, -1)]
        )
        scores = score(ends.reshape(-1, len(movable))).reshape(2, len(columns), len(places))
        run = np.moveaxis(ends[0] - ends[1], -1, 0)[columns, np.arange(len(columns))]
        with np.errstate(invalid="ignore"):  # nothing is promised in some places
            slope = np.zeros_like(places)
            slope[:, columns] = np.nan_to_num((scores[0] - scores[1]) / run, posinf=0.0, neginf=0.0).T
        slope[((places <= 0) & (slope < 0)) | ((places >= 1) & (slope > 0))] = 0.0  # there is no way out of the cube
        direction = slope / np.maximum(np.max(np.abs(slope), axis=1, keepdims=True), _TINY)
        tried = np.clip(places + np.array(_LENGTHS)[:, None, None] * direction, 0, 1)
        found = score(tried.reshape(-1, len(movable))).reshape(len(_LENGTHS), len(places))
        length = np.argmax(found, axis=0)
        better = found[length, rows] > values
        places = np.where(better[:, None], tried[length, rows], places)
        values = np.where(better, found[length, rows], values)
    return places


def _candidates(space: Space, good: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Places anywhere, then places near good rows; always the same number, so that programs are compiled once."""
    each = -(-LOCAL // len(_SCALES))
    near = [space.neighbours(good[rng.integers(len(good), size=each)], scale, rng) for scale in _SCALES]
    return np.concatenate([space.sample(RANDOM, rng), *near])


def _starts(places: np.ndarray, values: np.ndarray) -> np.ndarray:
    """The most promising places, half of them from anywhere, so that those near good rows do not crowd them out."""
    far, near = np.split(np.arange(len(places)), [RANDOM])
    chosen = [part[np.argsort(-values[part], kind="stable")[: STARTS // 2]] for part in (far, near)]
    return places[np.concatenate(chosen)]


def _free(places: np.ndarray, taken: np.ndarray, apart: float) -> Bool[np.ndarray, " n"]:
    """Which places are farther than `apart`, in some column, from all taken ones; it is halved until one is."""
    gap = np.full(len(places), math.inf)
    for row in taken:
        np.minimum(gap, np.max(np.abs(places - row), axis=1), out=gap)
    while apart > SEPARATE and not (gap > apart).any():
        apart /= 2
    return gap > apart
