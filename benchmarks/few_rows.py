"""What it gains UNA to be wider after few rows than these say, on samples of tables that are open to development.

    python -m benchmarks.few_rows [--samples 2]

UNA is fitted to 20 to 160 rows of each table, as it is and as its left-out rows alone would have it, beside a Gaussian
process. Means over tables and samples of: log-likelihood, CRPS and error in units of y's standard deviation, and the
share inside 90 % intervals.
"""

import argparse
import warnings
from typing import Any
from unittest.mock import patch

import numpy as np

from unabases import UNA, GaussianProcess
from unabases.metrics import crps, interval_coverage, log_likelihood, rmse
from unabases.paper.data import load_rows
from unabases.regressors.committee import few_rows

TABLES = ("boston", "breast-cancer", "concrete", "diabetes", "energy", "kin8nm", "wine", "yacht")
SIZES = (20, 40, 80, 160)


def scores(model: Any, train: tuple, test: tuple) -> list[float]:
    """Log-likelihood, CRPS, error, and the share inside 90 % intervals."""
    said, y = model.fit(*train).predict_dist(test[0]), test[1]
    spread = float(np.std(y))
    return [
        log_likelihood(said, y) + np.log(spread),
        crps(said, y) / spread,
        rmse(said, y) / spread,
        interval_coverage(said, y, 0.9),
    ]


def main() -> None:
    """Print a line for each number of rows and model."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--samples", type=int, default=2, help="of each table and size")
    samples = parser.parse_args().samples
    warnings.simplefilter("ignore")
    for n in SIZES:
        found: dict[str, list] = {"UNA": [], "UNA, left-out rows alone": [], "GaussianProcess": []}
        for table in TABLES:
            rows = load_rows("accuracy", table, 0)
            X, y = np.vstack([rows.X_train, rows.X_test]), np.concatenate([rows.y_train, rows.y_test])
            for seed in range(samples):
                order = np.random.default_rng((n, seed)).permutation(len(y))
                some, rest = order[:n], order[n : n + 500]
                if len(rest) < 18:
                    continue
                told = X[some].std(axis=0) > 0
                train, test = (X[some][:, told], y[some]), (X[rest][:, told], y[rest])
                found["UNA"].append(scores(UNA(random_state=seed), train, test))
                with patch.object(few_rows, "_ROWS", 0.0), patch.object(few_rows, "_AS_GOOD_AS_NORMAL", 0.0):
                    found["UNA, left-out rows alone"].append(scores(UNA(random_state=seed), train, test))
                found["GaussianProcess"].append(scores(GaussianProcess(random_state=seed), train, test))
        for name, lines in found.items():
            likelihood, continuous, error, inside = np.mean(lines, axis=0)
            print(
                f"{n} rows, {name}: log-likelihood {likelihood:.3f}, CRPS {continuous:.4f}, error {error:.3f}, "
                f"inside {100 * inside:.0f} % ({len(lines)} fits)",
                flush=True,
            )


if __name__ == "__main__":
    main()
