"""Pictures of a study: the best so far, and slices and maps of what is believed."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from optuna.distributions import CategoricalDistribution as Categorical
from optuna.distributions import IntDistribution as Integer

from unabases.bayesopt import BayesOpt
from unabases.selection.axes import make_axis

EPISTEMIC, MEAN, DATA, BEST, PROMISE = "#2166ac", "#08306b", "#222222", "#d6604d", "#1b7837"
_NEAR = 0.15  # points that differ from a slice by less than this in every other column are drawn on it


class Slice(NamedTuple):
    """What is believed along one parameter, the others held."""

    name: str
    x: Any
    mean: Float[np.ndarray, " g"]
    std: Float[np.ndarray, " g"]
    promise: Float[np.ndarray, " g"]
    told: list[tuple[Any, float]]  # points near the slice, and their values
    best: tuple[Any, float]
    log: bool


class Map(NamedTuple):
    """What is believed over two parameters, the others held."""

    names: tuple[str, str]
    x: Float[np.ndarray, " g"]
    y: Float[np.ndarray, " h"]
    layers: dict[str, Float[np.ndarray, "h g"]]  # mean, standard deviation, acquisition
    told: Float[np.ndarray, "n 2"]
    best: tuple[float, float]
    log: tuple[bool, bool]


def draw_best(ax: Axes, study: BayesOpt) -> Axes:
    """Draw what was told, and the best of it so far, against the evaluations; failures at the rim."""
    history = study.history_
    told, failed = history[history["state"] == "told"], history[history["state"] == "failed"]
    ax.plot(told.index, told["value"], ".", color=DATA, markersize=4, label="told")
    ax.step(history.index, history["best"], where="post", color=BEST, label="best so far")
    if len(failed):
        transform = ax.get_xaxis_transform()
        ax.plot(failed.index, np.full(len(failed), 0.98), "x", color=BEST, transform=transform, label="failed")
    ax.axvline(study.n_initial + 0.5, color="#bbbbbb", linestyle=":", linewidth=1, label="surrogate takes over")
    ax.set_xlabel("evaluation")
    ax.set_ylabel("value")
    ax.legend(fontsize=8)
    return ax


def slice_along(study: BayesOpt, name: str, at: Mapping[str, Any] | None = None, n: int = 201) -> Slice:
    """What a study believes along one parameter; the others as in `at`, or in the best point."""
    best = study.best_
    held = dict(best.x if at is None else study.space.check(at))
    grid = _grid(study, name, n)
    points = [{**held, name: value} for value in grid]
    mean, std = study.predict(points)
    told = [(x[name], value) for x, value in study.evaluations_ if np.isfinite(value) and _near(study, x, held, {name})]
    parameter = study.space.parameters[name]
    shown = [str(value) for value in grid] if isinstance(parameter, Categorical) else grid
    log = not isinstance(parameter, Categorical) and parameter.log
    return Slice(name, shown, mean, std, study.acquisition_values(points), told, (best.x[name], best.value), log)


def draw_slice(ax: Axes, part: Slice, promise: Axes | None = None) -> Axes:
    """Draw mean and two standard deviations either way; on further axes, how much each value promises."""
    if part.x and isinstance(part.x[0], str):
        ax.errorbar(part.x, part.mean, yerr=2 * part.std, fmt="o", color=MEAN, ecolor=EPISTEMIC, label="mean ± 2 std")
        part = part._replace(told=[(str(x), v) for x, v in part.told], best=(str(part.best[0]), part.best[1]))
    else:
        low, high = part.mean - 2 * part.std, part.mean + 2 * part.std
        ax.fill_between(part.x, low, high, color=EPISTEMIC, alpha=0.35, linewidth=0, label="± 2 std")
        ax.plot(part.x, part.mean, color=MEAN, label="mean")
    if part.told:
        ax.plot(*zip(*part.told, strict=True), ".", color=DATA, markersize=5, label="told, nearby")
    ax.plot([part.best[0]], [part.best[1]], "*", color=BEST, markersize=12, label="best")
    ax.set_ylabel("value")
    ax.legend(fontsize=8)
    axes = [ax]
    if promise is not None:
        promise.plot(part.x, _upper(part.promise), color=PROMISE, marker="o" if isinstance(part.x[0], str) else None)
        promise.set_ylabel("acquisition")
        axes.append(promise)
    for each in axes:
        if part.log:
            each.set_xscale("log")
    axes[-1].set_xlabel(part.name)
    return ax


def map_over(study: BayesOpt, names: tuple[str, str], at: Mapping[str, Any] | None = None, n: int = 61) -> Map:
    """What a study believes over two numeric parameters; the others as in `at`, or in the best point."""
    for name in names:
        if isinstance(study.space.parameters[name], Categorical):
            raise ValueError(f"`{name}` is a choice, which has no scale; draw a slice along it instead.")
    best = study.best_
    held = dict(best.x if at is None else study.space.check(at))
    x, y = (_grid(study, name, n) for name in names)
    points = [{**held, names[0]: a, names[1]: b} for b in y for a in x]
    mean, std = study.predict(points)
    layers = {"mean": mean, "standard deviation": std, "acquisition": study.acquisition_values(points)}
    told = [[point[name] for name in names] for point, value in study.evaluations_ if np.isfinite(value)]
    first, second = (study.space.parameters[name] for name in names)
    return Map(
        names,
        np.array(x, dtype=np.float64),
        np.array(y, dtype=np.float64),
        {name: values.reshape(len(y), len(x)) for name, values in layers.items()},
        np.array(told, dtype=np.float64).reshape(-1, 2),
        (float(best.x[names[0]]), float(best.x[names[1]])),
        (bool(getattr(first, "log", False)), bool(getattr(second, "log", False))),
    )


def draw_map(ax: Axes, part: Map, layer: str) -> Axes:
    """Draw one layer of a map: `"mean"`, `"standard deviation"` or `"acquisition"`."""
    if layer not in part.layers:
        raise ValueError(f"unknown layer {layer!r}; known ones are {', '.join(part.layers)}.")
    values = _upper(part.layers[layer]) if layer == "acquisition" else part.layers[layer]
    drawn = ax.contourf(part.x, part.y, values, levels=20, cmap={"mean": "viridis"}.get(layer, "Blues"))
    ax.figure.colorbar(drawn, ax=ax)
    ax.plot(*part.told.T, ".", color="white", markeredgecolor=DATA, markeredgewidth=0.6, markersize=7, clip_on=False)
    ax.plot([part.best[0]], [part.best[1]], "*", color=BEST, markersize=13, clip_on=False)
    for log, set_scale in zip(part.log, (ax.set_xscale, ax.set_yscale), strict=True):
        if log:
            set_scale("log")
    ax.set_xlabel(part.names[0])
    ax.set_ylabel(part.names[1])
    ax.set_title(layer, fontsize=10)
    return ax


def study_figure(study: BayesOpt) -> Figure:
    """The best so far; and over the first two numeric parameters, or along the only one, what is believed."""
    numeric = [name for name, p in study.space.parameters.items() if not isinstance(p, Categorical)]
    if len(numeric) >= 2:
        figure = Figure(figsize=(16, 3.8), layout="constrained")
        axes = figure.subplots(1, 4)
        draw_best(axes[0], study)
        part = map_over(study, (numeric[0], numeric[1]))
        for ax, layer in zip(axes[1:], part.layers, strict=True):
            draw_map(ax, part, layer)
        return figure
    figure = Figure(figsize=(10, 4.5), layout="constrained")
    left, right = np.asarray(figure.subfigures(1, 2)).tolist()
    draw_best(left.subplots(), study)
    above, below = right.subplots(2, 1, sharex=True, height_ratios=(2, 1))
    draw_slice(above, slice_along(study, numeric[0] if numeric else study.space.names[0]), below)
    return figure


def _upper(promise: np.ndarray) -> np.ndarray:
    """An acquisition without what is far below its top, all of which is alike: a logarithm falls without end."""
    return np.maximum(promise, np.nanmax(promise) - 20)


def _grid(study: BayesOpt, name: str, n: int) -> list[Any]:
    """Values of a parameter from end to end."""
    if name not in study.space.parameters:
        raise ValueError(f"unknown parameter {name!r}; known ones are {', '.join(study.space.names)}.")
    parameter = study.space.parameters[name]
    if isinstance(parameter, Categorical):
        return list(parameter.choices)
    values = make_axis(parameter).decode(np.linspace(0, 1, n)[:, None])
    return sorted(set(values)) if isinstance(parameter, Integer) else values


def _near(study: BayesOpt, x: Mapping[str, Any], held: Mapping[str, Any], free: set[str]) -> bool:
    """Whether a point lies near a slice: close in all the parameters that are held."""
    moved = {name: held[name] if name in free else x[name] for name in held}
    gap = np.abs(study.space.encode([moved]) - study.space.encode([held]))
    return bool(np.max(gap) < _NEAR)
