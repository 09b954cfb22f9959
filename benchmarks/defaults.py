"""How the defaults were chosen: candidates on Cubic Gap and, where the tables are at hand, the six UCI gap sets.

    python -m benchmarks.defaults [--splits 5] [--only NAME ...]

For each candidate: EURC as mean ± standard deviation over splits, the not-gap RMSE and log-likelihood beside those of
the ordinary neural linear model, and on Cubic Gap the median epistemic std in the gap beside a Gaussian process's.
"""

import argparse
import json
import warnings
from pathlib import Path

import numpy as np
from joblib import Parallel, delayed
from rich.console import Console
from rich.table import Table
from sklearn.base import clone

from benchmarks.luna_defaults import NEVER_BLIND, SQUARED_COSINE
from unabases import LUNA, GaussianProcess, NeuralLinear
from unabases.datasets import GAP_SETS, cubic_gap, load_gap
from unabases.metrics import epistemic, eurc, log_likelihood, rmse

BASELINE = "NLM-MAP"
CANDIDATES = {
    BASELINE: NeuralLinear(),
    "LUNA (defaults)": LUNA(),
    "squared cosine": LUNA(**SQUARED_COSINE),
    "where=data": LUNA(where="data"),
    "n_points=32": LUNA(n_points=32),
    "lam=0.1": LUNA(lam=0.1),
    "lam=0.5": LUNA(lam=0.5),
    "gamma=0.03": LUNA(gamma=0.03),
    "gamma=3": LUNA(gamma=3.0),
    "epsilon=1": LUNA(epsilon=1.0),
    "gradient=exact": LUNA(gradient="exact"),
    "prior_variance=evidence": LUNA(prior_variance="evidence"),
    "prior_variance=0.3": LUNA(prior_variance=0.3),
    "hidden_layer_sizes=(50, 20)": LUNA(hidden_layer_sizes=(50, 20)),
    "max_steps=4000": LUNA(max_steps=4000),
    "schedule=sqrt": LUNA(schedule="sqrt"),
    "never blind": LUNA(**NEVER_BLIND),
    "never blind, between alone": LUNA(**{**NEVER_BLIND, "where": "between", "n_points": 64}),
}


def score(name: str, dataset: str, split: int) -> dict:
    """One fit, scored on and off the gap."""
    model = clone(CANDIDATES[name]) if name in CANDIDATES else GaussianProcess()
    if dataset == "cubic":
        data = cubic_gap(random_state=split)
        X, y, X_test, y_test, X_gap = data.X_train, data.y_train, data.X_test, data.y_test, data.gap_grid
        model.set_params(sigma2=data.sigma2)
    else:
        data = load_gap(dataset, split)
        X, y, X_test, y_test, X_gap = data.X_train, data.y_train, data.X_test, data.y_test, data.X_gap
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.set_params(random_state=split).fit(X, y)
    on, off = model.predict_dist(X_test), model.predict_dist(X_gap)
    scores = {"eurc": 100 * eurc(off, on), "gap": epistemic(off), "rmse": rmse(on, y_test)}
    return {"method": name, "dataset": dataset, "split": split, **scores, "ll": log_likelihood(on, y_test)}


def main() -> None:
    """Run all candidates and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--splits", type=int, default=5)
    parser.add_argument("--only", nargs="*", help="candidates to run besides the baseline")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    try:
        load_gap("yacht-froude", 0)
        sets = [*GAP_SETS, "cubic"]
    except FileNotFoundError as error:
        print(error)
        sets = ["cubic"]
    names = [name for name in CANDIDATES if options.only is None or name == BASELINE or name in options.only]
    tasks = [(name, dataset, split) for name in names for dataset in sets for split in range(options.splits)]
    tasks += [("GP", "cubic", split) for split in range(options.splits)]
    rows = [row for row in Parallel(options.jobs)(delayed(score)(*task) for task in tasks) if row is not None]
    out = Path("bench-results")
    out.mkdir(exist_ok=True)
    (out / "defaults.json").write_text(json.dumps(rows, indent=1))
    table = Table(title=f"{options.splits} splits: EURC % (RMSE over {BASELINE}'s)")
    for column in ("candidate", *sets):
        table.add_column(column)
    pick = lambda name, dataset, key: np.array(  # noqa: E731
        [r[key] for r in rows if r["method"] == name and r["dataset"] == dataset]
    )
    for name in [*names, "GP"]:
        cells = []
        for dataset in sets:
            change = pick(name, dataset, "eurc")
            if len(change) == 0:
                cells.append("")
            elif dataset == "cubic":
                gap, error = np.median(pick(name, dataset, "gap")), pick(name, dataset, "rmse").mean()
                cells.append(f"least {change.min():.0f}; gap std {gap:.1f}; RMSE {error:.2f}")
            else:
                ratio = pick(name, dataset, "rmse").mean() / pick(BASELINE, dataset, "rmse").mean()
                mark = "*" if change.mean() > change.std() else " "
                cells.append(f"{change.mean():.0f} ± {change.std():.0f}{mark} ({ratio:.2f})")
        table.add_row(name, *cells)
    Console(width=200).print(table)


if __name__ == "__main__":
    main()
