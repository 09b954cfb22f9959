"""Functions of sizes and prices: what it is worth that UNA may see their logarithms.

    python -m benchmarks.proportions [--only dose sum ...] [--seeds 3] [--noise 0.1] [--beyond]

All are made: 150 rows to train and 1,000 to test. Inputs are lognormal, so that most are small and a few are large. In
the first four the noise is a share of y, in the others it is the same everywhere. A line for each function and model:
error and log-likelihood in units of y's spread, and the share inside 90 % intervals, averaged over seeds; and in how
many seeds logarithms were kept. The Gaussian process and boosting see the inputs as they are. With `--beyond`, models
learn the middle two thirds of the first input and are tested on the rest, the smallest and the largest.
"""

import argparse
import warnings
from collections.abc import Callable

import numpy as np
from sklearn.ensemble import HistGradientBoostingRegressor

from unabases import UNA, GaussianProcess
from unabases.metrics import interval_coverage, log_likelihood, rmse

ROWS, NEW = 150, 1000
Function = Callable[[np.ndarray], np.ndarray]
IN_PROPORTION: dict[str, Function] = {
    "power law": lambda X: X[:, 0] ** 1.5 / X[:, 1],
    "output": lambda X: X[:, 0] ** 0.3 * X[:, 1] ** 0.7,
    "trade": lambda X: X[:, 0] * X[:, 1] / (1 + X[:, 2] ** 2),
    "fuel": lambda X: 2 * X[:, 0] + 0.3 * X[:, 0] * X[:, 1],
}
EVEN: dict[str, Function] = {
    "dose": lambda X: X[:, 0] / (0.5 + X[:, 0]) - 0.3 * np.log(X[:, 1]),
    "cycles": lambda X: np.sin(2 * np.log(X[:, 0])) + 0.2 * np.log(X[:, 1]),
    "sum": lambda X: X[:, 0] - 2 * X[:, 1],
    "bend": lambda X: np.minimum(X[:, 0], 2.0) + 0.5 * X[:, 1],
}


def make(name: str, rng: np.random.Generator, noise: float, beyond: bool) -> tuple[np.ndarray, np.ndarray]:
    """Rows and targets to train, then those to test; noise as a share of y, or of the spread of the function."""
    X = np.exp(rng.standard_normal((ROWS + NEW, 3)))
    if beyond:
        X = X[np.argsort(np.abs(np.argsort(np.argsort(X[:, 0])) - len(X) / 2))]  # from the middle to the ends
        middle = rng.permutation(2 * len(X) // 3)
        X = np.vstack([X[middle[:ROWS]], X[len(middle) :]])
    error = noise * rng.standard_normal(len(X))
    if name in IN_PROPORTION:
        return X, IN_PROPORTION[name](X) * np.exp(error)
    f = EVEN[name](X)
    return X, f + np.std(f) * error


def main() -> None:
    """Print the scores."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="*", default=[*IN_PROPORTION, *EVEN])
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--noise", type=float, default=0.1)
    parser.add_argument("--beyond", action="store_true")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    for name in options.only:
        scores: dict[str, list[list[float]]] = {}
        for seed in range(options.seeds):
            X, y = make(name, np.random.default_rng(seed), options.noise, options.beyond)
            new, truth, spread = X[ROWS:], y[ROWS:], float(np.std(y))
            boosted = HistGradientBoostingRegressor(random_state=0).fit(X[:ROWS], y[:ROWS]).predict(new)
            scores.setdefault("boosting", []).append([rmse(boosted, truth) / spread, np.nan, np.nan, np.nan])
            models = {
                "Gaussian process": GaussianProcess(random_state=0),
                'UNA(inputs="identity")': UNA(inputs="identity", random_state=0),
                "UNA()": UNA(random_state=0),
            }
            for label, model in models.items():
                said = model.fit(X[:ROWS], y[:ROWS]).predict_dist(new)
                likely = log_likelihood(said, truth) + np.log(spread)
                bent = float(getattr(model, "input_curve_", None) is not None)
                inside = interval_coverage(said, truth, 0.9)
                scores.setdefault(label, []).append([rmse(said, truth) / spread, likely, inside, bent])
        for label, found in scores.items():
            error, likely, inside, _ = np.mean(found, axis=0)
            kept = f"{sum(one[3] == 1 for one in found)} of {len(found)}"
            print(f"{name}, {label}: {error:.3f}, {likely:.2f}, {100 * inside:.0f} %, {kept}", flush=True)


if __name__ == "__main__":
    main()
