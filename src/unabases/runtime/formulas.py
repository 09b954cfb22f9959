"""What a saved model computes, from rows to moments: written once in NumPy, which also records it for ONNX.

Everything here works on arrays and on the symbols of `unabases.runtime.tracing` alike, so it uses only what both can
do. Outputs are kept apart as columns of shape (n, 1) until the end.
"""

from typing import Any, NamedTuple

import numpy as np
from scipy.special import ndtr

from unabases.predictive import Normal, Stretched, StudentT
from unabases.predictive.curve import Curve
from unabases.predictive.transformed import NODES, WEIGHTS

__all__ = [
    "Columns",
    "GapWidth",
    "Head",
    "Kernel",
    "Member",
    "Moments",
    "Pattern",
    "Shape",
    "StretchTo",
    "curved_moments",
    "curved_quantile",
    "widened",
]

_CALM = 2  # times the noise variance: epistemic variances below stay much as they are
_MOST = 3.0  # largest logarithm of a ratio of noise variances
_NORMAL = 1e6  # degrees of freedom of tails that are as good as normal
_KNOTS = np.linspace(0, 1, 801)  # shares of the variance at which quantiles of tails in between are computed


class Moments(NamedTuple):
    """Mean, epistemic std and noise std of one output."""

    mean: Any
    epistemic_std: Any
    noise_std: Any


class Columns(NamedTuple):
    """How the numbers that a user gives become those of the model, where some may be missing (NaN)."""

    placed: np.ndarray
    """(given, d): where each given number goes."""
    lacking: np.ndarray
    """(given, columns): which column lacks its value if a given number is NaN."""
    marks: np.ndarray
    """(given, columns): which given number is 1 if the value of a column is missing."""
    owned: np.ndarray
    """(columns, d): which of the model's numbers a column has."""
    fills: np.ndarray
    """(d,): the model's numbers where a value is missing."""

    def read(self, X: Any) -> tuple[Any, Any]:
        """The model's numbers, and 1 for every column of a row that lacks its value."""
        nan = np.isnan(X)
        known = np.where(nan, 0.0, X)
        absent = np.minimum(np.where(nan, 1.0, 0.0) @ self.lacking + known @ self.marks, 1.0)
        return np.where(absent @ self.owned > 0.5, self.fills, known @ self.placed), absent


class Kernel(NamedTuple):
    """Features that stand for a smooth kernel, known exactly at its centres."""

    amplitude: float
    linear: float
    lengths: np.ndarray
    centres: np.ndarray
    inverse: np.ndarray
    """Of the transposed Cholesky factor of the centres' covariance."""
    shares: np.ndarray
    """(parts, inputs): 1 where an input belongs to a part of the sum that the function is; one part if it is none."""

    def __call__(self, Z: Any) -> tuple[Any, Any]:
        """The features of rows, and the variance that they lack."""
        K = Z @ (self.linear * self.centres).T
        for share in self.shares:
            A, B = Z / self.lengths * share, self.centres / self.lengths * share
            # Numbers are multiplied into matrices beforehand: ONNX Runtime rounds those beside a product to float32.
            squared = np.sum(A * A, axis=1, keepdims=True) + np.sum(B * B, axis=1) + A @ (-2.0 * B).T
            K = self.amplitude / len(self.shares) * np.exp(-0.5 * np.maximum(squared, 0.0)) + K
        F = K @ self.inverse
        prior = self.amplitude + self.linear * np.sum(Z * Z, axis=1, keepdims=True)
        return F, np.maximum(prior - np.sum(F * F, axis=1, keepdims=True), 0.0)


class Head(NamedTuple):
    """Linear functions of features: those of the network, the constant one, and those of the kernel if there is one."""

    network: np.ndarray
    constant: np.ndarray
    kernel: np.ndarray | None

    def __call__(self, features: Any, of_kernel: Any) -> Any:
        """Values of the functions, a column for each."""
        values = features @ self.network + self.constant
        return values if self.kernel is None else values + of_kernel @ self.kernel


