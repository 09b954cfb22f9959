"""How many points and directions LUNA's penalty needs: EURC, RMSE, log-likelihood and time of a fit.

Each is compared with as many points as rows or, with many inputs, with 64 points and slopes along every input. Wide
tables are drawn: 1,500 rows of inputs that ten hidden causes move, none of them where the first cause is in the middle
of its range. The noise variance of each data set comes from one earlier fit. Times are of the processor, and do not
include compilation.
"""

import time
import warnings
from statistics import fmean, median

import numpy as np

from benchmarks import row
from unabases import LUNA
from unabases.datasets import cubic_gap, load_gap
from unabases.metrics import eurc, log_likelihood, rmse

POINTS = (8, 32, 64, None)
WIDE = {
    "64 points, every input": {"n_points": 64, "n_directions": None},
    "16 points, every input": {"n_points": 16, "n_directions": None},
    "8 points, every input": {"n_points": 8, "n_directions": None},
    "64 points, 64 directions": {"n_points": 64, "n_directions": 64},
    "64 points, 16 directions": {"n_points": 64, "n_directions": 16},
    "no penalty": {"lam": 0.0, "n_points": 1, "n_directions": 1},
}
METHODS = {"where=data, lam=10": {"where": "data", "lam": 10.0}, "defaults": {}}
BOSTON = "boston-lstat"


def run(quick: bool) -> list[dict]:
    steps, seeds = (500, 1) if quick else (LUNA().steps_for(0), 3)
    rows = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for dataset in ("cubic gap", BOSTON):
            try:
                X, y, *_ = load(dataset, 0)
            except FileNotFoundError:
                rows.append(row(f"{dataset}: not in the data directory, left out", ""))
                continue
            sigma2 = LUNA(random_state=0, max_steps=steps).fit(X, y).sigma2_
            for method, settings in METHODS.items():
                scores = {}
                for n_points in reversed(POINTS):
                    model = LUNA(n_points=n_points, sigma2=sigma2, max_steps=steps, **settings)
                    scores[n_points or "as many points as rows"] = score(model, dataset, seeds)
                rows += beside_the_first(f"{dataset}, {method}", scores)
        for d, first in (256, 0), (1000, 2):  # many slopes of 1,000 inputs would take an hour
            X, y, *_ = load(d, 0)
            sigma2 = LUNA(random_state=0, max_steps=steps).fit(X, y).sigma2_
            settings = list(WIDE.items())[first:]
            models = {name: LUNA(sigma2=sigma2, max_steps=steps, **own) for name, own in settings}
            scores = {name: score(model, d, min(seeds, 2)) for name, model in models.items()}
            rows += beside_the_first(f"{d} inputs", scores)
    return rows


def beside_the_first(what: str, scores: dict) -> list[dict]:
    """A row for each of the scores; a ratio is how many times as long the first of them took."""
    (name, first), *others = scores.items()
    return [row(f"{what}: {name}", in_words(first))] + [
        row(f"{what}: {name}", in_words(found), in_words(first), ratio=first["seconds"] / found["seconds"])
        for name, found in others
    ]


def load(dataset: str | int, seed: int) -> tuple:
    """Rows to learn from, rows to test on, rows in the gap; a number asks for a drawn table of so many inputs."""
    if isinstance(dataset, int):
        return wide(dataset, seed)
    if dataset == "cubic gap":
        data = cubic_gap(random_state=seed)
        return data.X_train, data.y_train, data.X_test, data.y_test, data.gap_grid
    data = load_gap(dataset, seed)
    return data.X_train, data.y_train, data.X_test, data.y_test, data.X_gap


def wide(d: int, seed: int) -> tuple:
    """A drawn table of d inputs, as `load` gives it."""
    rng = np.random.default_rng(seed)
    causes = rng.normal(size=(6000, 10))
    X = np.tanh(causes @ rng.normal(size=(10, d)) / 3) + 0.1 * rng.normal(size=(6000, d))
    y = np.sin(2 * causes[:, 0]) + causes[:, 1] * causes[:, 2] + 0.5 * causes[:, 3] + 0.1 * rng.normal(size=6000)
    gap = np.abs(causes[:, 0]) < np.quantile(np.abs(causes[:, 0]), 1 / 3)
    rest = np.flatnonzero(~gap)
    learned, tested = rest[:1500], rest[1500:2500]
    return X[learned], y[learned], X[tested], y[tested], X[gap]


def score(model: LUNA, dataset: str | int, seeds: int) -> dict:
    """Mean scores and median time over seeds, each with its own rows and start."""
    found = []
    for seed in range(seeds):
        X, y, X_test, y_test, X_gap = load(dataset, seed)
        model.set_params(random_state=seed)
        if seed == 0:
            steps = model.max_steps
            model.set_params(max_steps=1).fit(X, y)  # compiles
            model.set_params(max_steps=steps)
        began = time.process_time()
        model.fit(X, y)
        took = time.process_time() - began
        on = model.predict_dist(X_test)
        change = 100 * eurc(model.predict_dist(X_gap), on)
        found.append((change, rmse(on, y_test), log_likelihood(on, y_test), took))
    change, error, likelihood, took = zip(*found, strict=True)
    return {"eurc": fmean(change), "rmse": fmean(error), "log_likelihood": fmean(likelihood), "seconds": median(took)}


def in_words(found: dict) -> str:
    return (
        f"{found['eurc']:.0f} %, RMSE {found['rmse']:.2f}, log-likelihood {found['log_likelihood']:.2f}, "
        f"{found['seconds']:.2f} s"
    )
