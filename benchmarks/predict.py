"""Means and standard deviations of a million rows: `predict(return_std=True)` compared with the bare network.

The bare network is one jitted float32 function from standardised rows to means, in blocks of 8192 rows or in one call,
whichever is faster. Times are processor seconds, the least of several calls. Beside them stands the product that the
std needs, of all features with a factor of their covariance, in float64. The factor is triangular, so half of that is
the least. `UNA` has fewer rows, and as many networks as members.
"""

import json
import sys
import time
import warnings
from collections.abc import Callable
from typing import Any

import jax
import numpy as np
from threadpoolctl import threadpool_limits

from benchmarks import extra_memory, in_new_process, row
from unabases import LUNA, UNA, NeuralLinear

INPUTS, BLOCK, UNA_ROWS = 13, 8192, 20_000


def run(quick: bool) -> list[dict]:
    n, repeats = (200_000, 3) if quick else (1_000_000, 3)
    lines, model, X = [], fitted(), make_rows(n)
    with threadpool_limits(1):
        for one in (model, fitted(NeuralLinear)):
            bare = bare_network(one, X, repeats)
            ours = least_seconds(lambda one=one: one.predict(X, return_std=True), repeats)
            lines.append(
                row(f"{type(one).__name__}, {n:,}×{INPUTS}: mean and std", ours, bare, ratio=ours / bare, most=1.7)
            )
        bare, product = bare_network(model, X, repeats), product_alone(model, n, repeats)
        lines.append(row("the product for the std alone", product, bare, ratio=product / bare))
        una, some = fitted(UNA), X[:UNA_ROWS]
        ours, bare = least_seconds(lambda: una.predict(some, return_std=True), 1), bare * UNA_ROWS / n
        lines.append(
            row(f"UNA, {UNA_ROWS:,}×{INPUTS}: mean and std, beside LUNA's network", ours, bare, ratio=ours / bare)
        )
        alone = least_seconds(lambda: una.predict(some), 1)
        lines.append(
            row(f"UNA, {UNA_ROWS:,}×{INPUTS}: mean alone, beside mean and std", alone, ours, ratio=alone / ours)
        )
    memory = in_new_process("benchmarks.predict", n)["megabytes"]
    return [*lines, row("LUNA: extra memory beyond input and outputs", memory, unit="MB")]


def bare_network(model: Any, X: np.ndarray, repeats: int) -> float:
    """Seconds for the means alone, by the network alone."""
    Z, n = model.x_scale_.apply(X).astype(np.float32), len(X)
    phi, m = model.phi_, np.asarray(model.posterior_.m, np.float32)
    forward = jax.jit(lambda Z: jax.vmap(phi)(Z) @ m[:-1] + m[-1])

    def in_blocks() -> np.ndarray:
        return np.concatenate([np.asarray(forward(Z[i : i + BLOCK])) for i in range(0, n, BLOCK)])

    mean, bare = model.predict(X), model.y_scale_.undo(in_blocks()[:, None])[:, 0]
    np.testing.assert_allclose(mean, bare, atol=1e-3 * float(np.std(mean)))
    return min(least_seconds(in_blocks, repeats), least_seconds(lambda: np.asarray(forward(Z)), repeats))


def product_alone(model: Any, n: int, repeats: int) -> float:
    """Seconds for the product of as many rows of features with a factor of their covariance, block by block."""
    L = model.posterior_.L
    Phi, rows = np.random.default_rng(0).standard_normal((BLOCK // 4, len(L))), range(0, n, BLOCK // 4)
    return least_seconds(lambda: [Phi @ L for _ in rows], repeats)


def least_seconds(function: Callable[[], Any], repeats: int) -> float:
    """Of the processor, after a first call that may compile."""
    function()
    taken = []
    for _ in range(repeats):
        begin = time.process_time()
        function()
        taken.append(time.process_time() - begin)
    return min(taken)


def fitted(kind: Any = LUNA) -> Any:
    """A model of which only the shape matters."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((270, INPUTS))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return kind(sigma2=0.1, max_steps=200, random_state=0).fit(X, np.sin(X[:, 0]) + 0.3 * rng.standard_normal(270))


def make_rows(n: int) -> np.ndarray:
    return np.random.default_rng(1).standard_normal((n, INPUTS))


def weigh(n: int) -> dict:
    """Memory at the peak of a prediction less what it returns; to be run in a process of its own."""
    model, X, found = fitted(), make_rows(n), {}
    model.predict(X[: 2 * BLOCK], return_std=True)
    with extra_memory(found):
        outputs = model.predict(X, return_std=True)
    returned = sum(output.nbytes for output in outputs) / 1e6
    return {"megabytes": max(0.0, found["megabytes"] - returned)}


if __name__ == "__main__":
    print(json.dumps(weigh(int(sys.argv[1]))))
