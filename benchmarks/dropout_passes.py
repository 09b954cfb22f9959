"""A thousand dropout passes over a thousand rows in one call, compared with a Python loop over them in PyTorch."""

import numpy as np

from benchmarks import median_seconds, row
from benchmarks.luna_step import import_torch
from unabases import MCDropout

ROWS, PASSES, WIDTHS = 1000, 1000, (50, 50)


def run(quick: bool) -> list[dict]:
    torch = import_torch()
    rng = np.random.default_rng(0)
    X = rng.standard_normal((ROWS, 13))
    y = np.sin(X[:, 0]) + 0.1 * rng.standard_normal(ROWS)
    model = MCDropout(n_passes=PASSES, hidden_layer_sizes=WIDTHS, sigma2=0.01, max_steps=100, random_state=0).fit(X, y)
    nn = torch.nn
    network = nn.Sequential(
        nn.Linear(13, 50), nn.ReLU(), nn.Dropout(0.05), nn.Linear(50, 50), nn.ReLU(), nn.Dropout(0.05), nn.Linear(50, 1)
    ).train()
    rows = torch.tensor(X, dtype=torch.float32)

    def theirs() -> None:
        with torch.no_grad():
            torch.stack([network(rows) for _ in range(PASSES)])

    torch.set_num_threads(2)
    model.predict(X, return_std=True)
    theirs()
    mine, other = median_seconds(3 if quick else 5, lambda: model.predict(X, return_std=True), theirs)
    return [row(f"{PASSES} passes over {ROWS} rows: mean and std", mine, other, ratio=other / mine)]
