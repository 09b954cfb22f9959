"""The one training loop: many models in one compiled program, on all cores."""

import contextlib
import functools
import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optax
from jaxtyping import Array, Bool, Float, Int

from unabases.features.base import trainable
from unabases.objectives.base import AbstractObjective, Batch, Params
from unabases.training.compilation import release_programs, use_compilation_cache

Optimizer = Callable[..., optax.GradientTransformation]  # learning rate -> transformation, such as optax.adam
OnChunk = Callable[[int, dict[str, float]], None]  # steps just done, the mean terms

LEARNING_RATES = {
    "constant": np.ones_like,
    "cosine": lambda r: 0.5 * (1 + np.cos(np.pi * np.asarray(r))),
    "linear": lambda r: 1 - np.asarray(r),
}


class Recipe(NamedTuple):
    """How long and how fast to train."""

    steps: int = 2000
    learning_rate: Any = 1e-2  # one, or one a model
    decay: str = "constant"  # one of LEARNING_RATES
    batch_size: int | None = None  # None: all rows at each step
    patience: int | None = None  # chunks without a better validation loss before a model stops
    chunk: int = 100  # steps between looks at validation, progress and Ctrl-C


class Trained(NamedTuple):
    """B trained models along the leading axis of every array."""

    params: Params
    history: dict[str, Float[np.ndarray, "B steps"]]  # NaN after a model has stopped
    finite: Bool[np.ndarray, " B"]  # False where training diverged
    stopped: Int[np.ndarray, " B"]  # step whose weights were kept


_COMPILING = threading.Lock()  # held for the first chunk, so that threads with equal programs compile once


class _Inputs(NamedTuple):
    """What the steps of a chunk need from outside; leading axes are the model and the step."""

    noise: Any
    rows: Any
    rate: Any


class _State(NamedTuple):
    """Where each model stands: weights, optimiser, and the best so far by validation."""

    params: Any
    optimizer: Any
    best: Any
    best_loss: Array
    waited: Array
    active: Array
    kept: Array


