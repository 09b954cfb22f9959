"""The nearest point that obeys linear inequalities."""

from typing import NamedTuple

import numpy as np
from jaxtyping import Float
from scipy.optimize import nnls

_TOLERANCE = 1e-4  # by which a point may fall short, beside a spread of 1
_ROUNDING = 1e-9  # of a squared distance
_AT_ONCE = 30  # inequalities that are added together


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
    adds those that the answer breaks until there are none.

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
    x, holding, asked, there = z, 0, np.zeros(len(g), dtype=bool), here
    while np.any(broken := (there < -_TOLERANCE) & ~asked):
        asked[np.argsort(np.where(broken, there, np.inf))[: min(_AT_ONCE, int(broken.sum()))]] = True
        E, f = np.vstack([F[asked].T, -here[asked]]), np.r_[np.zeros(len(z)), 1.0]
        weights, distance = nnls(E, f)
        if distance < _ROUNDING:
            return None
        r = E @ weights - f
        x, holding = z - r[:-1] / r[-1], int(np.sum(weights > 0))
        there = F @ x + g
    return Nearest(x, holding)
