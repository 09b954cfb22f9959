"""Functions of one input that are steep in a narrow place and calm elsewhere: UNA beside a Gaussian process.

    python -m benchmarks.narrow [--only NAME ...] [--seeds 3]

Error of the mean, in units of the noise; log-likelihood; the share of new outcomes inside 90 % intervals, everywhere
and in the steepest tenth of the function; the noise that was found, as a multiple of the true one. Means over seeds.
"""

import argparse
import warnings

import numpy as np

from unabases import UNA, GaussianProcess
from unabases.metrics import log_likelihood, rmse

NOISE = 0.05
FUNCTIONS = {
    "peak": lambda x: np.exp(-(((x - 0.3) / 0.06) ** 2)) + 0.3 * x,
    "step": lambda x: (x > 0.2) + 0.3 * np.sin(2 * x),
    "switch": lambda x: np.tanh(20 * (x + 0.1)),
    "cusp": lambda x: np.sqrt(np.abs(x - 0.1)),
    "chirp": lambda x: np.sqrt((1 + x) * (1 - x)) / 2 * np.sin(4.2 * np.pi / (1.3 + x)),
    "stairs": lambda x: np.floor(4 * x) / 2,
    "sine": lambda x: np.sin(3 * x),
}
"""Of inputs between -1 and 1. The last is as calm everywhere."""


def measure(name: str, rows: int, seed: int) -> list[list[float]]:
    """The figures of each model for a sample of the function."""
    rng, f = np.random.default_rng(seed), FUNCTIONS[name]
    X, new = rng.uniform(-1, 1, (rows, 1)), np.linspace(-1, 1, 1000)[:, None]
    truth = f(new[:, 0])
    y, later = (value + NOISE * rng.standard_normal(len(value)) for value in (f(X[:, 0]), truth))
    slope = np.abs(np.gradient(truth))
    steep = slope >= np.quantile(slope, 0.9)
    found = []
    for model in (UNA(random_state=seed), GaussianProcess(random_state=seed)):
        said = model.fit(X, y).predict_dist(new)
        low, high = said.interval(0.9)
        inside = (low <= later) & (later <= high)
        noise = float(np.median(said.noise_std)) / NOISE
        error = rmse(said.mean, truth) / NOISE
        found.append([error, log_likelihood(said, later), inside.mean(), inside[steep].mean(), noise])
    return found


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=FUNCTIONS, default=list(FUNCTIONS))
    parser.add_argument("--seeds", type=int, default=3)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    print(
        "| function, rows | `UNA()`: error, log-likelihood, inside, inside where steep, noise | `GaussianProcess()` |"
    )
    print("| --- | --- | --- |")
    for name in given.only:
        for rows in (100, 300):
            means = np.mean([measure(name, rows, seed) for seed in range(given.seeds)], axis=0)
            cells = [f"{e:.2f}, {ll:.2f}, {100 * a:.0f} %, {100 * s:.0f} %, {n:.2f}" for e, ll, a, s, n in means]
            print(f"| {name}, {rows} | {' | '.join(cells)} |", flush=True)
