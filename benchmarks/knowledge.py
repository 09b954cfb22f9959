"""Does knowledge help? For each term a truth that obeys it, few rows and a gap; with it, without it, and a wrong one.

    python -m benchmarks.knowledge [--seeds 20] [--first 20] [--only Monotone ...] [--quick] [--out knowledge.jsonl]

Models have the default size. Each is scored in the range of the rows and a fifth beyond: RMSE of the mean in units of
the truth's spread, log-likelihood of new measurements, and the share of the truth inside 90 % epistemic intervals, in
all and among the rows, in the gap and beyond. The model "noise" is told the true noise beside what is right. With
`--out`, every score is written down at once, and a run that was stopped goes on where it was. `--models` with nothing
after it runs the peers alone. `benchmarks.knowledge_pictures` draws.
"""

import argparse
import json
import time
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from rich.console import Console
from rich.table import Table
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel
from sklearn.isotonic import IsotonicRegression
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

from unabases import UNA, linear
from unabases.terms import (
    Additive,
    Bounds,
    Convex,
    FunctionPrior,
    Irrelevant,
    Monotone,
    Periodic,
    Slope,
    Symmetric,
    Through,
)

MODELS = ["without", "right", "noise", "wrong"]
QUICK: dict[str, Any] = {"max_steps": 500, "n_folds": 3, "n_slabs": 2}  # a fifth of the time
GAP = 0.7  # half of its width
GRID = 400
NORMAL_90 = 1.645


class Case(NamedTuple):
    """A truth, what is known of it, and something wrong that could have been said."""

    truth: Callable[[np.ndarray, np.random.Generator], np.ndarray]
    right: list[Any]
    wrong: list[Any]
    columns: int = 1
    rows: int = 20
    noise: float = 0.3
    breaks: Callable[[Any, np.ndarray, np.ndarray], np.ndarray] | None = None
    """Which functions break an inequality by more than 1 % of the spread."""
    peers: dict[str, Callable[[int], Any]] = {}  # noqa: RUF012  (never changed)


def rise(x: np.ndarray) -> np.ndarray:
    """From 0 to 10 and flat at both ends."""
    return 10 / (1 + np.exp(-2 * x))


