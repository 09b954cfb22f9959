"""The one training loop: many models in one compiled program, on all cores."""

import contextlib
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
from unabases.training.batches import Shuffle
from unabases.training.compilation import release_programs, use_compilation_cache
from unabases.training.cores import usable_cores
from unabases.training.devices import is_on_cpu, on_this_device
from unabases.training.recipe import AUTO, LEARNING_RATES, Optimizer, Recipe

OnChunk = Callable[[int, dict[str, float]], None]
"""Called after each chunk with the steps just done and the mean of each term of the loss."""

_COMPILING = threading.Lock()  # held for the first chunk, so that threads with equal programs compile once


class Trained(NamedTuple):
    """B trained models, along the leading axis of every array."""

    params: Params
    history: dict[str, Float[np.ndarray, "B steps"]]
    """Each term of the loss at each step; NaN after a model has stopped. With validation rows, `validation` is their
    loss at the last step of every chunk, NaN between."""
    finite: Bool[np.ndarray, " B"]
    """False where training diverged."""
    stopped: Int[np.ndarray, " B"]
    """The step whose weights were kept: the best by the validation rows, or the last one without them."""


class _Models(NamedTuple):
    """Models to train together, and all that belongs to each of them."""

    objectives: Sequence[AbstractObjective]
    params: Params
    data: Batch
    validation: Batch | None
    rngs: Sequence[np.random.Generator]
    rate: Float[np.ndarray, " B"]
    wanted: int
    """How many of them, from the first; the others only make up the number, and do not train."""


class _Program(NamedTuple):
    """What a program is compiled for: everything that is not an array."""

    static: Any  # of the network
    structure: Any  # of the objective
    optimizer: Optimizer
    patience: int | None


class _Fixed(NamedTuple):
    """Arrays that training reads but does not change."""

    hyper: Any  # hyper-parameters of the objective
    frozen: Any  # arrays of the network that are not trained
    data: Batch
    validation: Batch | None


class _Inputs(NamedTuple):
    """What the steps of a chunk need from outside; leading axes are the model and the step."""

    draws: Any
    rows: Any
    rate: Any


