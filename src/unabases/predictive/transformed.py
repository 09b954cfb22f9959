"""Predictions made on a curved scale, in the user's units."""

from collections.abc import Callable, Iterator
from functools import cached_property

import numpy as np
from jaxtyping import Float
from scipy.special import ndtr

from unabases.predictive.base import AbstractPredictive, Numbers
from unabases.predictive.checks import checked_probabilities, checked_targets, row_index
from unabases.predictive.curve import Curve
from unabases.predictive.location_scale import AbstractLocationScale

__all__ = ["NODES", "WEIGHTS", "Transformed"]

NODES = np.arange(-14, 15) / 2
"""Where the trapezoidal rule looks at a normal distribution, in its stds."""
WEIGHTS = np.exp(-0.5 * NODES**2) / np.exp(-0.5 * NODES**2).sum()
"""How much each of these places counts."""
_SCORES = ndtr(NODES)


class Transformed(AbstractPredictive):
    r"""A skewed prediction: on a curved scale it is a `Normal` or a `StudentT`.

    Densities, probabilities, quantiles and intervals are exact. Mean and standard deviations are in the units of y too:
    the function is what is expected of y given the function on the curved scale, so that

    .. math:: \mathrm{var}(y) = \mathrm{var}_f(E[y \mid f]) + E_f[\mathrm{var}(y \mid f)]

    gives the epistemic part and the noise. They are sums over 29 points (29 × 29 for the parts), good to about
    three digits.

    Parameters
    ----------
    base : Normal or StudentT
        The prediction of `curve.bend(y)`.
    curve : Curve
        The scale.

    Examples
    --------
    The logarithm of y is 1 ± 0.5:

    >>> from unabases.predictive import Normal
    >>> from unabases.predictive.curve import fit_curve
    >>> curve = fit_curve(np.array([[2.0], [50.0]]), 0.0, ratio=True)
    >>> prediction = Transformed(Normal([1.0], [0.3], 0.4), curve)
    >>> prediction.quantile(0.5).round(3), float(np.exp(1.0).round(3))
    (array([2.718]), 2.718)
    >>> lower, upper = prediction.interval(0.9)
    >>> lower.round(2), prediction.mean.round(2), upper.round(2)  # longer to the right
    (array([1.19]), array([3.08]), array([6.19]))
    """

    def __init__(self, base: AbstractLocationScale, curve: Curve) -> None:
        outputs = base.shape[1] if len(base.shape) == 2 else 1
        if len(curve.power) != outputs:
            raise ValueError(f"the curve was made for {len(curve.power)} output(s), but the prediction has {outputs}.")
        self.base, self.curve = base, curve

    def __repr__(self) -> str:
        return f"Transformed({self.base!r})"

    def __len__(self) -> int:
        return len(self.base)

    @property
    def shape(self) -> tuple[int, ...]:
        """(n,) or (n, p)."""
        return self.base.shape

    def __getitem__(self, rows: object) -> "Transformed":
        index = row_index(rows, len(self))
        made = Transformed(self.base[index], self.curve)
        return made.labelled(None if self.index is None else self.index[index])

    def scaled(self, epistemic: Numbers = 1.0, noise: Numbers = 1.0) -> "Transformed":
        """The same prediction with its variances multiplied on the curved scale; the median stays."""
        return Transformed(self.base.scaled(epistemic, noise), self.curve).labelled(self.index)

    def with_noise(self, noise_std: Numbers) -> "Transformed":
        """The same prediction with other noise, as nearly as the curved scale allows."""
        louder = np.asarray(noise_std, dtype=np.float64) / self.noise_std
        return Transformed(self.base.with_noise(self.base.noise_std * louder), self.curve).labelled(self.index)

    @cached_property
    def mean(self) -> Float[np.ndarray, "*shape"]:
        """The expected value of y."""
        return _average(self._outcomes)

    @cached_property
    def std(self) -> Float[np.ndarray, "*shape"]:
        """Total standard deviation of y: epistemic and noise together."""
        return np.sqrt(_average((self._outcomes - self.mean) ** 2))

    @property
    def var(self) -> Float[np.ndarray, "*shape"]:
        """Total variance of y: epistemic plus noise."""
        return self.std**2

    @cached_property
    def epistemic_std(self) -> Float[np.ndarray, "*shape"]:
        """Standard deviation of what is expected of y given the function."""
        functions, _ = self._given_functions
        spread = np.sqrt(_average((functions - _average(functions)) ** 2))
        return np.minimum(spread, self.std)

    @cached_property
    def noise_std(self) -> Float[np.ndarray, "*shape"]:
        """Standard deviation of y around the function."""
        rest, around = self.std**2 - self.epistemic_std**2, _average(self._given_functions[1])
        # Where there is hardly any noise, the difference is but rounding.
        return np.sqrt(np.where(rest > around / 2, rest, around))

    @property
    def covariance(self) -> Float[np.ndarray, "*p n n"]:
        """Epistemic covariance between rows, with the correlations of the curved scale: (n, n), or (p, n, n)."""
        covariance, base = self.base.covariance, self.base.epistemic_std
        ratio = (self.epistemic_std / np.where(base == 0, 1.0, base)).T
        return covariance * ratio[..., :, None] * ratio[..., None, :]

    def log_prob(self, y: Numbers) -> Float[np.ndarray, "*shape"]:
        """Log density of each element of y, rows taken one at a time."""
        y = checked_targets(y, self.shape)
        return self.base.log_prob(self._apply(self.curve.bend, y)) + self._apply(self.curve.log_slope, y)

    def cdf(self, y: Numbers) -> Float[np.ndarray, "*shape"]:
        """Probability of an outcome of at most y."""
        return self.base.cdf(self._apply(self.curve.bend, checked_targets(y, self.shape)))

    def quantile(self, q: Numbers) -> Float[np.ndarray, "*shape"]:
        """Inverse of `cdf`; q = 0 and 1 give the ends of the support."""
        return self._apply(self.curve.straighten, self.base.quantile(checked_probabilities(q)))

    def sample(
        self, n: int, random_state: int | np.random.Generator | None = None, noise: bool = True
    ) -> Float[np.ndarray, "draws *shape"]:
        """Draw n times at all rows: observations y, or what is expected of y when `noise` is False."""
        drawn = self.base.sample(n, random_state, noise)
        return self._apply(self.curve.straighten, drawn) if noise else self.expected(drawn)

    def expected(self, f: Float[np.ndarray, "draws *shape"]) -> Float[np.ndarray, "draws *shape"]:
        """What is expected of y at each row, given functions on the curved scale."""
        return np.sum([weight * values for weight, values in self._around(f)], axis=0)

    @cached_property
    def _given_functions(self) -> tuple[np.ndarray, np.ndarray]:
        """Mean and variance of y given each of the functions of a sum."""
        around = list(self._around(self.base.mean + self.base.epistemic_std * _column(NODES, self.shape)))
        functions = np.sum([weight * values for weight, values in around], axis=0)
        return functions, np.sum([weight * (values - functions) ** 2 for weight, values in around], axis=0)

    def _around(self, f: Float[np.ndarray, "draws *shape"]) -> Iterator[tuple[float, np.ndarray]]:
        """Weights and values of y around functions on the curved scale."""
        for weight, step in self._noise_nodes():
            yield weight, self._apply(self.curve.straighten, f + step)

    @property
    def ends(self) -> tuple[np.ndarray, np.ndarray]:
        """The smallest and the largest values of y that the sums for mean and std look at."""
        with np.errstate(over="ignore"):  # infinite ends are an answer
            return self.quantile(_SCORES[0]), self.quantile(_SCORES[-1])

    @property
    def _outcomes(self) -> Float[np.ndarray, "nodes *shape"]:
        """Values of y at the nodes of a sum over the total distribution."""
        return self.quantile(_SCORES)

    def _noise_nodes(self) -> list[tuple[float, np.ndarray]]:
        """Weights and values of the noise on the curved scale, with the tails of the total."""
        alone = self.base.scaled(epistemic=0.0)
        return list(zip(WEIGHTS.tolist(), alone.quantile(_SCORES) - alone.mean, strict=True))

    def _apply(self, function: Callable, values: np.ndarray) -> np.ndarray:
        """A function of arrays whose last axis is the outputs."""
        values = np.asarray(values, dtype=np.float64)
        if len(self.shape) == 2:
            return function(values)
        return function(values[..., None])[..., 0]


def _column(values: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    return values.reshape(-1, *(1,) * len(shape))


def _average(values: Float[np.ndarray, "nodes *shape"]) -> Float[np.ndarray, "*shape"]:
    return np.tensordot(WEIGHTS, values, axes=1)
