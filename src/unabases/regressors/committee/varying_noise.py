"""Noise that is larger in some places than in others, learned from errors on rows that were left out."""

from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float, Int
from scipy.optimize import minimize

from unabases.regressors.shared.weights import counts_of, weighted_mean

_PENALTIES = (5.0, 25.0, 125.0, 600.0)  # on squared weights; the largest comes close to constant noise
_FLOORS = (0.03, 0.3)  # shares of the noise variance that are the same everywhere
_LEAST_GAIN = 0.01  # nats a row that varying noise has to gain over constant noise
_LEAST_ROWS = 50
_MOST = 3.0  # largest logarithm of a ratio


class NoisePattern(NamedTuple):
    """How the noise variance varies with the inputs, relative to its average over the training rows.

    It is a constant and a part whose logarithm is a quadratic function of each input, without interactions. Beyond the
    training rows it stays as it is at their edge.
    """

    weights: Float[np.ndarray, " k"]
    low: Float[np.ndarray, " d"]
    high: Float[np.ndarray, " d"]
    center: Float[np.ndarray, " k"]
    spread: Float[np.ndarray, " k"]
    floor: float
    """The constant."""
    level: float
    """The mean over the training rows, to divide by."""

    def __call__(self, Z: Float[np.ndarray, "n d"]) -> Float[np.ndarray, " n"]:
        """The noise variance of each row, relative to the average."""
        return _ratios(self._shapes(Z), self.weights, self.floor) / self.level

    def _shapes(self, Z: Float[np.ndarray, "n d"]) -> Float[np.ndarray, "n k"]:
        kept = np.clip(Z, self.low, self.high)
        return (np.hstack([kept, kept**2]) - self.center) / self.spread

    @classmethod
    def from_arrays(cls, arrays: dict[str, np.ndarray]) -> "NoisePattern | None":
        """The pattern whose fields have these names; None if there are none."""
        if not arrays:
            return None
        numbers = {name: float(arrays[name]) for name in ("floor", "level")}
        return cls(**{**arrays, **numbers})


def loudness(pattern: NoisePattern | None, Z: Float[np.ndarray, "n d"]) -> Float[np.ndarray, " n"]:
    """The noise variance of each row, relative to the average; 1 everywhere without a pattern.

    Examples
    --------
    >>> loudness(None, np.zeros((2, 3)))
    array([1., 1.])
    """
    return np.ones(len(Z)) if pattern is None else pattern(Z)


class Errors(NamedTuple):
    """Errors of members on rows that they left out."""

    Z: Float[np.ndarray, "n d"]
    squares: Float[np.ndarray, "n p"]
    epistemic: Float[np.ndarray, "n p"]
    """Epistemic variance of the member there."""
    fold: Int[np.ndarray, " n"]
    """The member that made the error."""
    weight: Float[np.ndarray, " n"] | None = None
    """How often each row counts; None for once."""

    @property
    def counts(self) -> Float[np.ndarray, " n"]:
        """How often each row counts."""
        return counts_of(self.weight, len(self.Z))


