"""The noise and the weight penalty of a neural linear model, from copies of it that are trained without some rows."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Bool, Float
from scipy.optimize import minimize_scalar
from scipy.stats import norm

from unabases import linear
from unabases.objectives import AbstractObjective
from unabases.regressors.networks.exact_layer import choose_variances
from unabases.regressors.networks.feature_blocks import apply_rows
from unabases.regressors.networks.step_one import (
    Prepared,
    TrainingRun,
    check_finite,
    init_starts,
    take_member,
    train_runs,
)
from unabases.regressors.shared.weights import part_of, weighted_mean
from unabases.training import Trained

__all__ = ["LEAST_ROWS", "Copy", "LeftOutNoise", "Settled", "left_out_noise", "noise_folds", "settle_by_left_out"]

LEAST_ROWS = 4
"""Rows from which some can be left out."""
_SHARE = 4  # one row in so many is left out by a copy
_MOST_ROWS = 2048  # that a copy leaves out: enough to tell the noise within a few percent
_ENOUGH_ROWS = 1200  # with so many rows one copy is enough; with fewer there are more, at most one for each fold
_STEPS = 300  # of each round, at most
_ROUNDS = 3  # each with the noise that the one before found
_FIRST_SIGMA2 = 0.3  # noise variance that the first round assumes, relative to that of y
_LEAST = 1e-6  # noise variance, relative to that of y, that errors are believed to show
_WIDTH = 1e-3  # how exactly the logarithm of the variance is found
_CLEARLY = 0.02  # nats per row by which a stronger weight penalty must be better


class Copy(NamedTuple):
    """A trained copy of the model: features of all rows, and which of them it left out."""

    Phi: Float[np.ndarray, "n k"]
    left_out: Bool[np.ndarray, " n"]


class LeftOutNoise(NamedTuple):
    """The noise under which left-out rows are most likely, and how likely they are."""

    sigma2: Float[np.ndarray, " p"]
    log_likelihood: float
    """Mean over the left-out rows, in nats; outputs add up."""


class Settled(NamedTuple):
    """What copies found before the model itself is trained."""

    sigma2: Float[np.ndarray, " p"]
    gamma: float


def noise_folds(n: int, rng: np.random.Generator) -> Bool[np.ndarray, "copies n"]:
    """Rows that each copy leaves out: a quarter of them, but never more than a few thousand.

    Few rows need four copies to tell the noise, 1,200 or more only one. Below four rows there is nothing to leave out.

    Parameters
    ----------
    n
        How many rows there are.
    rng
        Chooses the rows.

    Returns
    -------
    array of bool
        For each copy, which rows it leaves out. No row is left out twice.

    Examples
    --------
    >>> [noise_folds(n, np.random.default_rng(0)).sum(axis=1).tolist() for n in (10, 500, 100_000)]
    [[3, 3, 3, 1], [125, 125, 125], [2048]]
    """
    size = min(-(-n // _SHARE), _MOST_ROWS)
    copies = min(-(-_ENOUGH_ROWS // n), -(-n // size)) if n >= LEAST_ROWS else 0
    place = np.empty(n, dtype=int)
    place[rng.permutation(n)] = np.arange(n)
    return place // size == np.arange(copies)[:, None]


def settle_by_left_out(
    objective: Callable[[float, Float[np.ndarray, " p"]], AbstractObjective],
    data: Prepared,
    *,
    alpha: Float[np.ndarray, " p"] | None,
    gammas: Sequence[float],
    sigma2: Float[np.ndarray, " p"] | None = None,
) -> Settled:
    """Find the noise, and a weight penalty out of a few, by how well copies predict rows that they left out.

    The copies train for a short while with each penalty, all in one program. The best penalty's copies then train on,
    each time with the noise that was found before.

    Parameters
    ----------
    objective
        Makes what is trained, from a weight penalty and the noise variances.
    data
        Standardised rows, how to train, and random numbers.
    alpha
        Prior variance of each output's weights; None for the evidence's choice.
    gammas
        Weight penalties to choose from, the weakest first. A stronger one has to be clearly better.
    sigma2
        The noise variances, if they are known.
    """
    (n, d), p = data.Z.shape, data.t.shape[1]
    folds = noise_folds(n, data.rng)
    recipe = data.plan.recipe._replace(steps=min(data.plan.recipe.steps, _STEPS), patience=None)
    plan = data.plan.unheard._replace(recipe=recipe)
    spread = _variances(data.t, data.weight)
    assumed = _FIRST_SIGMA2 * spread if sigma2 is None else sigma2

    def run(gamma: float, noise: Float[np.ndarray, " p"], params: Any = None) -> TrainingRun:
        own = objective(gamma, noise)
        if params is None:
            params = init_starts(own, plan.make_features, d, p, len(folds), data.rng)
        rngs, seen = data.rng.spawn(len(folds)), (~folds).astype(np.float64)
        rows = {"weight": seen, "row_weight": data.weight}
        return TrainingRun([own] * len(folds), params, data.Z, data.t, plan, rngs, np.arange(n), **rows)

    def judge(trained: Trained) -> LeftOutNoise:
        finite = np.flatnonzero(check_finite(trained)).tolist()
        maps = [take_member(trained.params, i).phi for i in finite]
        features = [apply_rows(phi, data.Z.astype(np.float32)).astype(np.float64) for phi in maps]
        copies = [Copy(linear.with_bias(Phi), folds[i]) for Phi, i in zip(features, finite, strict=True)]
        return left_out_noise(copies, data.t, alpha=alpha, sigma2=sigma2, weight=data.weight)

    first = train_runs([run(gamma, assumed) for gamma in gammas])
    found = [judge(trained) for trained in first]
    best = 0
    for i in range(1, len(gammas)):
        if found[i].log_likelihood > found[best].log_likelihood + _CLEARLY * p:
            best = i
    gamma, trained, noise = gammas[best], first[best], found[best].sigma2
    for _ in range(_ROUNDS - 1 if sigma2 is None else 0):
        (trained,) = train_runs([run(gamma, noise, trained.params)])
        noise = judge(trained).sigma2
    return Settled(noise, gamma)


def left_out_noise(
    copies: Sequence[Copy],
    t: Float[np.ndarray, "n p"],
    *,
    alpha: Float[np.ndarray, " p"] | None,
    sigma2: Float[np.ndarray, " p"] | None = None,
    weight: Float[np.ndarray, " n"] | None = None,
) -> LeftOutNoise:
    """Noise variance of each output under which the rows that copies left out are most likely.

    A copy's exact layer is conditioned on the rows that it saw. What it does not know about the function counts as
    epistemic variance, and only the rest of its errors as noise.

    Parameters
    ----------
    copies
        At least one.
    t
        Targets of all rows.
    alpha
        Prior variance of each output's weights; None for the evidence's choice.
    sigma2
        The noise variances, if they are known and only the likelihood is asked for.
    weight
        How often each row counts; None for once.
    """
    seen = [linear.accumulate(c.Phi[~c.left_out], t[~c.left_out], part_of(weight, ~c.left_out)) for c in copies]
    new = [(c.Phi[c.left_out], t[c.left_out], part_of(weight, c.left_out)) for c in copies]
    rows = sum(len(Phi) if own is None else float(np.sum(own)) for Phi, _, own in new)

    def surprise(log_sigma2: float, j: int) -> float:
        total, noise = 0.0, np.full(t.shape[1], np.exp(log_sigma2))
        for statistics, (Phi, y, own) in zip(seen, new, strict=True):
            prior, _ = choose_variances(statistics, alpha, noise)
            posterior = linear.condition_on(statistics, alpha=prior[j], sigma2=noise[j], output=j)
            mean, variance = linear.predict(posterior, Phi)
            densities = norm.logpdf(y[:, j], mean, np.sqrt(variance + noise[j]))
            total -= np.sum(densities if own is None else own * densities)
        return float(total)

    found, total, spreads = [], 0.0, _variances(t, weight)
    for j in range(t.shape[1]):
        if sigma2 is not None:
            chosen = float(np.log(sigma2[j]))
        else:
            spread = spreads[j]
            bounds = (np.log(_LEAST * spread), np.log(4 * spread))
            best: Any = minimize_scalar(surprise, bounds=bounds, args=(j,), options={"xatol": _WIDTH})
            chosen = float(best.x)
        found.append(np.exp(chosen))
        total += surprise(chosen, j)
    return LeftOutNoise(np.array(found), -total / rows)


def _variances(t: Float[np.ndarray, "n p"], weight: Float[np.ndarray, " n"] | None) -> Float[np.ndarray, " p"]:
    """Variance of each output, above zero."""
    return np.maximum(weighted_mean((t - weighted_mean(t, weight)) ** 2, weight), 1e-12)
