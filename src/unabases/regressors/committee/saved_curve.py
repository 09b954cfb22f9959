"""The curved scale of targets, read from a file; apart, so that models predict without what chooses it."""

import numpy as np

from unabases.predictive.checks import EXTREMES
from unabases.predictive.curve import Curve
from unabases.regressors.shared.saved_state import SavedState, StateError


def read_curve(saved: SavedState) -> Curve | None:
    """The curve that was saved; None if there is none."""
    if not saved.arrays:
        return None
    signs = {"power": "not negative", "spread": "positive"}
    curve = Curve(*(saved.array(name, "p", signs.get(name, "any")) for name in Curve._fields))
    if np.any(curve.power > 2) or np.any(curve.low > curve.high):
        raise StateError("the curve of the targets has to have powers from 0 to 2, and to end above where it begins")
    with np.errstate(over="ignore"):
        ends = [np.abs(curve.center) + curve.spread * np.abs(end) for end in (1.0, curve.low, curve.high)]
    if np.max(ends) > 10 * EXTREMES[1]:  # more than any target, since the center may lie beyond all of them
        raise StateError(f"the curve of the targets goes beyond {EXTREMES[1]:g}, which no fit accepts")
    return curve
