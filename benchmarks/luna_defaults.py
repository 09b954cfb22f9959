"""LUNA's defaults beside other settings, on data that is open to development alone.

    python -m benchmarks.luna_defaults tables|functions|cubic|cuts|inputs [--splits 2] [--only NAME ...]

`tables`: error, log-likelihood and share inside 90 % intervals on ordinary splits, in units of y's standard deviation.
`functions`: epistemic std in the gap and outside, divided by the exact posterior's (a Gaussian
process's, where there is none), on drawn functions of one input.
`cubic`: the same on Cubic Gap with seeds of its own, divided by a Gaussian process's.
`cuts`: EURC, and error and log-likelihood on the data, for gaps along columns that are open to development.
`inputs`: milliseconds of the processor that a step takes with 13, 256 and 1000 inputs and 1024 rows.

Every line ends with the processor time of a fit. The first fit on rows of a new shape compiles too.
"""

import argparse
import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from unabases import LUNA, GaussianProcess
from unabases.datasets import cubic_gap
from unabases.datasets.drawn import ExactPosterior
from unabases.metrics import eurc, log_likelihood, rmse
from unabases.metrics.calibration import interval_coverage
from unabases.paper.data import load_rows

NEVER_BLIND: dict[str, Any] = {
    **{"hidden_layer_sizes": (50, 40), "where": ("between", "beyond"), "n_points": 32, "penalty": "log-barrier"},
    **{"lam": 0.5, "prior_variance": "auto"},
}
SQUARED_COSINE: dict[str, Any] = {
    **{"hidden_layer_sizes": (50, 20), "penalty": "squared-cosine", "lam": 1.5, "prior_variance": 0.3}
}
WIDE: dict[str, Any] = {"hidden_layer_sizes": (50, 100), "n_heads": 50}
CANDIDATES: dict[str, dict[str, Any]] = {
    "defaults": {},
    "squared cosine": SQUARED_COSINE,
    "squared cosine, wide, lam=5": {**SQUARED_COSINE, **WIDE, "lam": 5.0},
    "20 features": {"hidden_layer_sizes": (50, 20)},
    "lam=0.5": {"lam": 0.5},
    "prior_variance=0.3": {"prior_variance": 0.3},
    "never blind": NEVER_BLIND,
    "never blind, lam=0.2": {**NEVER_BLIND, "lam": 0.2},
    "never blind, lam=1": {**NEVER_BLIND, "lam": 1.0},
    "never blind, gamma=1": {**NEVER_BLIND, "gamma": 1.0},
    "never blind, 20 features": {**NEVER_BLIND, "hidden_layer_sizes": (50, 20)},
    "never blind, 50 features": {**NEVER_BLIND, "hidden_layer_sizes": (50, 50)},
    "never blind, wide": {**NEVER_BLIND, **WIDE},
    "never blind, between alone": {**NEVER_BLIND, "where": "between", "n_points": 64},
    "never blind, prior_variance=0.3": {**NEVER_BLIND, "prior_variance": 0.3},
    "sigma2=left-out": {"sigma2": "left-out"},
    "16 directions": {"n_directions": 16},
    "4 directions": {"n_directions": 4},
}
TABLES = ("diabetes", "wine", "breast-cancer", "boston", "concrete", "energy", "yacht", "kin8nm-1000")
FUNCTIONS = (
    *("rbf-1-short-quiet", "rbf-1-short-noisy", "rbf-1-medium-quiet", "rbf-1-medium-noisy", "rbf-1-long-quiet"),
    *("rbf-1-long-noisy", "matern-1", "periodic-1", "linear-1"),
)
CUTS = ("yacht-gap-4", "concrete-gap-0", "concrete-gap-4", "boston-gap-4", "boston-gap-10", "boston-gap-12")


class Fitted(NamedTuple):
    """A model and the processor time of its fit."""

    model: LUNA
    seconds: float


def fit(settings: dict[str, Any], X: np.ndarray, y: np.ndarray, seed: int) -> Fitted:
    began = time.process_time()
    model = LUNA(**settings, random_state=seed).fit(X, y)
    return Fitted(model, time.process_time() - began)


def _epistemic(said: Any) -> float:
    """Mean standard deviation of the function, of a prediction or of the exact posterior."""
    return float(np.mean(said.std if isinstance(said, ExactPosterior) else said.epistemic_std))


def tables(settings: dict[str, Any], splits: int) -> Iterator[tuple[str, dict[str, float]]]:
    for name in TABLES:
        for split in range(0, 2 * splits, 2):
            rows = load_rows("accuracy", name, split)
            model, seconds = fit(settings, rows.X_train, rows.y_train, split)
            said, spread = model.predict_dist(rows.X_test), np.std(rows.y_train)
            yield (
                name,
                {
                    "rmse": rmse(said, rows.y_test) / spread,
                    "log-likelihood": log_likelihood(said, rows.y_test) + np.log(spread),
                    "inside": interval_coverage(said, rows.y_test, 0.9),
                    "noise": np.sqrt(model.sigma2_) / spread,
                    "gamma": model.gamma_,
                    "seconds": seconds,
                },
            )


