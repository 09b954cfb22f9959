"""How UNA should train: by Adam, for 1500 steps or for more with more rows, or by Muon, as it does.

    python -m benchmarks.una_steps [--rows 12000 40000] [--ways Adam Muon] [--seeds 0]

Two functions made for this, one smooth and one of steps along the columns, each with a fifth of its spread as noise,
and an even split of kin8nm where the tables are at hand. Errors are in units of y's standard deviation on new rows, so
0.196 is the noise; log-likelihoods are in nats of y divided by it.
"""

import argparse
import itertools
import time
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from unabases import UNA
from unabases.metrics import interval_coverage, log_likelihood, rmse
from unabases.paper.data import load_rows

WAYS = {
    "Adam, 1500 steps": {"optimizer": "adam", "max_steps": 1500},
    "Adam": {"optimizer": "adam"},
    "Muon, layers of all rows": {"layer_rows": None},
    "Muon": {},
    "Muon, layers of 32,768 rows": {"layer_rows": 2**15},
    "Muon, 1500 steps": {"max_steps": 1500},
    "Muon, 600 steps": {"max_steps": 600},
    "Muon, 400 steps": {"max_steps": 400},
}
NEW = 2000


class Case(NamedTuple):
    """A table to learn from, and rows to predict."""

    name: str
    X: np.ndarray
    y: np.ndarray
    X_new: np.ndarray
    y_new: np.ndarray


def waves(X: np.ndarray) -> np.ndarray:
    X = 2 * X - 1
    return np.sin(9 * X[:, 0] * X[:, 1]) + np.cos(7 * X[:, 2] + 3 * X[:, 3]) * X[:, 0]


def blocks(X: np.ndarray) -> np.ndarray:
    """Sixty boxes, each with a height of its own, and a wave."""
    rng, f = np.random.default_rng(5), np.sin(5 * X[:, 0])
    for _ in range(60):
        inside = np.ones(len(X), dtype=bool)
        for j in rng.choice(X.shape[1], 3, replace=False):
            inside &= (X[:, j] > rng.uniform()) == (rng.uniform() > 0.5)
        f = f + rng.normal() * inside
    return f


def mixed(X: np.ndarray) -> np.ndarray:
    """The function of `many_rows`: smooth, of five of the inputs, which are normal there."""
    Z = 3 * (2 * X - 1)
    return np.sin(2 * Z[:, 0]) * Z[:, 1] + 0.5 * Z[:, 2] ** 2 + np.maximum(Z[:, 3], 0) + 0.5 * Z[:, 4]


def drawn(X: np.ndarray) -> np.ndarray:
    """A draw of a Matérn process of all inputs, by its random frequencies."""
    rng, d = np.random.default_rng(7), X.shape[1]
    frequencies = rng.standard_t(5, (200, d)) * 3 / np.sqrt(d)
    return np.cos(X @ frequencies.T * 2 + rng.uniform(0, 2 * np.pi, 200)) @ rng.standard_normal(200) / 10


def cases(sizes: list[int]) -> Iterator[Case]:
    for function, d in ((waves, 4), (blocks, 6), (mixed, 10), (drawn, 8)):
        for n in sizes:
            rng = np.random.default_rng(0)
            X = rng.uniform(size=(n + NEW, d))
            f = function(X)
            y = f + 0.2 * np.std(f) * rng.standard_normal(len(f))
            yield Case(f"{function.__name__}, {n:,} rows", X[:n], y[:n], X[n:], y[n:])
    try:
        rows = load_rows("accuracy", "kin8nm", 0)
    except FileNotFoundError as error:
        print(error)
    else:
        yield Case(f"kin8nm, {len(rows.y_train):,} rows", rows.X_train, rows.y_train, rows.X_test, rows.y_test)


def main() -> None:
    """Print a line for each table and way to train."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", nargs="*", type=int, default=[12_000, 40_000])
    parser.add_argument("--ways", nargs="*", choices=list(WAYS), default=list(WAYS))
    parser.add_argument("--seeds", nargs="*", type=int, default=[0])
    options = parser.parse_args()
    for case in cases(options.rows):
        spread = np.std(case.y_new)
        for way, seed in itertools.product(options.ways, options.seeds):
            began = time.process_time()
            model = UNA(random_state=seed, **WAYS[way]).fit(case.X, case.y)
            taken, d = time.process_time() - began, model.predict_dist(case.X_new)
            print(
                f"{case.name}, {way} ({model.n_iter_} steps), seed {seed}: RMSE {rmse(d, case.y_new) / spread:.4f}, "
                f"log-likelihood {log_likelihood(d, case.y_new) + np.log(spread):.3f}, inside 90 % intervals "
                f"{interval_coverage(d, case.y_new):.3f}, {taken:.1f} s",
                flush=True,
            )


if __name__ == "__main__":
    main()
