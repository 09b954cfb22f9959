"""Waves of many periods, alone or along one of several inputs: UNA beside a Gaussian process and boosting.

    python -m benchmarks.waves [--only NAME ...] [--seeds 2]

Error of the mean, in units of the noise; log-likelihood in units of y's spread; the share of new outcomes inside 90 %
intervals. Means over seeds; of boosting the error alone.
"""

import argparse
import warnings
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from sklearn.ensemble import HistGradientBoostingRegressor

from unabases import UNA, GaussianProcess
from unabases.metrics import interval_coverage, log_likelihood, rmse


class Wave(NamedTuple):
    """A function of inputs between 0 and 1 whose first has so many periods."""

    periods: int
    d: int
    rows: int
    of: Callable[[np.ndarray, np.ndarray], np.ndarray]
    """Of the wave's phase and all inputs."""


WAVES = {
    "five": Wave(5, 1, 100, lambda phase, X: np.sin(phase)),
    "twenty": Wave(20, 1, 200, lambda phase, X: np.sin(phase)),
    "sixty": Wave(60, 1, 600, lambda phase, X: np.sin(phase)),
    "trend": Wave(60, 1, 600, lambda phase, X: np.sin(phase) + 3 * X[:, 0]),
    "pulses": Wave(15, 1, 300, lambda phase, X: np.exp(3 * np.sin(phase))),
    "growing": Wave(15, 3, 1000, lambda phase, X: np.sin(phase) * X[:, 1] + X[:, 2]),
    "beside others": Wave(15, 6, 1000, lambda phase, X: np.sin(phase) + X[:, 1] * X[:, 2] + X[:, 3]),
    "long": Wave(30, 6, 3000, lambda phase, X: np.sin(phase) + X[:, 1] * X[:, 2] + X[:, 3]),
}
MODELS = {
    "`UNA()`": UNA,
    "`GaussianProcess()`": GaussianProcess,
    "boosting, error": HistGradientBoostingRegressor,
}


def measure(wave: Wave, seed: int) -> list[list[float]]:
    """The figures of each model for a sample of the wave."""
    rng = np.random.default_rng(seed)
    X, new = rng.random((wave.rows, wave.d)), rng.random((1000, wave.d))
    seen, truth = (wave.of(2 * np.pi * wave.periods * inputs[:, 0], inputs) for inputs in (X, new))
    spread = float(np.std(truth))
    noise = 0.1 * spread
    y, later = (values + noise * rng.standard_normal(len(values)) for values in (seen, truth))
    figures = []
    for kind in MODELS.values():
        model = kind(random_state=seed).fit(X, y)
        if kind is HistGradientBoostingRegressor:
            figures.append([rmse(model.predict(new), truth) / noise])
            continue
        said = model.predict_dist(new)
        inside = interval_coverage(said, later, 0.9)
        figures.append([rmse(said.mean, truth) / noise, log_likelihood(said, later) + np.log(spread), inside])
    return figures


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=WAVES, default=list(WAVES))
    parser.add_argument("--seeds", type=int, default=2)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    print(f"| wave | periods, inputs, rows | {' | '.join(MODELS)} |\n| --- | --- | {'--- | ' * len(MODELS)}")
    for name in given.only:
        wave, formats = WAVES[name], ("{:.2f}", "{:.2f}", "{:.0%}")
        means = [np.mean(each, axis=0) for each in zip(*(measure(wave, s) for s in range(given.seeds)), strict=True)]
        cells = [", ".join(form.format(x) for form, x in zip(formats, each, strict=False)) for each in means]
        print(f"| {name} | {wave.periods}, {wave.d}, {wave.rows} | {' | '.join(cells)} |", flush=True)
