"""Functions of many inputs that have more structure than a smooth kernel knows: UNA beside what others make of them.

    python -m benchmarks.structure [--only NAME ...] [--rows 1000]

Error on 2,000 new rows, noise included, in units of the noise; log-likelihood; the share inside 90 % intervals.
UNA is shown as it is, with heads that follow draws of its kernel (`strength=0.3`), and trained for longer.
"""

import argparse
import warnings
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from sklearn.ensemble import HistGradientBoostingRegressor

from unabases import LUNA, UNA, GaussianProcess
from unabases.metrics import interval_coverage, log_likelihood, rmse


class Function(NamedTuple):
    """A function of inputs between -1 and 1, and the standard deviation of the noise."""

    of: Callable[[np.ndarray], np.ndarray]
    d: int
    noise: float


def gate(X: np.ndarray) -> np.ndarray:
    return np.sin(5 * X[:, 1]) / (1 + np.exp(-10 * X[:, 0])) + X[:, 2] * X[:, 3]


def tree(X: np.ndarray) -> np.ndarray:
    leaves = np.where(X[:, 0] > 0, np.where(X[:, 1] > 0.3, 2, -1), np.where(X[:, 2] > -0.2, 1, 0))
    return leaves + 0.5 * X[:, 3]


def ridges(X: np.ndarray) -> np.ndarray:
    return np.sin(3 * X @ [1, -1, 0.5, 0.5, 0, 0, 0.3]) + np.cos(2 * X @ [0, 1, 1, 0, -1, 0.5, 0])


FUNCTIONS = {
    "waves": Function(lambda X: np.sin(4 * X).sum(axis=1), 8, 0.3),
    "ridges": Function(ridges, 7, 0.1),
    "largest": Function(lambda X: 2 * X.max(axis=1), 5, 0.1),
    "gate": Function(gate, 6, 0.1),
    "tree": Function(tree, 6, 0.2),
    "pairs": Function(lambda X: 2 * (X[:, ::2] * X[:, 1::2]).sum(axis=1), 10, 0.2),
    "kinks": Function(lambda X: np.abs(X).sum(axis=1), 8, 0.2),
}
MODELS = {
    "`UNA()`": UNA(random_state=0),
    "`strength=0.3`": UNA(strength=0.3, random_state=0),
    "`max_steps=3000`": UNA(max_steps=3000, random_state=0),
    "`LUNA()`": LUNA(random_state=0),
    "`GaussianProcess()`": GaussianProcess(random_state=0),
    "boosting": HistGradientBoostingRegressor(random_state=0),
}


def measure(function: Function, rows: int) -> list[str]:
    """A cell for each model."""
    rng = np.random.default_rng(7)
    X, new = (rng.uniform(-1, 1, (n, function.d)) for n in (rows, 2000))
    y, later = (function.of(Z) + function.noise * rng.standard_normal(len(Z)) for Z in (X, new))
    cells = []
    for model in MODELS.values():
        model.fit(X, y)
        if not hasattr(model, "predict_dist"):
            cells.append(f"{np.sqrt(np.mean((model.predict(new) - later) ** 2)) / function.noise:.2f}")
            continue
        said = model.predict_dist(new)
        error, inside = rmse(said, later) / function.noise, 100 * interval_coverage(said, later)
        cells.append(f"{error:.2f}, {log_likelihood(said, later):.2f}, {inside:.0f} %")
    return cells


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=FUNCTIONS, default=list(FUNCTIONS))
    parser.add_argument("--rows", type=int, default=1000)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    print(f"| function | {' | '.join(MODELS)} |")
    print(f"| --- {'| --- ' * len(MODELS)}|")
    for name in given.only:
        print(f"| {name} | {' | '.join(measure(FUNCTIONS[name], given.rows))} |", flush=True)