def falls(model: Any, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Whether functions fall along the first column by more than 1 % of the spread, on any of some lines."""
    rng, worst = np.random.default_rng(0), 0.0
    for _ in range(1 if len(low) == 1 else 10):
        line = np.tile(rng.uniform(low, high), (150, 1))
        line[:, 0] = np.linspace(low[0], high[0], 150)
        f = model.sample_posterior(line, 300, random_state=0)
        worst = np.maximum(worst, np.max(np.maximum.accumulate(f, axis=1) - f, axis=1))
    return worst > 0.01 * model.y_scale_.spread[0]


def leaves(model: Any, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Whether functions leave the range from 0 to 10 by more than 1 % of the spread."""
    f = model.sample_posterior(np.linspace(low, high, 300), 300, random_state=0)
    return np.max(np.maximum(-f, f - 10), axis=1) > 0.01 * model.y_scale_.spread[0]


def bends(model: Any, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Whether functions lie above a chord by more than 1 % of the spread."""
    f = model.sample_posterior(np.linspace(low, high, 121), 300, random_state=0)
    gaps = [f[:, k:-k] - 0.5 * (f[:, 2 * k :] + f[:, : -2 * k]) for k in (2, 5, 10, 20, 40)]
    return np.max([gap.max(axis=1) for gap in gaps], axis=0) > 0.01 * model.y_scale_.spread[0]


def leaves_or_falls(model: Any, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Either of them."""
    return falls(model, low, high) | leaves(model, low, high)


def smooth(X: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A function of a Gaussian process with length scale 1 and amplitude 3."""
    w, phase, a = rng.standard_normal((500, X.shape[1])), rng.uniform(0, 2 * np.pi, 500), rng.standard_normal(500)
    return np.cos(X @ w.T + phase) @ a * 3 * np.sqrt(2 / 500)


def changes_places(X: np.ndarray, _: np.random.Generator) -> np.ndarray:
    """A function of three columns, of which the first two can change places."""
    return np.sin(X[:, 0]) + np.sin(X[:, 1]) + 0.5 * X[:, 0] * X[:, 1] + X[:, 2]


def repeats(X: np.ndarray, _: np.random.Generator) -> np.ndarray:
    """A function with period 2."""
    return np.sin(np.pi * X[:, 0]) + 0.5 * np.cos(2 * np.pi * X[:, 0])


def true_process(columns: int) -> GaussianProcessRegressor:
    """The Gaussian process that `smooth` is drawn from."""
    kernel = ConstantKernel(9.0) * RBF(np.ones(columns)) + WhiteKernel(0.09)
    return GaussianProcessRegressor(kernel, optimizer=None)


def process_that_sees(view: Callable[[np.ndarray], np.ndarray]) -> Callable[[int], Pipeline]:
    """A Gaussian process with fitted numbers that is shown rows as a model with the same knowledge is."""

    def make(columns: int) -> Pipeline:
        shown = view(np.zeros((1, columns))).shape[1]
        kernel = ConstantKernel() * RBF(np.ones(shown)) + WhiteKernel()
        process = GaussianProcessRegressor(kernel, normalize_y=True, random_state=0)
        return make_pipeline(FunctionTransformer(view), StandardScaler(), process)

    return make


def in_order(X: np.ndarray) -> np.ndarray:
    """The first two columns in order of size."""
    return np.column_stack([np.sort(X[:, :2], axis=1), X[:, 2:]])


def on_circle(X: np.ndarray) -> np.ndarray:
    """A column with period 2."""
    return np.column_stack([np.cos(np.pi * X[:, 0]), np.sin(np.pi * X[:, 0])])


class TrueForm:
    """Linear regression that knows the form of the truth, and the noise: its intervals are right on average."""

    def __init__(self, form: Callable[[np.ndarray], np.ndarray], noise: float) -> None:
        self.form, self.noise = form, noise

    def fit(self, X: np.ndarray, y: np.ndarray) -> "TrueForm":
        """Learn the coefficients, of which nothing is known before."""
        self.posterior = linear.condition(self.form(X), y, alpha=1e4, sigma2=self.noise**2)
        return self

    def predict(self, X: np.ndarray, return_std: bool = False) -> Any:
        """The mean, and the std of the function."""
        mean, variance = linear.predict(self.posterior, self.form(X))
        return (mean, np.sqrt(variance)) if return_std else mean


def parabola(X: np.ndarray) -> np.ndarray:
    """The form of a truth with 1, x and x²."""
    return X ** np.arange(3)


def two_alike(X: np.ndarray) -> np.ndarray:
    """The form of `changes_places`."""
    a, b, c = X.T
    return np.column_stack([np.ones(len(X)), np.sin(a) + np.sin(b), a * b, c])


def isotonic(columns: int) -> Any:
    """Isotonic regression, constant beyond the rows."""
    return IsotonicRegression(out_of_bounds="clip")


def boosted(columns: int) -> HistGradientBoostingRegressor:
    """Boosted trees that rise along the first column, with leaves small enough for few rows."""
    return HistGradientBoostingRegressor(monotonic_cst=[1] + [0] * (columns - 1), min_samples_leaf=3, random_state=0)


def boosted_apart(columns: int) -> HistGradientBoostingRegressor:
    """Boosted trees none of which sees the first column beside another."""
    apart = [{0}, set(range(1, columns))]
    return HistGradientBoostingRegressor(interaction_cst=apart, min_samples_leaf=3, random_state=0)


CASES = {
    "Monotone": Case(
        lambda X, _: rise(X[:, 0]),
        [Monotone(0)],
        [Monotone(0, increasing=False)],
        noise=1.0,
        breaks=falls,
        peers={"isotonic": isotonic, "boosted trees": boosted},
    ),
    "Monotone, 3 columns": Case(
        lambda X, _: np.exp(0.7 * X[:, 0]) * (1 + 0.5 * np.sin(X[:, 1])) + X[:, 2],
        [Monotone(0)],
        [Monotone(0, increasing=False)],
        3,
        40,
        breaks=falls,
        peers={"boosted trees": boosted},
    ),
    "Bounds": Case(lambda X, _: rise(X[:, 0]), [Bounds(0, 10)], [Bounds(0, 6)], noise=1.0, breaks=leaves),
    "Convex": Case(
        lambda X, _: X[:, 0] ** 2,
        [Convex(0)],
        [Convex(0, convex=False)],
        noise=0.6,
        breaks=bends,
        peers={"the true form": lambda _: TrueForm(parabola, 0.6)},
    ),
    "Monotone, Bounds, Through": Case(
        lambda X, _: rise(X[:, 0]),
        [Monotone(0), Bounds(0, 10), Through([[0.0]], 5.0, std=0.1)],
        [Monotone(0), Bounds(0, 10), Through([[0.0]], 9.0, std=0.1)],
        noise=1.0,
        breaks=leaves_or_falls,
    ),
    "Through": Case(
        lambda X, _: np.sin(2 * X[:, 0]),
        [Through([[-0.4], [0.4]], np.sin([-0.8, 0.8]), std=0.05)],
        [Through([[-0.4], [0.4]], [2.0, -2.0], std=0.05)],
    ),
    "Slope": Case(
        lambda X, _: 2 * X[:, 0] + np.sin(2 * X[:, 1]), [Slope(0, 2.0, std=0.2)], [Slope(0, -2.0, std=0.2)], 2, 30
    ),
    "Symmetric": Case(
        changes_places,
        [Symmetric([0, 1])],
        [Symmetric([0, 2])],
        3,
        40,
        peers={
            "a process that sees the same": process_that_sees(in_order),
            "the true form": lambda _: TrueForm(two_alike, 0.3),
        },
    ),
    "Additive": Case(
        lambda X, _: np.sin(2 * X[:, 0]) + X[:, 1] * X[:, 2],
        [Additive([0])],
        [Additive([1])],
        3,
        40,
        peers={"boosting": boosted_apart},
    ),
    "Periodic": Case(
        repeats,
        [Periodic(0, 2)],
        [Periodic(0, 1.5)],
        peers={"a process that sees the same": process_that_sees(on_circle)},
    ),
    "Irrelevant": Case(
        lambda X, _: np.sin(2 * X[:, 0]) + X[:, 1],
        [Irrelevant(i) for i in range(2, 6)],
        [Irrelevant(1)],
        6,
        40,
    ),
    "FunctionPrior": Case(
        smooth,
        [FunctionPrior(length_scale=1.0, amplitude=3.0)],
        [FunctionPrior(length_scale=4.0, amplitude=3.0)],
        peers={"the true process": true_process},
    ),
    "Symmetric, FunctionPrior()": Case(
        changes_places,
        [Symmetric([0, 1]), FunctionPrior()],
        [Symmetric([0, 2]), FunctionPrior()],
        3,
        40,
    ),
    "Periodic, FunctionPrior()": Case(
        repeats,
        [Periodic(0, 2), FunctionPrior()],
        [Periodic(0, 1.5), FunctionPrior()],
    ),
    "Smooth": Case(
        lambda X, _: 2 * np.sin(0.5 * X[:, 0]) + np.sin(3 * X[:, 1]),
        [FunctionPrior(length_scale={0: 3.0})],
        [FunctionPrior(length_scale={1: 3.0})],
        2,
        30,
    ),
}


class Data(NamedTuple):
    """Rows with a gap, and places in their range and a fifth beyond."""

    X: np.ndarray
    y: np.ndarray
    X_new: np.ndarray
    f_new: np.ndarray
    y_new: np.ndarray
    low: np.ndarray
    high: np.ndarray


def make_data(case: Case, seed: int) -> Data:
    """Rows between −2 and 2, but along the first column none in the gap around 0."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-2, 2, (case.rows, case.columns))
    X[:, 0] = np.sign(X[:, 0]) * (GAP + (2 - GAP) / 2 * np.abs(X[:, 0]))
    beyond = 0.2 * np.ptp(X, axis=0)
    low, high = X.min(axis=0) - beyond, X.max(axis=0) + beyond
    X_new = np.linspace(low, high, GRID) if case.columns == 1 else rng.uniform(low, high, (GRID, case.columns))
    f = case.truth(np.vstack([X, X_new]), rng)
    y = f + case.noise * rng.standard_normal(len(f))
    n = len(X)
    return Data(X, y[:n], X_new, f[n:], y[n:], low, high)


class Score(NamedTuple):
    """One fit and its scores."""

    case: str
    seed: int
    model: str
    """One of `MODELS`, or a peer's name."""
    rmse: float
    """Of the mean, in units of the truth's spread."""
    ll: float | None = None
    """Mean log-likelihood of new measurements; peers have none."""
    cover: float | None = None
    """Share of the truth inside 90 % epistemic intervals, if a model has some."""
    cover_at: list[float] | None = None
    """The same among the rows, in the gap and beyond them."""
    noise: float | None = None
    """Noise std that the model found, over the true one."""
    warned: bool | None = None
    broken: float | None = None
    """Share of functions that break what is right."""
    seconds: float | None = None
    """Processor time of the fit."""


def score(name: str, data: Data, model: str, seed: int, size: dict[str, Any]) -> Score:
    """Fit a model or a peer and score it."""
    case = CASES[name]
    if model in case.peers:
        peer = case.peers[model](case.columns).fit(data.X, data.y)
        return Score(name, seed, model, _relative_error(peer.predict(data.X_new), data), cover=_cover(peer, data))
    start = time.process_time()
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        terms = {"without": None, "wrong": case.wrong}.get(model, case.right)
        noise = {"sigma2": case.noise**2} if model == "noise" else {}
        una = UNA(terms=terms, **noise, **size, random_state=seed).fit(data.X, data.y)
    seconds = time.process_time() - start
    d = una.predict_dist(data.X_new)
    inside = np.abs(d.mean - data.f_new) < NORMAL_90 * d.epistemic_std
    counted = model == "right" and case.breaks is not None
    return Score(
        name,
        seed,
        model,
        _relative_error(d.mean, data),
        ll=float(np.mean(d.log_prob(data.y_new))),
        cover=float(np.mean(inside)),
        cover_at=[float(np.mean(inside[part])) for part in _parts(data)],
        noise=float(np.mean(d.noise_std) / case.noise),
        warned=any("contradict" in str(one.message) for one in said),
        broken=float(np.mean(case.breaks(una, data.low, data.high))) if counted else None,
        seconds=seconds,
    )


def _parts(data: Data) -> list[np.ndarray]:
    """Which of the new places lie among the rows, in the gap and beyond the rows."""
    within = np.all((data.X_new >= data.X.min(axis=0)) & (data.X_new <= data.X.max(axis=0)), axis=1)
    gap = within & (np.abs(data.X_new[:, 0]) < GAP)
    return [within & ~gap, gap, ~within]


def _relative_error(mean: np.ndarray, data: Data) -> float:
    return float(np.sqrt(np.mean((mean - data.f_new) ** 2)) / data.f_new.std())


def _cover(peer: Any, data: Data) -> float | None:
    """Share of the truth inside 90 % epistemic intervals, if a peer has some."""
    process = peer[-1] if isinstance(peer, Pipeline) else peer
    if not isinstance(process, GaussianProcessRegressor | TrueForm):
        return None
    mean, std, noise = *peer.predict(data.X_new, return_std=True), 0.0
    if isinstance(process, GaussianProcessRegressor):
        noise = process.kernel_.k2.noise_level * process._y_train_std**2  # part of the std that is not epistemic
    return float(np.mean(np.abs(mean - data.f_new) < NORMAL_90 * np.sqrt(np.maximum(std**2 - noise, 0.0))))


def run(names: Sequence[str], models: Sequence[str], seeds: Sequence[int], **given: Any) -> list[Score]:
    """All scores of some cases, those that the file `out` has already included; it gets the others."""
    out, size = given["out"], given["size"]
    lines = out.read_text().splitlines() if out is not None and out.exists() else []
    known = {(one.case, one.seed, one.model): one for one in (Score(**json.loads(line)) for line in lines)}
    found = []
    for seed in seeds:
        for name in names:
            for model in [*models, *CASES[name].peers]:
                if (name, seed, model) not in known:
                    known[name, seed, model] = score(name, make_data(CASES[name], seed), model, seed, size)
                    if out is not None:
                        with out.open("a") as file:
                            file.write(json.dumps(known[name, seed, model]._asdict()) + "\n")
                found.append(known[name, seed, model])
    return found


def show(scores: Sequence[Score]) -> None:
    """The tables that docs/knowledge.md has: means over seeds, and in how many of them a term lowered the error.

    After ± are standard errors of the means. "less" is the mean fall of the RMSE.
    """
    frame = pd.DataFrame(scores)
    heads = ["seeds", "RMSE", "less", "lower in", "log-lik.", "covers", "data, gap, beyond", "noise"]
    table = Table("what is known", "model", *heads, "broken %", "warns %", "CPU s")
    for (name, model), rows in frame.groupby(["case", "model"], sort=False):
        before = frame[(frame["case"] == name) & (frame["model"] == "without")].set_index("seed")["rmse"]
        less = before.reindex(rows["seed"]) - rows.set_index("seed")["rmse"]
        at = rows["cover_at"].dropna()
        table.add_row(
            name,
            model,
            str(len(rows)),
            _mean(rows["rmse"], ".2f"),
            _mean(less, ".2f", error=True),
            "" if less.isna().all() else str(int(np.sum(less > 0))),
            _mean(rows["ll"], ".2f"),
            _mean(rows["cover"], ".2f", error=True),
            "" if at.empty else ", ".join(f"{share:.2f}" for share in np.nanmean(at.tolist(), axis=0)),
            _mean(rows["noise"], ".2f"),
            _mean(100 * rows["broken"].astype(float), ".1f"),
            _mean(100 * rows["warned"].astype(float), ".0f"),
            _mean(rows["seconds"], ".1f"),
        )
    Console(width=170).print(table)


def _mean(values: pd.Series, form: str, error: bool = False) -> str:
    """The mean over seeds, with its standard error if asked for; nothing if there is none."""
    values = values.astype(float)
    if values.isna().all():
        return ""
    return f"{values.mean():{form}}" + (f" ± {values.sem():{form}}" if error else "")


def main() -> None:
    """Run the cases."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=20, help="how many")
    parser.add_argument("--first", type=int, default=20, help="the first of them")
    parser.add_argument("--only", nargs="*", choices=list(CASES), default=list(CASES))
    parser.add_argument("--models", nargs="*", choices=MODELS, default=["without", "right", "wrong"])
    parser.add_argument("--out", type=Path, help="a file of JSON lines to go on with")
    parser.add_argument("--quick", action="store_true", help="smaller models; use a file of their own")
    given = parser.parse_args()
    seeds, size = range(given.first, given.first + given.seeds), QUICK if given.quick else {}
    show(run(given.only, given.models, seeds, out=given.out, size=size))


if __name__ == "__main__":
    main()
