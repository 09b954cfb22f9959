"""How LUNA should train with many rows: by Adam or by Muon, and for how long. On the data, and in a gap.

    python -m benchmarks.luna_steps [--rows 8000 20000 100000] [--ways Adam Muon] [--seeds 0 1]

The tables are those of `una_steps`. Each is fitted twice: as it is, to see the error on new rows, and without the rows
in the middle third of the first column, to see how unsure the model is there. Errors are in units of y's standard
deviation on new rows, log-likelihoods in nats of y divided by it, and the EURC is that of the gap. Seconds are those of
the processor.
"""

import argparse
import itertools
import time
from typing import Any

import numpy as np

from benchmarks.una_steps import Case, cases
from unabases import LUNA
from unabases.metrics import eurc, log_likelihood, rmse

WAYS: dict[str, dict[str, Any]] = {
    "Adam": {"optimizer": "adam"},
    "Adam, 5000 steps": {"optimizer": "adam", "max_steps": 5000},
    "Adam, 8000 steps": {"optimizer": "adam", "max_steps": 8000},
    "Muon": {"optimizer": "muon"},
    "Muon, 3000 steps": {"optimizer": "muon", "max_steps": 3000},
}


def in_gap(X: np.ndarray) -> np.ndarray:
    """Which rows are in the middle third of the first column."""
    low, high = np.quantile(X[:, 0], (1 / 3, 2 / 3))
    return (X[:, 0] > low) & (X[:, 0] < high)


def describe(case: Case, settings: dict[str, Any], seed: int) -> str:
    """What one way makes of a table, in words."""
    spread, began = np.std(case.y_new), time.process_time()
    model = LUNA(random_state=seed, **settings).fit(case.X, case.y)
    taken, d = time.process_time() - began, model.predict_dist(case.X_new)
    said = f"{model.n_iter_} steps: {taken:.1f} s, RMSE {rmse(d, case.y_new) / spread:.4f}, "
    said += f"log-likelihood {log_likelihood(d, case.y_new) + np.log(spread):.3f}"
    gap, new = in_gap(case.X), in_gap(case.X_new)
    model = LUNA(random_state=seed, **settings).fit(case.X[~gap], case.y[~gap])
    on, off = model.predict_dist(case.X_new[~new]), model.predict_dist(case.X_new[new])
    return (
        f"{said}; gap: EURC {100 * eurc(off, on):+.0f} %, RMSE {rmse(off, case.y_new[new]) / spread:.2f}, "
        f"log-likelihood {log_likelihood(off, case.y_new[new]) + np.log(spread):.1f}"
    )


def main() -> None:
    """Print a line for each table, way and seed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", nargs="*", type=int, default=[8000, 20_000, 100_000])
    parser.add_argument("--ways", nargs="*", choices=list(WAYS), default=list(WAYS))
    parser.add_argument("--seeds", nargs="*", type=int, default=[0, 1])
    options = parser.parse_args()
    for case in cases(options.rows):
        for way, seed in itertools.product(options.ways, options.seeds):
            print(f"{case.name}, {way}, seed {seed}, {describe(case, WAYS[way], seed)}", flush=True)


if __name__ == "__main__":
    main()
