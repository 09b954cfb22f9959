"""Gaussian process regression, the gold standard on small data, by scikit-learn."""

from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from unabases.predictive import Normal
from unabases.regressors.base import AbstractRegressor, check_count, output_variances
from unabases.regressors.process import (
    KERNELS,
    check_rows,
    evidence_in_units,
    fit_process,
    predict_processes,
    process_arrays,
    processes_from,
)
from unabases.regressors.scaling import fit_scales


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
        check_rows(len(X), self.max_rows, "LUNA or NeuralLinear")
        if self.kernel not in KERNELS:
            raise ValueError(f"unknown kernel {self.kernel!r}; known ones are {', '.join(KERNELS)}.")
        given = output_variances("sigma2", self.sigma2, y.shape[1], {"evidence"})
        self.x_scale_, self.y_scale_ = fit_scales(X, y, self.standardize)
        self.X_train_, t = self.x_scale_.apply(X), self.y_scale_.apply(y)
        random = check_random_state(self.random_state)
        spread2 = self.y_scale_.spread**2
        self.processes_ = tuple(
            fit_process(
                self.X_train_,
                t[:, j],
                kernel=self.kernel,
                sigma2=None if given is None else given[j] / spread2[j],
                n_lengths=X.shape[1] if self.ard else 1,
                restarts=check_count("restarts", self.restarts, least=0),
                random=random,
            )
            for j in range(t.shape[1])
        )
        self._describe()
        return self

    def _rows_at_once(self) -> int:
        return max(1, 2**23 // len(self.X_train_))

    def _predict_rows(self, X: np.ndarray, covariance: bool) -> Normal:
        Z = self.x_scale_.apply(X)
        return self._as_normal(
            *predict_processes(self.processes_, self.X_train_, Z, kernel=self.kernel, covariance=covariance)
        )

    def get_state(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Training rows, scales, and each output's solution."""
        arrays, values = self._common_state()
        arrays["X_train"] = self.X_train_
        arrays |= process_arrays(self.processes_)
        return arrays, {**values, "outputs": len(self.processes_)}

    def set_state(self, arrays: dict[str, np.ndarray], values: dict[str, Any]) -> None:
        """Put back what `get_state` gave."""
        self._set_common_state(arrays, values)
        self.X_train_ = arrays["X_train"]
        self.processes_ = processes_from(arrays, values["outputs"])
        self._describe()

    def _describe(self) -> None:
        """Fitted attributes in the user's units."""
        spread = self.y_scale_.spread
        sigma2 = np.array([process.sigma2 for process in self.processes_]) * spread**2
        self.sigma2_ = float(sigma2[0]) if self.vector_output_ else sigma2
        self.log_evidence_ = evidence_in_units(self.processes_, len(self.X_train_), self.y_scale_)
