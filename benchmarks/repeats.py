"""What it is worth to remember rows: tables in which inputs repeat, with and without `repeats` of UNA.

    python -m benchmarks.repeats [--only copies cells] [--seed 1]

All are made: 1,600 rows, four fifths to train. `copies` have whole numbers as targets, which no function of their
inputs tells; of `odd copies`, 3 % differ. `replicates` share half of their noise variance, `noise` shares none.
`cells` have three categories of eight levels, and a value of its own for each of the 512 cells. A line for each table
and choice: log-likelihood, error and the share inside 90 % intervals, on test rows with inputs of training rows, and on
those with new ones.
"""

import argparse
import warnings
from collections.abc import Callable

import numpy as np

from unabases import UNA
from unabases.metrics import interval_coverage, log_likelihood, rmse
from unabases.regressors.shared.same_inputs import keys_of

ROWS = 1600
Table = tuple[np.ndarray, np.ndarray]


def repeated(rng: np.random.Generator, different: int, shared: float) -> Table:
    """Rows of which some have the same inputs, and a function of these plus a part that they share."""
    X = rng.normal(size=(different, 8))
    y = np.sin(X[:, 0]) + 0.5 * X[:, 1] + shared * rng.normal(size=different)
    which = rng.integers(different, size=ROWS)
    return X[which], y[which]


def copies(rng: np.random.Generator) -> Table:
    X, y = repeated(rng, 1360, 0.7)
    return X, np.round(3 * y)


def odd_copies(rng: np.random.Generator) -> Table:
    X, y = repeated(rng, 1360, 0.7)
    return X, y + (rng.random(ROWS) < 0.03) * rng.normal(size=ROWS)


def replicates(rng: np.random.Generator) -> Table:
    X, y = repeated(rng, 800, 0.5)
    return X, y + 0.5 * rng.normal(size=ROWS)


def noise(rng: np.random.Generator) -> Table:
    X, y = repeated(rng, 800, 0.0)
    return X, y + 0.5 * rng.normal(size=ROWS)


def cells(rng: np.random.Generator) -> Table:
    X, values = rng.integers(0, 8, (ROWS, 3)), rng.normal(size=(8, 8, 8))
    return X.astype(float), values[tuple(X.T)] + 0.3 * rng.normal(size=ROWS)


TABLES: dict[str, Callable[[np.random.Generator], Table]] = {
    "copies": copies,
    "odd copies": odd_copies,
    "replicates": replicates,
    "noise": noise,
    "cells": cells,
}


def main() -> None:
    """Print the scores."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=list(TABLES), default=list(TABLES))
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    for name in arguments.only:
        X, y = TABLES[name](np.random.default_rng(arguments.seed))
        cut = ROWS * 4 // 5
        known = np.isin(keys_of(X[cut:]), keys_of(X[:cut]))
        for choice in ("ignore", "auto"):
            said = UNA(repeats=choice, random_state=0).fit(X[:cut], y[:cut])
            found = "nothing" if said.repeats_ is None else f"{said.repeats_.share[0]:.2g} of the noise variance left"
            parts = []
            for kind, rows in (("known", known), ("new", ~known)):
                d, truth = said.predict_dist(X[cut:][rows]), y[cut:][rows]
                scores = f"{log_likelihood(d, truth):.2f}, {rmse(d, truth):.3f}, {interval_coverage(d, truth, 0.9):.2f}"
                parts.append(f"{rows.sum()} {kind}: {scores}")
            print(f"{name}, {choice}: {'; '.join(parts)}; remembered: {found}", flush=True)


if __name__ == "__main__":
    main()
