"""What every prediction offers, whatever its distribution."""

from abc import ABC, abstractmethod

import numpy as np
from jaxtyping import Float
from numpy.typing import ArrayLike

__all__ = ["AbstractPredictive", "Numbers"]

# Type checkers read `complex` in ArrayLike as any number; those that run with the tests do not.
Numbers = ArrayLike | float | int


class AbstractPredictive(ABC):
    """The distribution of y at n inputs: one number per row, shape (n,), or p outputs, shape (n, p).

    A prediction separates what more data would settle (epistemic) from what it would not (noise). All
    arrays are in the units of y. The methods with a body follow from the abstract ones and are final.
    """

    mean: Float[np.ndarray, "*shape"]
    epistemic_std: Float[np.ndarray, "*shape"]
    noise_std: Float[np.ndarray, "*shape"]

    @property
    @abstractmethod
    def covariance(self) -> Float[np.ndarray, "*p n n"]:
        """Epistemic covariance between rows, one matrix per output."""

    @abstractmethod
    def log_prob(self, y: Numbers) -> Float[np.ndarray, "*shape"]:
        """Log density of each element of y: a number, or an array whose last axes have our shape."""

    @abstractmethod
    def cdf(self, y: Numbers) -> Float[np.ndarray, "*shape"]:
        """Probability of an outcome at most y; same shapes as `log_prob`."""

    @abstractmethod
    def quantile(self, q: Numbers) -> Float[np.ndarray, "*shape"]:
        """Value below which y falls with probability q; axes of q come first in the result."""

    @abstractmethod
    def sample(
        self, n: int, random_state: int | np.random.Generator | None = None, noise: bool = True
    ) -> Float[np.ndarray, "draws *shape"]:
        """Draw n times from all rows: observations y, or the function f when `noise` is off."""

    @abstractmethod
    def __getitem__(self, rows: object) -> "AbstractPredictive":
        """The prediction of some rows: a slice, a mask, an array of indices; an integer keeps its axis."""

    def __len__(self) -> int:
        return len(self.mean)

    @property
    def shape(self) -> tuple[int, ...]:
        """(n,) or (n, p)."""
        return self.mean.shape

    @property
    def std(self) -> Float[np.ndarray, "*shape"]:
        """Total standard deviation of y."""
        return np.hypot(self.epistemic_std, self.noise_std)

    @property
    def var(self) -> Float[np.ndarray, "*shape"]:
        """Total variance of y: epistemic plus noise."""
        return self.epistemic_std**2 + self.noise_std**2

    def interval(self, level: float = 0.9) -> tuple[Float[np.ndarray, "*shape"], Float[np.ndarray, "*shape"]]:
        """Lower and upper end of the central interval that holds y with probability `level`."""
        if not 0 < level < 1:
            hint = f"; for {level:g} % give {level / 100:g}" if 1 < level < 100 else ""
            raise ValueError(f"`level` must lie strictly between 0 and 1, got {level}{hint}.")
        lower, upper = self.quantile([(1 - level) / 2, (1 + level) / 2])
        return lower, upper