class Member(NamedTuple):
    """A network and perhaps a kernel, with an exact last layer for each output."""

    phi: Any
    kernel: Kernel | None
    means: list[Head]
    roots: list[Head]
    """Functions whose squares add up to the epistemic variance; or, where functions were drawn, these."""


class Pattern(NamedTuple):
    """How the noise variance varies with the inputs, relative to its average."""

    weights: np.ndarray
    low: np.ndarray
    high: np.ndarray
    center: np.ndarray
    spread: np.ndarray
    floor: float
    level: float

    def __call__(self, Z: Any) -> Any:
        """The relative noise variance of each row, as a column."""
        kept = np.minimum(np.maximum(Z, self.low), self.high)
        shapes = (np.concatenate([kept, kept * kept], axis=1) - self.center) / self.spread
        logs = np.minimum(np.maximum(shapes @ self.weights[:, None], -_MOST), _MOST)
        return (self.floor + (1 - self.floor) * np.exp(logs)) / self.level


class GapWidth(NamedTuple):
    """What `GapCalibrated` does to the width of a prediction, for each output."""

    epistemic: np.ndarray
    noise: np.ndarray
    level: np.ndarray

    def factors(self, epistemic_std: Any, output: int) -> tuple[Any, float]:
        """Factors on the epistemic std of each row, and on the noise std."""
        c, q = float(self.epistemic[output]), float(self.level[output])
        variance = epistemic_std * epistemic_std
        ratio = (q + c * (variance - q)) / np.where(variance > q, variance, 1.0)
        return np.sqrt(np.where(variance > q, ratio, 1.0)), float(np.sqrt(self.noise[output]))


class StretchTo(NamedTuple):
    """Where `Conformal` puts the ends of intervals, for each output."""

    levels: np.ndarray
    after: np.ndarray
    """(levels, outputs): in stds from the mean."""
    noise: np.ndarray
    """What the variances are multiplied by."""


class Shape(NamedTuple):
    """The standard distribution that the prediction of an output is moved and stretched from."""

    df: float | None = None
    """Degrees of freedom where all is noise; None for a normal distribution."""
    far: float | None = None
    """The same where all is epistemic."""
    share: Any = None
    """Of the variance that is epistemic, a column; None if tails are the same everywhere."""
    rows: Any = None
    """Degrees of freedom of each row, a column, in place of all of these; not in a graph."""

    def each(self, n: int) -> Any:
        """Degrees of freedom of each of n rows, a column; nearly normal where there are none."""
        if self.rows is not None:
            return self.rows
        if self.share is not None:
            return self.degrees(self.share)
        return np.full((n, 1), _NORMAL if self.df is None else self.df)

    def degrees(self, share: Any) -> Any:
        """Degrees of freedom where this share of the variance is epistemic."""
        assert self.df is not None
        assert self.far is not None
        return 1.0 / ((1.0 - share) / self.df + share / self.far)

    def quantiles(self, q: Any, stretch: StretchTo | None = None, output: int = 0) -> Any:
        """Values in stds of the base below which outcomes fall with probabilities q: (*q, 1, 1), or (*q, n, 1).

        Between shares of the variance at which they are computed, quantiles lie on a straight line.
        """
        q = np.asarray(q)
        if self.rows is not None and stretch is None:
            return StudentT(0 * self.rows, 0 * self.rows, 1.0, self.rows).quantile(q)
        if self.share is None or stretch is not None:
            base = _standard(self.df if self.share is None else None)
            made = base if stretch is None else Stretched(base, stretch.levels, stretch.after[:, output])
            return made.quantile(q)[..., None]
        df = self.degrees(_KNOTS)
        known = StudentT(0 * df, 0 * df, 1.0, df).quantile(q)
        bends = np.diff(np.diff(known) / np.diff(_KNOTS), prepend=0.0)
        return known[..., :1, None] + np.maximum(self.share - _KNOTS[:-1], 0.0) @ bends[..., None]


