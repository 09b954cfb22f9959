"""Predictions whose intervals were set anew, level by level."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from jaxtyping import Float

from unabases.predictive.base import AbstractPredictive, Numbers
from unabases.predictive.checks import checked_targets, freeze
from unabases.predictive.location_scale import AbstractLocationScale
from unabases.predictive.mixture import Mixture
from unabases.predictive.normal import Normal
from unabases.predictive.student_t import StudentT
from unabases.predictive.transformed import Transformed

__all__ = ["Stretched", "core_of", "distances", "stretch"]

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(32)  # of an integral from -1 to 1


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Stretched(AbstractLocationScale):
    r"""A prediction whose central intervals have the widths they should have, and which is smooth in between.

    It is another prediction, drawn out or together around its mean: the end of that one's interval at each of some
    levels goes to where it is wanted, and what lies between two ends is moved in proportion. Beyond the last level all
    is multiplied by the factor that the last level has. The mean stays.

    Parameters
    ----------
    base : Normal, StudentT or Stretched
        The prediction as it was; its tails are the same at all rows.
    levels : array of shape (k,)
        Levels of central intervals, such as 0.5 and 0.9; rising, between 0 and 1.
    widths : array of shape (k,) or (k, p)
        Where the interval of each level is to end: the distance from the mean in standard deviations of `base`, for
        each output; rising.

    Attributes
    ----------
    ends : array of the shape of `widths`
        Where the intervals of `base` end, in its stds.
    factor : number, or array of shape (p,)
        What the stds of `base` were multiplied by.

    Notes
    -----
    The epistemic and the noise std are multiplied by the same number, so that their squares add up to the variance of
    the stretched distribution. The function f stays Gaussian, as that of a `StudentT` does.

    Examples
    --------
    Half of all outcomes were within 0.5 stds, and nine in ten within 2:

    >>> from unabases.predictive import Normal
    >>> prediction = Stretched(Normal([10.0], [0.6], 0.8), levels=[0.5, 0.9], widths=[0.5, 2.0])
    >>> for level in (0.5, 0.9):
    ...     lower, upper = prediction.interval(level)
    ...     print(lower.round(3), upper.round(3))
    [9.5] [10.5]
    [8.] [12.]
    >>> prediction.mean, prediction.std.round(2)
    (array([10.]), array([1.12]))
    """

    base: AbstractLocationScale
    levels: Float[np.ndarray, " k"]
    widths: Float[np.ndarray, "k *p"]
    ends: Float[np.ndarray, "k *p"]
    _slopes: Float[np.ndarray, "k1 *p"]
    factor: Float[np.ndarray, "*p"]

    def __init__(self, base: AbstractLocationScale, levels: Numbers, widths: Numbers) -> None:
        levels, widths = np.array(levels, dtype=np.float64), np.array(widths, dtype=np.float64)
        if levels.ndim != 1 or not len(levels) or not _rising(np.concatenate([[0.0], levels, [1.0]])):
            raise ValueError(f"`levels` must rise from above 0 to below 1, and there must be one; got {levels}.")
        if widths.shape != (len(levels), *base.shape[1:]):
            raise ValueError(
                f"`widths` must have a line for each of {len(levels)} levels, and a column for each output if the "
                f"prediction, of shape {base.shape}, has several; got shape {widths.shape}."
            )
        if not _rising(np.concatenate([np.zeros((1, *widths.shape[1:])), widths])):
            raise ValueError(f"`widths` must be finite and rise from above 0 with the level; got {widths}.")
        ends = base._quantile(((1 + levels) / 2).reshape(-1, *(1,) * (widths.ndim - 1)))
        ends = np.broadcast_to(ends, widths.shape).copy()
        steps = np.diff(widths, axis=0, prepend=0.0) / np.diff(ends, axis=0, prepend=0.0)
        slopes = np.concatenate([steps, widths[-1:] / ends[-1:]])
        object.__setattr__(self, "base", base)
        freeze(self, levels=levels, widths=widths, ends=ends, _slopes=slopes)
        factor = np.asarray(np.sqrt(self._variance()))
        freeze(self, factor=factor)
        root = None if base.root is None else base.root * factor.reshape(*factor.shape, 1, 1)
        super().__init__(base.mean, base.epistemic_std * factor, base.noise_std * factor, root)

    def __repr__(self) -> str:
        return f"Stretched({self.base!r}, levels={self.levels.tolist()})"

    def _like(
        self, mean: Numbers, epistemic_std: Numbers, noise_std: Numbers, root: Numbers | None, rows: Any = slice(None)
    ) -> "Stretched":
        factor = self.factor
        epistemic_std, noise_std = (np.asarray(std, dtype=np.float64) / factor for std in (epistemic_std, noise_std))
        root = None if root is None else np.asarray(root) / factor.reshape(*factor.shape, 1, 1)
        return Stretched(self.base._like(mean, epistemic_std, noise_std, root), self.levels, self.widths)

    def _log_density(self, z: np.ndarray) -> np.ndarray:
        was = self._back(z * self.factor)
        return self.base._log_density(was) - np.log(self._slope(was) / self.factor)

    def _cdf(self, z: np.ndarray) -> np.ndarray:
        return self.base._cdf(self._back(z * self.factor))

    def _quantile(self, q: np.ndarray) -> np.ndarray:
        return self._stretch(self.base._quantile(q)) / self.factor

    def _from_scores(self, f: np.ndarray, noise: np.ndarray) -> np.ndarray:
        return self._by_rank(f, noise)

    def _variance(self) -> Float[np.ndarray, "*p"]:
        """Of the stretched standard distribution, by Gauss and Legendre.

        Beyond the last end it is a multiple of the base, whose variance is 1, so that only what lies before is summed.
        """
        tail, nodes = self._slopes[-1], (1 + _NODES.reshape(-1, *(1,) * (self.ends.ndim - 1))) / 2
        total = tail**2
        for low, high in pairwise([np.zeros_like(tail), *self.ends]):
            z = low + (high - low) * nodes
            gained = (self._stretch(z) ** 2 - (tail * z) ** 2) * np.exp(self.base._log_density(z))
            total = total + (high - low) * np.tensordot(_WEIGHTS, gained, axes=1)
        return np.asarray(total)

    def _stretch(self, z: np.ndarray) -> np.ndarray:
        """Where standard values of the base go, in its stds."""
        return _piecewise(z, self.ends, self._slopes)

    def _back(self, z: np.ndarray) -> np.ndarray:
        """Where they come from."""
        return _piecewise(z, self.widths, 1 / self._slopes)

    def _slope(self, z: np.ndarray) -> np.ndarray:
        """How much the stretch draws out what is around standard values of the base."""
        changes = zip(self.ends, np.diff(self._slopes, axis=0), strict=True)
        return self._slopes[0] + np.sum([change * (np.abs(z) >= end) for end, change in changes], axis=0)


def core_of(prediction: AbstractPredictive) -> AbstractLocationScale:
    """What of a prediction can be stretched: on its curved scale if it has one, and of one shape at all rows.

    A mixture, and a `StudentT` with other tails at each row, become a `Normal` with the same moments.
    """
    if isinstance(prediction, Transformed):
        return core_of(prediction.base)
    if isinstance(prediction, StudentT) and prediction.by_row:
        return Normal(prediction.mean, prediction.epistemic_std, prediction.noise_std, prediction.root)
    if isinstance(prediction, AbstractLocationScale):
        return prediction
    root = None
    if isinstance(prediction, Mixture):
        root = np.moveaxis(prediction.members - prediction.mean, 0, -1) / np.sqrt(len(prediction.members))
        root = root if root.ndim == 2 else np.swapaxes(root, 0, 1)
    return Normal(prediction.mean, prediction.epistemic_std, prediction.noise_std, root)


def distances(prediction: AbstractPredictive, y: Numbers) -> Float[np.ndarray, "*shape"]:
    """How far outcomes are from the mean, in stds; on the curved scale if the prediction has one.

    Examples
    --------
    >>> from unabases.predictive import Normal
    >>> distances(Normal([0.0, 10.0], [3.0, 3.0], 4.0), [5.0, 0.0])
    array([1., 2.])
    """
    y, core = checked_targets(y, prediction.shape), core_of(prediction)
    if isinstance(prediction, Transformed):
        y = prediction._apply(prediction.curve.bend, y)
    away, certain = np.abs(y - core.mean), core.std == 0
    return np.where(certain, np.where(away > 0, np.inf, away), away / np.where(certain, 1.0, core.std))


def stretch(prediction: AbstractPredictive, levels: Numbers, widths: Numbers) -> AbstractPredictive:
    """Any prediction with new ends of its intervals, in the distances of `distances`.

    Examples
    --------
    >>> from unabases.predictive import Mixture
    >>> stretch(Mixture([[0.0], [2.0]], 1.0), [0.9], [2.0])
    Stretched(Normal(shape=(1,), root=(1, 2)), levels=[0.9])
    """
    made = Stretched(core_of(prediction), levels, widths)
    return (Transformed(made, prediction.curve) if isinstance(prediction, Transformed) else made).labelled(
        prediction.index
    )


def _rising(values: np.ndarray) -> bool:
    return bool(np.all(np.isfinite(values)) and np.all(np.diff(values, axis=0) > 0))


def _piecewise(z: np.ndarray, ends: Float[np.ndarray, "k *p"], slopes: Float[np.ndarray, "k1 *p"]) -> np.ndarray:
    """An odd function of straight pieces between 0, `ends` and infinity."""
    size, edges = np.abs(z), [np.zeros_like(slopes[0]), *ends]
    lengths = [*np.diff(edges, axis=0), np.inf]
    pieces = [slope * np.clip(size - low, 0, length) for low, length, slope in zip(edges, lengths, slopes, strict=True)]
    return np.copysign(np.sum(pieces, axis=0), z)
