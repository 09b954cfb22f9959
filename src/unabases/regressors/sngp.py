"""SNGP: a Gaussian process on the features of a network that keeps inputs apart."""

from collections.abc import Callable
from typing import Any

import jax
import numpy as np
from jaxtyping import Float
from sklearn.utils import check_random_state

from unabases.objectives import map_objective
from unabases.predictive import Normal
from unabases.regressors.networks.feature_blocks import apply_rows
from unabases.regressors.networks.network import (
    NOISE_OR_EVIDENCE,
    AbstractNetwork,
    gamma_parameter,
    in_float64,
    leaves_of,
    refill,
    restarts_parameter,
)
from unabases.regressors.networks.step_one import Prepared, history_arrays, history_from, train_starts
from unabases.regressors.processes.exact_gp import (
    check_rows,
    evidence_in_units,
    fit_process,
    predict_processes,
    process_arrays,
    read_processes,
)
from unabases.regressors.random_fourier_sngp import (
    LENGTH_SCALE,
    NETWORK_BELOW,
    NORM_BOUND,
    RESIDUAL_WIDTHS,
    fourier_features,
    residual_network,
    usual_length,
)
from unabases.regressors.shared.base import check_count, check_positive, output_variances
from unabases.regressors.shared.parameters import estimator, parameter
from unabases.regressors.shared.saved_state import SavedState
from unabases.regressors.shared.weights import WeightedRows

_LEAST_SIGMA2 = 1e-10  # noise variance, relative to that of y, that keeps K + sigma2 I positive definite
_STARTS = 2  # further random starts when the evidence chooses the length scale, which can have several optima