def widened(variance: Any, sigma2: float, factor: float) -> Any:
    """The epistemic variance of a member: as it is where it is small beside the noise, times the factor far away."""
    far = variance / (variance + _CALM * sigma2)
    return variance * (1.0 + (factor - 1.0) * (far * far))


def curved_moments(base: Moments, curve: Curve, output: int, shape: Shape, stretch: StretchTo | None = None) -> Moments:
    """Moments in the units of y of a prediction on a curved scale, by sums over 29 points."""
    scores, once = ndtr(NODES), 1.0 if stretch is None else float(np.sqrt(stretch.noise[output]))
    mean, epistemic, noise = base
    std = np.sqrt(epistemic * epistemic + noise * noise)
    outcomes = _straighten(mean + std / once * shape.quantiles(scores, stretch, output), curve, output)
    expected = np.sum(WEIGHTS[:, None, None] * outcomes, axis=0)
    apart = outcomes - expected
    total = np.sqrt(np.sum(WEIGHTS[:, None, None] * (apart * apart), axis=0))
    functions = mean + epistemic * NODES[:, None, None]
    noises = noise / once * shape.quantiles(scores[:, None], stretch, output)
    around = _straighten(functions + noises, curve, output)
    functions = np.sum(WEIGHTS[:, None, None, None] * around, axis=0)
    apart = around - functions
    variance = np.sum(WEIGHTS[:, None, None, None] * (apart * apart), axis=0)
    around = np.sum(WEIGHTS[:, None, None] * variance, axis=0)
    apart = functions - np.sum(WEIGHTS[:, None, None] * functions, axis=0)
    spread = np.minimum(np.sqrt(np.sum(WEIGHTS[:, None, None] * (apart * apart), axis=0)), total)
    rest = total * total - spread * spread
    return Moments(expected, spread, np.sqrt(np.where(rest > 0.5 * around, rest, around)))


def curved_quantile(
    base: Moments, q: float, curve: Curve | None, output: int, shape: Shape, stretch: StretchTo | None = None
) -> Any:
    """The value in the units of y below which an outcome falls with probability q; moments are those before a stretch.

    All distributions here are one of mean 0 and std 1 that is moved and made wider, perhaps on a curved scale.
    """
    mean, epistemic, noise = base
    value = mean + shape.quantiles(q, stretch, output) * np.sqrt(epistemic * epistemic + noise * noise)
    return value if curve is None else _straighten(value, curve, output)


def _standard(df: float | None) -> Normal | StudentT:
    """The distribution of mean 0 and std 1, with heavy tails if it has degrees of freedom."""
    return Normal([0.0], [0.0], 1.0) if df is None else StudentT([0.0], [0.0], 1.0, df)


def _straighten(bent: Any, curve: Curve, output: int) -> Any:
    """Values on the curve back in the units of y: the inverse of Yeo and Johnson's power, straight beyond its ends."""
    power, center, spread, low, high = (float(part[output]) for part in curve)
    ends = Curve(*(np.array([part]) for part in (power, 0.0, 1.0, low, high))).bend(np.array([[low], [high]]))
    inside = np.minimum(np.maximum(bent, float(ends[0, 0])), float(ends[1, 0]))
    size = np.abs(inside)
    z = np.where(inside >= 0.0, _root(size, power) - 1.0, 1.0 - _root(size, 2 - power))
    z = np.minimum(np.maximum(z, low), high)
    steep = 1.0 + np.abs(z)
    slope = np.where(z >= 0.0, steep ** (1 - power), steep ** (power - 1))
    return center + spread * (z + (bent - inside) * slope)


def _root(size: Any, power: float) -> Any:
    """1 + the inverse of the Box-Cox transform of 1 + z, for z that are not negative."""
    return np.exp(size) if power == 0 else (1.0 + power * size) ** (1 / power)
