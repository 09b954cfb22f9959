"""Where the errors of UNA lie on a nearly exact function: a thousand rows of naval, beside a Gaussian process.

    python -m benchmarks.naval_rows [--splits 5]

For each split: the error and the median error of both models, how many of the twelve largest errors of UNA lie at each
setting of the lever, and the length scales of the kernels. Nothing is chosen here; the table is locked.
"""

import argparse
import warnings
from collections import Counter

import numpy as np

from unabases import UNA, GaussianProcess
from unabases.metrics import rmse
from unabases.paper.data import load_rows

_LEVER = 0  # its column


def main() -> None:
    """Print three lines for each split."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--splits", type=int, default=5)
    warnings.simplefilter("ignore")
    for number in range(parser.parse_args().splits):
        rows = load_rows("accuracy-locked", "naval-1000", number)
        una = UNA(random_state=number).fit(rows.X_train, rows.y_train)
        process = GaussianProcess(random_state=0).fit(rows.X_train, rows.y_train)
        for model in (una, process):
            said = model.predict_dist(rows.X_test)
            median = np.median(np.abs(said.mean - rows.y_test))
            print(f"split {number}, {type(model).__name__}: error {rmse(said, rows.y_test):.2g}, median {median:.2g}")
        worst = np.argsort(-np.abs(una.predict(rows.X_test) - rows.y_test))[:12]
        levers = Counter(rows.X_test[worst, _LEVER].tolist())
        shortest = np.sort(una.members_[0].kernel.kernel.lengths)[:5]
        print(f"  largest errors by lever: {dict(levers)}; shortest lengths {shortest.round(2).tolist()}", end="")
        print(f", the process's {process.processes_[0].lengths.round(1).tolist()}", flush=True)


if __name__ == "__main__":
    main()
