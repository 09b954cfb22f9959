"""Exact Gaussian processes, one for each output, in standardised units."""

from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float
from scipy.linalg import cho_solve, cholesky, get_blas_funcs, get_lapack_funcs
from scipy.optimize import minimize
from scipy.spatial.distance import cdist

from unabases.regressors.shared.saved_state import SavedState, StateError
from unabases.regressors.shared.scaling import Scale
from unabases.regressors.shared.weights import relative_noise
from unabases.training import on_all_cores

KERNELS = ("matern", "rbf")
_LENGTHS = (1e-2, 1e3)  # bounds of a length scale, in standard deviations of the inputs
_AMPLITUDES = (1e-3, 1e6)  # bounds of the variance of the function, in variances of y
_NOISES = (1e-6, 1e1)  # bounds of the noise variance
_FIRST = {"amplitude": 1.0, "length": 1.0, "noise": 0.1}  # where the search starts
_JITTER = 1e-10  # added to a noise variance that is chosen
_MANY = 300  # rows from which starts are worth a thread each

_solve: Any = get_blas_funcs("trsm", dtype=np.float64)
_invert: Any = get_lapack_funcs("potri", dtype=np.float64)


class Process(NamedTuple):
    """k(x, x') = amplitude · kernel(x, x'; lengths), the noise variance, and the solution for n rows."""

    amplitude: float
    lengths: np.ndarray
    sigma2: float
    L: np.ndarray  # lower Cholesky factor of K + sigma2 I
    dual: np.ndarray  # (K + sigma2 I)^-1 y
    log_evidence: float


def fit_process(
    X: Float[np.ndarray, "n d"],
    t: Float[np.ndarray, " n"],
    *,
    kernel: str,
    amplitude: float | None = None,
    lengths: Float[np.ndarray, " _"] | None = None,
    sigma2: float | None = None,
    n_lengths: int = 1,
    restarts: int = 0,
    random: Any = None,
    weight: Float[np.ndarray, " n"] | None = None,
) -> Process:
    """Condition on all rows; whatever of amplitude, lengths and sigma2 is None is chosen by evidence.

    The evidence is climbed with exact gradients, from a usual start and from `restarts` random ones. A row of weight w
    counts as w rows: its noise variance is sigma2 / w, and the evidence is that of all of them.
    """
    search = _Search(X, t, kernel, amplitude, lengths, sigma2, n_lengths, weight)
    bounds, first = search.bounds(), search.first()
    if len(first):
        starts = [first, *(random.uniform(bounds[:, 0], bounds[:, 1]) for _ in range(restarts))]
        found = on_all_cores(
            lambda start: minimize(search.loss, start, jac=True, method="L-BFGS-B", bounds=bounds),
            starts,
            worthwhile=len(t) >= _MANY and len(starts) > 1,
        )
        first = min(found, key=lambda end: end.fun).x
    numbers = search.numbers(first)
    noise = numbers.sigma2
    L, dual, evidence = search.solve(numbers, search.covariance(numbers)[0])
    if weight is not None:
        evidence -= 0.5 * (search.further * np.log(2 * np.pi * noise) + float(np.sum(np.log(weight))))
    return Process(numbers.amplitude, numbers.lengths, noise, L, dual, float(evidence))


def predict_processes(
    processes: tuple[Process, ...],
    X_train: Float[np.ndarray, "n d"],
    X: Float[np.ndarray, "m d"],
    *,
    kernel: str,
    covariance: bool,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray | None]:
    """Of all outputs at rows X: means and epistemic stds (m, p), noise variances (p,), roots (p, m, m) if wanted."""
    means, stds, roots = [], [], []
    for process in processes:
        amplitude, lengths = process.amplitude, process.lengths
        K = amplitude * _correlations(kernel, _squared_distances(X, X_train, lengths))[0]
        means.append(K @ process.dual)
        V = np.asarray(_solve(1.0, process.L, K.T, lower=1, overwrite_b=1)).T  # transposed, as BLAS wants it: in place
        stds.append(np.sqrt(np.maximum(amplitude - np.einsum("ij,ij->i", V, V), 0.0)))
        if covariance:
            prior = amplitude * _correlations(kernel, _squared_distances(X, X, lengths))[0]
            roots.append(_root(prior - V @ V.T, stds[-1]))
    sigma2 = np.array([process.sigma2 for process in processes])
    return np.stack(means, axis=-1), np.stack(stds, axis=-1), sigma2, np.stack(roots) if covariance else None


