"""Pictures of searches for an optimum: regret and time over evaluations, one line for each method."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes

from unabases.plotting.style import Look, looks_for, plain_axes, plain_log

__all__ = ["Course", "draw_regret", "draw_seconds", "median_course"]

Searches = Mapping[str, Sequence[Sequence[float]]]  # by method: one list for each search, one number per evaluation

_LEAST = 1e-6  # smaller regrets are drawn as this one: zero has no place on a logarithmic axis
_INSTANT = 1e-5  # seconds below which a step counts as taking no time
_MARKS = 6  # along each line


class Course(NamedTuple):
    """A number after each evaluation: the median over searches, and the quartiles."""

    low: Float[np.ndarray, " n"]
    median: Float[np.ndarray, " n"]
    high: Float[np.ndarray, " n"]


def median_course(searches: Sequence[Sequence[float]]) -> Course:
    """Take the median and the quartiles over searches, evaluation by evaluation.

    Parameters
    ----------
    searches
        One list for each search, all of the same length.

    Examples
    --------
    >>> median_course([[3.0, 1.0], [5.0, 2.0], [4.0, 0.0]]).median
    array([4., 1.])
    """
    return Course(*np.quantile(np.asarray(searches, dtype=np.float64), [0.25, 0.5, 0.75], axis=0))


def draw_regret(
    ax: Axes, searches: Searches, looks: Mapping[str, Look] | None = None, bands: Collection[str] | None = None
) -> Axes:
    """Draw how far the best value so far is from the optimum: the median of each method, and its middle half.

    Parameters
    ----------
    ax
        Axes to draw on.
    searches
        For each method, the regret of each of its searches after every evaluation.
    looks
        How to draw each method; None for the looks of `looks_for`.
    bands
        Methods whose middle half is shown; None for all. With many methods, a few are enough.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> ax = draw_regret(Figure().subplots(), {"LUNA": [[3.0, 0.5], [2.0, 0.1]], "random": [[3.0, 2.0]]})
    >>> [line.get_label() for line in ax.lines]
    ['LUNA', 'random']
    """
    looks = looks_for(searches) if looks is None else looks
    for method, values in searches.items():
        course = Course(*(np.maximum(part, _LEAST) for part in median_course(values)))
        _draw_line(ax, method, course.median, looks[method])
        steps = np.arange(1, len(course.median) + 1)
        if bands is None or method in bands:
            ax.fill_between(steps, course.low, course.high, color=looks[method].colour, alpha=0.15, linewidth=0)
    return _finish(ax, "regret")


def draw_seconds(ax: Axes, searches: Searches, looks: Mapping[str, Look] | None = None) -> Axes:
    """Draw the median time that each method takes for an evaluation; what takes no time is left out.

    Parameters
    ----------
    ax
        Axes to draw on.
    searches
        For each method, the seconds of each of its searches at every evaluation.
    looks
        How to draw each method; None for the looks of `looks_for`.
    """
    looks = looks_for(searches) if looks is None else looks
    for method, values in searches.items():
        median = median_course(values).median
        if (median > _INSTANT).any():
            _draw_line(ax, method, np.where(median > _INSTANT, median, np.nan), looks[method])
    return _finish(ax, "seconds per evaluation")


def _draw_line(ax: Axes, method: str, values: Float[np.ndarray, " n"], look: Look) -> None:
    every = max(1, len(values) // _MARKS)
    first = sum(map(ord, method)) % every  # marks of different methods fall on different evaluations
    ax.plot(np.arange(1, len(values) + 1), values, label=method, markevery=(first, every), **look.keywords())


def _finish(ax: Axes, quantity: str) -> Axes:
    plain_log(plain_axes(ax).yaxis)
    ax.set(xlabel="evaluation", ylabel=quantity)
    return ax
