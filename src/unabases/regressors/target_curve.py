"""Whether to learn targets on a curved scale, decided by how well each row is predicted from the others."""

from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int

from unabases.predictive.curve import Curve, fit_curve
from unabases.regressors.heavy_tails import choose_tails, log_densities
from unabases.regressors.left_out import one_of_each, stay_together
from unabases.regressors.scaling import fit_scale
from unabases.regressors.smooth_kernel import SmoothKernel, fit_kernel
from unabases.regressors.weights import WeightedRows, part_of, relative_noise, weighted_mean
from unabases.training import on_all_cores, one_thread_each

TARGETS = ("auto", "identity", "log", "yeo-johnson")
_POWERS = (0.0, 0.5, 1.5)  # beside 1, which is no curve at all
_SAMPLE = 250  # rows that decide
_LEAST_ROWS = 30
_LEAST_GAIN = 0.2  # nats a row that a curve has to gain
_SURE = 3.0  # standard errors that the gain has to be above zero


@one_thread_each
def choose_curve(
    Z: Float[np.ndarray, "n d"],
    y: Float[np.ndarray, "n p"],
    target: str,
    weight: Float[np.ndarray, " n"] | None = None,
) -> Curve | None:
    """The curve on which targets are best predicted; None if that is a straight line for every output.

    A Gaussian process is fitted to a sample of the rows for each curve. The curves are compared by the log density of
    every row given the others, in the units of y. The sample has no copies, and does not depend on the seed of a fit,
    so neither does the curve.

    Parameters
    ----------
    Z : array
        Standardised rows.
    y : array
        Targets in the user's units.
    target : str
        `"auto"` for the best curve, or none if it gains little; `"yeo-johnson"` for the best power; `"log"`;
        `"identity"` for none.
    weight : array, optional
        How often each row counts.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> Z = rng.standard_normal((200, 1))
    >>> y = np.exp(2 * Z + 0.3 * rng.standard_normal((200, 1)))  # its noise grows with it
    >>> choose_curve(Z, y, "auto").power
    array([0.])
    >>> choose_curve(Z, np.log(y), "auto") is None
    True
    """
    if target == "log" and np.any(y <= 0):
        raise ValueError(
            f'`target="log"` needs targets above 0, but the smallest is {y.min():g}. Use "yeo-johnson" or "auto".'
        )
    if target == "identity" or (target == "auto" and len(y) < _LEAST_ROWS):
        return None
    sample = one_of_each(np.random.default_rng(0).permutation(len(Z)), stay_together(Z, y))[:_SAMPLE]
    curves = [_of_output(WeightedRows(Z, y[:, j, None], weight), sample, target) for j in range(y.shape[1])]
    if all(curve is None for curve in curves):
        return None
    straight = [
        fit_curve(y[:, j, None], 1.0, weight=weight) if curve is None else curve for j, curve in enumerate(curves)
    ]
    return Curve(*(np.concatenate(parts) for parts in zip(*straight, strict=True)))


class _Tried(NamedTuple):
    curve: Curve
    scores: Float[np.ndarray, " n"]
    weight: Float[np.ndarray, " n"] | None

    @property
    def mean(self) -> float:
        return float(weighted_mean(self.scores, self.weight))

    def clearly_better(self, other: "_Tried") -> bool:
        gain = self.scores - other.scores
        mean = weighted_mean(gain, self.weight)
        std = np.sqrt(weighted_mean((gain - mean) ** 2, self.weight))
        return bool(mean > max(_LEAST_GAIN, _SURE * std / np.sqrt(len(gain))))


def _of_output(rows: WeightedRows, sample: Int[np.ndarray, " m"], target: str) -> Curve | None:
    """The best curve of one output: made for all of its targets, compared on a sample."""
    Z, y, whole = rows.X[sample], rows.y[sample], rows.y
    weight = part_of(rows.weight, sample)
    if np.ptp(y) == 0:
        return None
    if target == "log":
        return fit_curve(whole, 0.0, log=True)
    straight = fit_curve(whole, 1.0, weight=rows.weight)
    bent = straight.bend(y)
    kernel = fit_kernel(Z, fit_scale(bent, weight=weight).apply(bent), weight=weight)

    def attempt(curve: Curve) -> _Tried:
        return _Tried(curve, _scores(Z, y, curve, kernel, weight), weight)

    curved = [fit_curve(whole, power, weight=rows.weight) for power in _POWERS]
    none, *powers = on_all_cores(attempt, [straight, *curved])
    best = max(powers, key=lambda one: one.mean)
    if target == "yeo-johnson":
        return best.curve
    kept = best if best.clearly_better(none) else none
    if whole.min() > 0 and (logarithm := attempt(fit_curve(whole, 0.0, log=True))).clearly_better(kept):
        kept = logarithm  # the bolder curve, as it pulls small targets far apart
    return None if kept is none else kept.curve


def _scores(
    Z: np.ndarray,
    y: Float[np.ndarray, "n 1"],
    curve: Curve,
    start: SmoothKernel,
    weight: Float[np.ndarray, " n"] | None,
) -> Float[np.ndarray, " n"]:
    """Log density of every target given the others, in the units of y; outliers are no reason for a curve."""
    bent = curve.bend(y)
    scale = fit_scale(bent, weight=weight)
    t = scale.apply(bent)
    kernel = fit_kernel(Z, t, start, weight=weight)
    K, noise = kernel(Z, Z), kernel.noise * relative_noise(weight)
    K[np.diag_indices_from(K)] += noise
    inverse = np.linalg.inv(K)
    variance = 1 / np.diag(inverse)[:, None]
    epistemic = variance - np.reshape(noise, (-1, 1))
    errors = (inverse @ t * variance) ** 2, epistemic, np.full_like(variance, kernel.noise)
    densities = log_densities(*errors, choose_tails(*errors, weight))
    return (densities - np.log(scale.spread) + curve.log_slope(y))[:, 0]