def evidence_in_units(processes: tuple[Process, ...], n: float, scale: Scale) -> float:
    """Log evidence of all outputs for n rows of y in its own units."""
    return sum(process.log_evidence for process in processes) - n * float(np.sum(np.log(scale.spread)))


def process_arrays(processes: tuple[Process, ...]) -> dict[str, np.ndarray]:
    """Named arrays of the processes of several outputs, to be saved."""
    return {
        f"process.{j}.{name}": np.asarray(value)
        for j, process in enumerate(processes)
        for name, value in process._asdict().items()
    }


def read_processes(saved: SavedState, inputs: str) -> tuple[Process, ...]:
    """The processes that `process_arrays` named, one for each output, with one length or one for each input."""
    if saved.value("outputs", int) != saved.sizes["p"]:
        raise StateError(f"there are {saved.sizes['p']} outputs, but processes for {saved.values['outputs']}")
    return tuple(_read_process(saved.below(f"process.{j}."), inputs) for j in range(saved.sizes["p"]))


def _read_process(own: SavedState, inputs: str) -> Process:
    one = {**own.sizes, inputs: 1} if own.arrays.get("lengths", np.zeros(0)).size == 1 else own.sizes
    return Process(
        amplitude=own.number("amplitude", "positive"),
        lengths=SavedState(own.arrays, {}, **one).array("lengths", inputs, "positive"),
        sigma2=own.number("sigma2", "positive"),
        L=own.factor("L", "n n"),
        dual=own.array("dual", "n"),
        log_evidence=own.number("log_evidence"),
    )


def check_rows(n: int, max_rows: Any, advice: str) -> None:
    """Refuse more rows than an exact process is allowed, naming the size."""
    if n > max_rows:
        raise ValueError(
            f"{n} rows are more than `max_rows`={max_rows}: a Gaussian process would need "
            f"{8 * n**2 / 2**30:.1f} GiB a matrix and time that grows with the cube of the rows. "
            f"Use {advice}, a sample of the rows, or raise `max_rows`."
        )


class _Numbers(NamedTuple):
    """What the evidence chooses, or some of it."""

    amplitude: float
    lengths: Float[np.ndarray, " l"]
    sigma2: float


