"""Pictures of a Bayesian optimisation study: the best value so far, and what the study believes about the function.

A study is any object with the public attributes of `unabases.bayesopt.BayesOpt` that are used here: `space`, `best_`,
`evaluations_`, `history_`, `n_initial`, `predict` and `acquisition_values`.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from unabases.plotting.style import DATA, EPISTEMIC, MEAN, TRUTH, literal, plain_log

__all__ = ["Map", "Slice", "draw_best", "draw_map", "draw_slice", "map_over", "slice_along", "study_figure"]

_BEST, _ACQUISITION = TRUTH, "#1b7837"
_NEAR = 0.15  # points that differ from a slice by less than this in every other column are drawn on it


class Slice(NamedTuple):
    """What a study believes along one parameter while the others are held.

    Parameters
    ----------
    name, x, log
        The parameter, its values (text for choices), and whether its axis is logarithmic.
    mean, std, acquisition
        The surrogate's prediction and the acquisition at each value.
    told
        Evaluated points near the slice, each with its value.
    best
        The best point's place on the slice and its value.
    """

    name: str
    x: list[Any]
    mean: Float[np.ndarray, " g"]
    std: Float[np.ndarray, " g"]
    acquisition: Float[np.ndarray, " g"]
    told: list[tuple[Any, float]]
    best: tuple[Any, float]
    log: bool


class Map(NamedTuple):
    """What a study believes over two parameters while the others are held.

    Parameters
    ----------
    names, x, y, log
        The two parameters, their values, and whether their axes are logarithmic.
    layers
        `"mean"`, `"standard deviation"` and `"acquisition"` over the grid, one row for each value of `y`.
    told, best
        Where the function was evaluated, and the best of these places.
    """

    names: tuple[str, str]
    x: Float[np.ndarray, " g"]
    y: Float[np.ndarray, " h"]
    layers: dict[str, Float[np.ndarray, "h g"]]
    told: Float[np.ndarray, "n 2"]
    best: tuple[float, float]
    log: tuple[bool, bool]


def study_figure(study: Any) -> Figure:
    """Show the course of a study and what it believes now.

    Beside the best value so far are maps over the first two numeric parameters, or a slice along the only one.

    Parameters
    ----------
    study
        A `BayesOpt` that was told at least one value.
    """
    numeric = [name for name, parameter in study.space.parameters.items() if not _choices(parameter)]
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
    draw_slice(above, slice_along(study, numeric[0] if numeric else next(iter(study.space.parameters))), below)
    return figure


def draw_best(ax: Axes, study: Any) -> Axes:
    """Draw every value that a study was told, and the best so far; failures are crosses at the upper edge.

    Parameters
    ----------
    ax
        Axes to draw on.
    study
        A `BayesOpt`.
    """
    history = study.history_
    told, failed = history[history["state"] == "told"], history[history["state"] == "failed"]
    ax.plot(told.index, told["value"], ".", color=DATA, markersize=4, label="told")
    ax.step(history.index, history["best"], where="post", color=_BEST, label="best so far")
    if len(failed):
        transform = ax.get_xaxis_transform()
        ax.plot(failed.index, np.full(len(failed), 0.98), "x", color=_BEST, transform=transform, label="failed")
    ax.axvline(study.n_initial + 0.5, color="#bbbbbb", linestyle=":", linewidth=1, label="surrogate takes over")
    ax.set(xlabel="evaluation", ylabel="value")
    ax.legend(fontsize=8)
    return ax


def slice_along(study: Any, name: str, at: Mapping[str, Any] | None = None, n: int = 201) -> Slice:
    """Ask a study what it believes along one parameter.

    Parameters
    ----------
    study
        A `BayesOpt` that was told at least one value.
    name
        The parameter that varies.
    at
        Values at which the others are held; None for those of the best point.
    n
        Values to ask for, at most.

    Examples
    --------
    >>> from unabases import GaussianProcess
    >>> from unabases.bayesopt import BayesOpt, Space
    >>> study = BayesOpt(Space(x=(0.0, 1.0)), surrogate=GaussianProcess(restarts=0), n_initial=3, random_state=0)
    >>> best = study.minimize(lambda point: point["x"] ** 2, n=4)
    >>> ax = draw_slice(Figure().subplots(), slice_along(study, "x"))
    >>> ax.get_xlabel()
    'x'
    """
    best = study.best_
    held = dict(best.x if at is None else study.space.check(at))
    grid = _grid(study, name, n)
    points = [{**held, name: value} for value in grid]
    mean, std = study.predict(points)
    told = [(x[name], value) for x, value in study.evaluations_ if np.isfinite(value) and _near(study, x, held, name)]
    place, parameter = best.x[name], study.space.parameters[name]
    if _choices(parameter):
        grid, told, place = [literal(x) for x in grid], [(literal(x), value) for x, value in told], literal(place)
    acquisition = study.acquisition_values(points)
    return Slice(name, grid, mean, std, acquisition, told, (place, best.value), _is_log(parameter))


def draw_slice(ax: Axes, part: Slice, acquisition: Axes | None = None) -> Axes:
    """Draw mean and two standard deviations either way along one parameter.

    Parameters
    ----------
    ax
        Axes to draw on.
    part
        What `slice_along` returned.
    acquisition
        Further Axes, usually below, for the acquisition.
    """
    choices = isinstance(part.x[0], str)
    if choices:
        ax.errorbar(part.x, part.mean, yerr=2 * part.std, fmt="o", color=MEAN, ecolor=EPISTEMIC, label="mean ± 2 std")
    else:
        low, high = part.mean - 2 * part.std, part.mean + 2 * part.std
        ax.fill_between(part.x, low, high, color=EPISTEMIC, alpha=0.35, linewidth=0, label="± 2 std")
        ax.plot(part.x, part.mean, color=MEAN, label="mean")
    if part.told:
        ax.plot(*zip(*part.told, strict=True), ".", color=DATA, markersize=5, label="told, nearby")
    ax.plot([part.best[0]], [part.best[1]], "*", color=_BEST, markersize=12, label="best")
    ax.set_ylabel("value")
    ax.legend(fontsize=8)
    if acquisition is not None:
        acquisition.plot(part.x, _top(part.acquisition), color=_ACQUISITION, marker="o" if choices else None)
        acquisition.set_ylabel("acquisition")
    for each in (ax, acquisition):
        if each is not None and part.log:
            plain_log(each.xaxis)
    (ax if acquisition is None else acquisition).set_xlabel(literal(part.name))
    return ax


def map_over(study: Any, names: tuple[str, str], at: Mapping[str, Any] | None = None, n: int = 61) -> Map:
    """Ask a study what it believes over two numeric parameters.

    Parameters
    ----------
    study
        A `BayesOpt` that was told at least one value.
    names
        The parameters that vary: along the horizontal and the vertical axis.
    at
        Values at which the others are held; None for those of the best point.
    n
        Values of each parameter to ask for, at most.
    """
    x, y = (_grid(study, name, n) for name in names)
    parameters = [study.space.parameters[name] for name in names]
    for name, parameter in zip(names, parameters, strict=True):
        if _choices(parameter):
            raise ValueError(f"`{name}` is a choice, which has no scale; draw a slice along it instead.")
    best = study.best_
    held = dict(best.x if at is None else study.space.check(at))
    points = [{**held, names[0]: a, names[1]: b} for b in y for a in x]
    mean, std = study.predict(points)
    layers = {"mean": mean, "standard deviation": std, "acquisition": study.acquisition_values(points)}
    told = [[point[name] for name in names] for point, value in study.evaluations_ if np.isfinite(value)]
    return Map(
        names,
        np.array(x, dtype=np.float64),
        np.array(y, dtype=np.float64),
        {name: values.reshape(len(y), len(x)) for name, values in layers.items()},
        np.array(told, dtype=np.float64).reshape(-1, 2),
        (float(best.x[names[0]]), float(best.x[names[1]])),
        (_is_log(parameters[0]), _is_log(parameters[1])),
    )


def draw_map(ax: Axes, part: Map, layer: str = "mean") -> Axes:
    """Draw one layer of a map as filled contours, with the evaluated points and the best of them.

    Parameters
    ----------
    ax
        Axes to draw on.
    part
        What `map_over` returned.
    layer
        `"mean"`, `"standard deviation"` or `"acquisition"`.
    """
    if layer not in part.layers:
        raise ValueError(f"unknown layer {layer!r}; known ones are {', '.join(part.layers)}.")
    values = _top(part.layers[layer]) if layer == "acquisition" else part.layers[layer]
    drawn = ax.contourf(part.x, part.y, values, levels=20, cmap="Blues")
    ax.figure.colorbar(drawn, ax=ax)
    ax.plot(*part.told.T, ".", color="white", markeredgecolor=DATA, markeredgewidth=0.6, markersize=7, clip_on=False)
    ax.plot([part.best[0]], [part.best[1]], "*", color=_BEST, markersize=13, clip_on=False)
    for log, axis in zip(part.log, (ax.xaxis, ax.yaxis), strict=True):
        if log:
            plain_log(axis)
    ax.set(xlabel=literal(part.names[0]), ylabel=literal(part.names[1]))
    ax.set_title(layer, fontsize=10)
    return ax


def _top(acquisition: np.ndarray) -> np.ndarray:
    """The acquisition, cut far below its top: a logarithm falls without end, and all of that is alike."""
    return np.maximum(acquisition, np.nanmax(acquisition) - 20)


def _choices(parameter: Any) -> tuple[Any, ...]:
    return tuple(getattr(parameter, "choices", ()))


def _is_log(parameter: Any) -> bool:
    return bool(getattr(parameter, "log", False))


def _grid(study: Any, name: str, n: int) -> list[Any]:
    """Values of a parameter from end to end; whole numbers if the best point has one there."""
    parameters = study.space.parameters
    if name not in parameters:
        raise ValueError(f"unknown parameter {name!r}; known ones are {', '.join(parameters)}.")
    if choices := _choices(parameters[name]):
        return list(choices)
    ends = float(parameters[name].low), float(parameters[name].high)
    values = (np.geomspace if _is_log(parameters[name]) else np.linspace)(*ends, n)
    if isinstance(study.best_.x[name], int):
        return sorted({int(value) for value in np.rint(values)})
    return values.tolist()


def _near(study: Any, x: Mapping[str, Any], held: Mapping[str, Any], free: str) -> bool:
    """Whether a point is close to a slice in all parameters that are held."""
    apart = study.space.encode([{**x, free: held[free]}]) - study.space.encode([held])
    return bool(np.max(np.abs(apart)) < _NEAR)
