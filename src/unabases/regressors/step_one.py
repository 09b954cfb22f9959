"""Step I: train feature maps from random starts and keep the best."""

import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import equinox as eqx
import jax
import numpy as np
import pandas as pd
from jaxtyping import Float

from unabases.features import count_features
from unabases.objectives import AbstractObjective, Batch, map_objective
from unabases.training import Optimizer, Schedule, Trained, make_batch, train, training_progress

MakeFeatures = Callable[..., Any]  # (d, *, key) -> feature map
FOLDS = 5
_GAMMAS = (0.1, 1.0)  # weight penalties that the first fits try
_NOISE_STEPS = 1000  # steps of the first fits, at most
_FIRST_SIGMA2 = 0.1  # noise variance, relative to that of y, that the first fit assumes
_LEAST_SIGMA2 = 1e-6  # least noise variance, relative to that of y, that residuals are believed to show


class DivergedError(RuntimeError):
    """Training gave infinite or undefined weights from every start."""


class Start(NamedTuple):
    """The start that was kept."""

    params: Any
    history: pd.DataFrame
    stopped: int


def train_starts(
    objective: AbstractObjective,
    make_features: MakeFeatures,
    X: Float[np.ndarray, "n d"],
    y: Float[np.ndarray, "n p"],
    *,
    restarts: int,
    schedule: Schedule,
    optimizer: Optimizer,
    rng: np.random.Generator,
    validation_fraction: float | None = None,
    label: str | None = None,
) -> Start:
    """Train `restarts` models in one program and keep the one with the lowest final loss."""
    held_out = None
    batch = make_batch(X, y, objective.dtype)
    if validation_fraction is not None:
        order = rng.permutation(len(X))
        cut = min(max(1, round(validation_fraction * len(X))), len(X) - 1)
        held_out = make_batch(X[order[:cut]], y[order[:cut]], objective.dtype)
        batch = make_batch(X[order[cut:]], y[order[cut:]], objective.dtype)
    params = init_starts(objective, make_features, X.shape[1], y.shape[1], restarts, rng)
    with training_progress(label or "", schedule.steps, enabled=label is not None) as on_chunk:
        trained = train(
            [objective] * restarts,
            params,
            batch,
            rngs=rng.spawn(restarts),
            schedule=schedule,
            optimizer=optimizer,
            validation=held_out,
            on_chunk=on_chunk,
        )
    finite = check_finite(trained)
    best = int(min(np.flatnonzero(finite), key=lambda i: final_loss(trained.history["loss"][i])))
    history = as_history({name: values[best] for name, values in trained.history.items()})
    return Start(take_member(trained.params, best), history, int(trained.stopped[best]))


def as_history(terms: dict[str, np.ndarray]) -> pd.DataFrame:
    """A row for each step taken, a column for each named term."""
    history = pd.DataFrame(terms).dropna(how="all")
    history.index = pd.RangeIndex(1, len(history) + 1, name="step")
    return history


def init_starts(
    objective: AbstractObjective,
    make_features: MakeFeatures,
    d: int,
    p: int,
    restarts: int,
    rng: np.random.Generator,
) -> Any:
    """Initial parameters of every start, stacked."""
    keys = rng.integers(0, 2**32, (restarts, 2, 2), dtype=np.uint32)
    wrap = lambda data: jax.random.wrap_key_data(data, impl="threefry2x32")  # noqa: E731
    maps = [make_features(d, key=wrap(key[0])) for key in keys]
    k = count_features(maps[0], d)
    starts = [objective.init(phi, k, p, key=wrap(key[1])) for phi, key in zip(maps, keys, strict=True)]
    return jax.tree.map(lambda *leaves: np.stack(leaves) if eqx.is_array(leaves[0]) else leaves[0], *starts)


def take_member(params: Any, index: int) -> Any:
    """One model out of a stack."""
    return jax.tree.map(lambda leaf: leaf[index] if eqx.is_array(leaf) else leaf, params)


def final_loss(losses: np.ndarray) -> float:
    """Mean loss over the last tenth of the steps taken."""
    taken = losses[~np.isnan(losses)]
    return float(np.mean(taken[-max(1, len(taken) // 10) :]))


def check_finite(trained: Trained) -> np.ndarray:
    """Which starts did not diverge: some is a warning, none an error."""
    finite, B = trained.finite, len(trained.finite)
    advice = "Lower `learning_rate`, `lam` or `gamma`, or look for outliers in the data."
    if not finite.any():
        raise DivergedError(f"training diverged from {'the only start' if B == 1 else f'all {B} starts'}. {advice}")
    if not finite.all():
        warnings.warn(
            f"training diverged from {B - finite.sum()} of {B} starts, which were dropped. {advice}",
            stacklevel=4,
        )
    return finite


def residual_variance(
    make_features: MakeFeatures,
    X: Float[np.ndarray, "n d"],
    y: Float[np.ndarray, "n p"],
    *,
    schedule: Schedule,
    optimizer: Optimizer,
    rng: np.random.Generator,
) -> Float[np.ndarray, " p"]:
    """Noise variance of each output: mean squared error of a MAP fit on rows that it did not see.

    Five fits, each without a fifth of the rows, for each of two weight penalties, train in one program; the
    penalty with the smaller error counts. Residuals of a fit on its own rows would be too small by as much as it
    overfits; only below 10 rows, where there is nothing to hold out, are those taken.
    """
    n, p = y.shape
    folds = FOLDS if n >= 2 * FOLDS else 1
    fold = rng.permutation(n) % folds
    trains_on = np.array([fold != i if folds > 1 else np.full(n, True) for i in range(folds)] * len(_GAMMAS))
    objectives = [
        map_objective(np.full(p, _FIRST_SIGMA2), np.float64(gamma)) for gamma in _GAMMAS for _ in range(folds)
    ]
    members = len(objectives)
    batch = make_batch(X, y, objectives[0].dtype)
    weight: Any = np.pad(trains_on.astype(batch.weight.dtype), ((0, 0), (0, len(batch.weight) - n)))
    trained = train(
        objectives,
        init_starts(objectives[0], make_features, X.shape[1], p, members, rng),
        Batch(batch.X, batch.y, weight, weight.sum(axis=1)),
        rngs=rng.spawn(members),
        schedule=schedule._replace(steps=min(schedule.steps, _NOISE_STEPS), patience=None),
        optimizer=optimizer,
    )
    finite = check_finite(trained)
    errors = np.full((members, n, p), np.nan)
    for i in np.flatnonzero(finite).tolist():
        heads = take_member(trained.params, i)
        rows = ~trains_on[i] if folds > 1 else trains_on[i]
        errors[i, rows] = (y - np.asarray(_predict_heads(heads, batch.X))[:n, 0])[rows] ** 2
    per_gamma = [np.nanmean(part, axis=(0, 1)) for part in np.split(errors, len(_GAMMAS))]
    return np.maximum(np.nanmin(per_gamma, axis=0), _LEAST_SIGMA2 * np.maximum(np.var(y, axis=0), 1e-12))


@eqx.filter_jit
def _predict_heads(heads: Any, X: Any) -> Any:
    return jax.vmap(heads)(X)
