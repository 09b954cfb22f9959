"""How wide intervals have to be, by outcomes that a regressor did not see."""

import math
from typing import NamedTuple

import numpy as np
from jaxtyping import Float
from scipy.special import ndtri

from unabases.predictive import AbstractPredictive, Stretched
from unabases.predictive.stretched import core_of, distances
from unabases.regressors.shared.weights import counts_of, weighted_mean

__all__ = ["Widths", "Witness", "choose_widths", "conformal_quantile", "rows_needed"]

_LEAST_RISE = 1e-3  # of an interval's end from one level to the next, relative to that of a normal distribution
_ROUNDING = 1e-9


class Witness(NamedTuple):
    """What a regressor said about rows that it did not see, and what they were."""

    prediction: AbstractPredictive
    y: Float[np.ndarray, "*shape"]
    weight: Float[np.ndarray, " n"] | None = None  # how often each row counts; None for once


class Widths(NamedTuple):
    """Where the central intervals at some levels end, in predicted stds from the mean, for each of p outputs."""

    levels: Float[np.ndarray, " k"]
    covered: Float[np.ndarray, "k p"]
    """Share of the unseen rows inside the regressor's own interval."""
    before: Float[np.ndarray, "k p"]
    """The end of the regressor's own interval."""
    after: Float[np.ndarray, "k p"]
    """Where it has to be."""
    noise: Float[np.ndarray, " p"]
    """What the noise variance is multiplied by in the end."""


def rows_needed(level: float) -> int:
    """How many unseen rows an interval of this level needs.

    Examples
    --------
    >>> rows_needed(0.9), rows_needed(0.95)
    (9, 19)
    """
    return math.ceil(level / (1 - level) - _ROUNDING)


def conformal_quantile(
    scores: Float[np.ndarray, " m"], level: float, weight: Float[np.ndarray, " m"] | None = None
) -> float:
    r"""The score that a new one does not exceed with at least this probability, if all of them are exchangeable.

    It is the score of rank :math:`\lceil (m + 1) \cdot \text{level} \rceil`, or infinite if there are too few. A score
    of weight w counts as w scores.

    Examples
    --------
    >>> conformal_quantile(np.arange(1.0, 10.0), 0.5), conformal_quantile(np.arange(1.0, 10.0), 0.95)
    (5.0, inf)
    """
    order = np.argsort(scores, kind="stable")
    counted = np.cumsum(counts_of(weight, len(scores))[order])
    if not len(scores):
        return np.inf
    place = int(np.searchsorted(counted, level * (counted[-1] + 1) - _ROUNDING * counted[-1]))
    return float(scores[order[place]]) if place < len(scores) else np.inf


def choose_widths(witnesses: list[Witness], levels: Float[np.ndarray, " k"], usual: AbstractPredictive) -> Widths:
    """Where intervals have to end so that they hold their share of unseen rows; levels that lack rows are left out.

    Parameters
    ----------
    witnesses
        What was said about unseen rows.
    levels
        Rising, between 0 and 1.
    usual
        A prediction of the kind that is to be set, for the ends of its own intervals.
    """
    core = core_of(usual)
    p = int(np.prod(core.shape[1:]))
    scores = np.concatenate([np.zeros((0, p)), *(_columns(distances(said, y)) for said, y, _ in witnesses)])
    weight = None
    if any(witness.weight is not None for witness in witnesses):
        weight = np.concatenate([counts_of(witness.weight, len(witness.y)) for witness in witnesses])
    after = np.array([[conformal_quantile(column, level, weight) for column in scores.T] for level in levels])
    reached = np.all(np.isfinite(after), axis=1)
    levels, after = levels[reached], _rising(after[reached], levels[reached])
    if not len(levels):
        none = np.zeros((0, p))
        return Widths(levels, none, none, none, np.ones(p))
    stretched = Stretched(core, levels, after[:, 0] if len(core.shape) == 1 else after)
    before = stretched.ends.reshape(after.shape)
    covered = np.array([weighted_mean(scores <= end, weight) for end in before])
    return Widths(levels, covered, before, after, np.atleast_1d(stretched.factor**2))


def _columns(values: Float[np.ndarray, "*shape"]) -> Float[np.ndarray, "n p"]:
    return values.reshape(len(values), -1)


def _rising(ends: Float[np.ndarray, "k p"], levels: Float[np.ndarray, " k"]) -> Float[np.ndarray, "k p"]:
    """Ends that rise with the level also where distances are equal; none comes nearer."""
    steps = _LEAST_RISE * np.diff(ndtri((1 + levels) / 2), prepend=0.0)
    made = np.zeros((len(levels) + 1, ends.shape[1]))
    for i, (end, step) in enumerate(zip(ends, steps, strict=True)):
        made[i + 1] = np.maximum(end, made[i] * (1 + _ROUNDING) + step)
    return made[1:]
