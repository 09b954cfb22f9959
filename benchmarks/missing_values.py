"""Whether `UNA`'s intervals hold their share where values are missing, and how much wider they are there.

    python -m benchmarks.missing_values [--splits 2] [--seed 0]

Even splits of five tables, which are open to development, with values taken away at random from training and test rows:
in the column that goes most with the target, a third of them, or in every column, a tenth. After each split a table of
what all so far gave, for the test rows that lack nothing and for those that lack something: their number, the share in
90 % intervals with the standard error that it has if it is right, the mean predicted standard deviation and the error,
both relative to rows that lack nothing, and the mean log-likelihood.
"""

import argparse
import warnings
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import rankdata

from unabases import UNA
from unabases.paper.data import load_rows

TABLES = ("boston", "concrete", "energy", "yacht", "diabetes")
PATTERNS = {"one column": 1 / 3, "every column": 1 / 10}
RELATIVE = ("std", "error")


def without(X: np.ndarray, share: float, columns: list[int], rng: np.random.Generator) -> np.ndarray:
    """A copy of X that lacks this share of the values of these columns."""
    lacking = X.copy()
    for column in columns:
        lacking[rng.random(len(X)) < share, column] = np.nan
    return lacking


def results(split: int, seed: int) -> list[dict[str, Any]]:
    """A line for each test row of one split of each table and pattern."""
    found = []
    for table in TABLES:
        rows = load_rows("accuracy", table, split)
        ranks = np.apply_along_axis(rankdata, 0, np.column_stack([rows.X_train, rows.y_train]))
        strongest = int(np.argmax(np.abs(np.corrcoef(ranks.T)[-1, :-1])))
        for pattern, share in PATTERNS.items():
            columns = [strongest] if pattern == "one column" else list(range(rows.X_train.shape[1]))
            rng = np.random.default_rng(seed + split)
            X_train, X_test = (without(X, share, columns, rng) for X in (rows.X_train, rows.X_test))
            prediction = UNA(random_state=seed).fit(X_train, rows.y_train).predict_dist(X_test)
            lower, upper = prediction.interval(0.9)
            lines = {
                "inside": (lower <= rows.y_test) & (rows.y_test <= upper),
                "std": prediction.std,
                "error": (prediction.mean - rows.y_test) ** 2,
                "log_likelihood": prediction.log_prob(rows.y_test),
                "lacks": np.where(np.isnan(X_test).any(axis=1), "something", "nothing"),
            }
            found += pd.DataFrame(lines).assign(pattern=pattern, table=table).to_dict("records")
    return found


def summary(found: pd.DataFrame) -> Any:
    """A line for each pattern, table and kind of row, and one for all tables, which count the same."""
    by: Any = found.groupby(["pattern", "table", "lacks"], sort=False)
    table = by[["inside", "std", "error", "log_likelihood"]].mean().sort_index()
    table["error"] **= 0.5
    table.insert(0, "rows", by.size())
    table.insert(2, "se", np.sqrt(0.09 / table["rows"]))
    for column in RELATIVE:
        table[column] /= table[column].xs("nothing", level="lacks").reindex(table.index.droplevel("lacks")).to_numpy()
    kinds = ["pattern", "lacks"]
    over = table.groupby(kinds).mean()
    over["rows"] = table["rows"].groupby(kinds).sum()
    over["se"] = np.sqrt((table["se"] ** 2).groupby(kinds).sum()) / table["se"].groupby(kinds).size()
    for column in RELATIVE:
        over[column] = np.exp(np.log(table[column]).groupby(kinds).mean())
    over.index = pd.MultiIndex.from_tuples([(pattern, "all", lacks) for pattern, lacks in over.index])
    return pd.concat([table, over.rename_axis(table.index.names)]).astype({"rows": int})


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--splits", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    found: list[dict[str, Any]] = []
    for split in range(0, 2 * given.splits, 2):
        found += results(split, given.seed)
        print(f"splits 0 to {split}\n{summary(pd.DataFrame(found)).round(3).to_string()}\n", flush=True)


if __name__ == "__main__":
    main()
