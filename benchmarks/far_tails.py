"""What it gains UNA to choose how heavy tails are far from the data, on the development half of `honesty`.

    python -m benchmarks.far_tails [--jobs 2]

UNA is fitted once without each gap and tail of the open columns, and to each open set of drawn functions with an even
seed. Every fit predicts twice: as it is, and with tails that are the same everywhere and the factor that left-out
regions choose then. The table shows the change of the mean log-likelihood, and the share inside 90 % intervals.
"""

import argparse
import warnings
from typing import Any
from unittest.mock import patch

import numpy as np
from joblib import Parallel, delayed
from rich.console import Console
from rich.table import Table

from benchmarks.una_settings import WHERE, regions
from unabases import UNA
from unabases.datasets.drawn import DRAWN_SETS
from unabases.metrics import interval_coverage, log_likelihood
from unabases.paper.halves import half_of
from unabases.paper.honesty_data import cut_names, too_few_values
from unabases.regressors.committee import choices
from unabases.regressors.committee.few_rows import heavier_for_few
from unabases.regressors.committee.variances import Width, choose_width

SEEDS = (0, 2)


def score(dataset: str, seed: int) -> dict[str, Any]:
    """Log-likelihood and coverage of each region, with tails that are the same everywhere and as they are."""
    parts, alike = regions(dataset, seed), []

    def both(slabs: Any, chosen: Any, tails: Any, heavier: bool, stated: bool) -> Width:
        factor, same = choose_width(slabs, chosen, tails, stated=stated)
        alike.append((factor, heavier_for_few(same, len(parts["train"][0]), 1)))
        return choose_width(slabs, chosen, tails, heavier, stated)

    with patch.object(choices, "choose_width", both), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = UNA(random_state=0).fit(*parts["train"])
    del parts["train"]
    found = {region: [scores(model, X, y)] for region, (X, y) in parts.items()}
    ((factor, model.tails_),) = alike
    model.variances_ = model.variances_._replace(factor=factor)
    for region, (X, y) in parts.items():
        found[region].insert(0, scores(model, X, y))
    return {"drawn": dataset.startswith("drawn-"), **found}


def scores(model: UNA, X: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    """Mean log-likelihood, and the share inside 90 % intervals."""
    d = model.predict_dist(X)
    return log_likelihood(d, y), interval_coverage(d, y)


def main() -> None:
    """Print the mean change, the least and the largest, by region."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    drawn = [(f"drawn-{name}", seed) for name in DRAWN_SETS for seed in SEEDS]
    cases = [(name, 0) for name in cut_names("development") if not too_few_values(name)]
    cases += [case for case in drawn if half_of(*case) == "development"]
    rows: list[Any] = list(Parallel(options.jobs)(delayed(score)(*case) for case in cases))
    table = Table(title="log-likelihood, change: mean (least to largest); inside 90 % intervals, before and after")
    for column in ("", *WHERE):
        table.add_column(column)
    for label, kind in (("tables", False), ("drawn functions", True)):
        cells = []
        for region in WHERE:
            pairs = np.array([row[region] for row in rows if row["drawn"] == kind and region in row])
            if not len(pairs):
                cells.append("")
                continue
            change, inside = pairs[:, 1, 0] - pairs[:, 0, 0], pairs[:, :, 1].mean(axis=0)
            cells.append(
                f"{change.mean():+.3f} ({change.min():+.2f} to {change.max():+.2f}); {inside[0]:.3f}, {inside[1]:.3f} "
                f"[{len(pairs)}]"
            )
        table.add_row(label, *cells)
    Console(width=180, highlight=False).print(table)


if __name__ == "__main__":
    main()
