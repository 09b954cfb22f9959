"""On which scales targets, and inputs such as sizes and prices, are best seen, by how well each row is predicted."""

from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float

from unabases.predictive.curve import Curve
from unabases.regressors.committee.target_curve import LEAST_ROWS, TargetScale, choose_target, deciding_rows
from unabases.regressors.shared.input_curve import InputCurve
from unabases.regressors.shared.scaling import fit_scales
from unabases.regressors.shared.weights import WeightedRows

INPUTS = ("auto", "identity")
_DIFFERENT = 10  # values that a column has to have
_SKEWED = 1.0  # skewness from which a column is tried
_FACTOR = 2.0  # between the smallest and the largest value, from which a positive column is tried
_MOST = 1e12  # the same: beyond, a logarithm would be about tiny values
_FURTHER = 4.0  # below the smallest and above the largest value a logarithm goes on by this factor


class Seen(NamedTuple):
    """Another way of seeing the same rows."""

    inputs: InputCurve
    target: Curve | None
    """The scale of the targets that goes with it; None if it is straight."""


class ChosenScales(NamedTuple):
    """On which scales a model sees its inputs and learns its targets."""

    target: Curve | None
    """The scale of the targets for inputs as they are; None if it is straight."""
    otherwise: Seen | None
    """Logarithms of inputs that are promising; None if there are none."""


def choose_scales(rows: WeightedRows, inputs: str, target: str, standardize: Any = True) -> ChosenScales:
    """The scales on which targets are best predicted.

    Columns such as sizes and prices, whose values differ by a factor, are promising on a logarithm, all of them
    together, if a Gaussian process then predicts each row of a sample clearly better from the others, and with no
    larger error. For both ways of seeing them the best scale of the targets is looked for.

    Parameters
    ----------
    rows : WeightedRows
        All rows in the user's units, with targets of shape (n, p).
    inputs : str
        `"auto"`, or `"identity"` for inputs as they are.
    target : str
        As in `choose_target`.
    standardize
        How the model standardises its inputs.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = np.exp(rng.standard_normal((150, 2)))
    >>> y = X[:, :1] ** 1.5 / X[:, 1:] * np.exp(0.1 * rng.standard_normal((150, 1)))  # a power law
    >>> found = choose_scales(WeightedRows(X, y, None), "auto", "auto").otherwise
    >>> found.inputs.bent, found.target.power
    (array([1., 1.]), array([0.]))
    """

    def attempt(X: Float[np.ndarray, "n d"], judged: bool) -> TargetScale:
        Z = fit_scales(X, rows.y, standardize, rows.weight)[0].apply(X)
        return choose_target(WeightedRows(Z, rows.y, rows.weight), target, judged)

    asked = inputs == "auto" and len(rows.y) >= LEAST_ROWS
    curve = _logarithms(rows.X, deciding_rows(*rows[:2])) if asked else None
    straight = attempt(rows.X, curve is not None)
    if curve is not None:
        seen = attempt(curve(rows.X), judged=True)
        if seen.clearly_better(straight) and not seen.has_errors_above(1.0, straight):
            return ChosenScales(straight.curve, Seen(curve, seen.curve))
    return ChosenScales(straight.curve, None)


def _logarithms(X: Float[np.ndarray, "n d"], sample: np.ndarray) -> InputCurve | None:
    """The curve of all columns for which a logarithm makes sense; None if there are none.

    These are positive ones whose values differ by some factor, and those that a logarithm makes less skewed. It goes on
    beyond the values: a function that is smooth on it would have a kink at the last row.
    """
    d = X.shape[1]
    bent, low, high, unit = np.zeros(d), np.zeros(d), np.zeros(d), np.ones(d)
    for j, some in enumerate(X[sample].T):
        least, most = float(X[:, j].min()), float(X[:, j].max())
        positive = least > 0 and most / least < _MOST
        one = least if positive else float(np.mean(some)) - least
        if len(np.unique(some)) < _DIFFERENT or not (one > 0 and (most - least) / one < _MOST):
            continue
        skewed = _skewness(some)
        bends = skewed > _SKEWED and abs(_skewness(np.log((some - least) / one + 1.0))) < skewed
        if bends or (positive and most / least > _FACTOR):
            zero = least - one  # of what the logarithm is taken of, which is x itself in a positive column
            bent[j], unit[j] = 1.0, one / _FURTHER
            low[j], high[j] = zero + one / _FURTHER, zero + (most - zero) * _FURTHER
    return InputCurve(bent, low, high, unit) if np.any(bent) else None


def _skewness(column: Float[np.ndarray, " n"]) -> float:
    away = column - column.mean()
    largest = np.max(np.abs(away))
    if largest == 0:
        return 0.0
    away = away / largest
    return float(np.mean(away**3) / np.mean(away**2) ** 1.5)
