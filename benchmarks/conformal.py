"""What `Conformal` gains for `UNA` on ordinary tables, and what it costs.

    python -m benchmarks.conformal [--splits 4] [--folds 5] [--seed 0]

Even splits of five tables, which are open to development. `UNA` alone, with a quarter of the rows held out to set its
intervals, and, if asked for, with folds, for which no row is lost but which take a fit each and one more. After each
round of splits a table of what they gave so far: the share of test rows in 90 % intervals, and the standard error that
this share has if it is right; the width, interval score and error as ratios to `UNA` alone (geometric means over
splits); and the mean log-likelihood.
"""

import argparse
import warnings
from typing import Any

import numpy as np
import pandas as pd

from unabases import UNA, Conformal
from unabases.metrics import score
from unabases.paper.data import load_rows

TABLES = ("boston", "concrete", "energy", "yacht", "diabetes")
ALONE = "UNA"
RATIOS = {"interval_width": "width", "interval_score": "interval score", "rmse": "error"}


def candidates(folds: int, seed: int) -> dict[str, Any]:
    """The models to compare, unfitted."""
    una = UNA(random_state=seed)
    models: dict[str, Any] = {ALONE: una, "a quarter held out": Conformal(una, random_state=seed)}
    if folds:
        models[f"{folds} folds"] = Conformal(una, held_out=0, n_folds=folds, random_state=seed)
    return models


def results(models: dict[str, Any], split: int) -> list[dict[str, Any]]:
    """The scores of all models on one split of each table."""
    found = []
    for table in TABLES:
        rows = load_rows("accuracy", table, split)
        for name, model in models.items():
            scores = score(model.fit(rows.X_train, rows.y_train), rows.X_test, rows.y_test)
            found.append({"table": table, "model": name, "split": split, "n": len(rows.y_test), **scores})
    return found


def summary(found: pd.DataFrame) -> pd.DataFrame:
    """A line for each table and model, and one for each model over all tables, which count the same."""
    alone = found[found["model"] == ALONE].set_index(["table", "split"])
    places = list(zip(found["table"], found["split"], strict=True))
    lines = found[["table", "model", "n", "log_likelihood"]].copy()
    lines["inside"] = found["interval_coverage"] * found["n"]
    for column, name in RATIOS.items():
        lines[name] = np.log(found[column].to_numpy() / alone.loc[places, column].to_numpy())
    by = lines.groupby(["table", "model"], sort=False)
    table = by[["log_likelihood", *RATIOS.values()]].mean()
    table["inside"] = by["inside"].sum() / by["n"].sum()
    table["se"] = np.sqrt(0.09 / by["n"].sum())
    over = table.groupby("model", sort=False).mean()
    over["se"] = np.sqrt((table["se"] ** 2).groupby("model", sort=False).mean() / table["se"].groupby("model").size())
    over.index = pd.MultiIndex.from_product([["all"], over.index], names=table.index.names)
    both = pd.concat([table, over])
    both[list(RATIOS.values())] = np.exp(both[list(RATIOS.values())])
    return both[["inside", "se", *RATIOS.values(), "log_likelihood"]]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--splits", type=int, default=4)
    parser.add_argument("--folds", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    found: list[dict[str, Any]] = []
    for split in range(0, 2 * given.splits, 2):
        found += results(candidates(given.folds, given.seed), split)
        print(f"splits 0 to {split}\n{summary(pd.DataFrame(found)).round(3).to_string()}\n", flush=True)


if __name__ == "__main__":
    main()
