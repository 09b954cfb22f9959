"""The pictures of docs/knowledge.md: what a model holds possible, before and after it is told what is known.

    python -m benchmarks.knowledge_pictures [--out docs/images] [--only Monotone ...]

Each picture has two panels with the same rows and the same truth: a model that was told nothing, and one that was.
"""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from benchmarks.knowledge import NORMAL_90
from unabases import UNA
from unabases.plotting.style import DATA, EPISTEMIC, MEAN, TRUTH, plain_axes
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

_DPI = 90


class Scene(NamedTuple):
    """Something to measure, a few rows of it, and what is known of it."""

    words: str
    """What is known, as one would say it."""
    axes: tuple[str, str]
    """What is on the two axes."""
    truth: Callable[[np.ndarray], np.ndarray]
    """The true value of rows."""
    rows: np.ndarray
    noise: float
    terms: list[Any]
    line: np.ndarray
    """Rows along the first column, at which to draw."""


def _one_column(low: float, high: float, *parts: tuple[float, float, int]) -> tuple[np.ndarray, np.ndarray]:
    """Random rows in some ranges, and the line from `low` to `high`."""
    rng = np.random.default_rng(5)
    return np.concatenate([rng.uniform(a, b, n) for a, b, n in parts])[:, None], np.linspace(low, high, 200)[:, None]


def _columns(count: int, rows: int, low: float, high: float, at: float) -> tuple[np.ndarray, np.ndarray]:
    """Random rows of several columns, and a line along the first with the others at one value."""
    X, line = np.random.default_rng(5).uniform(low, high, (rows, count)), np.full((200, count), at)
    line[:, 0] = np.linspace(low, high, 200)
    return X, line


def _rise(x: np.ndarray) -> np.ndarray:
    return 100 / (1 + np.exp(5 - 1.2 * x[:, 0]))


def make_scenes() -> dict[str, Scene]:
    """All pictures by name."""
    dose, doses = _one_column(0, 10, (0.5, 3, 12), (7, 9, 8))
    size, sizes = _one_column(0, 9.4, (1, 3.5, 12), (6, 8, 8))
    heat, heats = _one_column(20, 73, (22, 35, 12), (55, 65, 8))
    cold, colds = _one_column(20, 75, (25, 40, 10), (55, 65, 10))
    hour, hours = _one_column(0, 72, (0, 20, 14), (50, 60, 6))
    time, times = _one_column(0, 10, (0, 3, 12), (6, 8, 8))
    masses, along = _columns(2, 20, 0, 4, 2.0)
    masses = np.sort(masses, axis=1)  # the first was always the smaller one
    adverts, spending = _columns(2, 24, 0, 10, 9.0)
    many, beside = _columns(6, 20, 0, 10, 5.0)
    speed = ("dose", "yield in %")
    return {
        "monotone": Scene('Monotone("dose"): the yield rises', speed, _rise, dose, 6, [Monotone(0)], doses),
        "bounds": Scene("Bounds(0, 100): it is a percentage", speed, _rise, dose, 6, [Bounds(0, 100)], doses),
        "together": Scene(
            "It rises from 0 at dose 0 and stays below 100 %",
            speed,
            _rise,
            dose,
            6,
            [Monotone(0), Bounds(0, 100), Through([[0.0]], 0.0, std=2.0)],
            doses,
        ),
        "convex": Scene(
            'Convex("size"): costs grow faster and faster',
            ("size", "cost"),
            lambda X: 10 + 0.8 * X[:, 0] ** 2,
            size,
            3,
            [Convex(0)],
            sizes,
        ),
        "through": Scene(
            "Through: calibrated at 45 °C, to ± 0.5",
            ("temperature in °C", "reading"),
            lambda X: 20 + 8 * np.sin(X[:, 0] / 9),
            heat,
            1,
            [Through([[45.0]], 20 + 8 * np.sin(5), std=0.5)],
            heats,
        ),
        "slope": Scene(
            'Slope("temperature", −0.5, std=0.1) per °C',
            ("temperature in °C", "efficiency in %"),
            lambda X: 95 - 0.5 * X[:, 0] + 0.5 * np.sin(X[:, 0] / 6),
            cold,
            4,
            [Slope(0, -0.5, std=0.1)],
            colds,
        ),
        "symmetric": Scene(
            "Symmetric: the masses can change places",
            ("mass_1, with mass_2 = 2", "force"),
            lambda X: 3 * X[:, 0] * X[:, 1] / (1 + 0.3 * (X[:, 0] + X[:, 1])),
            masses,
            1,
            [Symmetric([0, 1])],
            along,
        ),
        "additive": Scene(
            "Additive: what advertising does is the same in every season",
            ("spending on advertising, in one season", "sales"),
            lambda X: 12 * np.tanh(X[:, 0] / 3) + 15 * np.sin(X[:, 1]) ** 2,
            adverts,
            1.5,
            [Additive([0])],
            spending,
        ),
        "periodic": Scene(
            'Periodic("hour", 24): every day is alike',
            ("hour", "load in MW"),
            lambda X: 50 + 20 * np.sin(2 * np.pi * X[:, 0] / 24) + 8 * np.cos(4 * np.pi * X[:, 0] / 24),
            hour,
            3,
            [Periodic(0, 24)],
            hours,
        ),
        "irrelevant": Scene(
            "Irrelevant: five columns have no effect",
            ("the first of six columns", "y"),
            lambda X: 10 * np.sin(X[:, 0] / 1.5),
            many,
            4,
            [Irrelevant(i) for i in range(1, 6)],
            beside,
        ),
        "prior": Scene(
            "FunctionPrior: bends over about 1 s, by about 3",
            ("time in s", "signal"),
            lambda X: 3 * np.sin(1.1 * X[:, 0]) + np.cos(2 * X[:, 0]),
            time,
            0.5,
            [FunctionPrior(length_scale=1.0, amplitude=3.0)],
            times,
        ),
    }


