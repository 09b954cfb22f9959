"""A rising curve on which skewed targets look more even, and the way back."""

from typing import NamedTuple

import numpy as np
from jaxtyping import Float
from scipy.special import boxcox, inv_boxcox

__all__ = ["Curve", "fit_curve"]

_FURTHER = 2.0  # below the smallest and above the largest target a logarithm goes on by this factor


class Curve(NamedTuple):
    """Yeo and Johnson's power of (y − center) / spread, for each output; straight beyond `low` and `high`.

    A power of 1 changes nothing; powers below 1 draw large values together, powers above 1 small ones. With the same
    positive number as center and spread, powers are those of y itself, and 0 is the logarithm. Since the curve goes on
    as a straight line below `low` and above `high`, predictions far from all targets keep a mean and a variance.
    """

    power: Float[np.ndarray, " p"]
    center: Float[np.ndarray, " p"]
    spread: Float[np.ndarray, " p"]
    low: Float[np.ndarray, " p"]
    """Where the curve begins, in units of `spread` above `center`: at the smallest target, or below it."""
    high: Float[np.ndarray, " p"]

    def bend(self, y: Float[np.ndarray, "*n p"]) -> Float[np.ndarray, "*n p"]:
        """Targets on the curve."""
        z = (y - self.center) / self.spread
        inside = np.clip(z, self.low, self.high)
        return _power(inside, self.power) + np.exp(_log_slope(inside, self.power)) * (z - inside)

    def straighten(self, bent: Float[np.ndarray, "*n p"]) -> Float[np.ndarray, "*n p"]:
        """Back to the units of y."""
        inside = np.clip(bent, _power(self.low, self.power), _power(self.high, self.power))
        z = np.clip(_inverse(inside, self.power), self.low, self.high)
        return self.center + self.spread * (z + (bent - inside) * np.exp(-_log_slope(z, self.power)))

    def log_slope(self, y: Float[np.ndarray, "*n p"]) -> Float[np.ndarray, "*n p"]:
        """Logarithm of the derivative of `bend`: what a log density gains on the way back."""
        z = np.clip((y - self.center) / self.spread, self.low, self.high)
        return _log_slope(z, self.power) - np.log(self.spread)


def fit_curve(
    y: Float[np.ndarray, "n 1"], power: float, ratio: bool = False, weight: Float[np.ndarray, " n"] | None = None
) -> Curve:
    """A curve of a given power for some targets; with `ratio`, of how many times the smallest one above 0 they are.

    A ratio's power of 0 is the logarithm. The curve of a ratio goes on beyond the targets: a function that is smooth on
    it would have a kink at the last one.

    Examples
    --------
    >>> y = np.array([[1.0], [10.0], [100.0]])
    >>> curve = fit_curve(y, 0.0, ratio=True)
    >>> curve.bend(y).ravel().round(3)
    array([0.693, 2.996, 5.298])
    >>> curve.straighten(curve.bend(y)).ravel()
    array([  1.,  10., 100.])
    """
    if ratio:
        least = np.min(y, axis=0, where=y > 0, initial=np.inf) / _FURTHER
        return Curve(np.full(1, power), least, least, np.zeros(1), (y.max(axis=0) * _FURTHER - least) / least)
    center, spread = y.mean(axis=0), y.std(axis=0)
    if weight is not None:
        center = np.average(y, axis=0, weights=weight)
        spread = np.sqrt(np.average((y - center) ** 2, axis=0, weights=weight))
    spread = np.where(spread > 0, spread, 1.0)  # equal targets have none
    low, high = (y.min(axis=0) - center) / spread, (y.max(axis=0) - center) / spread
    return Curve(np.full(1, power), center, spread, low, high)


def _power(z: np.ndarray, power: np.ndarray) -> np.ndarray:
    up, down = boxcox(1 + np.maximum(z, 0), power), boxcox(1 + np.maximum(-z, 0), 2 - power)
    return np.where(z >= 0, up, -down)


def _inverse(bent: np.ndarray, power: np.ndarray) -> np.ndarray:
    up, down = inv_boxcox(np.maximum(bent, 0), power) - 1, inv_boxcox(np.maximum(-bent, 0), 2 - power) - 1
    return np.where(bent >= 0, up, -down)


def _log_slope(z: np.ndarray, power: np.ndarray) -> np.ndarray:
    return (power - 1) * np.sign(z) * np.log1p(np.abs(z))