class _Span(NamedTuple):
    """Steps done before a chunk, and steps in it."""

    begin: Any
    count: Any


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
    """Train B models side by side: each minimises its own objective from its own start.

    A model's result does not depend on which others are trained beside it.

    Parameters
    ----------
    objectives : sequence of B AbstractObjective
        One for each model; they may differ in their hyper-parameters but not in their structure.
    params : pytree
        What `AbstractObjective.init` made, stacked along a leading axis of length B.
    data, validation : Batch
        Rows shared by all models, or with a leading axis of length B on any of the arrays: models on different
        splits share `X` and `y` and differ in `weight`. With `validation` rows, the weights that are best on them are
        kept.
    rngs : sequence of B numpy.random.Generator
        A generator for each model, for mini batches and whatever the objective draws.
    recipe : Recipe, optional
        Steps, learning rate, mini batches, early stopping; `Recipe()` by default.
    optimizer : callable
        A function of the learning rate, such as `optax.adam` or `optax.sgd`.
    on_chunk : callable, optional
        `on_chunk(steps, terms)` is called after each chunk of steps; it may raise to stop training.
    threads : int, optional
        In how many threads to run shares of the models; by default on all cores, and one on an accelerator.

    Returns
    -------
    Trained
        Weights, the history of every term of the loss, and which models diverged.

    Examples
    --------
    A line through four points, fitted by two models that differ in their weight penalty:

    >>> from unabases.objectives import map_objective
    >>> from unabases.training import make_batch
    >>> X = np.array([[0.0], [1.0], [2.0], [3.0]])
    >>> objectives = [map_objective(np.array([1.0]), gamma) for gamma in (0.0, 10.0)]
    >>> starts = [objective.init(lambda x: x, 1, 1, key=jax.random.key(0)) for objective in objectives]
    >>> stacked = jax.tree.map(lambda *v: np.stack(v) if eqx.is_array(v[0]) else v[0], *starts)
    >>> rngs = [np.random.default_rng(i) for i in range(2)]
    >>> recipe = Recipe(steps=1000, learning_rate=0.1)
    >>> trained = train(objectives, stacked, make_batch(X, 2 * X + 1), rngs=rngs, recipe=recipe)
    >>> trained.params.W[:, 0, 0].round(1)  # slope and intercept of each
    array([[2. , 1. ],
           [0.9, 0.4]], dtype=float32)
    """
    use_compilation_cache()
    with _COMPILING:
        release_programs()
    recipe = recipe or Recipe()
    _check(objectives, rngs, recipe, validation)
    B = len(objectives)
    share = -(-B // min(B, threads or (usable_cores() if is_on_cpu() else 1)))
    threads = -(-B // share)
    fewest = int(np.min(np.sum(np.asarray(data.weight) > 0, axis=-1)))
    recipe = recipe._replace(batch_size=None if objectives[0].full_batch else recipe.batch_of(fewest))
    rate = np.broadcast_to(np.asarray(recipe.learning_rate, np.float64), (B,))
    models = _Models(objectives, params, data, validation, rngs, rate, B)
    stop = threading.Event()

    def run(start: int) -> Trained:
        members = [min(i, B - 1) for i in range(start, start + share)]  # equal shares compile once; extras are idle
        with jax.enable_x64(objectives[0].dtype == "float64"):
            return _train_share(
                _some(models, members, start), recipe, optimizer, on_chunk if start == 0 else None, stop
            )

    if threads == 1:
        return run(0)
    with ThreadPoolExecutor(threads) as pool:
        futures = [pool.submit(on_this_device(run), start) for start in range(0, share * threads, share)]
        try:
            for future in as_completed(futures):
                future.result()
        except BaseException:
            stop.set()  # Ctrl-C or an error: the other threads end at their next chunk
            raise
    parts = [future.result() for future in futures]
    return jax.tree.map(lambda *leaves: np.concatenate(leaves)[:B] if eqx.is_array(leaves[0]) else leaves[0], *parts)


def _train_share(
    models: _Models, recipe: Recipe, optimizer: Optimizer, on_chunk: OnChunk | None, stop: threading.Event
) -> Trained:
    """Train some of the models in this thread."""
    objectives, data, rngs, dtype = models.objectives, models.data, models.rngs, models.objectives[0].dtype
    B, T, chunk, size = len(objectives), recipe.steps, recipe.chunk, recipe.batch_size
    assert not isinstance(size, str)  # `train` has settled it
    rows = [np.flatnonzero(weight > 0) for weight in np.broadcast_to(data.weight, (B, data.weight.shape[-1]))]
    shuffles = [Shuffle(r, rng) for r, rng in zip(rows, rngs, strict=True)]
    arrays, rest = eqx.partition(models.params, trainable(models.params))
    frozen, static = eqx.partition(rest, eqx.is_array)  # they belong to a model but are not trained
    arrays = jax.tree.map(lambda leaf: np.asarray(leaf, dtype), arrays)
    state = _start_all(optimizer, arrays, models.rate.astype(dtype))
    state = state._replace(active=np.arange(B) < models.wanted)
    hyper, structure = eqx.partition(_stack(objectives, dtype), eqx.is_array)
    program = _Program(static, structure, optimizer, recipe.patience)
    fixed = _Fixed(hyper, frozen, data, models.validation)
    parts: list[dict[str, np.ndarray]] = []
    for begin in range(0, T, chunk):
        if stop.is_set():
            raise InterruptedError("training was stopped")
        count = min(chunk, T - begin)
        progress = np.minimum(np.arange(begin + 1, begin + chunk + 1) / T, 1.0)
        draws = [
            objective.draw(rng, progress, r if size is None else np.arange(size), data.X.shape[-1])
            for objective, rng, r in zip(objectives, rngs, rows, strict=True)
        ]
        inputs = _Inputs(
            draws=jax.tree.map(lambda *leaves: np.stack(leaves), *draws),
            rows=None if size is None else np.stack([shuffle.take(chunk, size) for shuffle in shuffles]),
            rate=(models.rate[:, None] * LEARNING_RATES[recipe.decay](progress - 1 / T)).astype(dtype),
        )
        with _COMPILING if begin == 0 else contextlib.nullcontext():
            state, terms = _run_chunk(program, fixed, state, inputs, _Span(np.int32(begin), np.int32(count)))
            parts.append({name: np.asarray(values)[:, :count] for name, values in terms.items()})
            state = state._replace(active=np.asarray(state.active) & _finite(state.params))
        if on_chunk is not None:
            on_chunk(count, {name: _mean_of_running(values[:, -1]) for name, values in parts[-1].items()})
        if not np.any(state.active):
            break
    final = state.params if models.validation is None else state.best
    finite = _finite(final)
    if models.validation is not None:
        finite &= np.isfinite(state.best_loss)
    history = {name: np.concatenate([part[name] for part in parts], axis=1) for name in parts[0]}
    taken = np.sum(np.isfinite(history["loss"]), axis=1)
    return Trained(
        params=jax.tree.map(
            lambda leaf: np.asarray(leaf) if eqx.is_array(leaf) else leaf, eqx.combine(final, frozen, static)
        ),
        history={name: np.pad(v, ((0, 0), (0, T - v.shape[1])), constant_values=np.nan) for name, v in history.items()},
        finite=finite,
        stopped=taken if models.validation is None else np.asarray(state.kept),
    )


@eqx.filter_jit
def _run_chunk(
    program: _Program, fixed: _Fixed, state: _State, inputs: _Inputs, span: _Span
) -> tuple[_State, dict[str, Array]]:
    """Some steps of every model, in one program; at the end a look at the validation rows."""

    def one(fixed: _Fixed, state: _State, inputs: _Inputs) -> tuple[_State, dict[str, Array]]:
        objective = eqx.combine(fixed.hyper, program.structure)

        def network(arrays):
            return eqx.combine(arrays, fixed.frozen, program.static)

        def loss(arrays, now):
            batch = fixed.data if now.rows is None else fixed.data.take(now.rows)
            return objective.loss(network(arrays), batch, now.draws)

        def step(i, carry):
            params, opt_state, history = carry
            now = jax.tree.map(lambda leaf: leaf[i], inputs)
            (_, terms), grads = jax.value_and_grad(loss, has_aux=True)(params, now)
            updates, opt_state = program.optimizer(now.rate).update(grads, opt_state, params)
            history |= {name: history[name].at[i].set(term) for name, term in terms.items()}
            return optax.apply_updates(params, updates), opt_state, history

        def work(state: _State, history: dict[str, Array]) -> tuple[_State, dict[str, Array]]:
            carry = (state.params, state.optimizer, history)
            params, opt_state, history = jax.lax.fori_loop(0, span.count, step, carry)
            state = state._replace(params=params, optimizer=opt_state)
            if fixed.validation is None:
                return state, history
            held_out = objective.validate(network(params), fixed.validation)
            history |= {"validation": history["validation"].at[span.count - 1].set(held_out)}
            better = held_out < state.best_loss
            waited = jnp.where(better, 0, state.waited + 1)
            patience = program.patience
            state = state._replace(
                best=_where(better, params, state.best),
                best_loss=jnp.where(better, held_out, state.best_loss),
                kept=jnp.where(better, span.begin + span.count, state.kept),
                waited=waited,
                active=state.active if patience is None else state.active & (waited < patience),
            )
            return state, history

        terms = jax.eval_shape(loss, state.params, jax.tree.map(lambda leaf: leaf[0], inputs))[1]
        if fixed.validation is not None:
            terms |= {"validation": state.best_loss}
        nothing = {name: jnp.full(inputs.rate.shape, jnp.nan, term.dtype) for name, term in terms.items()}
        return jax.lax.cond(state.active, work, lambda *both: both, state, nothing)

    validation = None if fixed.validation is None else _axes(fixed.validation)
    return _each(one, (_Fixed(0, 0, _axes(fixed.data), validation), 0, 0), (fixed, state, inputs))


def _each(one: Callable, axes: tuple, arguments: tuple) -> Any:
    """Apply `one` to every model: side by side on an accelerator, in turn on a CPU.

    XLA's matrix products on a CPU are fastest for one model at a time; the cores are shared out by threads.
    """
    if not is_on_cpu():
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


@eqx.filter_jit
def _start_all(optimizer: Optimizer, arrays: Any, rates: Float[Array | np.ndarray, " B"]) -> _State:
    """Where every model stands before the first step, in one program, as each that is compiled takes time."""

    def start(arrays: Any, rate: Array) -> _State:
        return _State(
            params=arrays,
            optimizer=optimizer(rate).init(arrays),
            best=arrays,
            best_loss=jnp.asarray(jnp.inf, rate.dtype),
            waited=jnp.zeros((), jnp.int32),
            active=jnp.asarray(True),
            kept=jnp.zeros((), jnp.int32),
        )

    return jax.vmap(start)(arrays, jnp.asarray(rates))


def _finite(params: Any) -> Bool[np.ndarray, " B"]:
    """Which models have no weight that is infinite or undefined."""
    leaves = [np.asarray(leaf) for leaf in jax.tree.leaves(params)]
    return np.all([np.isfinite(leaf.reshape(len(leaf), -1)).all(axis=1) for leaf in leaves], axis=0)


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


def _some(models: _Models, members: Sequence[int], start: int) -> _Models:
    """Some of the models; rows that are shared stay shared, and a model that repeats another draws for itself."""
    chosen, n = np.array(members), len(models.objectives)

    def rows(batch: Batch) -> Batch:
        return Batch(*(leaf if axis is None else leaf[chosen] for leaf, axis in zip(batch, _axes(batch), strict=True)))

    return _Models(
        objectives=[models.objectives[i] for i in members],
        params=jax.tree.map(lambda leaf: leaf[chosen] if eqx.is_array(leaf) else leaf, models.params),
        data=rows(models.data),
        validation=None if models.validation is None else rows(models.validation),
        rngs=[models.rngs[i] if i < n else np.random.default_rng(i - n) for i in range(start, start + len(members))],
        rate=models.rate[members],
        wanted=min(len(members), n - start),
    )


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


def _check(
    objectives: Sequence[AbstractObjective],
    rngs: Sequence[np.random.Generator],
    recipe: Recipe,
    validation: Batch | None,
) -> None:
    if len(rngs) != len(objectives) or not objectives:
        raise ValueError(f"expected one random generator for each model; got {len(rngs)} for {len(objectives)} models.")
    recipe.check(len(objectives))
    if recipe.patience is not None and validation is None:
        raise ValueError("`patience` counts looks at validation rows, and there are none; give `validation`.")
    if objectives[0].full_batch and (recipe.batch_size not in (None, AUTO) or validation is not None):
        name = type(objectives[0]).__name__
        raise ValueError(f"{name} needs all rows at each step: leave `batch_size` and early stopping out.")
