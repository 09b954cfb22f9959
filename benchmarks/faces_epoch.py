"""Image features: an epoch of LUNA beside one of an ordinary neural linear model, and the memory that training takes.

21,000 made-up rows, one hidden layer of 500 ReLU units, batches of 1024, as for the faces. An epoch is the difference
between fits of more and of fewer epochs, so that compiling and Step II do not count, in processor time, which a busy
machine changes little. LUNA's penalty takes slopes along 64 random directions at each of 64 points, its default, or
along every input. Memory is how far a process of its own rises above its state before `fit`.
"""

import json
import sys
import time
from typing import Any

import numpy as np

from benchmarks import extra_memory, in_new_process, row
from unabases import LUNA, NeuralLinear

ROWS, BATCH, HIDDEN = 21_000, 1024, (500,)
FEWER, MORE = 1, 11  # epochs
DIRECTIONS = {"64 directions": 64, "every input": None}  # of LUNA's slopes
MOST_RATIO, MOST_MEGABYTES = 3.0, 2000.0


def run(quick: bool) -> list[dict]:
    epoch = in_new_process(__name__, "epoch", 1 if quick else 2)
    rows = [
        row(f"21,000 × 256, {name}: an epoch", ours := epoch[name], theirs := epoch["MAP"],
            ratio=ours / theirs, most=None if number is None else MOST_RATIO)
        for name, number in DIRECTIONS.items()
    ]  # fmt: skip
    for d, M in ((256, 20), (1000, 20), (1000, 50)):
        found = in_new_process(__name__, "memory", d, M)
        rows.append(
            row(f"21,000 × {d}, M = {M}: memory in training", found["megabytes"], unit="MB", most=MOST_MEGABYTES)
        )
    return rows


def measure_epoch(repeats: int) -> dict:
    """Seconds of the processor in an epoch of each model."""
    X, y = data(256)
    models = {**{name: {"n_directions": number} for name, number in DIRECTIONS.items()}, "MAP": None}
    found = {}
    for name, penalty in models.items():
        times = []
        for epochs in (FEWER, MORE) * (1 + repeats):  # the first two compile
            begin = time.process_time()
            fit(X, y, epochs, penalty)
            times.append(time.process_time() - begin)
        found[name] = float(np.mean(np.diff(times[2:])[::2])) / (MORE - FEWER)
    return found


def measure_memory(d: int, n_heads: int) -> dict:
    """Megabytes of a fit."""
    X, y = data(d)
    found: dict = {}
    with extra_memory(found):
        fit(X, y, 1, {"n_heads": n_heads})
    return found


def data(d: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    X = rng.standard_normal((ROWS, d))
    return X, X[:, :5].sum(axis=1) + rng.standard_normal(ROWS)


def fit(X: np.ndarray, y: np.ndarray, epochs: int, penalty: dict[str, Any] | None) -> None:
    """Train LUNA with this penalty, or by MAP without one."""
    steps = epochs * -(-ROWS // BATCH)
    shared: dict[str, Any] = {
        "hidden_layer_sizes": HIDDEN,
        "batch_size": BATCH,
        "optimizer": "adam",
        "sigma2": 1.0,
        "max_steps": steps,
        "random_state": 0,
    }
    (NeuralLinear(**shared) if penalty is None else LUNA(**shared, **penalty)).fit(X, y)


if __name__ == "__main__":
    what, *numbers = sys.argv[1:]
    measure = {"epoch": measure_epoch, "memory": measure_memory}[what]
    print(json.dumps(measure(*map(int, numbers))))
