"""Gaussian predictions."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import ndtr, ndtri

from unabases.predictive.base import Numbers
from unabases.predictive.location_scale import AbstractLocationScale

__all__ = ["Normal"]

_HALF_LOG_2PI = 0.5 * np.log(2 * np.pi)


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Normal(AbstractLocationScale):
    r"""A Gaussian prediction: an uncertain function value, and noise around it.

    .. math:: f \sim N(\mu, R R^\top), \quad y = f + \epsilon, \quad \epsilon_i \sim N(0, \sigma_i^2)

    `epistemic_std` is the uncertainty about the function f, which more data would lower; `noise_std` is the scatter of
    y around f, which they would not. The total is `std`.

    Parameters
    ----------
    mean : array of shape (n,) or (n, p)
        Expected values :math:`\mu`.
    epistemic_std : array of the same shape
        Standard deviation of f: the square root of the diagonal of :math:`R R^\top`.
    noise_std : number or array
        Standard deviation :math:`\sigma` of the noise; a number, one per output, or one per element.
    root : array of shape (n, k) or (p, n, k), optional
        :math:`R`, any factor of the epistemic covariance between rows. With it `covariance` is known and samples are
        whole functions. Outputs are independent of each other.

    See Also
    --------
    AbstractPredictive : what epistemic and noise std mean, and what every prediction offers.

    Notes
    -----
    Where the total standard deviation is exactly 0 the prediction is a point mass: its `log_prob` is +inf at the mean
    and -inf elsewhere, and its `cdf` steps from 0 to 1 at the mean. NaN in, NaN out. The arrays are float64, read-only
    copies, except `root`, which is a view of what was given.

    Examples
    --------
    >>> prediction = Normal(mean=[0.0, 10.0], epistemic_std=[3.0, 0.0], noise_std=4.0)
    >>> prediction.std
    array([5., 4.])
    >>> prediction[1:].interval(0.5)[1].round(2)
    array([12.7])
    """

    def __repr__(self) -> str:
        return f"Normal(shape={self.shape}, root={None if self.root is None else self.root.shape})"

    def _like(
        self, mean: Numbers, epistemic_std: Numbers, noise_std: Numbers, root: Numbers | None, rows: Any = slice(None)
    ) -> "Normal":
        return Normal(mean, epistemic_std, noise_std, root)

    def _log_density(self, z: np.ndarray) -> np.ndarray:
        return -0.5 * z**2 - _HALF_LOG_2PI

    def _cdf(self, z: np.ndarray) -> np.ndarray:
        return ndtr(z)

    def _quantile(self, q: np.ndarray) -> np.ndarray:
        return ndtri(q)

    def _from_scores(self, f: np.ndarray, noise: np.ndarray) -> np.ndarray:
        return f + noise
