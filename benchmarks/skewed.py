"""Targets above 0 whose noise is not normal on any usual scale: UNA with and without a curve, and a Gaussian process.

    python -m benchmarks.skewed [--only NAME ...] [--seeds 3]

With 150 rows of three inputs. Error of the mean beside the true one, in units of the outcomes' spread;
log-likelihood in the same units; the share of new outcomes inside 90 % intervals. Means over seeds.
"""

import argparse
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import gamma

from unabases import UNA, GaussianProcess
from unabases.metrics import interval_coverage, log_likelihood, rmse

ROWS = 150
Outcomes = tuple[np.ndarray, np.ndarray]


def times(draw: Callable[[np.random.Generator, int], np.ndarray], mean: float = 1.0) -> Callable[..., Outcomes]:
    """Outcomes in proportion to exp(f), and what is expected of them."""
    return lambda f, rng: (np.exp(f) * draw(rng, len(f)), np.exp(f) * mean)


def rain(f: np.ndarray, rng: np.random.Generator) -> Outcomes:
    """Three in ten are 0."""
    return np.where(rng.random(len(f)) < 0.3, 0.0, np.exp(f) * rng.gamma(1.0, 1.0, len(f))), 0.7 * np.exp(f)


def counts(f: np.ndarray, rng: np.random.Generator) -> Outcomes:
    """Whole numbers that vary more than they would by chance alone."""
    return rng.poisson(np.exp(f) * rng.gamma(1.0, 1.0, len(f))).astype(float), np.exp(f)


TARGETS: dict[str, Callable[[np.ndarray, np.random.Generator], Outcomes]] = {
    "waiting times": times(lambda rng, n: rng.exponential(1.0, n)),
    "sums of three": times(lambda rng, n: rng.gamma(3.0, 1 / 3, n)),
    "lifetimes": times(lambda rng, n: rng.weibull(0.7, n), float(gamma(1 + 1 / 0.7))),
    "prices": times(lambda rng, n: np.exp(0.3 * rng.standard_normal(n)), float(np.exp(0.045))),
    "incomes": times(lambda rng, n: np.exp(rng.standard_normal(n)), float(np.exp(0.5))),
    "mere noise": lambda f, rng: (rng.exponential(1.0, len(f)), np.ones(len(f))),
    "rain": rain,
    "counts": counts,
}
MODELS: dict[str, Callable[[int], Any]] = {
    '`UNA(target="identity")`': lambda seed: UNA(target="identity", random_state=seed),
    "`UNA()`": lambda seed: UNA(random_state=seed),
    "Gaussian process": lambda seed: GaussianProcess(random_state=seed),
}


def measure(name: str, seed: int) -> list[list[float]]:
    """The figures of each model for a sample."""
    rng = np.random.default_rng(seed)
    X, new = rng.random((ROWS, 3)), rng.random((1000, 3))
    (y, _), (later, expected) = (
        TARGETS[name](1 + 2 * inputs[:, 0] + np.sin(4 * inputs[:, 1]), rng) for inputs in (X, new)
    )
    spread, figures = float(np.std(later)), []
    for model in MODELS.values():
        said = model(seed).fit(X, y).predict_dist(new)
        inside = interval_coverage(said, later, 0.9)
        error = rmse(said.mean, expected) / spread
        figures.append([error, log_likelihood(said, later) + np.log(spread), inside])
    return figures


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=TARGETS, default=list(TARGETS))
    parser.add_argument("--seeds", type=int, default=3)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    print(f"| targets | {' | '.join(MODELS)} |\n| --- | {'--- | ' * len(MODELS)}")
    for name in given.only:
        means = np.mean([measure(name, seed) for seed in range(given.seeds)], axis=0)
        print(f"| {name} | {' | '.join(f'{e:.3f}, {lik:.2f}, {inside:.0%}' for e, lik, inside in means)} |", flush=True)
