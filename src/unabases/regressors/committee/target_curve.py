"""Whether to learn targets on a curved scale, decided by how well each row is predicted from the others."""

from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int

from unabases.predictive.curve import Curve, fit_curve
from unabases.predictive.normal import Normal
from unabases.predictive.transformed import Transformed
from unabases.regressors.committee.heavy_tails import choose_tails, log_densities
from unabases.regressors.processes.smooth_kernel import SmoothKernel, fit_kernel
from unabases.regressors.shared.left_out import one_of_each, stay_together
from unabases.regressors.shared.scaling import fit_scale
from unabases.regressors.shared.weights import WeightedRows, part_of, relative_noise, weighted_mean
from unabases.training import on_all_cores, one_thread_each

TARGETS = ("auto", "identity", "log", "yeo-johnson")
_POWERS = (0.0, 0.5, 1.5)  # of Yeo and Johnson, beside 1, which is no curve at all
_ROOT = 1 / 3  # power of targets above 0 on which waiting times and sums look normal
_SAMPLE = 250  # rows that decide
LEAST_ROWS = 30
_LEAST_GAIN = 0.2  # nats a row that a curve has to gain
_SURE = 3.0  # standard errors that the gain has to be above zero
_MOST_ERROR = 4.0  # mean squared error of a curve, in the units of y, relative to that of none: it hangs on few rows


class TargetScale(NamedTuple):
    """The scale of the targets, and how well it predicts each row of a sample from the others."""

    curve: Curve | None
    """None if it is straight for every output."""
    scores: Float[np.ndarray, " m"]
    """Log density of the targets of each row, in the units of y."""
    squares: Float[np.ndarray, "m p"]
    """Squared errors of their means, in the same units."""
    weight: Float[np.ndarray, " m"] | None
    """How often each row counts."""

    def clearly_better(self, other: "TargetScale") -> bool:
        """Whether the log density is higher by more than chance."""
        gain = self.scores - other.scores
        mean = weighted_mean(gain, self.weight)
        std = np.sqrt(weighted_mean((gain - mean) ** 2, self.weight))
        return bool(mean > max(_LEAST_GAIN, _SURE * std / np.sqrt(len(gain))))

    def has_errors_above(self, times: float, other: "TargetScale") -> bool:
        """Whether the mean squared error of any output is more than so many times the other's."""
        own, others = (weighted_mean(one.squares, self.weight) for one in (self, other))
        return bool(np.any(own > times * others))


@one_thread_each
def choose_target(rows: WeightedRows, target: str, judged: bool = False) -> TargetScale:
    """The scale on which targets are best predicted.

    A Gaussian process is fitted to a sample of the rows for each curve. The curves are compared by the log density of
    every row given the others, in the units of y. A curve that overshoots, so that its means have much larger errors
    than without it, is out. The sample has no copies, and does not depend on the seed of a fit, so the curve does not
    either.

    Parameters
    ----------
    rows : WeightedRows
        Standardised rows, and targets of shape (n, p) in the user's units.
    target : str
        `"auto"` for the best curve, or none if it gains little; `"yeo-johnson"` for the best power; `"log"`;
        `"identity"` for none.
    judged : bool
        Whether a scale that is given needs scores, too.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> Z = rng.standard_normal((200, 1))
    >>> y = np.exp(2 * Z + 0.3 * rng.standard_normal((200, 1)))  # its noise grows with it
    >>> choose_target(WeightedRows(Z, y, None), "auto").curve.power
    array([0.])
    >>> choose_target(WeightedRows(Z, np.log(y), None), "auto").curve is None
    True
    """
    Z, y, weight = rows
    if target == "log" and np.any(y <= 0):
        raise ValueError(
            f'`target="log"` needs targets above 0, but the smallest is {y.min():g}. Use "yeo-johnson" or "auto".'
        )
    if not judged and (target == "identity" or (target == "auto" and len(y) < LEAST_ROWS)):
        return TargetScale(None, np.empty(0), np.empty((0, y.shape[1])), None)
    sample = deciding_rows(Z, y)
    found = [
        _of_output(WeightedRows(Z, y[:, j, None], weight), sample, target, judged=judged) for j in range(y.shape[1])
    ]
    curve = Curve(*(np.concatenate(parts) for parts in zip(*(one.curve for one in found), strict=True)))
    return TargetScale(
        None if np.all(curve.power == 1) else curve,
        np.sum([one.scores for one in found], axis=0),
        np.stack([one.squares for one in found], axis=1),
        part_of(weight, sample),
    )


