"""Tables of many inputs that all matter: UNA beside a Gaussian process and ridge regression.

    python -m benchmarks.wide [--only NAME ...] [--seeds 2]

Error in units of y's spread, log-likelihood in the same units, the share of new outcomes inside 90 % intervals, means
over seeds; of ridge regression the error alone.
"""

import argparse
import warnings
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from sklearn.linear_model import BayesianRidge

from unabases import UNA, GaussianProcess
from unabases.metrics import interval_coverage, log_likelihood, rmse


class Table(NamedTuple):
    """So many rows of so many inputs, the function of them, and the std of the noise."""

    rows: int
    d: int
    of: Callable[[np.ndarray, np.ndarray], np.ndarray]
    """Of the sum of all inputs with random weights, whose variance is about 1, and the inputs."""
    noise: float


TABLES = {
    "plane": Table(1000, 300, lambda total, X: total, 0.3),
    "plane, 100 inputs": Table(500, 100, lambda total, X: total, 0.3),
    "bent": Table(1000, 200, lambda total, X: np.tanh(1.5 * total) + 0.3 * X[:, 0] ** 2, 0.2),
    "few that matter": Table(300, 200, lambda total, X: X[:, 0] + X[:, 1] + X[:, 2], 0.3),
}


def measure(table: Table, seed: int) -> list[list[float]]:
    """The figures of each model for a sample."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((table.rows + 1000, table.d))
    truth = table.of(X @ rng.standard_normal(table.d) / np.sqrt(table.d), X)
    y = truth + table.noise * rng.standard_normal(len(X))
    (X, new), (y, later), spread = np.split(X, [table.rows]), np.split(y, [table.rows]), float(np.std(y))
    figures = []
    for kind in (UNA, GaussianProcess):
        said = kind(random_state=seed).fit(X, y).predict_dist(new)
        inside = interval_coverage(said, later, 0.9)
        figures.append([rmse(said.mean, later) / spread, log_likelihood(said, later) + np.log(spread), inside])
    return [*figures, [rmse(BayesianRidge().fit(X, y).predict(new), later) / spread]]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=TABLES, default=list(TABLES))
    parser.add_argument("--seeds", type=int, default=2)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    print("| table | rows, inputs | `UNA()` | `GaussianProcess()` | ridge, error |\n| --- | --- | --- | --- | --- |")
    for name in given.only:
        table, formats = TABLES[name], ("{:.3f}", "{:.2f}", "{:.0%}")
        means = [np.mean(each, axis=0) for each in zip(*(measure(table, s) for s in range(given.seeds)), strict=True)]
        cells = [", ".join(form.format(x) for form, x in zip(formats, each, strict=False)) for each in means]
        print(f"| {name} | {table.rows}, {table.d} | {' | '.join(cells)} |", flush=True)
