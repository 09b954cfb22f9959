"""How many points LUNA's penalty needs: EURC, RMSE and time of a fit, compared with as many points as rows.

The noise variance of each data set comes from one earlier fit. Times do not include compilation.
"""

import time
import warnings
from statistics import fmean, median

from benchmarks import row
from unabases import LUNA
from unabases.datasets import cubic_gap, load_gap
from unabases.metrics import eurc, rmse

POINTS = (8, 32, 64, None)
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
                for n_points in POINTS:
                    model = LUNA(n_points=n_points, sigma2=sigma2, max_steps=steps, **settings)
                    scores[n_points] = score(model, dataset, seeds)
                rows += [
                    row(
                        f"{dataset}, {method}: {n_points or 'as many points as rows'}",
                        in_words(found),
                        in_words(scores[None]) if n_points else None,
                        ratio=scores[None]["seconds"] / found["seconds"] if n_points else None,
                        **found,
                    )
                    for n_points, found in scores.items()
                ]
    return rows


def load(dataset: str, seed: int) -> tuple:
    """Rows to learn from, rows to test on, rows in the gap."""
    if dataset == "cubic gap":
        data = cubic_gap(random_state=seed)
        return data.X_train, data.y_train, data.X_test, data.y_test, data.gap_grid
    data = load_gap(dataset, seed)
    return data.X_train, data.y_train, data.X_test, data.y_test, data.X_gap


def score(model: LUNA, dataset: str, seeds: int) -> dict:
    """Mean scores and median time over seeds, each with its own rows and start."""
    found = []
    for seed in range(seeds):
        X, y, X_test, y_test, X_gap = load(dataset, seed)
        model.set_params(random_state=seed)
        if seed == 0:
            steps = model.max_steps
            model.set_params(max_steps=1).fit(X, y)  # compiles
            model.set_params(max_steps=steps)
        began = time.perf_counter()
        model.fit(X, y)
        took = time.perf_counter() - began
        on = model.predict_dist(X_test)
        found.append((100 * eurc(model.predict_dist(X_gap), on), rmse(on, y_test), took))
    change, error, took = zip(*found, strict=True)
    return {"eurc": fmean(change), "rmse": fmean(error), "seconds": median(took)}


def in_words(found: dict) -> str:
    return f"{found['eurc']:.0f} %, RMSE {found['rmse']:.2f}, {found['seconds']:.2f} s"
