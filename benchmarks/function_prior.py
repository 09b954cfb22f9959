"""`FunctionPrior` beside the Gaussian process that functions were drawn from.

    python -m benchmarks.function_prior [--seeds 2] [--parts given fitted] [--plain]

given: the length scale, by the correlation over half of it, and the std of 500 functions drawn from the prior of a
model that was told both, over what it was told.

fitted: a model that was told `FunctionPrior()`, and so fits the numbers itself, on functions of 1, 2 and 5 inputs with
three length scales. On the data, in a gap and outside: the error of its mean over that of the exact posterior mean, its
epistemic std over the exact one, and the share of the truth inside 90 % epistemic intervals. Beside it a Gaussian
process of the same kind, fitted by evidence. The exact posterior knows the true numbers, and no fitted model does: so
this process shows what can be had. `--plain` adds `UNA()`, which was told nothing.
"""

import argparse
import warnings
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from rich.console import Console
from rich.table import Table

from unabases import UNA, GaussianProcess
from unabases.datasets import Drawn, draw_process
from unabases.terms import FunctionPrior

INPUTS, LENGTHS = (1, 2, 5), (0.25, 0.5, 1.0)
STD, MOST_ERROR = (0.6, 1.7), 1.1  # targets, in units of the exact posterior's
NORMAL_90 = 1.645
QUICK = {"max_steps": 100, "n_folds": 2, "n_slabs": 0}  # what is given does not depend on the size


def given() -> Iterator[list[str]]:
    """Measured over given length scale and amplitude of functions drawn from the prior."""
    rng = np.random.default_rng(0)
    for d in INPUTS:
        X, grid = rng.uniform(-2, 2, (40, d)), np.zeros((161, d))
        y = X[:, 0] + rng.standard_normal(40)
        grid[:, 0] = np.linspace(-20, 20, 161)  # steps of 0.25
        for length in (0.5, 1.0, 3.0):
            for amplitude in (0.3, 5.0):
                prior = FunctionPrior(length_scale=length, amplitude=amplitude)
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")  # some of these priors are far from the data
                    model = UNA(terms=[prior], **QUICK, random_state=0).fit(X, y)
                f = model.sample_prior(grid, 500, random_state=0) - y.mean()
                step = round(length / 2 / 0.25)
                correlation = np.mean(f[:, :-step] * f[:, step:]) / np.mean(f**2)
                found = 0.25 * step * np.sqrt(-0.5 / np.log(correlation))
                yield [str(d), f"{length:g}", f"{amplitude:g}", f"{found / length:.2f}", f"{f.std() / amplitude:.2f}"]


class Score(NamedTuple):
    """A model on one function, at one kind of places."""

    d: int
    length: float
    seed: int
    model: str
    where: str
    error: float
    std: float
    covered: float


def fitted(seeds: range, plain: bool = False) -> Iterator[Score]:
    """Scores of models that fit the numbers themselves."""
    for seed, d, length in product(seeds, INPUTS, LENGTHS):
        drawn = draw_process(d, length, random_state=seed)
        models: dict[str, Any] = {
            "told FunctionPrior()": UNA(terms=[FunctionPrior()], random_state=seed),
            "fitted process": GaussianProcess(kernel="rbf", ard=True, random_state=seed),
        }
        if plain:
            models["told nothing"] = UNA(random_state=seed)
        for name, model in models.items():
            model.fit(drawn.X_train, drawn.y_train)
            for place in ("in", "gap", "outside"):
                yield Score(d, length, seed, name, place, *_compare(model, drawn, place))


def _compare(model: Any, drawn: Drawn, place: str) -> tuple[float, float, float]:
    """Error and std over those of the exact posterior, and the share of the truth that is covered."""
    assert drawn.exact is not None
    X, f = getattr(drawn, f"X_{place}"), getattr(drawn, f"f_{place}")
    found, exact = model.predict_dist(X), drawn.exact(X)
    error = np.sqrt(np.mean((found.mean - f) ** 2) / np.mean((exact.mean - f) ** 2))
    covered = np.mean(np.abs(found.mean - f) < NORMAL_90 * found.epistemic_std)
    return float(error), float(found.epistemic_std.mean() / exact.std.mean()), float(covered)


def summary(scores: Sequence[Score]) -> Iterator[list[str]]:
    """How often the targets are met, for each model and kind of places."""
    frame = pd.DataFrame(scores)
    for (model, where), own in frame.groupby(["model", "where"], sort=False):
        wide, error = own["std"].between(*STD), own["error"] <= MOST_ERROR
        shown = [f"{wide.sum()} of {len(own)}", f"{own['std'].min():.2f} to {own['std'].max():.2f}"]
        shown += [f"{own['covered'].mean():.2f}", f"{error.sum()} of {len(own)}", f"{own['error'].mean():.2f}"]
        yield [str(model), str(where), *shown]


def main() -> None:
    """Show both tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=2, help="functions of each kind")
    parser.add_argument("--plain", action="store_true", help="also a model that was told nothing")
    parser.add_argument("--parts", nargs="*", choices=["given", "fitted"], default=["given", "fitted"])
    asked = parser.parse_args()
    if "given" in asked.parts:
        _show("given", given(), ["inputs", "length", "amplitude", "length found", "amplitude found"])
    if "fitted" in asked.parts:
        scores = list(fitted(range(asked.seeds), asked.plain))
        cells = ([f"{value:.2f}" if isinstance(value, float) else str(value) for value in one] for one in scores)
        _show("fitted", cells, list(Score._fields))
        heads = ["model", "where", "std 0.6 to 1.7", "range", "covered", "error at most 1.1", "mean error"]
        _show("fitted, all functions", summary(scores), heads)


def _show(title: str, rows: Iterable[list[str]], heads: list[str]) -> None:
    table = Table(*heads, title=title)
    for row in rows:
        table.add_row(*row)
    Console(width=120).print(table)


if __name__ == "__main__":
    main()
