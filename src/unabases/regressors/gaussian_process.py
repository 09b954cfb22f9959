"""Gaussian process regression, the gold standard on small data, by scikit-learn."""

import warnings
from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import solve_triangular
from sklearn.exceptions import ConvergenceWarning
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, Kernel, Matern, WhiteKernel
from sklearn.utils import check_random_state

from unabases.predictive import Normal
from unabases.regressors.base import AbstractRegressor, check_count, output_variances
from unabases.regressors.scaling import fit_scale

KERNELS = ("matern", "rbf")
_LENGTHS = (1e-2, 1e3)  # bounds of a length scale, in standard deviations of the inputs
_AMPLITUDES = (1e-3, 1e6)  # bounds of the variance of the function, in variances of y


class _Process(NamedTuple):
    """One output's process: k(x, x') = amplitude · kernel(x, x'; lengths), noise variance, and its solution."""

    amplitude: float
    lengths: np.ndarray
    sigma2: float
    L: np.ndarray  # lower Cholesky factor of K + sigma2 I
    dual: np.ndarray  # (K + sigma2 I)^-1 y
    log_evidence: float


class GaussianProcess(AbstractRegressor):
    """Amplitude × Matérn-5/2 or RBF kernel plus noise, hyper-parameters by evidence; each output has its own.

    Parameters
    ----------
    kernel
        `"matern"` (ν = 5/2) or `"rbf"`.
    ard
        Whether each input has its own length scale.
    sigma2
        Noise variance in y's units squared, or `"evidence"`.
    restarts
        Further random starts of the evidence maximisation.
    max_rows
        More rows than this are refused, since time grows with their cube and memory with their square.
    standardize, random_state
        As in `NeuralLinear`.
    verbose
        Accepted for symmetry; there is no progress to show.

    Attributes
    ----------
    sigma2_, log_evidence_
        Noise variance in y's units squared; log evidence in y's units, summed over outputs.
    processes_
        For each output its amplitude, length scales and solution, in standardised units.
    """

    def __init__(
        self,
        *,
        kernel="matern",
        ard=False,
        sigma2="evidence",
        restarts=2,
        max_rows=5000,
        standardize=True,
        random_state=None,
        verbose=False,
    ):
        self.kernel = kernel
        self.ard = ard
        self.sigma2 = sigma2
        self.restarts = restarts
        self.max_rows = max_rows
        self.standardize = standardize
        self.random_state = random_state
        self.verbose = verbose

    def fit(self, X: Any, y: Any) -> "GaussianProcess":
        """Choose the hyper-parameters by evidence and condition on all rows."""
        X, y = self._validate_fit(X, y)
        if len(X) > self.max_rows:
            raise ValueError(
                f"{len(X)} rows are more than `max_rows`={self.max_rows}: a Gaussian process would need "
                f"{8 * len(X) ** 2 / 2**30:.1f} GiB a matrix and time that grows with the cube of the rows. "
                "Use LUNA or NeuralLinear, a sample of the rows, or raise `max_rows`."
            )
        if self.kernel not in KERNELS:
            raise ValueError(f"unknown kernel {self.kernel!r}; known ones are {', '.join(KERNELS)}.")
        given = output_variances("sigma2", self.sigma2, y.shape[1], {"evidence"})
        self.x_scale_, self.y_scale_ = fit_scale(X, self.standardize), fit_scale(y, self.standardize)
        self.X_train_, t = self.x_scale_.apply(X), self.y_scale_.apply(y)
        random = check_random_state(self.random_state)
        spread2 = self.y_scale_.spread**2
        self.processes_ = tuple(
            self._fit_one(self.X_train_, t[:, j], None if given is None else given[j] / spread2[j], random)
            for j in range(t.shape[1])
        )
        self._describe()
        return self

    def _rows_at_once(self) -> int:
        return max(1, 2**23 // len(self.X_train_))

    def _predict_rows(self, X: np.ndarray, covariance: bool) -> Normal:
        Z = self.x_scale_.apply(X)
        means, stds, roots = [], [], []
        for process in self.processes_:
            kernel = self._kernel(process)
            K = np.asarray(kernel(Z, self.X_train_))
            V = solve_triangular(process.L, K.T, lower=True)
            means.append(K @ process.dual)
            stds.append(np.sqrt(np.maximum(kernel.diag(Z) - np.sum(V**2, axis=0), 0.0)))
            if covariance:
                roots.append(_root(kernel(Z) - V.T @ V, stds[-1]))
        spread = self.y_scale_.spread
        noise = np.sqrt([process.sigma2 for process in self.processes_]) * spread
        root = np.stack(roots) * spread[:, None, None] if covariance else None
        return Normal(
            mean=self._shaped(self.y_scale_.undo(np.stack(means, axis=-1))),
            epistemic_std=self._shaped(np.stack(stds, axis=-1) * spread),
            noise_std=self._shaped(np.broadcast_to(noise, (len(Z), len(noise)))),
            root=root[0] if root is not None and self.vector_output_ else root,
        )

    def get_state(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Training rows, scales, and each output's solution."""
        arrays, values = self._common_state()
        arrays["X_train"] = self.X_train_
        for j, process in enumerate(self.processes_):
            arrays |= {f"process.{j}.{k}": np.asarray(v) for k, v in process._asdict().items()}
        return arrays, {**values, "outputs": len(self.processes_)}

    def set_state(self, arrays: dict[str, np.ndarray], values: dict[str, Any]) -> None:
        """Put back what `get_state` gave."""
        self._set_common_state(arrays, values)
        self.X_train_ = arrays["X_train"]
        self.processes_ = tuple(
            _Process(*(_plain(arrays[f"process.{j}.{field}"]) for field in _Process._fields))
            for j in range(values["outputs"])
        )
        self._describe()

    def _fit_one(self, Z: np.ndarray, t: np.ndarray, sigma2: float | None, random: Any) -> _Process:
        lengths = np.ones(Z.shape[1]) if self.ard else np.ones(1)
        kernel = ConstantKernel(1.0, _AMPLITUDES) * self._shape(lengths, bounds=_LENGTHS)
        if sigma2 is None:
            kernel = kernel + WhiteKernel(0.1, (1e-6, 1e1))
        gp = GaussianProcessRegressor(
            kernel,
            alpha=1e-10 if sigma2 is None else sigma2,
            n_restarts_optimizer=check_count("restarts", self.restarts, least=0),
            random_state=random,
        )
        with warnings.catch_warnings():  # a hyper-parameter at its bound is an answer here, not a failure
            warnings.simplefilter("ignore", ConvergenceWarning)
            gp.fit(Z, t)
        fitted: Any = gp.kernel_
        signal = fitted.k1 if sigma2 is None else fitted
        return _Process(
            amplitude=float(signal.k1.constant_value),
            lengths=np.atleast_1d(np.asarray(signal.k2.length_scale, dtype=np.float64)),
            sigma2=float(fitted.k2.noise_level + 1e-10 if sigma2 is None else sigma2),
            L=gp.L_,
            dual=gp.alpha_,
            log_evidence=float(np.asarray(gp.log_marginal_likelihood_value_)),
        )

    def _shape(self, lengths: np.ndarray, bounds: Any = "fixed") -> Kernel:
        scale: Any = lengths if len(lengths) > 1 else float(lengths[0])
        return RBF(scale, bounds) if self.kernel == "rbf" else Matern(scale, bounds, nu=2.5)

    def _kernel(self, process: _Process) -> Kernel:
        return ConstantKernel(process.amplitude) * self._shape(process.lengths)

    def _describe(self) -> None:
        """Fitted attributes in the user's units."""
        spread = self.y_scale_.spread
        sigma2 = np.array([process.sigma2 for process in self.processes_]) * spread**2
        self.sigma2_ = float(sigma2[0]) if self.vector_output_ else sigma2
        shift = len(self.X_train_) * float(np.sum(np.log(spread)))
        self.log_evidence_ = sum(process.log_evidence for process in self.processes_) - shift


def _root(covariance: np.ndarray, std: np.ndarray) -> np.ndarray:
    """R with R Rᵀ = covariance, rows scaled to the given std so that rounding cannot show."""
    values, vectors = np.linalg.eigh((covariance + covariance.T) / 2)
    R = vectors * np.sqrt(np.maximum(values, 0.0))
    norm = np.sqrt(np.sum(R**2, axis=1))
    return R * np.divide(std, norm, out=np.ones_like(std), where=norm > 0)[:, None]


def _plain(array: np.ndarray) -> Any:
    return float(array) if array.ndim == 0 else array
