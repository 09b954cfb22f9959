"""Exact Gaussian processes, one for each output, in standardised units, by scikit-learn."""

import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float
from scipy.linalg import solve_triangular
from scipy.optimize import minimize
from sklearn.exceptions import ConvergenceWarning
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, Kernel, Matern, WhiteKernel

from unabases.regressors.saved_state import SavedState, StateError
from unabases.regressors.scaling import Scale
from unabases.regressors.weights import relative_noise

KERNELS = ("matern", "rbf")
_LENGTHS = (1e-2, 1e3)  # bounds of a length scale, in standard deviations of the inputs
_AMPLITUDES = (1e-3, 1e6)  # bounds of the variance of the function, in variances of y


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

    A row of weight w counts as w rows: its noise variance is sigma2 / w, and the evidence is that of all of them.
    """
    constant = ConstantKernel(1.0, _AMPLITUDES) if amplitude is None else ConstantKernel(amplitude, "fixed")
    free = lengths is None
    prior = constant * _shape(kernel, np.ones(n_lengths) if free else lengths, _LENGTHS if free else "fixed")
    further = 0.0 if weight is None else float(np.sum(weight)) - len(t)  # rows that the weights stand for
    if sigma2 is None:
        prior = prior + _RowNoise(0.1, (1e-6, 1e1), weight)
    optimizer: Any = _climb(further) if sigma2 is None and weight is not None else "fmin_l_bfgs_b"
    gp = GaussianProcessRegressor(
        prior,
        alpha=1e-10 if sigma2 is None else sigma2 * relative_noise(weight),
        n_restarts_optimizer=restarts,
        random_state=random,
        optimizer=optimizer,
    )
    with warnings.catch_warnings():  # a hyper-parameter at its bound is an answer here, not a failure
        warnings.simplefilter("ignore", ConvergenceWarning)
        gp.fit(X, t)
    fitted: Any = gp.kernel_
    signal = fitted.k1 if sigma2 is None else fitted
    noise = float(fitted.k2.noise_level + 1e-10 if sigma2 is None else sigma2)
    evidence = float(np.asarray(gp.log_marginal_likelihood_value_))
    if weight is not None:
        evidence = float(np.asarray(gp.log_marginal_likelihood(fitted.theta)))
        evidence -= 0.5 * (further * np.log(2 * np.pi * noise) + float(np.sum(np.log(weight))))
    return Process(
        amplitude=float(signal.k1.constant_value),
        lengths=np.atleast_1d(np.asarray(signal.k2.length_scale, dtype=np.float64)),
        sigma2=noise,
        L=gp.L_,
        dual=gp.alpha_,
        log_evidence=evidence,
    )


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
        prior: Any = ConstantKernel(process.amplitude) * _shape(kernel, process.lengths)
        K = np.asarray(prior(X, X_train))
        V = solve_triangular(process.L, K.T, lower=True)
        means.append(K @ process.dual)
        stds.append(np.sqrt(np.maximum(prior.diag(X) - np.sum(V**2, axis=0), 0.0)))
        if covariance:
            roots.append(_root(prior(X) - V.T @ V, stds[-1]))
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


class _RowNoise(WhiteKernel):
    """White noise, of which rows that weigh more have less."""

    def __init__(self, noise_level: float = 1.0, noise_level_bounds: Any = (1e-5, 1e5), weight: Any = None):
        super().__init__(noise_level, noise_level_bounds)
        self.weight = weight

    def __call__(self, X: Any, Y: Any = None, eval_gradient: bool = False) -> Any:
        made = super().__call__(X, Y, eval_gradient)
        if self.weight is None or Y is not None:
            return made
        by_row = relative_noise(self.weight)[:, None]
        return (made[0] * by_row, made[1] * by_row[..., None]) if eval_gradient else made * by_row


def _climb(further: float) -> Callable:
    """An optimiser of the evidence of all rows that the weights stand for; the noise is the last number."""

    def optimise(objective: Callable, start: np.ndarray, bounds: np.ndarray) -> tuple[np.ndarray, float]:
        def counted(theta: np.ndarray) -> tuple[float, np.ndarray]:
            value, gradient = objective(theta)
            last = np.arange(len(theta)) == len(theta) - 1
            return value + 0.5 * further * theta[-1], gradient + 0.5 * further * last

        found = minimize(counted, start, jac=True, method="L-BFGS-B", bounds=bounds)
        return found.x, found.fun

    return optimise


def _shape(kernel: str, lengths: np.ndarray, bounds: Any = "fixed") -> Kernel:
    scale: Any = lengths if len(lengths) > 1 else float(lengths[0])
    return RBF(scale, bounds) if kernel == "rbf" else Matern(scale, bounds, nu=2.5)


def _root(covariance: np.ndarray, std: np.ndarray) -> np.ndarray:
    """R with R Rᵀ = covariance, rows scaled to the given std so that rounding cannot show."""
    values, vectors = np.linalg.eigh((covariance + covariance.T) / 2)
    R = vectors * np.sqrt(np.maximum(values, 0.0))
    norm = np.sqrt(np.sum(R**2, axis=1))
    return R * np.divide(std, norm, out=np.ones_like(std), where=norm > 0)[:, None]
