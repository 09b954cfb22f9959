"""Values as a surrogate sees them: unchanged in the better half, and above it the less apart the worse they are."""

from typing import NamedTuple

import numpy as np
from jaxtyping import Float

__all__ = ["IDENTITY", "Warp", "fit_warp"]

_KNEE = 0.5  # share of values below which nothing is changed


class Warp(NamedTuple):
    """An increasing function: the identity up to `knee`, then ever flatter, and never above `knee` + 2 `spread`.

    A value of z spreads above the knee becomes one of 2 - 2/√(1 + z), which begins with a slope of 1. Undoing ends at
    `worst`, the largest value that was told.
    """

    knee: float
    spread: float
    worst: float

    def apply(self, t: Float[np.ndarray, " n"]) -> Float[np.ndarray, " n"]:
        """Values as they are seen."""
        z = np.maximum(t - self.knee, 0.0) / self.spread
        return np.minimum(t, self.knee) + self.spread * (2 - 2 / np.sqrt(1 + z))

    def undo(self, w: Float[np.ndarray, " n"]) -> Float[np.ndarray, " n"]:
        """Values as they were told."""
        left = np.maximum(1 - np.maximum(w - self.knee, 0.0) / (2 * self.spread), 1e-12)  # of the way to the end
        return np.minimum(np.minimum(w, self.knee) + self.spread * (left**-2 - 1), self.worst)

    def undo_moments(
        self, mean: Float[np.ndarray, " n"], std: Float[np.ndarray, " n"]
    ) -> tuple[Float[np.ndarray, " n"], Float[np.ndarray, " n"]]:
        """A mean and a standard deviation in the units of what was told: half of what lies between mean ± std."""
        return self.undo(mean), (self.undo(mean + std) - self.undo(mean - std)) / 2


IDENTITY = Warp(np.inf, 1.0, np.inf)


def fit_warp(t: Float[np.ndarray, " n"]) -> Warp:
    """The warp that leaves the better half of some values alone.

    A search is after the least value. A training that explodes has a loss of 1e12, and beside it all others look alike;
    the walls of a valley are a hundred times as high as what can still be gained on its floor. The closer to the least
    value the better half has come, the closer the surrogate looks.
    """
    least, knee, worst = float(np.min(t)), float(np.quantile(t, _KNEE, method="lower")), float(np.max(t))
    return Warp(knee, knee - least, worst) if knee > least else IDENTITY
