"""The nearest point that obeys linear inequalities."""

from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int
from scipy.optimize import nnls

_TOLERANCE = 1e-4  # by which a point may fall short, beside a spread of 1
_ROUNDING = 1e-9  # of a squared distance
_AT_ONCE = 30  # inequalities that are added together
_ROUNDS = 500  # of adding some; a few are enough unless nearly everything is forbidden


class Nearest(NamedTuple):
    """The nearest point that obeys, and how many of the inequalities hold it there."""

    x: Float[np.ndarray, " k"]
    holding: int


def nearest_point(
    F: Float[np.ndarray, "m k"], g: Float[np.ndarray, " m"], z: Float[np.ndarray, " k"] | None = None
) -> Nearest | None:
    """The point nearest to z, by default 0, with F x + g ≥ 0; None if no point obeys.

    It is a least-squares problem with weights that are not negative, one for each inequality (Lawson and Hanson 1974,
    "Solving least squares problems", chapter 23). Few inequalities matter: it begins with those that z breaks most, and
    adds those that the answer breaks until there are none. Those that do not hold the answer are let go again: the
    distance from z grows all the same with each answer, so that none comes twice.

    Parameters
    ----------
    F, g : array
        The inequalities; rows of F have length 1.
    z : array, optional
        The point to move.

    Examples
    --------
    >>> nearest_point(np.array([[1.0, 0.0]]), np.array([-2.0])).x.tolist()  # x₁ ≥ 2
    [2.0, 0.0]
    """
    z = np.zeros(F.shape[1]) if z is None else z
    here = F @ z + g
    x, there, asked = z, here, np.empty(0, dtype=np.intp)
    for _ in range(_ROUNDS):
        broken = _worst_places(there)
        if not len(broken):
            break
        asked = np.union1d(asked, broken)
        E, f = np.vstack([F[asked].T, -here[asked]]), np.r_[np.zeros(len(z)), 1.0]
        weights, distance = nnls(E, f)
        if distance < _ROUNDING:
            return None
        r = E @ weights - f
        x, asked = z - r[:-1] / r[-1], asked[weights > 0]
        there = F @ x + g
    return Nearest(x, len(asked))


def _worst_places(there: Float[np.ndarray, " m"]) -> Int[np.ndarray, " few"]:
    """The inequalities that are broken most, and more than those before and after them.

    Neighbours in the list are often neighbours in space and say nearly the same, so one of them is enough.
    """
    around = np.r_[np.inf, there, np.inf]
    places = np.flatnonzero((there < -_TOLERANCE) & (there <= around[:-2]) & (there <= around[2:]))
    return places[np.argsort(there[places])[:_AT_ONCE]]
