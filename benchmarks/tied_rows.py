"""What the order of rows with equal values does to a gap: the error and the uncertainty of a Gaussian process in it.

    python -m benchmarks.tied_rows [--orders 10] [--splits 3] [--datasets boston-ptratio ...]

A gap holds out the middle third of the rows, sorted by one input. Where many rows share a value at its border, the
order of equal rows decides which of them are held out: 140 of Boston's 506 rows have PTRATIO 20.2. One line for each
gap set and way: `file` keeps equal rows in the order of the file, as `make_gap` does; `published` are those of Foong et
al. (2019); `random` is the range over random orders. Error and EURC are means over splits of the rows outside the gap.
"""

import argparse

import numpy as np

from unabases import GaussianProcess
from unabases.datasets import GAP_SETS, load_published_gap, load_uci, make_gap, split
from unabases.metrics import eurc, rmse


def gap_scores(X: np.ndarray, y: np.ndarray, inside: np.ndarray, splits: int) -> tuple[float, float]:
    """Mean RMSE in the gap and mean EURC of a Gaussian process that has not seen the rows inside."""
    found = []
    for number in range(splits):
        parts = split(np.setdiff1d(np.arange(len(y)), inside), number)
        known = np.sort(np.concatenate([parts.train, parts.validation]))
        model = GaussianProcess(kernel="matern", random_state=number).fit(X[known], y[known])
        there = model.predict_dist(X[inside])
        found.append((rmse(there, y[inside]), eurc(there, model.predict_dist(X[parts.test]))))
    error, change = np.mean(found, axis=0)
    return float(error), float(change)


def in_random_order(X: np.ndarray, y: np.ndarray, column: int, seed: int) -> np.ndarray:
    """The rows of the gap if those with equal values are sorted at random."""
    order = np.random.default_rng(seed).permutation(len(y))
    return np.sort(order[make_gap(X[order], y[order], column).gap])


def main() -> None:
    """Print the scores."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--orders", type=int, default=10)
    parser.add_argument("--splits", type=int, default=3)
    parser.add_argument("--datasets", nargs="+", choices=GAP_SETS, default=list(GAP_SETS))
    given = parser.parse_args()
    for name in given.datasets:
        table, input_ = GAP_SETS[name]
        data = load_uci(table)
        column = data.columns.index(input_)
        file = make_gap(data.X, data.y, column)
        ways = {"file": file.gap, "published": load_published_gap(table, input_).test}
        for way, inside in ways.items():
            error, change = gap_scores(data.X, data.y, inside, given.splits)
            print(f"{name}, {way}: error {error:.2f}, EURC {100 * change:+.0f} %", flush=True)
        if file.n_ties:
            drawn = [in_random_order(data.X, data.y, column, seed) for seed in range(given.orders)]
            errors, changes = zip(*(gap_scores(data.X, data.y, one, given.splits) for one in drawn), strict=True)
            print(
                f"{name}, random: error {min(errors):.2f} to {max(errors):.2f}, "
                f"EURC {100 * min(changes):+.0f} to {100 * max(changes):+.0f} %",
                flush=True,
            )


if __name__ == "__main__":
    main()
