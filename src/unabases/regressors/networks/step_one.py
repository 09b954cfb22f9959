"""Step I: train feature maps from random starts and keep the best."""

import warnings
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import equinox as eqx
import jax
import numpy as np
import pandas as pd
from jaxtyping import Float

from unabases.features import count_features
from unabases.objectives import AbstractObjective, map_objective
from unabases.regressors.shared.saved_state import SavedState
from unabases.regressors.shared.scaling import fit_scale
from unabases.regressors.shared.weights import part_of
from unabases.training import OnChunk, Optimizer, Recipe, Trained, make_batch, train, training_progress

MakeFeatures = Callable[..., Any]  # (d, *, key) -> feature map
FOLDS = 5
_GAMMAS = (0.1, 1.0)  # weight penalties that the first fits try
_NOISE_STEPS = 1000  # steps of the first fits, at most
_NOISE_ROWS = 2**16  # rows of a large table that these fits see
_ENOUGH_OUT = 4096  # rows to leave out in all: they tell the noise variance within a few percent
_FIRST_SIGMA2 = 0.1  # noise variance, relative to that of y, that the first fit assumes
_LEAST_SIGMA2 = 1e-6  # least noise variance, relative to that of y, that residuals are believed to show


class DivergedError(RuntimeError):
    """Training gave infinite or undefined weights from every start."""


class Start(NamedTuple):
    """The start that was kept."""

    params: Any
    history: pd.DataFrame
    stopped: int


class Plan(NamedTuple):
    """How networks are made and trained."""

    make_features: MakeFeatures
    recipe: Recipe
    optimizer: Optimizer
    validation_fraction: float | None = None  # rows held out to stop early
    label: str | None = None  # of the progress bar; None for none
    callback: Callable[[int, dict[str, float]], Any] | None = None  # told how far training is and what the losses are

    @property
    def unheard(self) -> "Plan":
        """The same for short fits before the main one, of which nobody is told."""
        return self._replace(label=None, callback=None)


class Prepared(NamedTuple):
    """Data in standardised units, and what is needed to learn from it."""

    Z: Float[np.ndarray, "n d"]
    t: Float[np.ndarray, "n p"]
    sigma2: Float[np.ndarray, " p"]
    plan: Plan
    rng: np.random.Generator
    weight: Float[np.ndarray, " n"] | None = None  # how often each row counts; None for once


class TrainingRun(NamedTuple):
    """Everything that the training loop needs to train the members of one model.

    Members are random starts, or the networks of an ensemble. Each has its objective, its start and its own random
    numbers, so what it becomes does not depend on what is trained beside it.
    """

    objectives: Sequence[AbstractObjective]
    params: Any  # starting points, stacked along a leading axis of members
    Z: Float[np.ndarray, "n d"]
    t: Float[np.ndarray, "n p"]
    plan: Plan
    rngs: Sequence[np.random.Generator]
    trained_on: np.ndarray  # rows that train, by their number
    held_out: np.ndarray | None = None  # rows that decide when to stop, if any
    weight: Float[np.ndarray, "members n"] | None = None  # how much each member counts each row
    shift: Float[np.ndarray, "members n p"] | None = None  # what each member adds to the targets
    row_weight: Float[np.ndarray, " n"] | None = None  # how often each row counts, in all members and when held out


def train_runs(runs: Sequence[TrainingRun], on_chunk: OnChunk | None = None) -> list[Trained]:
    """Train every run; those of equal structure on equal rows share one compiled program.

    `on_chunk` is called after every hundred steps of a program, instead of the progress bar of a run trained alone.
    """
    groups: dict[Any, list[int]] = {}
    for place, run in enumerate(runs):
        groups.setdefault(_program(run), []).append(place)
    trained: dict[int, Trained] = {}
    for places in groups.values():
        trained |= zip(places, _train_group([runs[place] for place in places], on_chunk), strict=True)
    return [trained[place] for place in range(len(runs))]


def _program(run: TrainingRun) -> Any:
    """What must be equal for two runs to share a program: everything but numbers, and the rows themselves."""
    objective = run.objectives[0]
    numbers, rest = eqx.partition(objective, eqx.is_array_like)
    weights = [(leaf.shape[1:], str(leaf.dtype)) for leaf in jax.tree.leaves(eqx.filter(run.params, eqx.is_array))]
    rows = (run.Z, run.t, run.trained_on, run.held_out, run.row_weight)
    return (
        jax.tree.structure(objective),
        jax.tree.structure(run.params),
        tuple(np.shape(leaf) for leaf in jax.tree.leaves(numbers)),
        tuple(leaf for leaf in jax.tree.leaves(rest) if not isinstance(leaf, str)),
        tuple(weights),
        run.plan.recipe._replace(learning_rate=0.0),
        run.plan.optimizer,
        run.weight is None,
        run.shift is None,
        tuple(None if part is None else (part.shape, hash(part.tobytes())) for part in rows),
    )


