"""Gaps and tails of a large table with all of its rows, as published figures are; `honesty` samples 2,000 of them.

    python -m benchmarks.whole_gaps [--table kin8nm] [--half locked]

UNA's log-likelihood, error and share inside 90 % intervals in the gap or the tail of each column that is open to
development, or locked, and their mean. Nothing is chosen here.
"""

import argparse
import warnings

import numpy as np

from unabases import UNA
from unabases.datasets import load_uci, make_gap, make_tail
from unabases.metrics import log_likelihood, rmse
from unabases.metrics.calibration import interval_coverage
from unabases.paper.halves import half_of


def main() -> None:
    """Print a line for each gap and tail, and the means."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--table", default="kin8nm")
    parser.add_argument("--half", choices=("development", "locked"), default="development")
    options = parser.parse_args()
    table = options.table
    warnings.simplefilter("ignore")
    data = load_uci(table)
    for kind, cut in (("gap", make_gap), ("tail", make_tail)):
        scores = []
        for column in range(data.X.shape[1]):
            if half_of(f"{table}-{kind}-{column}", 0) != options.half:
                continue
            held_out, kept, *_ = cut(data.X, data.y, column, clean=True)
            said, y = (
                UNA(random_state=0).fit(data.X[kept], data.y[kept]).predict_dist(data.X[held_out]),
                data.y[held_out],
            )
            scores.append((log_likelihood(said, y), rmse(said, y), interval_coverage(said, y, 0.9)))
            print(f"{table}-{kind}-{column}: log-likelihood {scores[-1][0]:.3f}, error {scores[-1][1]:.4f}", flush=True)
        likelihood, error, inside = np.mean(scores, axis=0)
        print(f"{kind}s, mean: log-likelihood {likelihood:.3f}, error {error:.4f}, inside {100 * inside:.0f} %")


if __name__ == "__main__":
    main()