def train(
    objectives: Sequence[AbstractObjective],
    params: Params,
    data: Batch,
    *,
    rngs: Sequence[np.random.Generator],
    recipe: Recipe | None = None,
    optimizer: Optimizer = optax.adam,
    validation: Batch | None = None,
    on_chunk: OnChunk | None = None,
    threads: int | None = None,
) -> Trained:
    """Minimise B objectives, each from its own start, with its own random numbers.

    Parameters
    ----------
    objectives
        One for each model; they may differ in their hyper-parameters but not in their structure.
    params
        What `AbstractObjective.init` made, stacked along a leading axis of length B.
    data, validation
        Rows shared by all models, or with a leading axis of length B on any of the arrays: a batch over splits
        shares `X` and `y` and differs in `weight`.
    rngs
        A generator for each model, for mini batches and whatever the objective draws.
    recipe
        Steps, learning rate, batches, early stopping.
    optimizer
        A function of the learning rate, such as `optax.adam` or `optax.sgd`.
    on_chunk
        Called after each chunk of steps; may raise to stop.
    threads
        In how many threads to run shares of the models; all cores by default.
    """
    use_compilation_cache()
    with _COMPILING:
        release_programs()
    recipe = recipe or Recipe()
    _check(objectives, data, rngs, recipe, validation)
    B = len(objectives)
    share = -(-B // min(B, threads or os.cpu_count() or 1))
    threads = -(-B // share)
    members = [min(i, B - 1) for i in range(share * threads)]  # equal shares compile once; extras repeat the last
    generators = [*rngs, *(np.random.default_rng(i) for i in range(share * threads - B))]
    rate = np.broadcast_to(np.asarray(recipe.learning_rate, np.float64), (B,))
    fewest = int(np.min(np.sum(np.asarray(data.weight) > 0, axis=-1)))
    if recipe.batch_size is not None and recipe.batch_size >= fewest:
        recipe = recipe._replace(batch_size=None)
    stop = threading.Event()

    def run(start: int) -> Trained:
        mine = members[start : start + share]
        with jax.enable_x64(objectives[0].dtype == "float64"):
            return _train_share(
                [objectives[i] for i in mine],
                jax.tree.map(lambda leaf: leaf[np.array(mine)] if eqx.is_array(leaf) else leaf, params),
                _members(data, mine),
                None if validation is None else _members(validation, mine),
                generators[start : start + share],
                recipe,
                rate[mine],
                optimizer,
                on_chunk if start == 0 else None,
                stop,
            )

    if threads == 1:
        return run(0)
    with ThreadPoolExecutor(threads) as pool:
        futures = [pool.submit(run, start) for start in range(0, share * threads, share)]
        try:
            for future in as_completed(futures):
                future.result()
        except BaseException:
            stop.set()  # Ctrl-C or an error: the other threads end at their next chunk
            raise
    parts = [future.result() for future in futures]
    return jax.tree.map(lambda *leaves: np.concatenate(leaves)[:B] if eqx.is_array(leaves[0]) else leaves[0], *parts)


def _train_share(objectives, params, data, validation, rngs, recipe, rate, optimizer, on_chunk, stop) -> Trained:
    """Train some of the models in this thread."""
    B, T, chunk, dtype = len(objectives), recipe.steps, recipe.chunk, objectives[0].dtype
    rows = [np.flatnonzero(weight > 0) for weight in np.broadcast_to(data.weight, (B, data.weight.shape[-1]))]
    size = recipe.batch_size
    shuffles = [Shuffle(r, rng) for r, rng in zip(rows, rngs, strict=True)]
    arrays, rest = eqx.partition(params, trainable(params))
    frozen, static = eqx.partition(rest, eqx.is_array)  # they belong to a model but are not trained
    arrays = jax.tree.map(lambda leaf: jnp.asarray(leaf, dtype), arrays)
    state = jax.vmap(functools.partial(_start, optimizer))(arrays, jnp.asarray(rate, dtype))
    hyper, structure = eqx.partition(_stack(objectives, dtype), eqx.is_array)
    parts: list[dict[str, np.ndarray]] = []
    for begin in range(0, T, chunk):
        if stop.is_set():
            raise InterruptedError("training was stopped")
        count = min(chunk, T - begin)
        progress = np.minimum(np.arange(begin + 1, begin + chunk + 1) / T, 1.0)
        noise = [
            objective.draw(rng, progress, r if size is None else np.arange(size), data.X.shape[-1])
            for objective, rng, r in zip(objectives, rngs, rows, strict=True)
        ]
        inputs = _Inputs(
            noise=jax.tree.map(lambda *leaves: np.stack(leaves), *noise),
            rows=None if size is None else np.stack([shuffle.take(chunk, size) for shuffle in shuffles]),
            rate=(rate[:, None] * LEARNING_RATES[recipe.decay](progress - 1 / T)).astype(dtype),
        )
        span = (np.int32(begin), np.int32(count))
        with _COMPILING if begin == 0 else contextlib.nullcontext():
            state, terms = _run_chunk(
                static, structure, optimizer, recipe.patience, hyper, frozen, state, data, validation, inputs, span
            )
            parts.append({name: np.asarray(values)[:, :count] for name, values in terms.items()})
        if on_chunk is not None:
            on_chunk(count, {name: _mean_of_running(values[:, -1]) for name, values in parts[-1].items()})
        if not np.any(state.active):
            break
    final = state.params if validation is None else state.best
    finite = np.all([np.isfinite(leaf).reshape(B, -1).all(axis=1) for leaf in jax.tree.leaves(final)], axis=0)
    if validation is not None:
        finite &= np.isfinite(state.best_loss)
    history = {name: np.concatenate([part[name] for part in parts], axis=1) for name in parts[0]}
    stopped = np.asarray(state.kept) if validation is not None else np.sum(np.isfinite(history["loss"]), axis=1)
    return Trained(
        params=jax.tree.map(
            lambda leaf: np.asarray(leaf) if eqx.is_array(leaf) else leaf, eqx.combine(final, frozen, static)
        ),
        history={name: np.pad(v, ((0, 0), (0, T - v.shape[1])), constant_values=np.nan) for name, v in history.items()},
        finite=finite,
        stopped=stopped,
    )


@eqx.filter_jit
def _run_chunk(static, structure, optimizer, patience, hyper, frozen, state, data, validation, inputs, span):
    """Some steps of every model, in one program; at the end a look at the validation rows."""
    begin, count = span

    def one(hyper, frozen, state, data, validation, inputs):
        objective = eqx.combine(hyper, structure)

        def loss(arrays, now):
            batch = data if now.rows is None else data.take(now.rows)
            return objective.loss(eqx.combine(arrays, frozen, static), batch, now.noise)

        def step(i, carry):
            params, opt_state, history = carry
            now = jax.tree.map(lambda leaf: leaf[i], inputs)
            (_, terms), grads = jax.value_and_grad(loss, has_aux=True)(params, now)
            updates, opt_state = optimizer(now.rate).update(grads, opt_state, params)
            history = {name: h.at[i].set(terms[name]) for name, h in history.items()}
            return optax.apply_updates(params, updates), opt_state, history

        names = jax.eval_shape(loss, state.params, jax.tree.map(lambda leaf: leaf[0], inputs))[1]
        empty = {name: jnp.zeros(inputs.rate.shape, shape.dtype) for name, shape in names.items()}
        params, opt_state, history = jax.lax.fori_loop(0, count, step, (state.params, state.optimizer, empty))
        params = _where(state.active, params, state.params)
        history = {name: jnp.where(state.active, h, jnp.nan) for name, h in history.items()}
        state = state._replace(params=params, optimizer=opt_state)
        if validation is not None:
            held_out = objective.validate(eqx.combine(params, frozen, static), validation)
            better = state.active & (held_out < state.best_loss)
            waited = jnp.where(better, 0, state.waited + 1)
            state = state._replace(
                best=_where(better, params, state.best),
                best_loss=jnp.where(better, held_out, state.best_loss),
                kept=jnp.where(better, begin + count, state.kept),
                waited=waited,
                active=state.active if patience is None else state.active & (waited < patience),
            )
        healthy = functools.reduce(jnp.logical_and, [jnp.isfinite(leaf).all() for leaf in jax.tree.leaves(params)])
        return state._replace(active=state.active & healthy), history

    axes = (0, 0, 0, _axes(data), None if validation is None else _axes(validation), 0)
    return _each(one, axes, (hyper, frozen, state, data, validation, inputs))


def _each(one: Callable, axes: tuple, arguments: tuple) -> Any:
    """Apply `one` to every model: side by side on an accelerator, in turn on a CPU.

    XLA's matrix products on a CPU are fastest for one model at a time; the cores are shared out by threads.
    """
    if jax.default_backend() != "cpu":
        return jax.vmap(one, in_axes=axes)(*arguments)
    leaves, structure = jax.tree.flatten(arguments)
    batched = jax.tree.leaves(jax.tree.map(_batched, axes, arguments, is_leaf=lambda axis: axis is None or axis == 0))

    def of_model(i: Array) -> Any:
        mine = [leaf[i] if has_axis else leaf for leaf, has_axis in zip(leaves, batched, strict=True)]
        return one(*jax.tree.unflatten(structure, mine))

    return jax.lax.map(of_model, jnp.arange(len(leaves[batched.index(True)])))


def _batched(axis: int | None, part: Any) -> Any:
    """For every array of `part`, whether it has a leading axis of models."""
    return jax.tree.map(lambda _: axis == 0, part)


class Shuffle:
    """Rows in a new random order each epoch, dealt out in batches; the tail of an epoch joins the next."""

    def __init__(self, rows: np.ndarray, rng: np.random.Generator):
        self._rows, self._rng, self._left = rows, rng, np.empty(0, rows.dtype)

    def take(self, batches: int, size: int) -> np.ndarray:
        """The next `batches` batches of `size` rows."""
        wanted = batches * size
        pieces = [self._left]
        while sum(map(len, pieces)) < wanted:
            pieces.append(self._rng.permutation(self._rows))
        dealt = np.concatenate(pieces)
        self._left = dealt[wanted:]
        return dealt[:wanted].reshape(batches, size).astype(np.int32)


def _start(optimizer: Optimizer, arrays: Any, rate: Array) -> _State:
    return _State(
        params=arrays,
        optimizer=optimizer(rate).init(arrays),
        best=arrays,
        best_loss=jnp.asarray(jnp.inf, rate.dtype),
        waited=jnp.zeros((), jnp.int32),
        active=jnp.asarray(True),
        kept=jnp.zeros((), jnp.int32),
    )


def _stack(objectives: Sequence[AbstractObjective], dtype: str) -> AbstractObjective:
    """One objective whose hyper-parameters have a leading axis; words, which act outside the program, fall away."""

    def join(*leaves):
        if isinstance(leaves[0], str):
            return ""
        if not isinstance(leaves[0], (int, float, np.ndarray, np.number, jax.Array)):
            return leaves[0]
        stacked = np.stack([np.asarray(leaf) for leaf in leaves])
        return stacked.astype(dtype) if np.issubdtype(stacked.dtype, np.floating) else stacked

    return jax.tree.map(join, *objectives)


def _members(batch: Batch, members: Sequence[int]) -> Batch:
    """The rows of some of the models; what is shared stays shared."""
    chosen = np.array(members)
    return Batch(*(leaf if axis is None else leaf[chosen] for leaf, axis in zip(batch, _axes(batch), strict=True)))


def _axes(batch: Batch) -> Any:
    """A batch with 0 for what has a leading axis of models and None for what is shared."""
    axes: Any = (0 if leaf.ndim > own else None for leaf, own in zip(batch, (2, 2, 1, 0), strict=True))
    return Batch(*axes)


def _mean_of_running(values: np.ndarray) -> float:
    """Mean over the models that still train; NaN when none does."""
    running = values[np.isfinite(values)]
    return float(np.mean(running)) if len(running) else float("nan")


def _where(condition: Array, new: Any, old: Any) -> Any:
    return jax.tree.map(lambda a, b: jnp.where(condition, a, b), new, old)


def _check(objectives, data, rngs, recipe, validation) -> None:
    if len(rngs) != len(objectives) or not objectives:
        raise ValueError(f"expected one random generator for each model; got {len(rngs)} for {len(objectives)} models.")
    for name in ("steps", "chunk", "batch_size", "patience"):
        value = getattr(recipe, name)
        if value is not None and value < 1:
            raise ValueError(f"`{name}` must be at least 1; got {value}.")
    rates = np.asarray(recipe.learning_rate)
    if not np.all(rates > 0) or rates.shape not in {(), (len(objectives),)}:
        raise ValueError(
            f"`learning_rate` must be positive, one or one for each of {len(objectives)} models; "
            f"got {recipe.learning_rate}."
        )
    if recipe.patience is not None and validation is None:
        raise ValueError("`patience` counts looks at validation rows, and there are none; give `validation`.")
    if recipe.decay not in LEARNING_RATES:
        raise ValueError(f"unknown decay {recipe.decay!r}; known ones are {', '.join(LEARNING_RATES)}.")
    whole = objectives[0].full_batch
    if whole and (recipe.batch_size is not None or validation is not None):
        name = type(objectives[0]).__name__
        raise ValueError(f"{name} needs all rows at each step: leave `batch_size` and early stopping out.")