def _train_group(runs: Sequence[TrainingRun], on_chunk: OnChunk | None) -> list[Trained]:
    """Train runs that share a program, and give each its own members back."""
    first, counts = runs[0], [len(run.objectives) for run in runs]
    dtype, rest = first.objectives[0].dtype, first.trained_on
    y = (
        first.t
        if first.shift is None
        else first.t + np.concatenate([run.shift for run in runs if run.shift is not None])
    )
    held_out, weight = first.held_out, first.row_weight
    validation = None
    if held_out is not None:
        own = part_of(weight, held_out)
        validation = make_batch(first.Z[held_out], first.t[held_out], dtype, own)
    if first.weight is not None:
        of_members = np.concatenate([run.weight for run in runs if run.weight is not None])
        weight = of_members if weight is None else of_members * weight
    batch = make_batch(first.Z[rest], y[..., rest, :], dtype, part_of(weight, rest))
    recipe = first.plan.recipe._replace(
        learning_rate=np.repeat([run.plan.recipe.learning_rate for run in runs], counts)
    )
    label = first.plan.label if len(runs) == 1 else None
    with training_progress(label or "", recipe.steps, enabled=label is not None) as shown:
        together = train(
            [objective for run in runs for objective in run.objectives],
            jax.tree.map(_joined, *(run.params for run in runs)),
            batch,
            rngs=[rng for run in runs for rng in run.rngs],
            recipe=recipe,
            optimizer=first.plan.optimizer,
            validation=validation,
            on_chunk=on_chunk or (_told(shown, first.plan.callback) if len(runs) == 1 else shown),
        )
    ends = np.cumsum(counts).tolist()
    return [_some_of(together, slice(end - count, end)) for count, end in zip(counts, ends, strict=True)]


def _told(shown: OnChunk | None, callback: Callable[[int, dict[str, float]], Any] | None) -> OnChunk | None:
    """What to call after every hundred steps: the progress bar, and the user's function with all steps so far."""
    if callback is None:
        return shown
    done = 0

    def tell(steps: int, terms: dict[str, float]) -> None:
        nonlocal done
        done += steps
        if shown is not None:
            shown(steps, terms)
        callback(done, terms)

    return tell


def _joined(*leaves: Any) -> Any:
    return np.concatenate(leaves) if eqx.is_array(leaves[0]) else leaves[0]


def _some_of(trained: Trained, members: slice) -> Trained:
    return jax.tree.map(lambda leaf: leaf[members] if eqx.is_array(leaf) else leaf, trained)


def starts_run(objective: AbstractObjective, data: Prepared, *, restarts: int, warm: Any = None) -> TrainingRun:
    """A run of `restarts` random starts of one objective; with trained parameters `warm` the first starts there."""
    Z, t, plan, rng = data.Z, data.t, data.plan, data.rng
    held_out, rest = split_rows(len(Z), plan, rng)
    params = warm_starts(init_starts(objective, plan.make_features, Z.shape[1], t.shape[1], restarts, rng), warm)
    rngs = rng.spawn(restarts)
    return TrainingRun([objective] * restarts, params, Z, t, plan, rngs, rest, held_out, row_weight=data.weight)


def train_starts(objective: AbstractObjective, data: Prepared, *, restarts: int) -> Start:
    """Train `restarts` models from random starts in one program and keep the one with the lowest final loss."""
    return best_start(*train_runs([starts_run(objective, data, restarts=restarts)]))


def best_start(trained: Trained) -> Start:
    """The start with the lowest final loss, of those that did not diverge."""
    finite = np.flatnonzero(check_finite(trained))
    best = int(min(finite, key=lambda i: final_loss(trained.history["loss"][i])))
    history = as_history({name: values[best] for name, values in trained.history.items()})
    return Start(take_member(trained.params, best), history, int(trained.stopped[best]))


def split_rows(n: int, plan: Plan, rng: np.random.Generator) -> tuple[np.ndarray | None, np.ndarray]:
    """Rows held out to stop early, if that is wanted, and the rows to train on."""
    if plan.validation_fraction is None:
        return None, np.arange(n)
    order = rng.permutation(n)
    cut = min(max(1, round(plan.validation_fraction * n)), n - 1)
    return order[:cut], order[cut:]


def as_history(terms: dict[str, np.ndarray]) -> pd.DataFrame:
    """A row for each step taken, a column for each named term."""
    if not terms:
        return pd.DataFrame(index=pd.RangeIndex(1, 1, name="step"))
    taken = ~np.all([np.isnan(values) for values in terms.values()], axis=0)
    steps = pd.RangeIndex(1, int(taken.sum()) + 1, name="step")
    return pd.DataFrame({name: values[taken] for name, values in terms.items()}, index=steps)