def deciding_rows(X: Float[np.ndarray, "n d"], y: Float[np.ndarray, "n p"]) -> Int[np.ndarray, " m"]:
    """A sample of the rows without copies, whatever the seed of a fit."""
    return one_of_each(np.random.default_rng(0).permutation(len(X)), stay_together(X, y))[:_SAMPLE]


class _Tried(NamedTuple):
    """One output with one curve."""

    curve: Curve
    scores: Float[np.ndarray, " m"]
    squares: Float[np.ndarray, " m"]
    weight: Float[np.ndarray, " m"] | None

    @property
    def mean(self) -> float:
        return float(weighted_mean(self.scores, self.weight))

    def clearly_better(self, other: "_Tried") -> bool:
        return self._alone().clearly_better(other._alone())

    def overshoots(self, other: "_Tried") -> bool:
        return self._alone().has_errors_above(_MOST_ERROR, other._alone())

    def _alone(self) -> TargetScale:
        return TargetScale(self.curve, self.scores, self.squares[:, None], self.weight)


def _of_output(rows: WeightedRows, sample: Int[np.ndarray, " m"], target: str, *, judged: bool) -> _Tried:
    """The best curve of one output: made for all of its targets, compared on a sample."""
    Z, y, whole = rows.X[sample], rows.y[sample], rows.y
    weight, nothing = part_of(rows.weight, sample), np.zeros(len(sample))
    straight = fit_curve(whole, 1.0, weight=rows.weight)
    if np.ptp(y) == 0:
        return _Tried(straight, nothing, nothing, weight)
    two_values = len(np.unique(whole)) < 3  # to which every curve fits as well as a straight line
    given = None
    if target == "identity" or (target == "auto" and two_values):
        given = straight
    elif target == "log":
        given = fit_curve(whole, 0.0, ratio=True)
    if given is not None and not judged:
        return _Tried(given, nothing, nothing, weight)
    bent = straight.bend(y)
    kernel = fit_kernel(Z, fit_scale(bent, weight=weight).apply(bent), weight=weight)

    def attempt(curve: Curve) -> _Tried:
        return _Tried(curve, *_left_out(Z, y, curve, kernel, weight), weight)

    if given is not None:
        return attempt(given)
    curved = [fit_curve(whole, power, weight=rows.weight) for power in _POWERS]
    if target == "yeo-johnson":
        return max(on_all_cores(attempt, curved), key=lambda one: one.mean)
    if whole.min() >= 0:
        curved.append(fit_curve(whole, _ROOT, ratio=True))
    none, *others = on_all_cores(attempt, [straight, *curved])
    kept = max((none, *(one for one in others if not one.overshoots(none))), key=lambda one: one.mean)
    kept = kept if kept.clearly_better(none) else none
    if whole.min() > 0:
        logarithm = attempt(fit_curve(whole, 0.0, ratio=True))  # the boldest curve, as it pulls small targets far apart
        kept = logarithm if logarithm.clearly_better(kept) and not logarithm.overshoots(none) else kept
    return kept


def _left_out(
    Z: np.ndarray,
    y: Float[np.ndarray, "n 1"],
    curve: Curve,
    start: SmoothKernel,
    weight: Float[np.ndarray, " n"] | None,
) -> tuple[Float[np.ndarray, " n"], Float[np.ndarray, " n"]]:
    """Log density and squared error of every target given the others, in the units of y.

    Outliers are no reason for a curve.
    """
    bent = curve.bend(y)
    scale = fit_scale(bent, weight=weight)
    t = scale.apply(bent)
    kernel = fit_kernel(Z, t, start, weight=weight)
    K, noise = kernel(Z, Z), kernel.noise * relative_noise(weight)
    K[np.diag_indices_from(K)] += noise
    inverse = np.linalg.inv(K)
    variance = np.maximum(1 / np.diag(inverse), noise)[:, None]  # which rounding may break
    epistemic = variance - np.reshape(noise, (-1, 1))
    off = inverse @ t * variance
    errors = off**2, epistemic, np.full_like(variance, kernel.noise)
    densities = log_densities(*errors, choose_tails(*errors, weight))
    said = Normal(scale.undo(t - off), np.zeros_like(off), np.sqrt(variance) * scale.spread)
    means = Transformed(said, curve).mean
    return (densities - np.log(scale.spread) + curve.log_slope(y))[:, 0], (y - means)[:, 0] ** 2
