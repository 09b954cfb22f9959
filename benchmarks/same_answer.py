"""Whether a fit depends on the number of cores: the same fits in processes bound to one core and to all.

    python -m benchmarks.same_answer [--rows 1600 10000]

The third process may use all cores, but has `NPROC=1`, which XLA reads. Differences of means from those of one core, in
units of the predictive std: the median over 200 rows, and the largest.
"""

import argparse
import itertools
import json
import os
import sys

import numpy as np

from benchmarks import in_new_process
from unabases import LUNA, UNA

MODELS = {"UNA": UNA, "LUNA": LUNA}


def predict(name: str, n: int) -> dict:
    """Means and stds of new rows; five inputs."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n + 200, 5))
    y = np.sin(2 * X[:, 0]) * X[:, 1] + X[:, 2] + 0.3 * rng.standard_normal(len(X))
    mean, std = MODELS[name](random_state=0).fit(X[:n], y[:n]).predict(X[n:], return_std=True)
    return {"mean": mean.tolist(), "std": std.tolist()}


def main() -> None:
    """Print a line for each model, number of rows, and way to run it."""
    if len(sys.argv) == 4 and sys.argv[1] in MODELS:
        if sys.argv[3] == "one":
            os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
        print(json.dumps(predict(sys.argv[1], int(sys.argv[2]))))
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", nargs="*", type=int, default=[1600, 10_000])
    for name, n in itertools.product(MODELS, parser.parse_args().rows):
        one = in_new_process("benchmarks.same_answer", name, n, "one")
        for way, environment in (("all cores", {}), ("all cores, NPROC=1", {"NPROC": "1"})):
            other = in_new_process("benchmarks.same_answer", name, n, "all", **environment)
            away = np.abs(np.subtract(one["mean"], other["mean"])) / one["std"]
            print(
                f"{name}, {n:,} rows, {way}: {np.median(away):.2g} in the median, {away.max():.2g} at most", flush=True
            )


if __name__ == "__main__":
    main()