def find_pattern(errors: Errors, sigma2: Float[np.ndarray, " p"], surely: bool = False) -> NoisePattern | None:
    """Find how the noise varies; None if constant noise predicts left-out errors as well.

    How smooth the pattern is, and whether there is one, is decided by the likelihood of the errors of each member
    under the pattern of the others.

    Parameters
    ----------
    errors : Errors
        Errors on rows that were left out.
    sigma2 : array
        The noise variance of each output if it is constant.
    surely : bool
        Whether to give a pattern even if it gains nothing.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> Z = rng.uniform(-1.5, 1.5, (400, 1))
    >>> squares = (np.exp(Z) * rng.standard_normal((400, 1))) ** 2  # the noise grows with the input
    >>> pattern = find_pattern(Errors(Z, squares, np.zeros((400, 1)), np.arange(400) % 5), squares.mean(axis=0))
    >>> low, high = pattern(np.array([[-1.0], [1.0]]))
    >>> bool(10 < high / low < 200)  # the truth is exp(4), or 55
    True
    """
    blank = _blank(errors.Z)
    if len(errors.Z) < _LEAST_ROWS and not surely:
        return None
    shapes = blank._shapes(errors.Z)
    constant = _log_density(errors, sigma2, np.ones(len(shapes)))
    best, sure, chosen = -np.inf, False, (_PENALTIES[-1], _FLOORS[-1])
    for penalty in _PENALTIES:
        gains = np.empty((len(_FLOORS), len(shapes)))
        for fold in np.unique(errors.fold):
            own, others = errors.fold == fold, errors.fold != fold
            fitted = _fit(_take(errors, others), shapes[others], sigma2, penalty)
            for gain, floor in zip(gains, _FLOORS, strict=True):
                ratios = np.exp(fitted[0]) * _ratios(shapes[own], fitted[1:], floor)
                gain[own] = _log_density(_take(errors, own), sigma2, ratios) - constant[own]
        for gain, floor in zip(gains, _FLOORS, strict=True):
            mean = weighted_mean(gain, errors.weight)
            std = np.sqrt(weighted_mean((gain - mean) ** 2, errors.weight))
            least = mean - std / np.sqrt(len(gain))  # one standard error below the mean
            if least > best:
                best, sure, chosen = least, bool(mean > _LEAST_GAIN and least > 0), (penalty, floor)
    if not (sure or surely):
        return None
    penalty, floor = chosen
    weights = _fit(errors, shapes, sigma2, penalty)[1:]
    level = float(weighted_mean(_ratios(shapes, weights, floor), errors.weight))
    return blank._replace(weights=weights, floor=floor, level=level)


def _blank(Z: np.ndarray) -> NoisePattern:
    """A pattern without weights, for these rows."""
    both = np.hstack([Z, Z**2])
    spread = both.std(axis=0)
    spread[spread == 0] = 1.0
    return NoisePattern(np.zeros(both.shape[1]), Z.min(axis=0), Z.max(axis=0), both.mean(axis=0), spread, 0.0, 1.0)


def _take(errors: Errors, rows: np.ndarray) -> Errors:
    parts: Any = (None if part is None else part[rows] for part in errors)
    return Errors(*parts)


def _ratios(shapes: np.ndarray, weights: np.ndarray, floor: float) -> Float[np.ndarray, " n"]:
    """Relative noise variance of each row: a constant and a part that varies."""
    return floor + (1 - floor) * np.exp(np.clip(shapes @ weights, -_MOST, _MOST))


def _log_density(errors: Errors, sigma2: np.ndarray, ratios: Float[np.ndarray, " n"]) -> Float[np.ndarray, " n"]:
    """Log density of the errors of each row, summed over outputs."""
    total = errors.epistemic + sigma2 * ratios[:, None]
    return -0.5 * np.sum(np.log(2 * np.pi * total) + errors.squares / total, axis=1)


def _fit(errors: Errors, shapes: np.ndarray, sigma2: np.ndarray, penalty: float) -> Float[np.ndarray, " weights"]:
    """Weights of the constant and the shapes, by penalised likelihood."""
    counts = errors.counts

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        logs = weights[0] + shapes @ weights[1:]
        noise = sigma2 * np.exp(np.clip(logs, -10, 10))[:, None]
        total = errors.epistemic + noise
        value = (
            0.5 * np.sum(counts[:, None] * (np.log(total) + errors.squares / total))
            + 0.5 * penalty * weights[1:] @ weights[1:]
        )
        by_log = 0.5 * counts * np.sum(noise / total * (1 - errors.squares / total), axis=1)
        return value, np.r_[by_log.sum(), shapes.T @ by_log + penalty * weights[1:]]

    return minimize(loss, np.zeros(1 + shapes.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": 100}).x
