"""The nearest points that obey linear inequalities."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int
from scipy.optimize import nnls

_TOLERANCE = 1e-4  # by which a point may fall short, beside a spread of 1
_ROUNDING = 1e-9  # of a squared distance
_AT_ONCE = 30  # inequalities that are added together
_ROUNDS = 500  # of adding some; a few are enough unless nearly everything is forbidden


class Nearest(NamedTuple):
    """The nearest points that obey, and which of the inequalities hold each of them there, by their numbers."""

    X: Float[np.ndarray, "n k"]
    held: list[Int[np.ndarray, " _"]]


def nearest_points(
    F: Float[np.ndarray, "m k"],
    g: Float[np.ndarray, " m"],
    Z: Float[np.ndarray, "n k"],
    held: Sequence[Int[np.ndarray, " _"]] | None = None,
) -> Nearest | None:
    """The points nearest to those of Z with F x + g ≥ 0; None if no point obeys.

    Each is a least-squares problem with weights that are not negative, one for each inequality (Lawson and Hanson 1974,
    "Solving least squares problems", chapter 23). Few inequalities matter: it begins with those that a point breaks
    most, and adds those that the answer breaks until there are none. Those that do not hold the answer are let go
    again: the distance grows all the same with each answer, so that none comes twice. All points take such a step
    together, since most of the time goes into looking which inequalities are broken.

    Parameters
    ----------
    F, g : array
        The inequalities; rows of F have length 1.
    Z : array
        The points to move.
    held : sequence of array, optional
        Inequalities that are likely to hold each of them, to begin with: those that held it when there were fewer.

    Examples
    --------
    >>> nearest_points(np.array([[1.0, 0.0]]), np.array([-2.0]), np.zeros((1, 2))).X.tolist()  # x₁ ≥ 2
    [[2.0, 0.0]]
    """
    here, X = Z @ F.T + g, Z.copy()
    asked = [np.empty(0, dtype=np.intp)] * len(Z) if held is None else list(held)
    moving, there = list(range(len(Z))), here
    for _ in range(_ROUNDS):
        broken = [(i, worst) for i, row in zip(moving, there, strict=True) if len(worst := _worst_places(row))]
        if not broken:
            break
        for i, worst in broken:
            places = np.union1d(asked[i], worst)
            E, f = np.vstack([F[places].T, -here[i, places]]), np.r_[np.zeros(Z.shape[1]), 1.0]
            weights, distance = nnls(E, f)
            if distance < _ROUNDING:
                return None
            r = E @ weights - f
            X[i], asked[i] = Z[i] - r[:-1] / r[-1], places[weights > 0]
        moving = [i for i, _ in broken]
        there = X[moving] @ F.T + g
    return Nearest(X, asked)


def _worst_places(there: Float[np.ndarray, " m"]) -> Int[np.ndarray, " few"]:
    """The inequalities that are broken most, and more than those before and after them.

    Neighbours in the list are often neighbours in space and say nearly the same, so one of them is enough.
    """
    around = np.r_[np.inf, there, np.inf]
    places = np.flatnonzero((there < -_TOLERANCE) & (there <= around[:-2]) & (there <= around[2:]))
    return places[np.argsort(there[places])[:_AT_ONCE]]
