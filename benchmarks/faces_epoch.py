"""Image features: an epoch of LUNA beside one of an ordinary neural linear model, and the memory that training takes.

21,000 made-up rows, one hidden layer of 500 ReLU units, batches of 1024, as for the faces. Each measurement has a
process of its own; an epoch is the difference between fits of more and of fewer epochs, so that compiling and Step II
do not count. Memory is how far the process rises above its state before `fit`.
"""

import json
import sys

import numpy as np

from benchmarks import extra_memory, in_new_process, row, seconds
from unabases import LUNA, NeuralLinear

ROWS, BATCH, HIDDEN = 21_000, 1024, (500,)
MOST_RATIO, MOST_MEGABYTES = 5.0, 2000.0


def run(quick: bool) -> list[dict]:
    repeats = 1 if quick else 3
    rows = []
    ours, theirs = (
        float(np.median([in_new_process(__name__, kind, 256, 20)["epoch"] for _ in range(repeats)]))
        for kind in ("LUNA", "MAP")
    )
    rows.append(row("21,000 × 256: an epoch", ours, theirs, ratio=ours / theirs, most=MOST_RATIO))
    for d, M in ((256, 20), (1000, 20), (1000, 50)):
        found = in_new_process(__name__, "LUNA", d, M)
        rows.append(
            row(f"21,000 × {d}, M = {M}: memory in training", found["megabytes"], unit="MB", most=MOST_MEGABYTES)
        )
    return rows


def measure(kind: str, d: int, n_heads: int) -> dict:
    """Seconds of an epoch, and megabytes of a fit."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((ROWS, d))
    y = X[:, :5].sum(axis=1) + rng.standard_normal(ROWS)
    steps = -(-ROWS // BATCH)

    def fit(epochs: int) -> None:
        shared = {"hidden": HIDDEN, "batch_size": BATCH, "sigma2": 1.0, "steps": epochs * steps, "random_state": 0}
        model = LUNA(n_heads=n_heads, **shared) if kind == "LUNA" else NeuralLinear(**shared)
        model.fit(X, y)

    found: dict = {}
    with extra_memory(found):
        fit(1)
    short, long = (min(seconds(lambda e=epochs: fit(e)) for _ in range(2)) for epochs in (1, 5))
    return {"epoch": (long - short) / 4, **found}


if __name__ == "__main__":
    print(json.dumps(measure(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))))
