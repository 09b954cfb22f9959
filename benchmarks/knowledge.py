"""Does knowledge help? For each term a truth that obeys it, few rows and a gap; with it, without it, and a wrong one.

    python -m benchmarks.knowledge [--seeds 20] [--only monotone ...] [--picture docs/images/knowledge.png]

Each model is scored in the range of the rows and a fifth beyond: RMSE of the mean in units of the truth's spread,
log-likelihood of new measurements, and the share of the truth inside 90 % epistemic intervals.
"""

import argparse
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from rich.console import Console
from rich.table import Table
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel
from sklearn.isotonic import IsotonicRegression

from unabases import UNA
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

QUICK: dict[str, Any] = {"max_steps": 100, "hidden_layer_sizes": (20, 20), "n_folds": 3, "n_slabs": 1}  # for many seeds
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


def true_process(columns: int) -> GaussianProcessRegressor:
    """The Gaussian process that `smooth` is drawn from."""
    kernel = ConstantKernel(9.0) * RBF(np.ones(columns)) + WhiteKernel(0.09)
    return GaussianProcessRegressor(kernel, optimizer=None)


def isotonic(columns: int) -> Any:
    """Isotonic regression, constant beyond the rows."""
    return IsotonicRegression(out_of_bounds="clip")


def boosted(columns: int) -> HistGradientBoostingRegressor:
    """Boosted trees that rise along the first column, with leaves small enough for few rows."""
    return HistGradientBoostingRegressor(monotonic_cst=[1] + [0] * (columns - 1), min_samples_leaf=3, random_state=0)


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
    "Convex": Case(lambda X, _: X[:, 0] ** 2, [Convex(0)], [Convex(0, convex=False)], noise=0.6, breaks=bends),
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
        lambda X, _: np.sin(X[:, 0]) + np.sin(X[:, 1]) + 0.5 * X[:, 0] * X[:, 1] + X[:, 2],
        [Symmetric([0, 1])],
        [Symmetric([0, 2])],
        3,
        40,
    ),
    "Periodic": Case(
        lambda X, _: np.sin(np.pi * X[:, 0]) + 0.5 * np.cos(2 * np.pi * X[:, 0]), [Periodic(0, 2)], [Periodic(0, 1.5)]
    ),
    "Irrelevant": Case(
        lambda X, _: np.sin(2 * X[:, 0]) + X[:, 1],
        [Irrelevant(i) for i in range(2, 6)],
        [Irrelevant(1)],
        6,
        40,
    ),
    "Additive": Case(
        lambda X, _: np.sin(2 * X[:, 0]) + X[:, 1] ** 2 + X[:, 2] * X[:, 3], [Additive([0, 1])], [Additive([2])], 4, 50
    ),
    "FunctionPrior": Case(
        smooth,
        [FunctionPrior(length_scale=1.0, amplitude=3.0)],
        [FunctionPrior(length_scale=4.0, amplitude=3.0)],
        peers={"the true process": true_process},
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
    """Rows between −2 and 2 without those between −0.7 and 0.7 along the first column."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-2, 2, (case.rows, case.columns))
    X[:, 0] = np.sign(X[:, 0]) * (0.7 + 1.3 / 2 * np.abs(X[:, 0]))
    beyond = 0.2 * np.ptp(X, axis=0)
    low, high = X.min(axis=0) - beyond, X.max(axis=0) + beyond
    X_new = np.linspace(low, high, GRID) if case.columns == 1 else rng.uniform(low, high, (GRID, case.columns))
    f = case.truth(np.vstack([X, X_new]), rng)
    y = f + case.noise * rng.standard_normal(len(f))
    n = len(X)
    return Data(X, y[:n], X_new, f[n:], y[n:], low, high)


def score(case: Case, data: Data, terms: list[Any] | None, seed: int, told: bool) -> dict[str, float]:
    """One fit and its scores; `told` if what it was told is right, so that breaking it counts."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        model = UNA(terms=terms, **QUICK, random_state=seed).fit(data.X, data.y)
    d = model.predict_dist(data.X_new)
    scores = {
        "rmse": float(np.sqrt(np.mean((d.mean - data.f_new) ** 2)) / data.f_new.std()),
        "ll": float(np.mean(d.log_prob(data.y_new))),
        "cover": float(np.mean(np.abs(d.mean - data.f_new) < NORMAL_90 * d.epistemic_std)),
        "warned": float(any("contradict" in str(one.message) for one in said)),
    }
    if told and case.breaks is not None:
        scores["broken"] = float(np.mean(case.breaks(model, data.low, data.high)))
    return scores


def run(name: str, seeds: Sequence[int]) -> dict[str, dict[str, float]]:
    """Mean scores of a case, by what the model was told."""
    case, found = CASES[name], {}
    for seed in seeds:
        data = make_data(case, seed)
        for label, terms in (("without", None), ("right", case.right), ("wrong", case.wrong)):
            found.setdefault(label, []).append(score(case, data, terms, seed, label == "right"))
        for label, make in case.peers.items():
            mean = make(case.columns).fit(data.X, data.y).predict(data.X_new)
            rmse = float(np.sqrt(np.mean((mean - data.f_new) ** 2)) / data.f_new.std())
            found.setdefault(label, []).append({"rmse": rmse})
    return {label: {key: float(np.mean([s[key] for s in rows])) for key in rows[0]} for label, rows in found.items()}


def show(results: dict[str, dict[str, dict[str, float]]], seeds: int) -> None:
    """The table that docs/knowledge.md has."""
    table = Table("what is known", "model", "RMSE", "log-lik.", "covers", "broken", "warns", title=f"{seeds} seeds")
    for name, rows in results.items():
        for label, s in rows.items():
            cells = [f"{s[key]:.2f}" if key in s else "" for key in ("rmse", "ll", "cover")]
            cells += [f"{100 * s[key]:.1f} %" if key in s else "" for key in ("broken", "warned")]
            table.add_row(name, label, *cells)
    Console(width=120).print(table)


def draw(path: Path, seed: int = 3) -> None:
    """A picture for each case with one column: with and without what is known."""
    import matplotlib.pyplot as plt

    names = [name for name, case in CASES.items() if case.columns == 1]
    figure, axes = plt.subplots(len(names), 2, figsize=(8, 2.1 * len(names)), sharex="row", sharey="row")
    for pair, name in zip(axes, names, strict=True):
        case, data = CASES[name], make_data(CASES[name], seed)
        for axis, terms, title in zip(pair, (None, case.right), ("without", f"with {name}"), strict=True):
            model = UNA(terms=terms, random_state=seed).fit(data.X, data.y)
            d, x = model.predict_dist(data.X_new), data.X_new[:, 0]
            for f in model.sample_posterior(data.X_new, 15, random_state=0):
                axis.plot(x, f, color="0.75", lw=0.5)
            axis.fill_between(x, *d.interval(0.9, noise=False), color="C0", alpha=0.25, lw=0)
            axis.plot(x, d.mean, color="C0")
            axis.plot(x, data.f_new, "k--", lw=1)
            axis.plot(data.X[:, 0], data.y, "k.", ms=4)
            axis.set_title(title, fontsize=9)
    figure.tight_layout()
    figure.savefig(path, dpi=80)


def main() -> None:
    """Run the cases."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--only", nargs="*", choices=list(CASES), default=list(CASES))
    parser.add_argument("--picture", type=Path)
    given = parser.parse_args()
    if given.picture is not None:
        return draw(given.picture)
    results = {}
    for name in given.only:
        results[name] = run(name, range(given.seeds))
        show({name: results[name]}, given.seeds)
    return None


if __name__ == "__main__":
    main()