@estimator
class SNGP(AbstractNetwork):
    """A Gaussian process on the output of a network that keeps distances.

    The network is trained under random Fourier features, which stand for the process; then an exact process with an RBF
    kernel is put on its output. Uncertainty grows with the distance from the training rows, as the network sees it.

    Attributes
    ----------
    phi_ : callable
        The trained network: one standardised input in, what the process sees out.
    processes_ : tuple
        For each output its amplitude, length scale and solution, in standardised units.
    {sigma2_, log_evidence_, history_}

    See Also
    --------
    RandomFourierSNGP : The approximation, for many rows.

    References
    ----------
    Liu, Lin, Padhy, Tran, Bedrax-Weiss, Lakshminarayanan (2020). Simple and principled uncertainty estimation with
    deterministic deep learning via distance awareness.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.linspace(-1, 1, 40)[:, None]
    >>> model = SNGP(n_fourier=100, max_steps=200, sigma2=0.01, random_state=0).fit(X, X[:, 0] ** 2)
    >>> near, far = model.predict_dist([[0.0], [3.0]]).epistemic_std
    >>> bool(far > 3 * near)
    True
    """

    hidden_layer_sizes: Any = RESIDUAL_WIDTHS
    features: Any = NETWORK_BELOW
    norm_bound: Any = NORM_BOUND
    n_fourier: Any = parameter(
        500, "Model", "int", "How many Fourier features stand for the process while the network trains."
    )
    length_scale: Any = parameter(
        None,
        "Model",
        'float, None or "evidence"',
        LENGTH_SCALE + ' With "evidence" the network trains under that scale, then each output chooses its own. '
        "The evidence does not know that the network has seen the data, and finds long scales with less uncertainty in "
        "gaps.",
    )
    amplitude: Any = parameter(
        "evidence",
        "Noise and prior",
        'float, array or "evidence"',
        'Prior variance of the function, for standardised y, or "evidence" to choose it by the marginal likelihood.',
    )
    gamma: Any = gamma_parameter(0.1)
    sigma2: Any = NOISE_OR_EVIDENCE
    restarts: Any = restarts_parameter()
    max_rows: Any = parameter(
        5000,
        "Other",
        "int",
        "More rows than this are refused, since time grows with their cube and memory with their square.",
    )

    _noise_by_evidence = True

    def _learn(self, data: Prepared) -> None:
        """The network under random Fourier features, then the process on its output."""
        objective = map_objective(data.sigma2, np.float64(check_positive("gamma", self.gamma, zero=True)))
        output_variances("amplitude", self.amplitude, data.t.shape[1], {"evidence"})
        start = train_starts(objective, data, restarts=check_count("restarts", self.restarts))
        self.phi_ = start.params.phi.below
        self.history_ = start.history
        rows = WeightedRows(data.Z, data.t, data.weight)
        self._set_processes(rows, None if self._by_evidence("sigma2") else data.sigma2)

    def refit(self, X: Any, y: Any, sample_weight: Any = None) -> "SNGP":
        """Replace the data of the process by other rows with the same network: transfer.

        Amplitude, length scale and noise are those that the parameters now ask for, so `set_params` before `refit` has
        its usual effect. A noise level that `fit` took from residuals is kept.

        Parameters
        ----------
        X, y
            Rows and targets as `fit` takes them.
        sample_weight
            How often each row counts, shape (n,); None for once.
        """
        rows = self._new_rows(X, y, sample_weight)
        self._check_size(len(rows.X))
        used = np.array([process.sigma2 for process in self.processes_])
        self._set_processes(rows, self._noise_again(rows, used))
        return self

    def feature_matrix(self, X: Any) -> Float[np.ndarray, "n k"]:
        """The network's output at each row, which the process sees."""
        return self._features(self.x_scale_.apply(self._validate_predict(X)))

    # --------------------------------------------------------------------------------------------- prediction

    def _rows_at_once(self) -> int:
        return max(1, 2**23 // len(self.H_train_))

    def _predict_rows(self, X: np.ndarray, covariance: bool) -> Normal:
        H = self._features(self.x_scale_.apply(X))
        moments = predict_processes(self.processes_, self.H_train_, H, kernel="rbf", covariance=covariance)
        return self._as_normal(*moments)

    # ------------------------------------------------------------------------------------------------- saving

    def get_state(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Weights, scales, the features of the training rows, and each output's solution."""
        arrays, values = self._common_state()
        arrays |= {f"phi.{i}": np.asarray(leaf) for i, leaf in enumerate(leaves_of(self.phi_))}
        arrays |= {"H_train": self.H_train_, **process_arrays(self.processes_)}
        arrays |= history_arrays(self.history_)
        return arrays, {
            **values,
            "outputs": len(self.processes_),
            "n_counted": self.n_counted_,
            "noise_from_residuals": self._noise_from_residuals,
        }

    def set_state(self, arrays: dict[str, np.ndarray], values: dict[str, Any]) -> None:
        """Put back what `get_state` gave; the parameters must make a network of the same shape."""
        saved = self._read_common(SavedState(arrays, values))
        self.phi_ = refill(self._feature_shapes(residual_network(self)), saved.numbered("phi."))
        self.history_ = history_from(saved)
        self._noise_from_residuals = saved.value("noise_from_residuals", bool, False)
        saved.sizes["width"] = self._n_features(self.phi_)
        self.H_train_ = saved.array("H_train", "n width")
        self.processes_ = read_processes(saved, "width")
        self.n_counted_ = float(saved.value("n_counted", float, float(len(self.H_train_))))
        self._describe()

    # -------------------------------------------------------------------------------------------------- parts

    def _make_features(self) -> Callable[..., Any]:
        """Function of (d, key) that makes the network and the Fourier features that it trains under."""
        return fourier_features(residual_network(self), self.n_fourier, self._length_scale())

    def _length_scale(self) -> float | None:
        """The one given, None if there is none."""
        if self.length_scale is None or self._by_evidence("length_scale"):
            return None
        if isinstance(self.length_scale, str):
            raise ValueError(
                f"`length_scale` must be a positive number, None or 'evidence'; got {self.length_scale!r}."
            )
        return check_positive("length_scale", self.length_scale)

    def _check_size(self, n: int) -> None:
        check_rows(n, check_count("max_rows", self.max_rows), "RandomFourierSNGP, whose cost is linear in the rows")

    def _set_processes(self, rows: WeightedRows, sigma2: np.ndarray | None) -> None:
        """The process of each output on standardised rows; what is not given is chosen by evidence."""
        Z, t, weight = rows
        amplitude = output_variances("amplitude", self.amplitude, t.shape[1], {"evidence"})
        self.H_train_ = self._features(Z)
        lengths = None
        if not self._by_evidence("length_scale"):
            lengths = np.array([self._length_scale() or usual_length(min(Z.shape[1], self.H_train_.shape[1]))])
        random = check_random_state(self.random_state)
        self.processes_ = tuple(
            fit_process(
                self.H_train_,
                t[:, j],
                kernel="rbf",
                amplitude=None if amplitude is None else float(amplitude[j]),
                lengths=lengths,
                sigma2=None if sigma2 is None else max(float(sigma2[j]), _LEAST_SIGMA2),
                restarts=_STARTS if lengths is None else 0,
                random=random,
                weight=weight,
            )
            for j in range(t.shape[1])
        )
        self.n_counted_ = float(len(Z) if weight is None else np.sum(weight))
        self._describe()

    def _describe(self) -> None:
        """Fitted attributes in the user's units."""
        spread = self.y_scale_.spread
        self.sigma2_ = self._per_output(np.array([process.sigma2 for process in self.processes_]) * spread**2)
        self.log_evidence_ = evidence_in_units(self.processes_, self.n_counted_, self.y_scale_)

    def _features(self, Z: Float[np.ndarray, "n d"]) -> Float[np.ndarray, "n k"]:
        """The network's output at standardised rows, in float64, which the process's differences of distances need."""
        with jax.enable_x64(True):
            return apply_rows(in_float64(self.phi_), Z)
