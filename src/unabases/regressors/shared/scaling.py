"""Standardisation inside the regressors."""

from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float

from unabases.predictive.checks import EXTREMES
from unabases.regressors.shared.weights import weighted_mean

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


def fit_scales(
    X: Float[np.ndarray, "n d"],
    y: Float[np.ndarray, "n p"],
    standardize: Any,
    weight: Float[np.ndarray, " n"] | None = None,
) -> tuple[Scale, Scale]:
    """Scales of inputs and targets by `standardize`: True, False, or `"common"` for inputs in one unit."""
    if not (isinstance(standardize, str) and standardize == "common") and standardize not in (True, False):
        raise ValueError(f'`standardize` must be True, False or "common"; got {standardize!r}.')
    of_inputs = _common_scale(X, weight) if isinstance(standardize, str) else fit_scale(X, bool(standardize), weight)
    return of_inputs, fit_scale(y, bool(standardize), weight)


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


def _common_scale(values: Float[np.ndarray, "n c"], weight: Float[np.ndarray, " n"] | None) -> Scale:
    """Mean of each column; for all of them the root mean square of the standard deviations of those that vary."""
    center, spread = column_mean_and_std(values, weight)
    varies = np.ptp(values, axis=0) > 0
    largest = float(np.max(spread[varies], initial=0.0))
    common = largest * float(np.sqrt(np.mean((spread[varies] / largest) ** 2))) if largest > 0 else 1.0
    return Scale(center, np.full_like(spread, common))


def fit_scale(
    values: Float[np.ndarray, "n c"], enabled: bool = True, weight: Float[np.ndarray, " n"] | None = None
) -> Scale:
    """Mean and standard deviation of each column; 0 and 1 when not `enabled`; a constant column has spread 1."""
    if not enabled:
        return Scale(np.zeros(values.shape[1]), np.ones(values.shape[1]))
    center, spread = column_mean_and_std(values, weight)
    return Scale(center, spread)


def column_mean_and_std(
    values: Float[np.ndarray, "n c"], weight: Float[np.ndarray, " n"] | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Mean and standard deviation without overflow for any finite values; 1 in place of a zero deviation."""
    largest = np.max(np.abs(values), axis=0)
    unit = np.where(largest > 0, largest, 1.0)
    scaled = values / unit
    mean = weighted_mean(scaled, weight)
    std = np.std(scaled, axis=0) if weight is None else np.sqrt(weighted_mean((scaled - mean) ** 2, weight))
    constant = std <= _CONSTANT
    spread = np.where(constant, 1.0, std * unit)
    spread = np.where(spread > 0, spread, 1.0)
    return mean * unit, spread
