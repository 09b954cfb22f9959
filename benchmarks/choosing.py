"""What each regressor costs to train and to predict as the rows grow, relative to `NeuralLinear` on the same rows.

Processor time of all cores, with defaults, noise given and eight inputs. A short fit comes first, so that compilation
is not counted; predictions are mean and std of 10,000 rows. `python -m benchmarks.choosing` prints the table of
docs/choosing.md from the stored results, and `python -m benchmarks.choosing SNGP --rows 100` measures some regressors.
"""

import argparse
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks import row
from unabases import all_regressors

SIZES = (100, 400, 1600)
MOST_ROWS = {"HamiltonianBNN": 100}  # beyond, minutes: shown as such
OWN = {"GaussianProcess": {"max_rows": 10_000}}


def run(quick: bool) -> list[dict]:
    sizes = (100,) if quick else SIZES
    rows = []
    names = ["NeuralLinear", *(name for name in all_regressors() if name != "NeuralLinear")]
    reference: dict[tuple[str, int], float] = {}
    for n in sizes:
        X, y = make_data(n)
        new = make_data(10_000, seed=1)[0]
        for name in names:
            if n > MOST_ROWS.get(name, n):
                rows.append(row(f"{name}, {n} rows", "left out: minutes"))
                continue
            fit, predict = cost(name, X, y, new)
            if name == "NeuralLinear":
                reference = {**reference, ("fit", n): fit, ("predict", n): predict}
            rows.append(row(f"{name}, {n} rows: fit", fit, reference["fit", n], ratio=fit / reference["fit", n]))
            rows.append(
                row(f"{name}, {n} rows: predict", predict, reference["predict", n],
                    ratio=predict / reference["predict", n])
            )  # fmt: skip
    return rows


def cost(name: str, X: np.ndarray, y: np.ndarray, new: np.ndarray) -> tuple[float, float]:
    """Processor seconds to fit and to predict new rows, without compilation."""
    settings = {"sigma2": 0.04, "random_state": 0, **OWN.get(name, {})}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warm_up(name, settings).fit(X, y)
        model = all_regressors()[name](**settings)
        fit = processor_seconds(lambda: model.fit(X, y))
    model.predict(new, return_std=True)
    return fit, processor_seconds(lambda: model.predict(new, return_std=True))


def processor_seconds(function: Callable[[], Any]) -> float:
    """How long one call keeps the cores busy."""
    begin = time.process_time()
    function()
    return time.process_time() - begin


def warm_up(name: str, settings: dict):
    """A model that compiles what the real one needs, in few steps."""
    model = all_regressors()[name](**settings)
    few = {"max_steps": 100, "n_warmup": 20, "n_samples": 20}
    return model.set_params(**{key: value for key, value in few.items() if key in model.get_params()})


def make_data(n: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, 8))
    return X, np.sin(2 * X[:, 0]) + X[:, 1] * X[:, 2] + 0.2 * rng.standard_normal(n)


def main() -> None:
    """Measure what is named; without names, print the table of stored results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", choices=[[], *all_regressors()])
    parser.add_argument("--rows", nargs="*", type=int, default=SIZES)
    options = parser.parse_args()
    if not options.names:
        print_table()
    for n in options.rows if options.names else ():
        X, y = make_data(n)
        new = make_data(10_000, seed=1)[0]
        reference = cost("NeuralLinear", X, y, new)
        for name in options.names:
            pairs = zip(("fit", "predict"), cost(name, X, y, new), reference, strict=True)
            said = (f"{what} {own:.3g} s, {own / other:.3g} times" for what, own, other in pairs)
            print(f"{name}, {n} rows: {'; '.join(said)}", flush=True)


def print_table() -> None:
    """The ratios as a Markdown table: a row a regressor, fit and predict at each number of rows."""
    from benchmarks.run import stored

    found = {line["what"]: line for line in stored()["choosing"]["rows"]}
    sizes = [n for n in SIZES if any(f", {n} rows" in what for what in found)]
    header = ["regressor", *(f"fit, {n} rows" for n in sizes), *(f"predict, from {n} rows" for n in sizes)]
    print(f"| {' | '.join(header)} |\n| --- |{' ---: |' * (len(header) - 1)}")
    for name in all_regressors():
        cells = [
            f"{float(format(line['ratio'], '.2g')):g}" if (line := found.get(f"{name}, {n} rows: {what}")) else "–"
            for what in ("fit", "predict")
            for n in sizes
        ]
        print(f"| `{name}` | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
