"""A Gaussian over all weights of a network at its mode, seen through the linearised network."""

from collections.abc import Iterator
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from unabases.features import trainable
from unabases.linear import row_space
from unabases.objectives import map_objective
from unabases.predictive import Normal
from unabases.regressors.networks.network import (
    AbstractNetwork,
    gamma_parameter,
    in_float64,
    leaves_of,
    refill,
    restarts_parameter,
)
from unabases.regressors.networks.step_one import Prepared, history_arrays, history_from, train_starts
from unabases.regressors.shared.base import check_count, check_positive
from unabases.regressors.shared.parameters import estimator, parameter
from unabases.regressors.shared.saved_state import SavedState
from unabases.regressors.shared.weights import counts_of
from unabases.training import bucket, pad_rows

_GAMMA = 1.0  # weight penalty of training where the prior is chosen afterwards
_DERIVATIVES = 2**22  # derivatives held at once: 32 MiB


@estimator
class LinearisedLaplace(AbstractNetwork):
    r"""A network trained to its mode, with a Gaussian over all its weights, seen through its linearisation.

    .. math:: f(x) \sim N(f(x; \theta^*),\ J(x) A^{-1} J(x)^\top), \quad
              A = \sum_{i,j} J_j(x_i)^\top J_j(x_i) / \sigma_j^2 + \delta I

    J are the derivatives of the outputs by the weights at the mode θ*, whose prior is N(0, I/δ); A is the full
    generalised Gauss-Newton matrix. Covariances between outputs are not reported. ReLU networks have kinks that a
    linearisation does not see, so a smooth activation is the default.

    Attributes
    ----------
    network_ : Heads
        The network at its mode, in standardised units.
    n_parameters_ : int
        How many weights it has.
    prior_precision_ : float
        The prior precision δ in use.
    {sigma2_, log_evidence_, history_}

    References
    ----------
    MacKay (1992). A practical Bayesian framework for backpropagation networks. Foong, Li, Hernández-Lobato, Turner
    (2019). 'In-between' uncertainty in Bayesian neural networks. Immer, Korzepa, Bauer (2021). Improving predictions
    of Bayesian neural nets via local linearization.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.linspace(-1, 1, 40)[:, None]
    >>> model = LinearisedLaplace(hidden_layer_sizes=(20,), max_steps=200, sigma2=0.01, random_state=0)
    >>> model = model.fit(X, X[:, 0] ** 2)
    >>> d = model.predict_dist([[0.0], [3.0]])
    >>> bool(d.epistemic_std[1] > d.epistemic_std[0])
    True
    """

    activation: Any = "tanh"
    gamma: Any = gamma_parameter(
        None,
        "Weight penalty γ of training. None for half of `prior_precision`, which makes the mode that of the Gaussian's "
        "own prior; 1 where that is chosen by evidence.",
    )
    prior_precision: Any = parameter(
        "evidence",
        "Noise and prior",
        'float or "evidence"',
        'Precision δ of the prior over all weights, for standardised data. Larger means narrower bands. "evidence" '
        "takes the value with the largest Laplace evidence, after training.",
    )
    restarts: Any = restarts_parameter()
    max_parameters: Any = parameter(
        10000,
        "Other",
        "int",
        "Networks with more weights than this are refused: memory grows with their square, time with their cube.",
    )

    # ------------------------------------------------------------------------------------------------ fitting

    def _check_size(self, n: int) -> None:
        self._penalty(self._given_precision())
        weights = count_weights(self._blank_network())
        if weights > check_count("max_parameters", self.max_parameters):
            raise ValueError(
                f"the network has {weights} weights, more than `max_parameters`={self.max_parameters}: a matrix over "
                f"all of them needs up to {8 * weights**2 / 2**30:.2g} GiB and time that grows with their cube. Use a "
                "smaller `hidden_layer_sizes`, LUNA or NeuralLinear, which treat only the last layer so, or raise "
                "`max_parameters`."
            )

    def _learn(self, data: Prepared) -> None:
        """The mode, then the Gaussian around it."""
        Z, t, sigma2 = data.Z, data.t, data.sigma2
        delta = self._given_precision()
        objective = map_objective(sigma2, np.float64(self._penalty(delta)))
        start = train_starts(objective, data, restarts=check_count("restarts", self.restarts))
        self.network_, self.history_ = start.params, start.history
        weights = count_weights(self.network_)
        std, fit = np.sqrt(sigma2), []
        counts = counts_of(data.weight, len(t))

        def scaled_rows() -> Iterator[np.ndarray]:
            for rows, f, J in self._linearise(Z):
                own = counts[rows, None]
                fit.append(-0.5 * np.sum(own * (((t[rows] - f) / std) ** 2 + np.log(2 * np.pi * sigma2))))
                yield (J / std[:, None] * np.sqrt(own[..., None])).reshape(-1, weights)

        space = row_space.decompose(scaled_rows(), t.size, weights)
        norm2 = squared_norm(self.network_)
        delta = 1 / row_space.best_alpha(space, norm2) if delta is None else delta
        evidence = sum(fit) - 0.5 * (delta * norm2 + row_space.log_volume(space, 1 / delta))
        self._set_gaussian(space, delta, sigma2, float(evidence - counts.sum() * np.sum(np.log(self.y_scale_.spread))))

    def _given_precision(self) -> float | None:
        """δ, or None where it is chosen by evidence."""
        if self._by_evidence("prior_precision"):
            return None
        try:
            return check_positive("prior_precision", self.prior_precision)
        except ValueError:
            raise ValueError(
                f"`prior_precision` must be a positive number or 'evidence'; got {self.prior_precision!r}."
            ) from None

    def _penalty(self, delta: float | None) -> float:
        """γ of training."""
        if self.gamma is not None:
            return check_positive("gamma", self.gamma, zero=True)
        return _GAMMA if delta is None else delta / 2

    def _set_gaussian(self, space: row_space.RowSpace, delta: float, sigma2: np.ndarray, log_evidence: float) -> None:
        """The Gaussian, and the fitted attributes that users read, in their units."""
        self.space_, self.prior_precision_, self.noise_ = space, delta, sigma2
        self.n_parameters_ = len(space.V)
        self.sigma2_ = self._per_output(sigma2 * self.y_scale_.spread**2)
        self.log_evidence_ = log_evidence

    # --------------------------------------------------------------------------------------------- prediction

    def _rows_at_once(self) -> int:
        return 2**20  # of which `_predict_rows` takes small blocks

    def _predict_rows(self, X: np.ndarray, covariance: bool) -> Normal:
        n, p = len(X), len(self.noise_)
        mean, var = np.empty((n, p)), np.empty((n, p))
        root = np.empty((p, n, self.n_parameters_)) if covariance else None
        alpha = 1 / self.prior_precision_
        space = row_space.informed_part(self.space_, alpha)
        for rows, f, J in self._linearise(self.x_scale_.apply(X)):
            mean[rows] = f
            for j in range(p):
                var[rows, j] = row_space.variance(space, J[:, j], alpha)
                if root is not None:
                    root[j, rows] = row_space.root(space, J[:, j], alpha)
        return self._as_normal(mean, np.sqrt(var), self.noise_, root)

    def _linearise(self, Z: Float[np.ndarray, "n d"]) -> Iterator[tuple[slice, np.ndarray, np.ndarray]]:
        """Values (b, p) and derivatives (b, p, weights) of the network, for blocks of standardised rows.

        In float64, and padded to few shapes, each compiled once.
        """
        network, p = in_float64(self.network_), len(self.y_scale_.center)
        size = max(16, 2 ** int(np.log2(_DERIVATIVES / count_weights(network) / p)))
        for i in range(0, len(Z), size):
            rows = slice(i, min(i + size, len(Z)))
            padded = pad_rows(Z[rows], bucket(len(Z)) if len(Z) <= size else size)
            with jax.enable_x64(True):
                f, J = _values_and_derivatives(network, padded)
                f, J = np.asarray(f), np.asarray(J)
            yield rows, f[: rows.stop - i], J[: rows.stop - i]

    # ------------------------------------------------------------------------------------------------- saving

    def get_state(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Weights, scales, noise and the Gaussian."""
        arrays, values = self._common_state()
        arrays |= {f"network.{i}": np.asarray(leaf) for i, leaf in enumerate(leaves_of(self.network_))}
        arrays |= {f"space.{name}": value for name, value in self.space_._asdict().items()}
        arrays |= history_arrays(self.history_)
        arrays["noise"] = self.noise_
        return arrays, {**values, "prior_precision": self.prior_precision_, "log_evidence": self.log_evidence_}

    def set_state(self, arrays: dict[str, np.ndarray], values: dict[str, Any]) -> None:
        """Put back what `get_state` gave; the parameters must make a network of the same shape."""
        saved = self._read_common(SavedState(arrays, values))
        self.network_ = refill(self._network_shapes(), saved.numbered("network."))
        self.history_ = history_from(saved)
        saved.sizes["weights"] = count_weights(self.network_)
        space = row_space.RowSpace(saved.array("space.V", "weights r"), saved.array("space.s2", "r", "not negative"))
        precision, noise = saved.finite_value("prior_precision", "positive"), saved.array("noise", "p", "positive")
        self._set_gaussian(space, precision, noise, saved.finite_value("log_evidence"))


def count_weights(network: Any) -> int:
    """How many numbers of a network are trained."""
    return sum(leaf.size for leaf in jax.tree.leaves(eqx.filter(network, trainable(network))))


def squared_norm(network: Any) -> float:
    """‖θ‖² of the trained weights, in float64."""
    leaves = jax.tree.leaves(eqx.filter(network, trainable(network)))
    return float(sum(np.sum(np.asarray(leaf, np.float64) ** 2) for leaf in leaves))


@eqx.filter_jit
def _values_and_derivatives(network: Any, Z: Any) -> tuple[Any, Any]:
    weights, rest = eqx.partition(network, trainable(network))

    def at(z: Any) -> tuple[Any, Any]:
        def value(own: Any) -> tuple[Any, Any]:
            f = eqx.combine(own, rest)(z)[0]
            return f, f

        derivatives, f = jax.jacrev(value, has_aux=True)(weights)
        leaves = [leaf.reshape(len(f), -1) for leaf in jax.tree.leaves(derivatives)]
        return f, jnp.concatenate(leaves, axis=1)

    return jax.vmap(at)(Z)
