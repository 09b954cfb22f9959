r"""The evidence p(y | alpha, sigma2): how probable the data are, whatever the weights; and the best variances by it.

.. math:: \log p(y) = \log N(y; 0, \alpha \Phi \Phi^\top + \sigma^2 I)
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from jaxtyping import Float
from scipy.linalg import svd
from scipy.optimize import fminbound
from scipy.special import expit

from unabases.linear.checks import Scalar, output_index, positive
from unabases.linear.conditioning import equivalent_rows
from unabases.linear.posterior import Posterior, condition
from unabases.linear.statistics import Statistics, weighted_rows

NOISE_FLOOR = 1e-10  # smallest sigma2 considered, as a share of mean y^2
REACH = 1e8  # how far alpha may leave the range that the data suggest, either way
PER_DECADE = 10  # grid points per factor of ten


class Spectrum(NamedTuple):
    r"""Statistics in the directions in which G is diagonal, from `spectrum`.

    With :math:`G = V \Lambda V^\top`, `eigenvalues` is the diagonal of :math:`\Lambda` and `rotated` is
    :math:`V^\top b`; `yy` and `n` are those of `Statistics`.
    """

    eigenvalues: Float[np.ndarray, " k"]
    rotated: Float[np.ndarray, "k p"]
    yy: Float[np.ndarray, " p"]
    n: float


class Evidence(NamedTuple):
    """Two variances and the log evidence of the data under them."""

    alpha: float
    sigma2: float
    log_evidence: float


def log_evidence(
    Phi: Float[np.ndarray, "n k"],
    y: Float[np.ndarray, " n"],
    *,
    alpha: Scalar,
    sigma2: Scalar,
    weight: Float[np.ndarray, " n"] | None = None,
    posterior: Posterior | None = None,
) -> float:
    r"""How probable the targets are under the model, with the weights integrated out: log p(y).

    .. math:: -\tfrac12 \left[ n \log 2\pi\sigma^2 + \|y - \Phi m\|^2 / \sigma^2 + \|m\|^2 / \alpha
              + k \log \alpha + \log |A| \right]

    It takes O(n k²) operations and no n × n matrix. Features that grow without bound pay for it through log |A|.

    Parameters
    ----------
    Phi : array of shape (n, k)
        Features, bias column included.
    y : array of shape (n,)
        Targets of one output.
    alpha, sigma2 : float
        Prior variance of each weight, and noise variance.
    weight : array of shape (n,), optional
        How often each row counts.
    posterior : Posterior, optional
        The posterior given these rows and variances, if it is known already.

    Returns
    -------
    float
        In nats, in the units of y.

    References
    ----------
    Bishop (2006). Pattern recognition and machine learning, eq. 3.86.

    Examples
    --------
    >>> round(log_evidence(np.ones((1, 1)), np.zeros(1), alpha=1.0, sigma2=1.0), 3)  # log N(0; 0, 2)
    -1.266
    """
    Phi, y = weighted_rows(Phi, y, weight)
    m, L, alpha, sigma2 = condition(Phi, y, alpha=alpha, sigma2=sigma2) if posterior is None else posterior
    residual = (np.asarray(y, dtype=np.float64) - np.asarray(Phi, dtype=np.float64) @ m) / np.sqrt(sigma2)
    log_volume = 2 * np.log(np.diag(L)).sum() + len(m) * np.log(alpha)
    quadratic = residual @ residual + m @ m / alpha
    n = len(residual) if weight is None else float(np.sum(weight))
    return -0.5 * float(n * np.log(2 * np.pi * sigma2) + quadratic + log_volume)


def log_evidence_from(statistics: Statistics, *, alpha: Scalar, sigma2: Scalar, output: int = 0) -> float:
    """Log evidence from statistics alone, as `log_evidence` gives it from rows.

    For many pairs of variances, `spectrum` once and then `spectrum_evidence` is faster.
    """
    alpha, sigma2 = positive("alpha", alpha), positive("sigma2", sigma2)
    return float(spectrum_evidence(spectrum(statistics), alpha, sigma2, output))


def spectrum(statistics: Statistics) -> Spectrum:
    """Prepare statistics so that the evidence of each pair of variances costs O(k), after O(k^3) here.

    Notes
    -----
    The eigenvalues come from the singular values of k equivalent rows. Those of G itself would lose features that are
    1e8 times smaller than the largest, and might be negative.
    """
    k, p = statistics.b.shape
    rows, targets = equivalent_rows(statistics.G, statistics.b)
    if not rows.size:  # which old versions of SciPy do not decompose
        return Spectrum(np.zeros(k), np.zeros((k, p)), statistics.yy, statistics.n)
    U, scale, _ = svd(rows, full_matrices=False, check_finite=False)
    scale = np.where(scale > k * np.finfo(np.float64).eps * scale.max(initial=0.0), scale, 0.0)
    eigenvalues, rotated = np.zeros(k), np.zeros((k, p))
    eigenvalues[: len(scale)] = scale**2
    rotated[: len(scale)] = scale[:, None] * (U.T @ targets)
    return Spectrum(eigenvalues=eigenvalues, rotated=rotated, yy=statistics.yy, n=statistics.n)


def spectrum_evidence(
    spectrum: Spectrum,
    alpha: Scalar | Float[np.ndarray, "..."],
    sigma2: Scalar | Float[np.ndarray, "..."],
    output: int = 0,
) -> Float[np.ndarray, "..."]:
    r"""Log evidence for many pairs of variances at once, in arrays that broadcast.

    .. math:: -\tfrac12 \left[ n \log 2\pi\sigma^2 + \frac{r + \sum_i c_i / (1 + e^{t_i})}{\sigma^2}
              + \sum_i \log(1 + e^{t_i}) \right], \quad e^{t_i} = \alpha \lambda_i / \sigma^2

    Here :math:`c_i = b_i^2 / \lambda_i` is the part of yy along direction i and r the part outside all of
    them; every term of the misfit is non-negative, so nothing cancels.
    """
    alpha, sigma2 = np.asarray(alpha, dtype=np.float64), np.asarray(sigma2, dtype=np.float64)
    if not all((np.isfinite(v) & (v > 0)).all() for v in (alpha, sigma2)):
        raise ValueError("`alpha` and `sigma2` are variances: every one of them must be finite and above zero.")
    t = _log(spectrum.eigenvalues) + (np.log(alpha) - np.log(sigma2))[..., None]
    misfit = _misfit(spectrum, t, output)
    log_volume = np.logaddexp(0.0, t).sum(axis=-1)
    log_scale = np.log(2 * np.pi) + np.log(sigma2)
    return np.asarray(-0.5 * (spectrum.n * log_scale + misfit / sigma2 + log_volume))


def maximise_evidence(
    spectrum: Spectrum, *, alpha: Scalar | None = None, sigma2: Scalar | None = None, output: int = 0
) -> Evidence:
    r"""Choose the prior and the noise variance under which the data are most probable.

    Parameters
    ----------
    spectrum : Spectrum
        Of the rows' statistics, from `spectrum`.
    alpha, sigma2 : float, optional
        A variance that is given stays as it is, and only the other is chosen.
    output : int
        Which of the outputs.

    Returns
    -------
    Evidence
        Both variances, and the log evidence there.

    Notes
    -----
    The search covers the whole range, on a logarithmic grid and then between its best points. It is one-dimensional
    even when both variances are free: given :math:`\rho = \sigma^2 / \alpha` the best noise is

    .. math:: \sigma^2 = \frac1n \left( yy - \sum_i \frac{b_i^2}{\lambda_i + \rho} \right)

    The evidence may grow for ever (y all zero, or fitted exactly) or not depend on alpha (features all zero). So that
    there always is an answer, with s the mean of y², or 1 if y is all zero:

    - sigma2 lies between 1e-10 s and n s;
    - alpha lies between 1e-8 s n / (largest eigenvalue) and 1e8 s n / (smallest non-zero one), and is s if there is
      none.

    An answer on one of these bounds means that the data did not decide.

    Examples
    --------
    >>> from unabases.linear import accumulate
    >>> rng = np.random.default_rng(0)
    >>> Phi = rng.normal(size=(10_000, 1))
    >>> y = Phi @ [2.0] + 0.5 * rng.normal(size=10_000)
    >>> round(maximise_evidence(spectrum(accumulate(Phi, y))).sigma2, 2)
    0.25
    """
    output = output_index(output, len(spectrum.yy))
    alpha = None if alpha is None else positive("alpha", alpha)
    sigma2 = None if sigma2 is None else positive("sigma2", sigma2)
    if alpha is not None and sigma2 is not None:
        return Evidence(alpha, sigma2, float(spectrum_evidence(spectrum, alpha, sigma2, output)))
    if spectrum.n <= 0:
        raise ValueError("There are no rows to choose variances from; pass `alpha` and `sigma2`, or add rows.")
    s = float(spectrum.yy[output] / spectrum.n) or 1.0
    present = spectrum.eigenvalues[spectrum.eigenvalues > 0]
    noise = np.array([NOISE_FLOOR * s, spectrum.n * s])
    prior = np.array([s, s])
    if len(present):
        prior = np.array([s * spectrum.n / present.max() / REACH, s * spectrum.n / present.min() * REACH])

    def variances(x: Float[np.ndarray, " g"]) -> tuple[Float[np.ndarray, " g"], Float[np.ndarray, " g"]]:
        """Both variances, as functions of the one number that is searched."""
        if alpha is not None:
            return np.full_like(x, alpha), np.exp(x)
        if sigma2 is not None:
            return np.exp(x), np.full_like(x, sigma2)
        rho = np.exp(x)
        best = _misfit(spectrum, _log(spectrum.eigenvalues) - x[:, None], output) / spectrum.n
        # For a given ratio the evidence has one peak in sigma2, so bounds on both variances only cut it.
        best = np.clip(best, np.maximum(noise[0], rho * prior[0]), np.minimum(noise[1], rho * prior[1]))
        return best / rho, best

    def objective(x: Float[np.ndarray, " g"]) -> Float[np.ndarray, " g"]:
        return spectrum_evidence(spectrum, *variances(x), output)

    bounds = noise if alpha is not None else prior if sigma2 is not None else noise / prior[::-1]
    x = np.array([_global_maximum(objective, *np.log(bounds))])
    best_alpha, best_sigma2 = variances(x)
    return Evidence(float(best_alpha[0]), float(best_sigma2[0]), float(objective(x)[0]))


def _log(eigenvalues: Float[np.ndarray, " k"]) -> Float[np.ndarray, " k"]:
    with np.errstate(divide="ignore"):
        return np.log(eigenvalues)  # minus infinity for a direction without data, which is what t should be


def _misfit(spectrum: Spectrum, t: Float[np.ndarray, "... k"], output: int) -> Float[np.ndarray, "..."]:
    """|y - Phi m|^2 + rho |m|^2 = yy - sum b_i^2 / (lambda_i + rho), as a sum of non-negative terms."""
    output = output_index(output, len(spectrum.yy))
    present = spectrum.eigenvalues > 0
    explained = np.zeros_like(spectrum.eigenvalues)
    np.divide(spectrum.rotated[:, output] ** 2, spectrum.eigenvalues, out=explained, where=present)
    outside = max(spectrum.yy[output] - explained.sum(), 0.0)
    return np.asarray(outside + expit(-t) @ explained)


def _global_maximum(f: Callable[[np.ndarray], np.ndarray], low: float, high: float) -> float:
    """Where f is largest on [low, high]: the best of a grid and of refinements around its peaks."""
    grid = np.linspace(low, high, max(200, int(PER_DECADE * (high - low) / np.log(10))))
    values = f(grid)
    padded = np.concatenate([[-np.inf], values, [-np.inf]])
    peaks = np.flatnonzero((values >= padded[:-2]) & (values >= padded[2:]))
    best, best_value = grid[values.argmax()], values.max()
    for i in peaks[np.argsort(-values[peaks])][:3] if low < high else ():
        around = (grid[max(i - 1, 0)], grid[min(i + 1, len(grid) - 1)])
        x = np.atleast_1d(fminbound(lambda x: -float(f(np.array([x]))[0]), *around, xtol=1e-9))
        if (value := f(x)[0]) > best_value:
            best, best_value = x[0], value
    return float(best)
