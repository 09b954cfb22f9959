"""How well a fitted model keeps what is known, and whether the data contradict it."""

import warnings
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float
from scipy.stats import chi2

from unabases import linear
from unabases.regressors.knowledge.known_values import KnownDesign
from unabases.regressors.knowledge.obeying_functions import Limits, nearest_obeying, shortfall

CLEARLY = 0.01  # in units of y's spread: functions that fall short by more count as not obeying
_MOST = 0.5  # share of functions above which a statement is not kept
_DOUBTFUL = 1e-3  # chance below which the data contradict a statement


class Kept(NamedTuple):
    """How one statement is kept by the functions that a model holds possible."""

    term: str
    broken: float
    """Share of functions that break it: by more than 1 % of y's spread or, for a value, by more than two stds."""
    by: float
    """By how much a function breaks it at the worst place, on average, in units of y's spread."""
    chance: float
    """How probable it is, if the statement is true, that the data speak against it as much as they do."""


class MemberFunctions(NamedTuple):
    """Functions of one member and output, and what the member knew before it was told anything."""

    features: Callable[[np.ndarray], np.ndarray]
    untold: linear.Posterior
    W: Float[np.ndarray, "draws k"]


def keeps_limits(term: Any, limits: Sequence[Limits], members: Sequence[MemberFunctions]) -> Kept:
    """How an inequality is kept at some places."""
    worst, chances = [], []
    for member in members:
        worst.append(shortfall(limits, member.features, member.W).max(axis=1))
        chances.append(chance_of_limits(member.features, member.untold, limits))
    short = np.maximum(np.concatenate(worst), 0.0)
    return Kept(repr(term), float(np.mean(short > CLEARLY)), float(np.mean(short)), float(np.median(chances)))


def chance_of_limits(
    features: Callable[[np.ndarray], np.ndarray], untold: linear.Posterior, limits: Sequence[Limits]
) -> float:
    """How probable it is that data speak as clearly as these against an inequality, if it is true.

    Two tests, and the smaller of their answers. The squared distance from what a member knows to the nearest function
    that obeys is at most that to a true one. So it has a χ² distribution, or is smaller, with as many degrees of
    freedom as inequalities hold the nearest function. These are many for a function that may bend nowhere. So the
    opposite is tried as well, to fall instead of to rise, or to bend the other way: before any data it is as probable.
    If the nearest function of the opposite explains them k times as well, the chance is about 1/k at most.
    """
    nearest = nearest_obeying(features, untold, limits)
    if nearest is None:
        return 0.0
    distance = float(np.sum(nearest.X**2))
    chance = float(chi2.sf(distance, max(len(nearest.held[0]), 1)))
    if all(limit.has_opposite for limit in limits):
        other = nearest_obeying(features, untold, [limit.opposite for limit in limits])
        if other is not None:
            chance = min(chance, float(np.exp(0.5 * min(float(np.sum(other.X**2)) - distance, 0.0))))
    return chance


def keeps_values(
    term: Any, designs: Sequence[KnownDesign], output: int, members: Sequence[MemberFunctions], chance: float
) -> Kept:
    """How values that are known are kept; `chance` is known from before they were told."""
    outside, off = [], []
    for design, member in zip(designs, members, strict=True):
        Phi, values, std = design.output(output)
        apart = np.abs(member.W @ Phi.T - values)
        outside.append(np.mean(apart > 2 * std, axis=1))
        off.append(apart.max(axis=1))
    return Kept(repr(term), float(np.mean(np.concatenate(outside))), float(np.mean(np.concatenate(off))), chance)


def warn_if_contradicted(kept: Sequence[Kept]) -> None:
    """Say it when the data clearly contradict a statement, and when it is not kept."""
    for one in kept:
        if one.chance < _DOUBTFUL:
            said = (
                f"the data contradict {one.term}: if it were true, data that speak so clearly against it would come "
                f"with a chance of {one.chance:.0e}. The model keeps it all the same; see `kept_`, check the units, "
                "or leave the term out."
            )
        elif one.broken > _MOST:
            said = (
                f"{100 * one.broken:.0f} % of functions break {one.term}, by {one.by:.2g} standard deviations of y on "
                "average; see `kept_`. The data or another statement speak against it."
            )
        else:
            continue
        warnings.warn(said, UserWarning, stacklevel=2)
