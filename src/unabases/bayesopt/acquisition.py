r"""How promising a point is, given the mean and standard deviation of f that a model predicts there.

Everything is for minimisation. With z = (best − mean) / std and h(z) = φ(z) + z Φ(z), expected improvement is
std · h(z). Far above the best value, h underflows, and long before that the sum of its two terms loses all digits. For
t = −z ≥ 5 the ratio of tail to density is Laplace's continued fraction,

.. math:: \frac{\Phi(-t)}{\phi(t)} = \frac{1}{t + c}, \qquad
          c = \cfrac{1}{t + \cfrac{2}{t + \cfrac{3}{t + \dots}}}, \qquad
          h(-t) = \phi(t) \, \frac{c}{t + c}, \qquad \frac{d \log h}{d z} = \frac{1}{c},

in which nothing is subtracted: the logarithm and its slope stay accurate for any z.
"""

from typing import Any

import jax
import jax.numpy as jnp
import jax.scipy.special as jsp
import numpy as np
from jaxtyping import Array, Float
from scipy.special import ndtr

__all__ = ["ACQUISITIONS", "expected_improvement", "log_expected_improvement", "lower_confidence_bound"]

ACQUISITIONS = ("ei", "lcb", "thompson")
_FAR = 5.0  # beyond this, the continued fraction is used; before it, the sum loses less than two digits
_TERMS = 20  # of the fraction; further ones are below rounding for t ≥ 5
_HALF_LOG_2PI = 0.5 * np.log(2 * np.pi)


def expected_improvement(
    mean: Float[np.ndarray, "*n"], std: Float[np.ndarray, "*n"], best: float
) -> Float[np.ndarray, "*n"]:
    """Expected improvement on the best value so far: E[max(best − f, 0)] for f ~ N(mean, std²).

    Parameters
    ----------
    mean, std : arrays
        What is predicted at each point.
    best : float
        The lowest value so far.

    Returns
    -------
    array
        The expected improvement at each point; more is better.

    References
    ----------
    Jones, Schonlau, Welch (1998), Efficient global optimization of expensive black-box functions.

    Examples
    --------
    >>> expected_improvement(np.array([0.0, 1.0]), np.array([1.0, 0.0]), best=0.0).round(3)
    array([0.399, 0.   ])
    """
    return np.exp(log_expected_improvement(mean, std, best))


def log_expected_improvement(
    mean: Float[np.ndarray, "*n"], std: Float[np.ndarray, "*n"], best: float
) -> Float[np.ndarray, "*n"]:
    """The logarithm of expected improvement, accurate even where expected improvement underflows to 0.

    Parameters
    ----------
    mean, std : arrays
        What is predicted at each point.
    best : float
        The lowest value so far.

    Returns
    -------
    array
        log E[max(best − f, 0)] at each point; more is better.

    References
    ----------
    Ament, Daulton, Eriksson, Balandat, Bakshy (2023), Unexpected improvements to expected improvement for Bayesian
    optimization.

    Examples
    --------
    >>> log_expected_improvement(np.array([40.0]), np.array([1.0]), best=0.0).round(3)
    array([-808.299])
    """
    certain = std == 0
    spread = np.where(certain, 1.0, std)
    with np.errstate(divide="ignore", over="ignore"):
        sure = np.log(np.maximum(best - mean, 0.0))
        return np.where(certain, sure, _log_h((best - mean) / spread, np, ndtr)[0] + np.log(spread))


def lower_confidence_bound(
    mean: Float[np.ndarray, "*n"], std: Float[np.ndarray, "*n"], kappa: float = 2.0
) -> Float[np.ndarray, "*n"]:
    """An optimistic guess of f, mean − kappa · std; the point where it is lowest is the most promising.

    Parameters
    ----------
    mean, std : arrays
        What is predicted at each point.
    kappa : float
        How many standard deviations to be optimistic by; more explores more.

    Returns
    -------
    array
        The bound at each point; less is better.

    Examples
    --------
    >>> lower_confidence_bound(np.array([0.0, 1.0]), np.array([1.0, 2.0]))
    array([-2., -3.])
    """
    return mean - kappa * std


@jax.custom_jvp
def log_h(z: Float[Array, "*n"]) -> Float[Array, "*n"]:
    """log(φ(z) + z Φ(z)) for compiled programs, with an accurate gradient."""
    return _log_h(z, jnp, jsp.ndtr)[0]


@log_h.defjvp
def _log_h_jvp(primals: Any, tangents: Any) -> Any:
    value, slope = _log_h(primals[0], jnp, jsp.ndtr)
    return value, slope * tangents[0]


def _log_h(z: Any, xp: Any, normal_cdf: Any) -> tuple[Any, Any]:
    """The logarithm of h(z) and its slope Φ(z) / h(z), with NumPy or JAX."""
    near = xp.maximum(z, -_FAR)
    cdf = normal_cdf(near)
    h = xp.exp(-0.5 * near**2 - _HALF_LOG_2PI) + near * cdf
    t = xp.maximum(-z, _FAR)
    below = t
    for j in range(_TERMS, 1, -1):
        below = t + j / below
    c = 1 / below
    far = -0.5 * t**2 - _HALF_LOG_2PI + xp.log(c) - xp.log(t + c)
    return xp.where(z > -_FAR, xp.log(h), far), xp.where(z > -_FAR, cdf / h, below)
