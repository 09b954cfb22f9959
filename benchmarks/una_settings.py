"""What each part of UNA is worth, on the development halves of `accuracy` and `honesty`.

    python -m benchmarks.una_settings [--only NAME ...] [--jobs 2]

Each candidate is fitted once to even splits of tables and known functions, to tables without a gap or a tail along an
even column, and to drawn functions with an even seed. The table shows mean log-likelihoods: on the data, in gaps, in
tails, and beyond the data.
"""

import argparse
import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from rich.console import Console
from rich.table import Table

from unabases import UNA, GaussianProcess
from unabases.datasets import load_drawn
from unabases.metrics import interval_coverage, log_likelihood, rmse
from unabases.paper.data import load_rows
from unabases.paper.halves import DEVELOPMENT, check_half, cut_of, drawn_set
from unabases.paper.honesty_data import load_cut

CANDIDATES: dict[str, Any] = {
    "UNA (defaults)": UNA(),
    'tails="normal"': UNA(tails="normal"),
    'target="identity"': UNA(target="identity"),
    'noise="constant"': UNA(noise="constant"),
    "all three": UNA(tails="normal", target="identity", noise="constant"),
    "strength=0.3": UNA(strength=0.3),
    'optimizer="adam"': UNA(optimizer="adam"),
    "Gaussian process": GaussianProcess(),
}
TABLES = ("boston", "concrete", "energy", "yacht", "diabetes", "wine", "breast-cancer")
FUNCTIONS = ("chirp", "heavy-tails", "interactions", "sine-of-square", "skewed", "step", "varying-noise")
CUTS = ("yacht-{}-4", "energy-{}-0", "energy-{}-6", "concrete-{}-0", "concrete-{}-2", "boston-{}-4", "boston-{}-10")
DRAWN = ("rbf-1-short-quiet", "rbf-1-long-noisy", "rbf-2-medium-quiet", "rbf-5-medium-quiet", "chirp-1", "linear-1")
CASES = [
    *((name, split) for name in TABLES for split in (0, 2)),
    *((name, 0) for name in FUNCTIONS),
    *((name.format(kind), 0) for name in CUTS for kind in ("gap", "tail")),
    *((f"drawn-{name}", 0) for name in DRAWN),
]
WHERE = ("data", "gap", "tail", "beyond")


def score(name: str, dataset: str, split: int) -> dict[str, Any]:
    """One fit, scored on the data and off them."""
    parts = regions(dataset, split)
    model = CANDIDATES[name].set_params(random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(*parts.pop("train"))
    scores = {}
    for region, (X, y) in parts.items():
        d = model.predict_dist(X)
        scores[region] = {"ll": log_likelihood(d, y), "rmse": rmse(d, y), "inside": interval_coverage(d, y)}
    return {"method": name, "dataset": dataset, "split": split, "scores": scores}


def regions(dataset: str, split: int) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Training rows, and rows to predict by where they lie; those of the locked half are refused."""
    check_half(DEVELOPMENT, dataset, split)
    if (cut := cut_of(dataset)) is not None:
        part = load_cut(dataset, split)
        train = np.concatenate([part.X_train, part.X_val]), np.concatenate([part.y_train, part.y_val])
        return {"train": train, "data": (part.X_test, part.y_test), cut.kind: (part.X_gap, part.y_gap)}
    if (drawn := drawn_set(dataset)) is not None:
        found = load_drawn(drawn, split)
        off = {"gap": (found.X_gap, found.y_gap), "beyond": (found.X_outside, found.y_outside)}
        return {"train": (found.X_train, found.y_train), "data": (found.X_in, found.y_in), **off}
    rows = load_rows("accuracy", dataset, split)
    return {"train": (rows.X_train, rows.y_train), "data": (rows.X_test, rows.y_test)}


def main() -> None:
    """Run the candidates and print their mean scores by region."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="*", help="candidates to run")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    names = [name for name in CANDIDATES if options.only is None or name in options.only]
    tasks = [(name, *case) for name in names for case in CASES]
    rows = list(Parallel(options.jobs)(delayed(score)(*task) for task in tasks))
    out = Path("bench-results")
    out.mkdir(exist_ok=True)
    (out / "una_settings.json").write_text(json.dumps(rows, indent=1))
    table = Table(title="mean log-likelihood; share inside 90 % intervals")
    for column in ("candidate", *WHERE):
        table.add_column(column)
    for name in names:
        cells = []
        for region in WHERE:
            found = [row["scores"][region] for row in rows if row["method"] == name and region in row["scores"]]
            ll, inside = (np.mean([one[key] for one in found]) for key in ("ll", "inside"))
            cells.append(f"{ll:.3f}; {inside:.2f} ({len(found)})")
        table.add_row(name, *cells)
    Console(width=140).print(table)


if __name__ == "__main__":
    main()
