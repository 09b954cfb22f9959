"""What rows that a table holds twice do to the score of a model: wine_red and protein, with and without them.

    python -m benchmarks.copies [--table wine_red] [--splits 2]

Three in ten test rows of wine_red are copies of training rows, with the same target, and one in fifteen of protein. A
model that answers a copy with what it has seen gets a density without bound, and learns nothing about wine by it. Two
lines for each split and model: mean log-likelihood and error on copies, and on rows that are new. Tables of many rows
have no Gaussian process. Nothing is chosen here; both tables are locked.
"""

import argparse
import warnings

import numpy as np

from unabases import UNA, GaussianProcess
from unabases.datasets import load_standard_split
from unabases.metrics import log_likelihood, rmse

_MANY = 5000  # rows, beyond which a Gaussian process takes too long


def is_copy(rows: np.ndarray, known: np.ndarray) -> np.ndarray:
    """Which rows are there among the known ones."""
    seen = {row.tobytes() for row in known}
    return np.array([row.tobytes() in seen for row in rows])


def main() -> None:
    """Print the scores."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--table", choices=("wine_red", "protein"), default="wine_red")
    parser.add_argument("--splits", type=int, default=2)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    for number in range(options.splits):
        split = load_standard_split(options.table, number)
        X, y, X_test, y_test = split.X_train, split.y_train, split.X_test, split.y_test
        copies = is_copy(X_test, X)
        process = [GaussianProcess(random_state=0)] if len(X) < _MANY else []
        for model in (*process, UNA(random_state=0)):
            model.fit(X, y)
            for name, rows in (("copies", copies), ("new rows", ~copies)):
                said = model.predict_dist(X_test[rows])
                print(
                    f"split {number}, {type(model).__name__}, {rows.sum()} {name}: log-likelihood "
                    f"{log_likelihood(said, y_test[rows]):.2f}, error {rmse(said, y_test[rows]):.3f}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
