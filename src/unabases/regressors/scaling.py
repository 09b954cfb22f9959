"""Standardisation inside the regressors."""

from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float

EXTREMES = (1e-150, 1e150)  # sizes of targets whose variances are numbers
_CONSTANT = 1e-12  # spread below this share of its magnitude: a column of one value, but for rounding


class Scale(NamedTuple):
    """Column-wise (x − center) / spread."""

    center: Float[np.ndarray, " c"]
    spread: Float[np.ndarray, " c"]

    def apply(self, values: Float[np.ndarray, "n c"]) -> Float[np.ndarray, "n c"]:
        """To units in which training columns have mean 0 and standard deviation 1."""
        return (values - self.center) / self.spread

    def undo(self, values: Float[np.ndarray, "*n c"]) -> Float[np.ndarray, "*n c"]:
        """Back to the user's units."""
        return values * self.spread + self.center


def fit_scales(X: Float[np.ndarray, "n d"], y: Float[np.ndarray, "n p"], standardize: Any) -> tuple[Scale, Scale]:
    """Scales of inputs and targets by `standardize`: True, False, or `"common"` for inputs in one unit."""
    if not (isinstance(standardize, str) and standardize == "common") and standardize not in (True, False):
        raise ValueError(f'`standardize` must be True, False or "common"; got {standardize!r}.')
    of_inputs = _common_scale(X) if isinstance(standardize, str) else fit_scale(X, bool(standardize))
    return of_inputs, fit_scale(y, bool(standardize))


def refuse_extreme(y: Float[np.ndarray, "n p"]) -> None:
    """Refuse targets whose squares, and so whose variances, no number can hold."""
    least, most = EXTREMES
    largest = np.max(np.abs(y), axis=0)
    if wrong := largest[(largest > most) | ((largest > 0) & (largest < least))].tolist():
        way = "divide" if wrong[0] > 1 else "multiply"
        raise ValueError(
            f"the largest of the targets is {wrong[0]:.1e}, and no number can hold its square; sizes from {least:g} to "
            f"{most:g} are accepted. Choose another unit: {way} the targets by a constant."
        )


def _common_scale(values: Float[np.ndarray, "n c"]) -> Scale:
    """Mean of each column; for all of them the root mean square of the standard deviations of those that vary."""
    center, spread = column_mean_and_std(values)
    varies = np.ptp(values, axis=0) > 0
    largest = float(np.max(spread[varies], initial=0.0))
    common = largest * float(np.sqrt(np.mean((spread[varies] / largest) ** 2))) if largest > 0 else 1.0
    return Scale(center, np.full_like(spread, common))


def fit_scale(values: Float[np.ndarray, "n c"], enabled: bool = True) -> Scale:
    """Mean and standard deviation of each column; 0 and 1 when not `enabled`; a constant column has spread 1."""
    if not enabled:
        return Scale(np.zeros(values.shape[1]), np.ones(values.shape[1]))
    center, spread = column_mean_and_std(values)
    return Scale(center, spread)


def column_mean_and_std(values: Float[np.ndarray, "n c"]) -> tuple[np.ndarray, np.ndarray]:
    """Mean and standard deviation without overflow for any finite values; 1 in place of a zero deviation."""
    largest = np.max(np.abs(values), axis=0)
    unit = np.where(largest > 0, largest, 1.0)
    scaled = values / unit
    std = np.std(scaled, axis=0)
    constant = std <= _CONSTANT
    spread = np.where(constant, 1.0, std * unit)
    spread = np.where(spread > 0, spread, 1.0)
    return np.mean(scaled, axis=0) * unit, spread
