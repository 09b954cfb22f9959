"""Means and standard deviations of a million rows: `LUNA.predict` compared with the bare network.

The bare network is one jitted float32 function from standardised rows to means, in blocks of 8192 rows or in one call,
whichever is faster.
"""

import json
import sys
import warnings

import jax
import numpy as np

from benchmarks import extra_memory, in_new_process, median_seconds, row
from unabases import LUNA

INPUTS, BLOCK = 13, 8192


def run(quick: bool) -> list[dict]:
    n, repeats = (200_000, 3) if quick else (1_000_000, 3)
    model, X = fitted(), make_rows(n)
    Z = model.x_scale_.apply(X).astype(np.float32)
    phi, m = model.phi_, np.asarray(model.posterior_.m, np.float32)
    forward = jax.jit(lambda Z: jax.vmap(phi)(Z) @ m[:-1] + m[-1])

    def in_blocks() -> np.ndarray:
        return np.concatenate([np.asarray(forward(Z[i : i + BLOCK])) for i in range(0, n, BLOCK)])

    def at_once() -> np.ndarray:
        return np.asarray(forward(Z))

    predict = lambda: model.predict(X, return_std=True)  # noqa: E731
    mean, bare = predict()[0], model.y_scale_.undo(in_blocks()[:, None])[:, 0]
    np.testing.assert_allclose(mean, bare, atol=1e-3 * float(np.std(mean)))
    at_once()
    ours, *others = median_seconds(repeats, predict, in_blocks, at_once)
    other = min(others)
    memory = in_new_process("benchmarks.predict", n)["megabytes"]
    way = "in one call" if other == others[1] else f"blocks of {BLOCK}"
    return [
        row(f"{n:,}×{INPUTS}: mean and std (bare: {way})", ours, other, ratio=ours / other, most=3.0),
        row("extra memory beyond input and outputs", memory, unit="MB"),
    ]


def fitted() -> LUNA:
    """A model of which only the shape matters."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((270, INPUTS))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return LUNA(sigma2=0.1, max_steps=200, random_state=0).fit(X, np.sin(X[:, 0]) + 0.3 * rng.standard_normal(270))


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
