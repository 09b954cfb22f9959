"""A Gaussian process's kernel fitted to a sample of the rows, and features that stand for it in an exact last layer."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Bool, Float
from scipy.linalg import cho_factor, cho_solve, get_blas_funcs, get_lapack_funcs
from scipy.optimize import minimize

from unabases.linear import solve_rows, worthwhile_inverse
from unabases.regressors.shared.saved_state import SavedState
from unabases.regressors.shared.weights import relative_noise
from unabases.training import one_thread_each

_JITTER = 1e-10  # of the largest variance of a row, added to the diagonal: what rounding may cost
_NOISES = (1e-8, np.e)  # bounds of the noise variance
_MUCH_NOISE, _LITTLE_NOISE = 0.3, 0.03  # noise variances from which the evidence is climbed
_SHORT_LENGTHS = (0.1, 0.03, 0.01)  # lengths from which it is climbed, relative to usual ones
_ITERATIONS = 60
_BESIDE = 0.25  # of the prior's standard deviations: where a climb comes as near to another's end, it would end there
_NO_LINEAR = -20.0  # logarithm of the variance of a linear part that is as good as none
_STEP = 0.01  # of the prior's standard deviation: half the length of a difference between slopes
_FURTHER = 12  # iterations from the numbers of a fit to most of the same rows

_invert: Any = get_lapack_funcs("potri", dtype=np.float64)  # from a Cholesky factor, in the lower triangle
_add_products: Any = get_blas_funcs("syrk", dtype=np.float64)  # of rows with each other, in the lower triangle
_symmetric: Any = get_blas_funcs("symm", dtype=np.float64)  # times a matrix, from its lower triangle


Parts = tuple[int, ...]
"""For each input, which part of a sum of functions it belongs to, counted from 0."""


class SmoothKernel(NamedTuple):
    """amplitude · RBF(x, x'; lengths) + linear · x·x', and the noise variance; for standardised rows.

    With parts, functions are sums over these, and the mean of the RBFs of the parts takes the place of that of all.
    """

    amplitude: float
    linear: float
    noise: float
    lengths: Float[np.ndarray, " d"]
    parts: Parts | None = None

    def __call__(self, A: Float[np.ndarray, "n d"], B: Float[np.ndarray, "m d"]) -> Float[np.ndarray, "n m"]:
        """Prior covariance of the function between two sets of rows."""
        K = _smooth(A / self.lengths, B / self.lengths, self.parts)
        K *= self.amplitude
        K += A @ (self.linear * B).T
        return K

    def variance(self, A: Float[np.ndarray, "n d"]) -> Float[np.ndarray, " n"]:
        """Prior variance of the function at each row."""
        return self.amplitude + self.linear * np.sum(A**2, axis=1)

    def jitter(self, A: Float[np.ndarray, "n d"]) -> float:
        """What to add to the variance of each row, so that their covariance has a Cholesky factor."""
        return _JITTER * float(np.max(self.variance(A))) + self.amplitude * _rounding(A / self.lengths)


class GivenNumbers(NamedTuple):
    """Numbers of a kernel that are not to be fitted; the kernel then has no linear part."""

    amplitude: float
    """NaN to fit it."""
    lengths: Float[np.ndarray, " d"]
    """NaN to fit one."""


class KernelFeatures(NamedTuple):
    """Features of rows whose inner products are the kernel's covariances, as far as some centres can tell.

    With weights of variance 1 they stand for a Gaussian process that is known exactly at the centres. `missing` says
    what they lack elsewhere, so that features and missing variance together have the kernel's variance everywhere.

    Examples
    --------
    >>> kernel = SmoothKernel(1.0, 0.0, 0.1, np.array([0.5]))
    >>> features = kernel_features(kernel, np.array([[-1.0], [0.0], [1.0]]))
    >>> features(np.array([[0.0], [5.0]])).shape
    (2, 3)
    >>> features.missing(np.array([[0.0], [5.0]])).round(3).tolist()  # nothing at a centre, all of it far away
    [0.0, 1.0]
    """

    kernel: SmoothKernel
    centres: Float[np.ndarray, "m d"]
    factor: Float[np.ndarray, "m m"]
    """Lower Cholesky factor of the centres' covariance."""

    def __call__(
        self, Z: Float[np.ndarray, "n d"], inverse: Float[np.ndarray, "m m"] | None = None
    ) -> Float[np.ndarray, "n m"]:
        """The features of some rows; many are faster with what `inverse_for` gave."""
        return solve_rows(self.factor, self.covariance(Z), inverse, overwrite=True)

    def covariance(self, Z: Float[np.ndarray, "n d"]) -> Float[np.ndarray, "n m"]:
        """Prior covariance of the process between some rows and the centres."""
        return self.kernel(Z, self.centres)

    def inverse_for(self, n: int) -> Float[np.ndarray, "m m"] | None:
        """What makes the features of n rows in all faster; None if they are too few."""
        return worthwhile_inverse(self.factor, n)

    def missing(
        self, Z: Float[np.ndarray, "n d"], features: Float[np.ndarray, "n m"] | None = None
    ) -> Float[np.ndarray, " n"]:
        """Variance of the process at each row that its features, which may be known already, do not have."""
        F = self(Z) if features is None else features
        return np.maximum(self.kernel.variance(Z) - np.einsum("ij,ij->i", F, F), 0.0)

    def missing_root(self, Z: Float[np.ndarray, "n d"]) -> Float[np.ndarray, "n n"]:
        """R with R Rᵀ the covariance between rows that the features do not have."""
        F = self(Z)
        values, vectors = np.linalg.eigh(self.kernel(Z, Z) - F @ F.T)
        return vectors * np.sqrt(np.maximum(values, 0.0))

    def arrays(self) -> dict[str, np.ndarray]:
        """Everything as named arrays, to be saved."""
        return {"numbers": np.r_[self.kernel[:3], self.kernel.lengths], "centres": self.centres, "factor": self.factor}

    @classmethod
    def read(cls, saved: SavedState, parts: Parts | None = None) -> "KernelFeatures":
        """The features that `arrays` named, for d inputs and a sum over these parts."""
        saved.sizes["numbers"] = 3 + saved.sizes["d"]
        amplitude, linear, noise, *lengths = saved.array("numbers", "numbers", "positive").tolist()
        kernel = SmoothKernel(amplitude, linear, noise, np.array(lengths), parts)
        return cls(kernel, saved.array("centres", "m d"), saved.factor("factor", "m m"))


def kernel_features(kernel: SmoothKernel, centres: Float[np.ndarray, "m d"]) -> KernelFeatures:
    """Features that know a kernel exactly at the centres."""
    K = kernel(centres, centres)
    K[np.diag_indices_from(K)] += kernel.jitter(centres)
    return KernelFeatures(kernel, centres, np.linalg.cholesky(K))


def fit_kernel(
    Z: Float[np.ndarray, "n d"],
    t: Float[np.ndarray, "n p"],
    start: SmoothKernel | None = None,
    given: GivenNumbers | None = None,
    weight: Float[np.ndarray, " n"] | None = None,
    parts: Parts | None = None,
) -> SmoothKernel:
    """Choose a kernel by the marginal likelihood of all outputs, under a prior that keeps its numbers reasonable.

    Time grows with the cube of the rows: give a sample of a few hundred.

    Parameters
    ----------
    Z, t : array
        Standardised rows and targets.
    start : SmoothKernel, optional
        The kernel of much the same rows, to climb from.
    given : GivenNumbers, optional
        Numbers that are kept as they are.
    weight : array, optional
        How often each row counts.
    parts : tuple of int, optional
        For each input, which part of a sum of functions it belongs to; those of `start` if there is one.

    Examples
    --------
    >>> Z = np.linspace(-2, 2, 80)[:, None]
    >>> kernel = fit_kernel(Z, np.sin(3 * Z) + 0.1 * np.random.default_rng(0).standard_normal((80, 1)))
    >>> bool(0.005 < kernel.noise < 0.02)
    True
    """
    return _climb(Z, t, start, given, weight, parts).kernel_of()


def kernel_evidence(
    Z: Float[np.ndarray, "n d"],
    t: Float[np.ndarray, "n p"],
    given: GivenNumbers | None = None,
    weight: Float[np.ndarray, " n"] | None = None,
    parts: Parts | None = None,
) -> float:
    """Log evidence of targets under a smooth kernel whose numbers are not known, but for a constant of the targets.

    Numbers that are not given are integrated out under the prior of `fit_kernel`, by Laplace's approximation: around
    the best, in units of the prior's standard deviations, where the data tell at least as much as the prior alone.

    Examples
    --------
    >>> Z = np.linspace(-2, 2, 40)[:, None]
    >>> t = np.sin(3 * Z) + 0.1 * np.random.default_rng(0).standard_normal((40, 1))
    >>> right, wrong = (kernel_evidence(Z, t, GivenNumbers(np.nan, np.array([length]))) for length in (0.5, 3.0))
    >>> bool(right > wrong + 5)
    True
    """
    summit = _climb(Z, t, None, given, weight, parts)
    usual, spread = summit.prior
    fixed = ((summit.x - usual) / spread)[~summit.free]  # numbers that are given do not come from the prior
    sure, _ = _certainty(summit)
    return float(0.5 * fixed @ fixed - summit.value - 0.5 * np.sum(np.log(sure)))


def log_posterior(
    kernel: SmoothKernel,
    Z: Float[np.ndarray, "n d"],
    t: Float[np.ndarray, "n p"],
    weight: Float[np.ndarray, " n"] | None = None,
) -> float:
    """Log density of a kernel given some rows, which `fit_kernel` climbs, but for a constant.

    Examples
    --------
    >>> Z = np.linspace(-2, 2, 80)[:, None]
    >>> noise = 0.1 * np.random.default_rng(0).standard_normal((80, 1))
    >>> slow, quick = np.sin(Z) + noise, np.sin(9 * Z) + noise
    >>> log_posterior(fit_kernel(Z, slow), Z, quick) < log_posterior(fit_kernel(Z, quick), Z, quick) - 80
    True
    """
    parts = kernel.parts
    return -float(_loss(_numbers_of(kernel), Z, t, *_usual_numbers(Z.shape[1], parts), weight, Z @ Z.T, parts)[0])


def draw_kernels(
    Z: Float[np.ndarray, "n d"],
    t: Float[np.ndarray, "n p"],
    start: SmoothKernel,
    n: int,
    rng: np.random.Generator,
    given: GivenNumbers | None = None,
    weight: Float[np.ndarray, " n"] | None = None,
) -> list[SmoothKernel]:
    """Some kernels that rows hold possible: numbers drawn from their posterior, by Laplace's approximation.

    Few rows do not settle the numbers of a kernel. Draws come in pairs on both sides of the best, so that even a few of
    them lie around it. What the rows do not tell is drawn from the prior of `fit_kernel`, and what is given is kept.

    Parameters
    ----------
    Z, t, given, weight
        As in `fit_kernel`.
    start : SmoothKernel
        The kernel that was fitted to these rows.
    n : int
        How many.
    rng : Generator
        Draws them.

    Examples
    --------
    >>> Z, rng = np.linspace(-2, 2, 80)[:, None], np.random.default_rng(0)
    >>> t = np.sin(3 * Z) + 0.1 * rng.standard_normal((80, 1))
    >>> parts = [(Z[::8], t[::8]), (Z, t)]
    >>> few, many = ([one.noise for one in draw_kernels(*part, fit_kernel(*part), 20, rng)] for part in parts)
    >>> bool(np.std(np.log(few)) > 2 * np.std(np.log(many)))
    True
    """
    summit = _climb(Z, t, start, given, weight)
    sure, axes = _certainty(summit)
    steps = rng.standard_normal((n, len(sure)))
    steps[1::2] = -steps[: 2 * (n // 2) : 2]
    away = np.zeros((n, len(summit.x)))
    away[:, summit.free] = summit.prior[1][summit.free] * ((steps / np.sqrt(sure)) @ axes.T)
    low, high = np.array(summit.bounds).T
    return [summit.kernel_of(x) for x in rng.permutation(np.clip(summit.x + away, low, high))]


def _certainty(summit: "_Summit") -> tuple[Float[np.ndarray, " f"], Float[np.ndarray, "f f"]]:
    """How sharply the posterior falls from its summit, along axes in units of the prior's standard deviations.

    Of numbers that are not given. At least 1: the data tell at least as much as the prior alone.
    """
    x, free, (_, spread), gradient = summit.x, summit.free, summit.prior, summit.gradient
    steps = _STEP * np.diag(spread)[free]
    curvature = np.array([(gradient(x + step) - gradient(x - step)) / (2 * _STEP) for step in steps])
    curvature = curvature.reshape(-1, len(x))[:, free] * spread[free]
    values, axes = np.linalg.eigh((curvature + curvature.T) / 2)
    return np.maximum(values, 1.0), axes


def _numbers_of(kernel: SmoothKernel) -> Float[np.ndarray, " k"]:
    """The logarithms of its numbers."""
    return np.log(np.r_[kernel[:3], kernel.lengths])


def _kernel_of(x: Float[np.ndarray, " k"], parts: Parts | None) -> SmoothKernel:
    """The kernel whose numbers have these logarithms."""
    amplitude, linear, noise, *lengths = np.exp(x).tolist()
    return SmoothKernel(amplitude, linear, noise, np.array(lengths), parts)


def _usual_numbers(d: int, parts: Parts | None) -> tuple[Float[np.ndarray, " k"], Float[np.ndarray, " k"]]:
    """Prior mean and standard deviation of the logarithms of amplitude, linear, noise and lengths for d inputs."""
    more = 0.0 if parts is None else 0.5 * np.log(len(set(parts)))  # all parts of a sum may be large, or one alone
    return np.r_[more, -2.0, -3.0, np.full(d, 0.5 * np.log(d))], np.r_[1.0 + more, 2.0, 2.5, np.ones(d)]


class _Summit(NamedTuple):
    """The logarithms of a kernel's numbers with the highest posterior density."""

    x: Float[np.ndarray, " k"]
    value: float
    """Minus the logarithm of this density, but for constants."""
    free: Bool[np.ndarray, " k"]
    """Which of them were not given."""
    prior: tuple[Float[np.ndarray, " k"], Float[np.ndarray, " k"]]
    """Mean and standard deviation of each."""
    bounds: list[tuple[float, float]]
    """Between which each has to lie."""
    gradient: Callable[[np.ndarray], np.ndarray]
    """Of the value."""
    parts: Parts | None

    def kernel_of(self, x: Float[np.ndarray, " k"] | None = None) -> SmoothKernel:
        """The kernel with these logarithms, by default at the summit."""
        return _kernel_of(self.x if x is None else x, self.parts)


def _climb(
    Z: np.ndarray,
    t: np.ndarray,
    start: SmoothKernel | None,
    given: GivenNumbers | None,
    weight: Float[np.ndarray, " n"] | None,
    parts: Parts | None = None,
) -> _Summit:
    """Climb the evidence times the prior, from three places, since it has several summits, or from `start`."""
    d, parts = Z.shape[1], parts if start is None else start.parts
    usual, spread = _usual_numbers(d, parts)
    bounds = [(-6, 6), (-8, 3), tuple(np.log(_NOISES)), *[(np.log(0.01), np.log(60 * max(1, d**0.5)))] * d]
    fixed = np.full(len(usual), np.nan)
    if given is not None:
        fixed = np.log(np.r_[given.amplitude, np.exp(_NO_LINEAR), np.nan, given.lengths])
        bounds = [own if np.isnan(x) else (x, x) for own, x in zip(bounds, fixed.tolist(), strict=True)]
    args = (Z, t, usual, spread, weight, Z @ Z.T, parts)

    def place(noise: float, lengths: np.ndarray) -> np.ndarray:
        return np.where(np.isnan(fixed), np.r_[usual[:2], np.log(noise), lengths], fixed)

    found: list[Any] = []

    def stop_beside(x: np.ndarray) -> None:
        if any(np.max(np.abs(x - end.x) / spread) < _BESIDE for end in found):
            raise StopIteration

    def climb(first: np.ndarray, iterations: int = _ITERATIONS) -> Any:
        limits: dict[str, Any] = {"bounds": bounds, "options": {"maxiter": iterations}, "callback": stop_beside}
        found.append(minimize(_loss, first, args=args, jac=True, method="L-BFGS-B", **limits))
        return found[-1]

    with one_thread_each:
        if start is None:
            usually = climb(place(_MUCH_NOISE, usual[3:]))
            rest = _unexplained(_kernel_of(usually.x, parts), Z, t, weight)
            for kind in _lengths_to_try(Z, rest, usual[3:]):
                places = [place(_LITTLE_NOISE, lengths) for lengths in kind]
                climb(min(places, key=lambda x: _loss(x, *args)[0]))
        else:
            climb(np.where(np.isnan(fixed), _numbers_of(start), fixed), _FURTHER)
    best = min(found, key=lambda end: end.fun)
    value, free = float(best.fun), np.isnan(fixed)
    return _Summit(best.x, value, free, (usual, spread), bounds, lambda x: _loss(x, *args)[1], parts)


def _unexplained(
    kernel: SmoothKernel,
    Z: Float[np.ndarray, "n d"],
    t: Float[np.ndarray, "n p"],
    weight: Float[np.ndarray, " n"] | None,
) -> Float[np.ndarray, "n p"]:
    """What a kernel takes for noise in the targets."""
    K, noise = kernel(Z, Z), kernel.noise * relative_noise(weight)
    K[np.diag_indices_from(K)] += noise + kernel.jitter(Z)
    return np.reshape(noise, (-1, 1)) * np.linalg.solve(K, t)


def _lengths_to_try(
    Z: Float[np.ndarray, "n d"], rest: Float[np.ndarray, "n p"], usual: Float[np.ndarray, " d"]
) -> list[list[Float[np.ndarray, " d"]]]:
    """Two kinds of lengths, as logarithms, whose summits may differ: usual ones but for one input, and short ones.

    Waves of many periods are only found from lengths near their own. The one input is that along which neighbours are
    most alike in what is left to explain.
    """
    jumps = [np.sum(np.diff(rest[order], axis=0) ** 2) for order in np.argsort(Z, axis=0, kind="stable").T]
    one = np.arange(len(usual)) == np.argmin(jumps)
    short = np.log(_SHORT_LENGTHS)
    return [[usual, *(np.where(one, length, usual) for length in short)], [usual + length for length in short]]


def _columns_of(parts: Parts | None, d: int) -> list[np.ndarray]:
    """The inputs of each part; all d of them if there are no parts."""
    own = np.zeros(d) if parts is None else np.array(parts)
    return [np.flatnonzero(own == part) for part in np.unique(own)]


def _smooth(a: np.ndarray, b: np.ndarray, parts: Parts | None) -> np.ndarray:
    """The mean of the RBFs of all parts."""
    if parts is None:
        return _rbf(a, b)
    several = _columns_of(parts, a.shape[1])
    return sum((_rbf(a[:, own], b[:, own]) for own in several), np.zeros((len(a), len(b)))) / len(several)


def _rbf(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    half_a, half_b = (-0.5 * np.sum(part**2, axis=1) for part in (a, b))
    squared = np.c_[a, half_a, np.ones(len(a))] @ np.c_[b, np.ones(len(b)), half_b].T  # distances, times -1/2
    np.minimum(squared, 0.0, out=squared)
    return np.exp(squared, out=squared)


def _rounding(a: np.ndarray) -> float:
    """What rounding may take from an eigenvalue of `_rbf(a, a)`: small distances are differences of large squares."""
    return len(a) * float(np.finfo(float).eps * np.max(np.sum(a**2, axis=1)))


def _loss(
    x: np.ndarray,
    Z: np.ndarray,
    t: np.ndarray,
    usual: np.ndarray,
    spread: np.ndarray,
    weight: np.ndarray | None,
    products: Float[np.ndarray, "n n"],
    parts: Parts | None = None,
) -> tuple:
    """Minus the log evidence and the log prior, and the gradient, in the logarithms of the kernel's numbers.

    The evidence is that of all rows that the weights stand for, but for a constant. `products` are those of all rows.
    """
    loud, further = relative_noise(weight), 0.0 if weight is None else float(np.sum(weight)) - len(t)
    amplitude, linear, noise = np.exp(x[:3])
    lengths, p = np.exp(x[3:]), t.shape[1]
    scaled = Z / lengths
    smooth = _smooth(scaled, scaled, parts)
    smooth *= amplitude
    K, diagonal = linear * products, np.diag_indices_from(smooth)
    jitter = np.array([(_JITTER + _rounding(scaled)) * amplitude, _JITTER * np.max(K[diagonal])])
    K += smooth
    K[diagonal] += noise * loud + jitter.sum()
    factor, lower = cho_factor(K.T, lower=True, overwrite_a=True, check_finite=False)
    dual = cho_solve((factor, lower), t, check_finite=False)
    value = 0.5 * np.sum(t * dual) + p * np.sum(np.log(factor[diagonal]))
    inverse, _ = _invert(factor, lower=True, overwrite_c=True)
    W = _add_products(-1.0, dual, beta=p, c=inverse, lower=1, overwrite_c=1)  # dL/dK, twice; its lower triangle
    by_linear, by_noise = linear * np.vdot(Z, _symmetric(1.0, W, Z, lower=1)), noise * np.sum(W[diagonal] * loud)
    by_amplitude, by_length, several = 0.0, np.empty_like(lengths), _columns_of(parts, len(lengths))
    for own in several:
        X, part = Z[:, own], smooth
        if len(several) > 1:
            part = _rbf(scaled[:, own], scaled[:, own]) * (amplitude / len(several))
        S = np.multiply(W.T, part, out=part).T
        sums, *weighted = _symmetric(1.0, S, np.c_[np.ones(len(X)), X], lower=1).T
        by_amplitude += sums.sum()
        by_length[own] = np.sum(sums[:, None] * X**2 - X * np.transpose(weighted), axis=0) / lengths[own] ** 2
    by_variance = np.array([by_amplitude, by_linear]) + jitter * np.sum(W[diagonal])
    gradient = 0.5 * np.r_[by_variance, by_noise + p * further, 2 * by_length]
    value += 0.5 * p * further * x[2]
    away = (x - usual) / spread
    return value + 0.5 * away @ away, gradient + away / spread