def draw_scene(scene: Scene, seed: int = 0) -> Figure:
    """Fit both models and draw them side by side."""
    y = scene.truth(scene.rows) + scene.noise * np.random.default_rng(seed).standard_normal(len(scene.rows))
    figure = Figure(figsize=(6.4, 2.7), layout="constrained")
    left, right = figure.subplots(1, 2, sharey=True)
    for ax, terms, title in ((left, None, "told nothing"), (right, scene.terms, "told")):
        _draw_model(ax, UNA(terms=terms, random_state=seed).fit(scene.rows, y), scene, y)
        ax.set_title(title, fontsize=10)
    left.set_ylabel(scene.axes[1])
    shown = np.r_[y, scene.truth(scene.line)]
    left.set_ylim(shown.min() - 0.5 * np.ptp(shown), shown.max() + 0.5 * np.ptp(shown))
    figure.suptitle(scene.words, fontsize=11)
    return figure


def _draw_model(ax: Axes, model: UNA, scene: Scene, y: np.ndarray) -> None:
    x, d = scene.line[:, 0], model.predict_dist(scene.line)
    low, high = d.mean - NORMAL_90 * d.epistemic_std, d.mean + NORMAL_90 * d.epistemic_std
    plain_axes(ax).fill_between(x, low, high, color=EPISTEMIC, alpha=0.35, linewidth=0)
    for f in model.sample_posterior(scene.line, 8, random_state=0):
        ax.plot(x, f, color=EPISTEMIC, linewidth=0.5, alpha=0.6)
    ax.plot(x, scene.truth(scene.line), color=TRUTH, linestyle="--", linewidth=1.5)
    ax.plot(x, d.mean, color=MEAN, linewidth=1.6)
    elsewhere = scene.rows.shape[1] > 1  # rows have other values of the other columns
    ax.plot(scene.rows[:, 0], y, "o", color=DATA, markersize=3.5, alpha=0.25 if elsewhere else 1.0, markeredgewidth=0)
    ax.set_xlabel(scene.axes[0])


def main() -> None:
    """Draw the pictures."""
    scenes = make_scenes()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("docs/images"))
    parser.add_argument("--only", nargs="*", choices=list(scenes), default=list(scenes))
    given = parser.parse_args()
    for name in given.only:
        draw_scene(scenes[name]).savefig(given.out / f"knowledge-{name}.png", dpi=_DPI)


if __name__ == "__main__":
    main()
