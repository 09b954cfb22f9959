"""Compress bad values before the surrogate sees them, so that it can tell the good ones apart."""

from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from unabases.bayesopt.surrogate import Moments

__all__ = ["IDENTITY", "Warp", "fit_warp"]

_KNEE = 0.5  # share of values, the best, that are not changed


class Warp(NamedTuple):
    """An increasing function: the identity up to `knee`, then flatter and flatter, below `knee` + 2 `spread`.

    A value z spreads above the knee becomes 2 - 2/√(1 + z) spreads above it. The slope at the knee is 1.

    Parameters
    ----------
    knee
        Values up to here stay as they are.
    spread
        Unit of distance above the knee.
    worst
        The largest value told; undoing the warp never gives more.
    """

    knee: float
    spread: float
    worst: float

    def apply(self, t: Float[np.ndarray, " n"]) -> Float[np.ndarray, " n"]:
        """Compress values."""
        z = np.maximum(t - self.knee, 0.0) / self.spread
        return np.minimum(t, self.knee) + self.spread * (2 - 2 / np.sqrt(1 + z))

    def undo(self, w: Float[np.ndarray, " n"]) -> Float[np.ndarray, " n"]:
        """Turn compressed values back."""
        left = np.maximum(1 - np.maximum(w - self.knee, 0.0) / (2 * self.spread), 1e-12)  # of the way to the end
        return np.minimum(np.minimum(w, self.knee) + self.spread * (left**-2 - 1), self.worst)

    def undo_moments(self, mean: Float[np.ndarray, " n"], std: Float[np.ndarray, " n"]) -> Moments:
        """Turn back a mean and a standard deviation: half the distance between mean - std and mean + std."""
        return Moments(self.undo(mean), (self.undo(mean + std) - self.undo(mean - std)) / 2)


IDENTITY = Warp(np.inf, 1.0, np.inf)


def fit_warp(t: Float[np.ndarray, " n"]) -> Warp:
    """The warp that compresses values worse than the median, and leaves the others alone.

    A search seeks the least value. If a training run explodes to a loss of 1e12, all other values look alike beside it;
    and the walls of a valley may be a hundred times as high as what can still be gained on its floor. The spread is the
    distance from the median to the least value, so the surrogate looks more closely as the search gets closer.

    Examples
    --------
    >>> told = np.array([1.0, 2.0, 3.0, 40.0, 1e12])
    >>> fit_warp(told).apply(told).round(2)
    array([1.  , 2.  , 3.  , 6.09, 7.  ])
    """
    least, knee, worst = float(np.min(t)), float(np.quantile(t, _KNEE, method="lower")), float(np.max(t))
    return Warp(knee, knee - least, worst) if knee > least else IDENTITY
