"""Gaussian process regression, the gold standard on small data."""

from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from unabases.predictive import Normal
from unabases.regressors.processes.exact_gp import (
    KERNELS,
    check_rows,
    evidence_in_units,
    fit_process,
    predict_processes,
    process_arrays,
    read_processes,
)
from unabases.regressors.shared.base import AbstractRegressor, check_count, output_variances
from unabases.regressors.shared.parameters import estimator, parameter
from unabases.regressors.shared.saved_state import SavedState, StateError
from unabases.regressors.shared.scaling import fit_scales


@estimator
class GaussianProcess(AbstractRegressor):
    """Gaussian process regression: the gold standard for up to a few thousand rows.

    The kernel is an amplitude times Matérn-5/2 or RBF, plus noise. All of its numbers are chosen by the marginal
    likelihood, for each output on its own.

    Attributes
    ----------
    {sigma2_, log_evidence_}
    kernel_ : str
        The kernel in use.
    processes_ : tuple
        For each output its amplitude, length scales and solution, in standardised units.

    See Also
    --------
    LUNA : A network that opens up in gaps too, for as many rows as you have.

    References
    ----------
    Rasmussen, Williams (2006). Gaussian Processes for Machine Learning.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.linspace(-1, 1, 40)[:, None]
    >>> model = GaussianProcess(restarts=0, random_state=0).fit(X, np.sin(3 * X[:, 0]))
    >>> near, far = model.predict_dist([[0.0], [3.0]]).epistemic_std
    >>> bool(far > 3 * near)
    True
    """

    kernel: Any = parameter("matern", "Model", "str", 'The kernel: "matern" (with ν = 5/2) or "rbf" (smoother).')
    ard: Any = parameter(False, "Model", "bool", "If True, each input has its own length scale.")
    sigma2: Any = parameter(
        "evidence",
        "Noise and prior",
        'float, array or "evidence"',
        'Noise variance in squared units of y, or "evidence" to choose it by the marginal likelihood.',
    )
    restarts: Any = parameter(
        2, "Training", "int", "Further random starts of the search for the largest marginal likelihood."
    )
    max_rows: Any = parameter(
        5000,
        "Other",
        "int",
        "More rows than this are refused, since time grows with their cube and memory with their square.",
    )

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "GaussianProcess":
        """Choose the hyper-parameters by evidence and condition on all rows.

        Parameters
        ----------
        X
            Rows of shape (n, d): an array, or a table with columns of numbers, categories, text and dates. Values may
            be missing.
        y
            Targets of shape (n,), or (n, p) for p outputs.
        sample_weight
            How often each row counts, shape (n,): a row of weight w has the noise variance of the mean of w rows. None
            for once each.
        """
        X, y, weight = self._validate_fit(X, y, sample_weight)
        check_rows(len(X), self.max_rows, "LUNA or NeuralLinear")
        if self.kernel not in KERNELS:
            raise ValueError(f"unknown kernel {self.kernel!r}; known ones are {', '.join(KERNELS)}.")
        given = output_variances("sigma2", self.sigma2, y.shape[1], {"evidence"})
        self.kernel_ = self.kernel
        self.x_scale_, self.y_scale_ = fit_scales(X, y, self.standardize, weight)
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
                weight=weight,
            )
            for j in range(t.shape[1])
        )
        self.n_counted_ = float(len(X) if weight is None else np.sum(weight))
        self._describe()
        self._learn_missing_noise()
        return self

    def _rows_at_once(self) -> int:
        return max(1, 2**23 // len(self.X_train_))

    def _predict_rows(self, X: np.ndarray, covariance: bool) -> Normal:
        Z = self.x_scale_.apply(X)
        return self._as_normal(
            *predict_processes(self.processes_, self.X_train_, Z, kernel=self.kernel_, covariance=covariance)
        )

    def get_state(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Training rows, scales, and each output's solution."""
        arrays, values = self._common_state()
        arrays["X_train"] = self.X_train_
        arrays |= process_arrays(self.processes_)
        return arrays, {**values, "outputs": len(self.processes_), "kernel": self.kernel_, "n_counted": self.n_counted_}

    def set_state(self, arrays: dict[str, np.ndarray], values: dict[str, Any]) -> None:
        """Put back what `get_state` gave."""
        saved = self._read_common(SavedState(arrays, values))
        self.X_train_, self.kernel_ = saved.array("X_train", "n d"), saved.value("kernel", str)
        if self.kernel_ not in KERNELS:
            raise StateError(f"the kernel has to be one of {', '.join(KERNELS)}, but is {self.kernel_!r}")
        self.processes_ = read_processes(saved, "d")
        self.n_counted_ = float(saved.value("n_counted", float, float(len(self.X_train_))))
        self._describe()

    def _describe(self) -> None:
        """Fitted attributes in the user's units."""
        spread = self.y_scale_.spread
        sigma2 = np.array([process.sigma2 for process in self.processes_]) * spread**2
        self.sigma2_ = float(sigma2[0]) if self.vector_output_ else sigma2
        self.log_evidence_ = evidence_in_units(self.processes_, self.n_counted_, self.y_scale_)