class _Search(NamedTuple):
    """The evidence of rows as a function of the logarithms of the numbers that are not given."""

    X: Float[np.ndarray, "n d"]
    t: Float[np.ndarray, " n"]
    kernel: str
    amplitude: float | None
    lengths: Float[np.ndarray, " l"] | None
    sigma2: float | None
    n_lengths: int
    weight: Float[np.ndarray, " n"] | None

    @property
    def further(self) -> float:
        """How many more rows the weights stand for."""
        return 0.0 if self.weight is None else float(np.sum(self.weight)) - len(self.t)

    def first(self) -> Float[np.ndarray, " free"]:
        """Where to start."""
        return np.log(self._of_each(*_FIRST.values()))

    def bounds(self) -> Float[np.ndarray, "free 2"]:
        """The lowest and the highest that each number may be."""
        pairs = zip(_AMPLITUDES, _LENGTHS, _NOISES, strict=True)
        return np.log(np.stack([self._of_each(*ends) for ends in pairs], axis=1))

    def _of_each(self, amplitude: float, length: float, noise: float) -> Float[np.ndarray, " free"]:
        free = [amplitude] if self.amplitude is None else []
        free += [length] * self.n_lengths if self.lengths is None else []
        return np.array([*free, *([noise] if self.sigma2 is None else [])])

    def numbers(self, theta: Float[np.ndarray, " free"]) -> _Numbers:
        """All numbers, of which some are given."""
        free = np.exp(theta).tolist()
        amplitude = free.pop(0) if self.amplitude is None else self.amplitude
        sigma2 = free.pop() + _JITTER if self.sigma2 is None else self.sigma2
        return _Numbers(float(amplitude), np.array(free) if self.lengths is None else self.lengths, float(sigma2))

    def covariance(self, numbers: _Numbers) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Between all rows; how it grows with squared distances in units of the lengths; and these."""
        squared = _squared_distances(self.X, self.X, numbers.lengths)
        K, slope = _correlations(self.kernel, squared)
        K *= numbers.amplitude
        slope *= numbers.amplitude
        return K, slope, squared

    def solve(self, numbers: _Numbers, K: Float[np.ndarray, "n n"]) -> tuple[np.ndarray, np.ndarray, float]:
        """Factor of the covariance with the noise, the solution, and the log evidence of the rows as they are."""
        noisy = K.copy()
        noisy[np.diag_indices_from(noisy)] += numbers.sigma2 * relative_noise(self.weight)
        L = cholesky(noisy, lower=True, overwrite_a=True, check_finite=False)
        dual = cho_solve((L, True), self.t, check_finite=False)
        log_det = 2 * np.sum(np.log(np.diag(L)))
        return L, dual, float(-0.5 * (self.t @ dual + log_det + len(self.t) * np.log(2 * np.pi)))

    def loss(self, theta: Float[np.ndarray, " free"]) -> tuple[float, Float[np.ndarray, " free"]]:
        """Minus the log evidence, and its gradient: one factorisation, and the inverse that follows from it."""
        numbers = self.numbers(theta)
        K, slope, squared = self.covariance(numbers)
        try:
            L, dual, evidence = self.solve(numbers, K)
        except np.linalg.LinAlgError:
            return np.inf, np.zeros_like(theta)
        inverse, _ = _invert(L, lower=1, overwrite_c=1)  # its lower half; the other stays zero
        diagonal = np.diag(inverse)

        def by(B: Float[np.ndarray, "n n"], on_diagonal: float) -> float:
            """Of the log evidence, where the covariance changes by B."""
            return 0.5 * (dual @ B @ dual - 2 * np.vdot(inverse.T, B) + on_diagonal * diagonal.sum())

        gradient: list[Any] = [by(K, numbers.amplitude)] if self.amplitude is None else []
        if self.lengths is None and self.n_lengths == 1:
            slope *= squared
            gradient.append(by(slope, 0.0))
        elif self.lengths is None:
            gradient.extend(_by_lengths(self.X / numbers.lengths, slope, dual, inverse))
        if self.sigma2 is None:
            chosen = (numbers.sigma2 - _JITTER) * relative_noise(self.weight)
            gradient.append(0.5 * np.sum(chosen * (dual**2 - diagonal)) - 0.5 * self.further)
            evidence -= 0.5 * self.further * theta[-1]
        return -evidence, -np.array(gradient)


def _by_lengths(
    A: Float[np.ndarray, "n d"],
    slope: Float[np.ndarray, "n n"],
    dual: Float[np.ndarray, " n"],
    inverse: Float[np.ndarray, "n n"],
) -> Float[np.ndarray, " d"]:
    """Gradient of the log evidence in the logarithm of each length; the inverse has its lower half only."""
    weighted = inverse * slope
    np.fill_diagonal(weighted, 0.0)
    both = weighted.sum(axis=0) + weighted.sum(axis=1)
    of_inverse = 2 * (both @ A**2 - 2 * np.sum(A * (weighted @ A), axis=0))
    turned = dual[:, None] * A
    of_dual = 2 * ((dual * (slope @ dual)) @ A**2 - np.sum(turned * (slope @ turned), axis=0))
    return 0.5 * (of_dual - of_inverse)


def _squared_distances(A: np.ndarray, B: np.ndarray, lengths: Float[np.ndarray, " l"]) -> Float[np.ndarray, "n m"]:
    return cdist(A / lengths, B / lengths, "sqeuclidean")


def _correlations(kernel: str, squared: Float[np.ndarray, "n m"]) -> tuple[np.ndarray, np.ndarray]:
    """Of rows at these distances, and how fast they grow with the logarithm of a length, per squared distance."""
    if kernel == "rbf":
        K = np.exp(-0.5 * squared)
        return K, K.copy()
    r = np.sqrt(5 * squared)
    slope = np.exp(-r)
    r += 1
    slope *= r
    K = slope + 5 / 3 * squared * slope / r
    slope *= 5 / 3
    return K, slope


def _root(covariance: np.ndarray, std: np.ndarray) -> np.ndarray:
    """R with R Rᵀ = covariance, rows scaled to the given std so that rounding cannot show."""
    values, vectors = np.linalg.eigh((covariance + covariance.T) / 2)
    R = vectors * np.sqrt(np.maximum(values, 0.0))
    norm = np.sqrt(np.sum(R**2, axis=1))
    return R * np.divide(std, norm, out=np.ones_like(std), where=norm > 0)[:, None]
