"""Functions without noise, such as the output of a simulation: UNA beside a Gaussian process.

    python -m benchmarks.exact_functions [--only NAME ...] [--seed 7]

Error and log-likelihood on a thousand new rows, in units of y's standard deviation; the share inside 90 % intervals;
the processor time of the fit, which compiles too when rows have a new shape.
"""

import argparse
import time
import warnings
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from unabases import UNA, GaussianProcess
from unabases.metrics import log_likelihood, rmse
from unabases.metrics.calibration import interval_coverage


class Function(NamedTuple):
    """A function of inputs between 0 and 1, and the number of rows to learn it from."""

    of: Callable[[np.ndarray], np.ndarray]
    d: int
    rows: int
    shown: Callable[[np.ndarray], np.ndarray] = lambda X: X
    """What a model is shown of these inputs."""


def waves(X: np.ndarray) -> np.ndarray:
    return np.sin(4 * X[:, 0]) * np.cos(3 * X[:, 1]) + X[:, 0]


def friedman(X: np.ndarray) -> np.ndarray:
    """Friedman (1991), his first function."""
    return 10 * np.sin(np.pi * X[:, 0] * X[:, 1]) + 20 * (X[:, 2] - 0.5) ** 2 + 10 * X[:, 3] + 5 * X[:, 4]


def borehole(X: np.ndarray) -> np.ndarray:
    """The flow of water through a borehole (Morris, Mitchell and Ylvisaker 1993)."""
    low = np.array([0.05, 100, 63070, 990, 63.1, 700, 1120, 9855])
    high = np.array([0.15, 50000, 115600, 1110, 116, 820, 1680, 12045])
    radius, influence, upper, upper_head, lower, lower_head, length, conductivity = (low + X * (high - low)).T
    ratio = np.log(influence / radius)
    resistance = 1 + 2 * length * upper / (ratio * radius**2 * conductivity) + upper / lower
    return 2 * np.pi * upper * (upper_head - lower_head) / (ratio * resistance)


def quotient(X: np.ndarray) -> np.ndarray:
    numerator, denominator = 1 + X[:, :7] @ np.arange(1, 8), 2 + X[:, 7:] @ np.linspace(0.3, 1.5, 7)
    return numerator / denominator + 0.3 * np.sin(3 * X[:, 0] * X[:, 8])


def wear(X: np.ndarray) -> np.ndarray:
    """How worn a machine is, to be told from twelve sensors: see `sensors`."""
    return X[:, 1]


def sensors(X: np.ndarray) -> np.ndarray:
    """What sensors of a machine at nine settings show: a low one spreads its few rows far apart."""
    setting, worn, other = 1 + np.floor(9 * X[:, 0]), X[:, 1], X[:, 2]
    mixed = np.random.default_rng(5).normal(size=(12, 3))
    shown = []
    for k, (a, b, c) in enumerate(mixed):
        state = a * worn + b * other + 0.4 * c * worn * other + 0.3 * np.sin(2 * worn + k * other)
        shown.append((setting / 9) ** (0.5 + 0.25 * k) + 0.6 / setting * state)
    return np.stack(shown, axis=1)


FUNCTIONS = {
    "waves": Function(waves, 2, 100),
    "friedman": Function(friedman, 5, 300),
    "borehole": Function(borehole, 8, 400),
    "quotient": Function(quotient, 14, 1000),
    "wear": Function(wear, 3, 1000, sensors),
}


def main() -> None:
    """Print a line for each function and model."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--only", nargs="*", default=list(FUNCTIONS), help=f"of {', '.join(FUNCTIONS)}")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    for name in options.only:
        of, d, n, shown = FUNCTIONS[name]
        rng = np.random.default_rng(options.seed)
        X, new = rng.uniform(size=(n, d)), rng.uniform(size=(1000, d))
        y, truth = of(X), of(new)
        for model in (GaussianProcess(random_state=0), UNA(random_state=0)):
            began = time.process_time()
            said = model.fit(shown(X), y).predict_dist(shown(new))
            took, spread = time.process_time() - began, np.std(y)
            print(
                f"{name}, {type(model).__name__}: error {rmse(said, truth) / spread:.1e}, "
                f"log-likelihood {log_likelihood(said, truth) + np.log(spread):.2f}, "
                f"inside {100 * interval_coverage(said, truth, 0.9):.0f} %, {took:.0f} s",
                flush=True,
            )


if __name__ == "__main__":
    main()