def functions(settings: dict[str, Any], splits: int) -> Iterator[tuple[str, dict[str, float]]]:
    for name in FUNCTIONS:
        for seed in range(0, 2 * splits, 2):
            drawn: Any = load_rows("honesty", f"drawn-{name}", seed).source
            model, seconds = fit(settings, drawn.X_train, drawn.y_train, seed)
            exact = drawn.exact or GaussianProcess(sigma2=drawn.sigma2).fit(drawn.X_train, drawn.y_train).predict_dist
            ratio = lambda X, m=model, e=exact: _epistemic(m.predict_dist(X)) / _epistemic(e(X))  # noqa: E731
            scores = {"gap": ratio(drawn.X_gap), "outside": ratio(drawn.X_outside), "gamma": model.gamma_}
            error = np.sqrt(np.mean((model.predict(drawn.X_in) - drawn.f_in) ** 2) / drawn.sigma2)
            yield f"{name}/{seed}", {**scores, "error over noise": error, "seconds": seconds}


def cubic(settings: dict[str, Any], splits: int) -> Iterator[tuple[str, dict[str, float]]]:
    outside = np.r_[np.linspace(-6, -4.2, 20), np.linspace(4.2, 6, 20)][:, None]
    for seed in range(100, 100 + splits):
        data = cubic_gap(random_state=seed)
        X, y = data.X_train, data.y_train
        process = GaussianProcess(sigma2=data.sigma2, random_state=seed).fit(X, y)
        model, seconds = fit({**settings, "sigma2": data.sigma2}, X, y, seed)
        ratio = lambda X, m=model, g=process: _epistemic(m.predict_dist(X)) / _epistemic(g.predict_dist(X))  # noqa: E731
        error = rmse(model.predict_dist(data.X_test), data.y_test)
        scores = {"gap": ratio(data.gap_grid), "outside": ratio(outside), "gamma": model.gamma_, "rmse": error}
        yield f"seed {seed}", {**scores, "seconds": seconds}


def cuts(settings: dict[str, Any], splits: int) -> Iterator[tuple[str, dict[str, float]]]:
    for name in CUTS:
        for split in range(splits):
            rows: Any = load_rows("honesty", name, split)
            model, seconds = fit(settings, rows.X_train, rows.y_train, split)
            on, off = model.predict_dist(rows.X_test), model.predict_dist(rows.X_gap)
            yield (
                name,
                {
                    "eurc": eurc(off, on),
                    "rmse": rmse(on, rows.y_test),
                    "log-likelihood": log_likelihood(on, rows.y_test),
                    "log-likelihood in the gap": log_likelihood(off, rows.y_gap),
                    "seconds": seconds,
                },
            )


def inputs(settings: dict[str, Any], splits: int) -> Iterator[tuple[str, dict[str, float]]]:
    rng = np.random.default_rng(0)
    for d in (13, 256, 1000):
        X = rng.standard_normal((1024, d))
        y = X[:, :5].sum(axis=1) + rng.standard_normal(1024)
        took = [
            fit({"gamma": 0.3, **settings, "sigma2": 1.0, "max_steps": n}, X, y, 0).seconds for n in (100, 100, 300)
        ]
        for _ in range(splits):  # the same number, since one measurement is enough
            yield f"{d} inputs", {"milliseconds": 1000 * (took[2] - took[1]) / 200, "seconds": took[2]}


KINDS: dict[str, Callable[..., Iterator[tuple[str, dict[str, float]]]]] = {
    **{"tables": tables, "functions": functions, "cubic": cubic, "cuts": cuts, "inputs": inputs}
}


def main() -> None:
    """Print the mean scores on each set, then the least, median and largest of all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("--splits", type=int, default=2)
    parser.add_argument("--only", nargs="*", default=["defaults", "never blind"], help=f"of {', '.join(CANDIDATES)}")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    for name in options.only:
        found: dict[str, list[dict[str, float]]] = {}
        for dataset, scores in KINDS[options.kind](CANDIDATES[name], options.splits):
            found.setdefault(dataset, []).append(scores)
            if options.kind in ("functions", "cubic") or len(found[dataset]) == options.splits:
                mean = {key: float(np.mean([one[key] for one in found[dataset]])) for key in scores}
                print(f"{name}, {dataset}:", ", ".join(f"{key} {value:.3g}" for key, value in mean.items()), flush=True)
        every = [one for some in found.values() for one in some]
        for key in every[0]:
            values = np.array([one[key] for one in every])
            print(f"{name}, all: {key} {values.min():.3g}, {np.median(values):.3g}, {values.max():.3g}", flush=True)


if __name__ == "__main__":
    main()
