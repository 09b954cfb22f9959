"""Image features: an epoch of LUNA beside one of an ordinary neural linear model, and the memory that training takes.

21,000 made-up rows, one hidden layer of 500 ReLU units, batches of 1024, as for the faces. An epoch is the difference
between fits of more and of fewer epochs, so that compiling and Step II do not count; the two models take turns. Memory
is how far a process of its own rises above its state before `fit`.
"""

import json
import sys

import numpy as np

from benchmarks import extra_memory, in_new_process, median_seconds, row
from unabases import LUNA, NeuralLinear

ROWS, BATCH, HIDDEN = 21_000, 1024, (500,)
FEWER, MORE = 1, 4  # epochs
MOST_RATIO, MOST_MEGABYTES = 5.0, 2000.0


def run(quick: bool) -> list[dict]:
    epoch = in_new_process(__name__, "epoch", 1 if quick else 3)
    ours, theirs = epoch["LUNA"], epoch["MAP"]
    rows = [row("21,000 × 256: an epoch", ours, theirs, ratio=ours / theirs, most=MOST_RATIO)]
    for d, M in ((256, 20), (1000, 20), (1000, 50)):
        found = in_new_process(__name__, "memory", d, M)
        rows.append(
            row(f"21,000 × {d}, M = {M}: memory in training", found["megabytes"], unit="MB", most=MOST_MEGABYTES)
        )
    return rows


def measure_epoch(repeats: int) -> dict:
    """Seconds of an epoch of each model."""
    X, y = data(256)
    kinds = [(kind, epochs) for kind in ("LUNA", "MAP") for epochs in (FEWER, MORE)]
    for kind, epochs in kinds:
        fit(X, y, kind, epochs)  # compiles
    times = median_seconds(repeats, *(lambda k=kind, e=epochs: fit(X, y, k, e) for kind, epochs in kinds))
    return {"LUNA": (times[1] - times[0]) / (MORE - FEWER), "MAP": (times[3] - times[2]) / (MORE - FEWER)}


def measure_memory(d: int, n_heads: int) -> dict:
    """Megabytes of a fit."""
    X, y = data(d)
    found: dict = {}
    with extra_memory(found):
        fit(X, y, "LUNA", 1, n_heads)
    return found


def data(d: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    X = rng.standard_normal((ROWS, d))
    return X, X[:, :5].sum(axis=1) + rng.standard_normal(ROWS)


def fit(X: np.ndarray, y: np.ndarray, kind: str, epochs: int, n_heads: int = 20) -> None:
    steps = epochs * -(-ROWS // BATCH)
    shared = {"hidden": HIDDEN, "batch_size": BATCH, "sigma2": 1.0, "steps": steps, "random_state": 0}
    (LUNA(n_heads=n_heads, **shared) if kind == "LUNA" else NeuralLinear(**shared)).fit(X, y)


if __name__ == "__main__":
    what, *numbers = sys.argv[1:]
    measure = {"epoch": measure_epoch, "memory": measure_memory}[what]
    print(json.dumps(measure(*map(int, numbers))))
