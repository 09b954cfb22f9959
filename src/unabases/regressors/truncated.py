"""Draws of a Gaussian that must obey linear inequalities."""

from typing import NamedTuple

import numpy as np
from jaxtyping import Float
from scipy.optimize import nnls

_TIME = np.pi / 2  # of a trajectory: without walls it ends at an independent draw
_BOUNCES = 5000  # of a trajectory at most; a longer one is not taken
_TOUCHING = 1e-9  # a wall that a trajectory has just left is not hit again this soon


class Nearest(NamedTuple):
    """The point nearest to 0 that obeys, and how many of the inequalities hold it there."""

    x: Float[np.ndarray, " k"]
    holding: int


def nearest_point(F: Float[np.ndarray, "m k"], g: Float[np.ndarray, " m"]) -> Nearest | None:
    """The point nearest to 0 with F x + g ≥ 0; None if no point obeys.

    It is a least-squares problem with weights that are not negative, one for each inequality (Lawson and Hanson 1974,
    "Solving least squares problems", chapter 23).

    Examples
    --------
    >>> nearest_point(np.array([[1.0, 0.0]]), np.array([-2.0])).x.tolist()  # x₁ ≥ 2
    [2.0, 0.0]
    """
    E, f = np.vstack([F.T, -g]), np.r_[np.zeros(F.shape[1]), 1.0]
    weights, distance = nnls(E, f)
    if distance < 1e-10:
        return None
    r = E @ weights - f
    return Nearest(-r[:-1] / r[-1], int(np.sum(weights > 0)))


def draw_truncated(
    F: Float[np.ndarray, "m k"],
    g: Float[np.ndarray, " m"],
    start: Float[np.ndarray, " k"],
    n: int,
    rng: np.random.Generator,
) -> Float[np.ndarray, "n k"]:
    """Draws of x ~ N(0, I) given that F x + g ≥ 0.

    Hamiltonian Monte Carlo in closed form: a trajectory is an ellipse, and where it meets a wall F_i x + g_i = 0 it is
    reflected. No step is refused, and the draws hardly depend on each other.

    Parameters
    ----------
    F, g : array
        The inequalities; rows of F have length 1.
    start : array
        A point that obeys, not on a wall.
    n : int
        How many draws. A tenth as many before them are thrown away.
    rng : Generator
        Where random numbers come from.

    References
    ----------
    Pakman, Paninski (2014). Exact Hamiltonian Monte Carlo for truncated multivariate Gaussians. Journal of
    Computational and Graphical Statistics 23.

    Examples
    --------
    >>> above = draw_truncated(np.ones((1, 1)), np.array([-1.0]), np.array([2.0]), 500, np.random.default_rng(0))
    >>> bool(above.min() > 1)  # x > 1
    True
    """
    gram, x = F @ F.T, start
    draws = np.empty((n, F.shape[1]))
    for i in range(-max(1, n // 10), n):
        x = _trajectory(F, g, gram, x, rng)
        if i >= 0:
            draws[i] = x
    return draws


def _trajectory(
    F: np.ndarray, g: np.ndarray, gram: np.ndarray, start: np.ndarray, rng: np.random.Generator
) -> Float[np.ndarray, " k"]:
    """Where a trajectory from `start` with a random speed ends."""
    x, v = start, rng.standard_normal(len(start))
    a, b = F @ x, F @ v  # x(t) = x cos t + v sin t, and the same for the distances to the walls
    left, last = _TIME, -1
    for _ in range(_BOUNCES):
        size = np.hypot(a, b)
        meets = np.abs(g) < size
        angle = np.arccos(np.clip(-g / np.where(size > 0, size, 1.0), -1.0, 1.0))
        time = np.where(meets, np.mod(np.arctan2(b, a) + angle, 2 * np.pi), np.inf)
        if last >= 0 and min(time[last], 2 * np.pi - time[last]) < _TOUCHING:
            time[last] = np.inf
        wall = int(np.argmin(time))
        if time[wall] >= left:
            x = np.cos(left) * x + np.sin(left) * v
            return x if np.min(F @ x + g) >= 0 else start  # rounding, in a narrow corner
        c, s = np.cos(time[wall]), np.sin(time[wall])
        x, v, a, b = c * x + s * v, c * v - s * x, c * a + s * b, c * b - s * a
        back = 2 * b[wall]
        v, b = v - back * F[wall], b - back * gram[wall]
        left, last = left - time[wall], wall
    return start
