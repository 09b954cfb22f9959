"""The logarithm on which inputs such as sizes and prices are seen."""

from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float

from unabases.regressors.shared.saved_state import SavedState, StateError

__all__ = ["InputCurve"]


class InputCurve(NamedTuple):
    """The logarithm of 1 + (x − low) / unit of some columns; the others as they are.

    It goes on as a straight line below `low` and above `high`. Where `unit` is `low`, this is the logarithm of x but
    for a constant. Every step can be recorded as a graph.

    Examples
    --------
    >>> curve = InputCurve(np.array([1.0, 0.0]), np.array([1.0, 0.0]), np.array([100.0, 0.0]), np.array([1.0, 1.0]))
    >>> curve(np.array([[1.0, 5.0], [10.0, 5.0], [100.0, 5.0], [200.0, 5.0]])).round(2).tolist()
    [[0.0, 5.0], [2.3, 5.0], [4.61, 5.0], [5.61, 5.0]]
    """

    bent: Float[np.ndarray, " d"]
    """1 for columns that are curved, 0 for the others."""
    low: Float[np.ndarray, " d"]
    """Below it the curve is straight."""
    high: Float[np.ndarray, " d"]
    """Above it, too."""
    unit: Float[np.ndarray, " d"]

    def __call__(self, X: Any) -> Any:
        """Rows as the model sees them."""
        inside = np.minimum(np.maximum(X, self.low), self.high)
        beyond = np.minimum(X - self.low, 0.0) / self.unit + np.maximum(X - self.high, 0.0) / self._top
        return (1 - self.bent) * X + self.bent * (np.log((inside - self.low) / self.unit + 1.0) + beyond)

    @property
    def _top(self) -> Float[np.ndarray, " d"]:
        """One over the slope above `high`."""
        return self.unit + self.high - self.low

    def arrays(self) -> dict[str, np.ndarray]:
        """Everything as named arrays, to be saved."""
        return {f"inputs.{name}": value for name, value in self._asdict().items()}

    @classmethod
    def read(cls, saved: SavedState) -> "InputCurve | None":
        """The curve that `arrays` named, for d inputs; None if there is none."""
        own = saved.below("inputs.")
        if not own.arrays:
            return None
        curve = cls(
            own.array("bent", "d"), own.array("low", "d"), own.array("high", "d"), own.array("unit", "d", "positive")
        )
        if not np.all(np.isin(curve.bent, (0.0, 1.0))) or np.any(curve.low > curve.high):
            raise StateError("the curve of the inputs has to be 0 or 1 for each, and to end above where it begins")
        with np.errstate(over="ignore"):
            ends = np.abs([curve.low, curve.high, curve.high - curve.low, (curve.high - curve.low) / curve.unit])
        if not np.all(np.isfinite(ends)):
            raise StateError("the curve of the inputs goes beyond the largest number")
        return curve
