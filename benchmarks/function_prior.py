"""`FunctionPrior` beside the Gaussian process that functions were drawn from.

    python -m benchmarks.function_prior [--seeds 2] [--parts given fitted]

given: the length scale, by the correlation over half of it, and the std of 500 functions drawn from the prior of a
model that was told both, over what it was told.

fitted: `UNA()`, whose wish is a `FunctionPrior()` with fitted numbers, on functions of 1, 2 and 5 inputs with two
length scales. On the data, in a gap and outside: the error of its mean over that of the exact posterior mean, its
epistemic std over the exact one, and the share of the truth inside 90 % epistemic intervals.
"""

import argparse
import warnings
from collections.abc import Iterator

import numpy as np
from rich.console import Console
from rich.table import Table

from unabases import UNA
from unabases.datasets import draw_process
from unabases.terms import FunctionPrior

INPUTS, LENGTHS = (1, 2, 5), (0.5, 1.0)
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


def fitted(seeds: range) -> Iterator[list[str]]:
    """Scores of a model that fits the numbers itself."""
    for d in INPUTS:
        for length in LENGTHS:
            for seed in seeds:
                drawn = draw_process(d, length, random_state=seed)
                model = UNA(random_state=seed).fit(drawn.X_train, drawn.y_train)
                assert drawn.exact is not None
                for place in ("in", "gap", "outside"):
                    X, f = getattr(drawn, f"X_{place}"), getattr(drawn, f"f_{place}")
                    found, exact = model.predict_dist(X), drawn.exact(X)
                    error = np.sqrt(np.mean((found.mean - f) ** 2) / np.mean((exact.mean - f) ** 2))
                    wide = found.epistemic_std.mean() / exact.std.mean()
                    cover = np.mean(np.abs(found.mean - f) < NORMAL_90 * found.epistemic_std)
                    yield [str(d), str(length), str(seed), place, f"{error:.2f}", f"{wide:.2f}", f"{cover:.2f}"]


def main() -> None:
    """Show both tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=2, help="functions of each kind")
    parser.add_argument("--parts", nargs="*", choices=["given", "fitted"], default=["given", "fitted"])
    asked = parser.parse_args()
    tables = {
        "given": (given(), ["inputs", "length", "amplitude", "length found", "amplitude found"]),
        "fitted": (fitted(range(asked.seeds)), ["inputs", "length", "seed", "where", "error", "std", "covered"]),
    }
    for part in asked.parts:
        rows, heads = tables[part]
        table = Table(*heads, title=part)
        for row in rows:
            table.add_row(*row)
        Console(width=100).print(table)


if __name__ == "__main__":
    main()