def mean_of_running(values: np.ndarray) -> np.ndarray:
    """Mean over the members that still train at each step, NaN when none does."""
    running = np.isfinite(values)
    total = np.where(running, values, 0.0).sum(axis=0)
    return np.divide(total, running.sum(axis=0), out=np.full(values.shape[1], np.nan), where=running.any(axis=0))


def history_arrays(history: pd.DataFrame) -> dict[str, np.ndarray]:
    """A history as named arrays, to be saved."""
    return {f"history.{name}": history[name].to_numpy() for name in history}


def history_from(saved: SavedState) -> pd.DataFrame:
    """The history that `history_arrays` named."""
    own = saved.below("history.")
    taken = {name: own.array(name, "steps", dtype=a.dtype, finite=False, empty=True) for name, a in own.arrays.items()}
    return as_history(taken)


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
    return stack_members(starts)


def warm_starts(starts: Any, warm: Any) -> Any:
    """`starts` with trained parameters in place of the first one, if they are of the same structure and shapes."""
    if jax.tree.structure(starts) != jax.tree.structure(warm):
        return starts
    pairs = list(zip(jax.tree.leaves(starts), jax.tree.leaves(warm), strict=True))
    if any(eqx.is_array(own) and own.shape[1:] != np.shape(trained) for own, trained in pairs):
        return starts
    first = lambda own, trained: np.concatenate([trained[None], own[1:]]) if eqx.is_array(own) else own  # noqa: E731
    return jax.tree.map(first, starts, warm)


def stack_members(members: Sequence[Any]) -> Any:
    """Models of one shape as one, every array with a leading axis."""
    return jax.tree.map(lambda *leaves: np.stack(leaves) if eqx.is_array(leaves[0]) else leaves[0], *members)


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
    X: Float[np.ndarray, "n d"],
    y: Float[np.ndarray, "n p"],
    *,
    plan: Plan,
    rng: np.random.Generator,
    weight: Float[np.ndarray, " n"] | None = None,
) -> Float[np.ndarray, " p"]:
    """Noise variance of each output: mean squared error of a MAP fit on rows that it did not see.

    Five fits, each without a fifth of the rows, for each of two weight penalties, train in one program; the
    penalty with the smaller error counts. Residuals of a fit on its own rows would be too small by as much as it
    overfits; only below 10 rows, where there is nothing to hold out, are those taken. Of a large
    table they see a sample, and fits are fewer where these leave enough rows out.
    """
    if len(X) > _NOISE_ROWS:
        sample = rng.permutation(len(X))[:_NOISE_ROWS]
        X, y, weight = X[sample], y[sample], part_of(weight, sample)
    n, p = y.shape
    folds = FOLDS if n >= 2 * FOLDS else 1
    fold, fits = rng.permutation(n) % folds, min(folds, -(-_ENOUGH_OUT * folds // n))
    trains_on = np.array([fold != i if folds > 1 else np.full(n, True) for i in range(fits)] * len(_GAMMAS))
    objectives = [map_objective(np.full(p, _FIRST_SIGMA2), np.float64(gamma)) for gamma in _GAMMAS for _ in range(fits)]
    members = len(objectives)
    recipe = plan.recipe._replace(steps=min(plan.recipe.steps, _NOISE_STEPS), patience=None)
    starts = init_starts(objectives[0], plan.make_features, X.shape[1], p, members, rng)
    short = plan.unheard._replace(recipe=recipe)
    own = trains_on.astype(np.float64)
    rngs = rng.spawn(members)
    run = TrainingRun(objectives, starts, X, y, short, rngs, np.arange(n), weight=own, row_weight=weight)
    (trained,) = train_runs([run])
    finite = check_finite(trained)
    rows_in = make_batch(X, y).X
    errors = np.full((members, n, p), np.nan)
    for i in np.flatnonzero(finite).tolist():
        heads = take_member(trained.params, i)
        rows = ~trains_on[i] if folds > 1 else trains_on[i]
        errors[i, rows] = (y - np.asarray(_predict_heads(heads, rows_in))[:n, 0])[rows] ** 2
    per_gamma = [_mean_of_known(part, weight) for part in np.split(errors, len(_GAMMAS))]
    spread = np.var(y, axis=0) if weight is None else fit_scale(y, weight=weight).spread ** 2
    return np.maximum(np.nanmin(per_gamma, axis=0), _LEAST_SIGMA2 * np.maximum(spread, 1e-12))


def _mean_of_known(
    errors: Float[np.ndarray, "members n p"], weight: Float[np.ndarray, " n"] | None
) -> Float[np.ndarray, " p"]:
    """Mean error of rows that are not NaN, each counted as often as its weight says."""
    if weight is None:
        return np.nanmean(errors, axis=(0, 1))
    counts = np.where(np.isnan(errors), 0.0, weight[:, None])
    return np.nansum(counts * errors, axis=(0, 1)) / np.sum(counts, axis=(0, 1))


@eqx.filter_jit
def _predict_heads(heads: Any, X: Any) -> Any:
    return jax.vmap(heads)(X)
