"""Where a training step of LUNA spends its time, and which share of the matrix product's rate each part reaches.

    python -m benchmarks.luna_parts

Sizes are those of small tables, where the penalty looks at all rows, and of large ones with the default 64 points; rows
beyond 4,096 come in batches of 512. A step has three parts: the fit of the heads to the rows, the penalty on their
slopes, both forward and backward, and Adam. Beside them stands the product of the penalty's rows with the weights of
the second layer, and back: no step can be nearer to the rate than its products are. Operations are those that XLA
counts in the compiled part. Times are those of the processor, all threads together, and the matrix product has one
thread, so a share is that of the cores in use.
"""

import time
from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax
from threadpoolctl import threadpool_limits

from benchmarks.luna_step import WIDTHS, make_data, objective, start
from unabases.objectives import AtData, Between, Una
from unabases.regressors.networks.step_one import take_member
from unabases.training import make_batch

POINTS, BATCH, FEW = 64, 512, 1000
LEAST_SECONDS, REPEATS = 0.05, 4
SHAPES = {"100×1": (100, 1), "270×13": (270, 13), "4096×50": (4096, 50), "21,000×256": (21_000, 256)}


class Part(NamedTuple):
    """What it costs once."""

    seconds: float
    operations: float


def cost(change: Callable[[Any], Any], start: Any) -> Part:
    """Processor time of a part that is computed again and again, and the operations that XLA counts in it once.

    `change` says in which direction the argument goes on. A loop in one program spares the time to start programs.
    """

    def turn(_: int, now: Any) -> Any:
        return jax.tree.map(lambda leaf, step: leaf - 1e-6 * step, now, change(now))

    loop = jax.jit(lambda now, turns: jax.lax.fori_loop(0, turns, turn, now))
    operations = jax.jit(change).lower(start).compile().cost_analysis()["flops"]
    jax.block_until_ready(loop(start, 1))
    turns = 8
    while (took := _processor(loop, start, turns)) < LEAST_SECONDS:
        turns *= 4
    return Part(min(took, *(_processor(loop, start, turns) for _ in range(REPEATS))) / turns, operations)


def _processor(loop: Callable, start: Any, turns: int) -> float:
    begin = time.process_time()
    jax.block_until_ready(loop(start, turns))
    return time.process_time() - begin


def parts_of(n: int, d: int) -> dict[str, Part]:
    """The parts of a step on so many rows and inputs."""
    X, y = make_data(n if n <= 4096 else BATCH, d)
    params, batch = jax.tree.map(jnp.asarray, (take_member(start(d), 0), make_batch(X, y)))
    term = objective(start(d), where=AtData() if n <= FEW else Between(POINTS)).terms[0]
    rng = np.random.default_rng(0)
    drawn = term.where.draw(rng, 1, np.arange(len(X))), term.draw(rng, 1, d)
    place, draws = (jax.tree.map(lambda leaf: jnp.asarray(leaf)[0], part) for part in drawn)
    fit = Una(sigma2=np.array([0.1], np.float32), gamma=np.float32(0.01), n_heads=20)
    adam = optax.adam(1e-2)
    state, (h, k) = adam.init(params), WIDTHS
    moved = (d + 1) * n if n <= FEW else d * POINTS  # rows that the penalty sends through the network
    A, B = jnp.ones((moved, h)), jnp.ones((h, k))
    return {
        "fit": cost(jax.grad(lambda heads: fit.loss(heads, batch, ())[0]), params),
        "penalty": cost(jax.grad(lambda heads: term.value(heads, term.where(batch, place), draws)), params),
        "Adam": cost(lambda heads: adam.update(heads, state, heads)[0], params),
        "its largest product alone": cost(lambda pair: (pair[0] @ pair[1] @ B.T, B), (A, B)),
    }


def product_rate(size: int = 1024) -> float:
    """Operations a second of a float32 matrix product on one core."""
    A = np.random.default_rng(0).standard_normal((size, size)).astype(np.float32)
    with threadpool_limits(1):
        took = []
        for _ in range(10):
            begin = time.process_time()
            np.matmul(A, A)
            took.append(time.process_time() - begin)
    return 2 * size**3 / min(took)


def main() -> None:
    """Print a table."""
    rate = product_rate()
    print(f"a matrix product on one core: {rate / 1e9:.0f} GFLOP/s\n")
    print("| rows × inputs | part | µs | million operations | share of the product's rate |")
    print("| --- | --- | --- | --- | --- |")
    for name, (n, d) in SHAPES.items():
        parts = parts_of(n, d)
        step = [parts[part] for part in ("fit", "penalty", "Adam")]
        parts["a step"] = Part(*(sum(column) for column in zip(*step, strict=True)))
        for part, (took, operations) in parts.items():
            share = operations / took / rate
            print(f"| {name} | {part} | {took * 1e6:.0f} | {operations / 1e6:.2f} | {share:.2f} |", flush=True)


if __name__ == "__main__":
    main()
