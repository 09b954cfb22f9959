"""Hamiltonian Monte Carlo over the weights of a network: chains that adapt, then sample, in chunks of iterations.

Weights are θ = std · u with a standard normal prior on u, so that all directions start on one scale. One compiled
program makes an iteration of either phase; it depends on shapes only, not on how many iterations or which data.

BlackJAX computes when it is imported, and so starts JAX, after which a process cannot fork. It is imported where it is
used, first by `run_chains`: imported within a compiled function, it would keep values of that one.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jax.flatten_util import ravel_pytree
from jaxtyping import Array, Bool, Float, Int

from unabases.objectives.base import Batch
from unabases.training import use_compilation_cache
from unabases.training.cores import usable_cores
from unabases.training.devices import is_on_cpu, on_this_device
from unabases.training.loop import OnChunk

SAMPLERS = ("nuts", "hmc")
_CHUNK = 10  # iterations between looks at progress and Ctrl-C
_FAST, _SLOW, _SAMPLE = 0, 1, 2  # adapt the step size; the metric as well; neither
_FIRST_STEP_SIZE = 0.1


class Sampler(NamedTuple):
    """How to move: the kind, and the most doublings (NUTS) or leapfrog steps (HMC) of a trajectory."""

    kind: str
    most: int


class Target(NamedTuple):
    """The arrays of p(u | data): of the network, of the prior, the data and its noise."""

    like: Any  # trained arrays, for their shapes
    frozen: Any
    std: Float[np.ndarray | Array, " D"]
    batch: Batch
    sigma2: Float[np.ndarray | Array, " p"]


class Draws(NamedTuple):
    """What C chains gave: K kept positions u of each, and something about every one of N iterations."""

    positions: Float[np.ndarray, "C K D"]
    log_density: Float[np.ndarray, "C N"]
    acceptance: Float[np.ndarray, "C N"]
    leapfrog: Int[np.ndarray, "C N"]
    divergent: Bool[np.ndarray, "C N"]
    step_size: Float[np.ndarray, " C"]


class _Chain(NamedTuple):
    """Where one chain stands: its state, and what it has learned of step size and metric."""

    state: Any
    step: Any
    metric: Any


class _Record(NamedTuple):
    """One iteration, or many; NumPy outside the compiled program, JAX inside."""

    position: Any
    log_density: Any
    acceptance: Any
    leapfrog: Any
    divergent: Any


def run_chains(
    static: Any,
    target: Target,
    starts: Float[np.ndarray, "C D"],
    *,
    sampler: Sampler,
    n_warmup: int,
    n_samples: int,
    thin: int,
    target_accept: float,
    rng: np.random.Generator,
    on_chunk: OnChunk | None = None,
) -> Draws:
    """Adapt step size and diagonal metric of each chain, then sample and keep every `thin`-th draw.

    `static` is what of the network is no array. On a CPU each chain runs in a thread of its own, since chains side
    by side in one program would all wait for the longest trajectory; on an accelerator they do run side by side.
    """
    from blackjax.adaptation.window_adaptation import build_schedule

    use_compilation_cache()
    C, total = len(starts), n_warmup + n_samples
    stages = np.array([*build_schedule(n_warmup), *[(_SAMPLE, False)] * n_samples], dtype=np.int32)
    stages = np.pad(stages, ((0, -total % _CHUNK), (0, 0)))
    keys = rng.integers(0, 2**32, (C, 2), dtype=np.uint32)
    groups = _groups(C)

    def begin(group: list[int]) -> _Chain:
        with jax.enable_x64(False):
            return _begin(static, target, starts[group].astype(np.float32))

    def advance(group: list[int], chain: _Chain, at: int) -> tuple[_Chain, _Record]:
        span = (np.int32(at), np.int32(min(_CHUNK, total - at)))
        with jax.enable_x64(False):
            chain, record = _advance(
                static, sampler, target, np.float32(target_accept), chain, keys[group], stages[at : at + _CHUNK], span
            )
            return chain, jax.tree.map(lambda leaf: np.asarray(leaf)[:, : span[1]], record)

    chains = [begin(group) for group in groups]
    kept: list[np.ndarray] = []
    told: list[tuple[np.ndarray, ...]] = []
    with ThreadPoolExecutor(min(len(groups), usable_cores())) as pool:
        for at in range(0, total, _CHUNK):
            run: Callable = map if at == 0 else pool.map  # the first one compiles, which is to happen once
            results = list(run(on_this_device(advance), groups, chains, [at] * len(groups)))
            chains = [chain for chain, _ in results]
            record = _Record(*(np.concatenate(leaves) for leaves in zip(*(r for _, r in results), strict=True)))
            number = np.arange(at, at + record.acceptance.shape[1]) - n_warmup + 1  # of the draw, from 1
            kept.append(record.position[:, (number > 0) & (number % thin == 0)])
            told.append(tuple(leaf[:, number > 0] for leaf in record[1:]))
            if on_chunk is not None:
                on_chunk(len(number), {"loss": -float(np.mean(record.log_density[:, -1]))})
    log_density, acceptance, leapfrog, divergent = (np.concatenate(parts, axis=1) for parts in zip(*told, strict=True))
    step_size = np.exp(np.concatenate([np.asarray(chain.step.log_step_size_avg) for chain in chains]))
    return Draws(np.concatenate(kept, axis=1), log_density, acceptance, leapfrog, divergent, step_size)


def _groups(C: int) -> list[list[int]]:
    """Which chains run side by side in one program."""
    return [[c] for c in range(C)] if is_on_cpu() else [list(range(C))]


def flatten(tree: Any) -> Float[np.ndarray, " D"]:
    """All arrays of a network as one vector, in the order that chains use."""
    return np.concatenate([np.asarray(leaf, np.float32).ravel() for leaf in jax.tree.leaves(tree)])


def unflatten(like: Any, vectors: Float[np.ndarray, "M D"]) -> Any:
    """Vectors as a stack of trees like one."""
    leaves, structure = jax.tree.flatten(like)
    parts = np.split(vectors, np.cumsum([leaf.size for leaf in leaves])[:-1], axis=1)
    stacked = [part.reshape(-1, *leaf.shape) for part, leaf in zip(parts, leaves, strict=True)]
    return jax.tree.unflatten(structure, stacked)


def _log_density(static: Any, target: Target) -> Callable[[Array], Array]:
    """Log p(u | data) up to a constant, as a function of u."""
    _, unravel = ravel_pytree(target.like)

    def function(u: Array) -> Array:
        network = eqx.combine(unravel(u * target.std), target.frozen, static)
        error = target.batch.y - jax.vmap(network)(target.batch.X)[:, 0]
        misfit = target.batch.weight @ jnp.sum(error**2 / target.sigma2, axis=-1)
        return -0.5 * (misfit + u @ u)

    return function


@eqx.filter_jit
def _begin(static: Any, target: Target, starts: Any) -> _Chain:
    """Chains that have not moved yet."""
    import blackjax
    from blackjax.adaptation.mass_matrix import mass_matrix_adaptation
    from blackjax.adaptation.step_size import dual_averaging_adaptation

    start_step = dual_averaging_adaptation(0.8)[0]
    start_metric = mass_matrix_adaptation()[0]

    def one(u: Array) -> _Chain:
        state = blackjax.hmc.init(u, _log_density(static, target))
        return _strong(_Chain(state, start_step(_FIRST_STEP_SIZE), start_metric(u.size)))

    return jax.vmap(one)(starts)


@eqx.filter_jit
def _advance(static, sampler, target, target_accept, chains, keys, stages, span) -> tuple[_Chain, _Record]:
    """Some iterations of every chain given."""
    from blackjax.adaptation.mass_matrix import mass_matrix_adaptation
    from blackjax.adaptation.step_size import dual_averaging_adaptation

    begin, count = span
    density = _log_density(static, target)
    start_step, update_step, end_step = dual_averaging_adaptation(target_accept)
    _, update_metric, end_metric = mass_matrix_adaptation()

    def iterate(key: Array, stage: Array, ends: Array, chain: _Chain) -> tuple[_Chain, _Record]:
        log_step_size = jnp.where(stage == _SAMPLE, chain.step.log_step_size_avg, chain.step.log_step_size)
        state, info = _move(sampler, key, chain, density, jnp.exp(log_step_size))
        step = update_step(chain.step, info.acceptance_rate)
        metric = _where(stage == _SLOW, update_metric(chain.metric, state.position), chain.metric)
        step = _where(ends, start_step(end_step(step)), step)
        metric = _where(ends, end_metric(metric), metric)
        adapts = stage != _SAMPLE
        moved = _Chain(state, _where(adapts, step, chain.step), _where(adapts, metric, chain.metric))
        record = _Record(
            state.position, state.logdensity, info.acceptance_rate, info.num_integration_steps, info.is_divergent
        )
        return moved, record

    def one(chain: _Chain, key_data: Array) -> tuple[_Chain, _Record]:
        key = jax.random.wrap_key_data(key_data, impl="threefry2x32")

        def body(i: Array, carry: tuple[_Chain, _Record]) -> tuple[_Chain, _Record]:
            stage, ends = stages[i]
            chain, record = iterate(jax.random.fold_in(key, begin + i), stage, ends == 1, carry[0])
            return chain, jax.tree.map(lambda all_, new: all_.at[i].set(new), carry[1], record)

        shapes = jax.eval_shape(iterate, key, stages[0, 0], stages[0, 1] == 1, chain)[1]
        empty = jax.tree.map(lambda leaf: jnp.zeros((_CHUNK, *leaf.shape), leaf.dtype), shapes)
        return jax.lax.fori_loop(0, count, body, (chain, empty))

    if len(keys) > 1:
        return jax.vmap(one)(chains, keys)
    alone = one(jax.tree.map(lambda leaf: leaf[0], chains), keys[0])
    return jax.tree.map(lambda leaf: leaf[None], alone)


def _move(sampler: Sampler, key: Array, chain: _Chain, density: Callable, step_size: Array) -> tuple[Any, Any]:
    """One transition of the sampler."""
    import blackjax

    inverse_mass = chain.metric.inverse_mass_matrix
    if sampler.kind == "nuts":
        kernel = blackjax.nuts.build_kernel()
        return kernel(key, chain.state, density, step_size, inverse_mass, max_num_doublings=sampler.most)
    # Trajectories of one length can return to where they began (Neal 2011, section 3.2).
    key, key_length = jax.random.split(key)
    length = jax.random.randint(key_length, (), -(-sampler.most // 2), sampler.most + 1)
    return blackjax.hmc.build_kernel()(key, chain.state, density, step_size, inverse_mass, length)


def _where(condition: Array, new: Any, old: Any) -> Any:
    return jax.tree.map(lambda a, b: jnp.where(condition, a, b).astype(jnp.asarray(b).dtype), new, old)


def _strong(tree: Any) -> Any:
    """Numbers as arrays of the type that an iteration gives back."""
    return jax.tree.map(lambda leaf: jnp.asarray(leaf, jnp.result_type(leaf)), tree)


def thinning(n_chains: int, n_samples: int, max_draws: int) -> int:
    """Every how many draws one is kept, so that there are at most `max_draws` in all."""
    return -(-n_chains * n_samples // max_draws)


def finite_chains(draws: Draws) -> Sequence[int]:
    """Chains whose every draw is finite."""
    fine = np.isfinite(draws.positions).all(axis=(1, 2)) & np.isfinite(draws.log_density).all(axis=1)
    return np.flatnonzero(fine).tolist()
