"""What all neural linear models share: learned features below, an exact Bayesian last layer on top."""

import abc
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import equinox as eqx
import numpy as np
from jaxtyping import Float
from sklearn.utils import check_random_state

from unabases import linear
from unabases.objectives import AbstractObjective
from unabases.predictive import Normal
from unabases.predictive.checks import refuse_infinite
from unabases.regressors.networks.exact_layer import ExactLayer, fit_layer, layer_arrays, layer_from, read_layer
from unabases.regressors.networks.feature_blocks import ROWS, apply_block, apply_rows
from unabases.regressors.networks.left_out_noise import LEAST_ROWS, Settled, settle_by_left_out
from unabases.regressors.networks.network import (
    LEFT_OUT,
    gamma_parameter,
    leaves_of,
    refill,
    restarts_parameter,
)
from unabases.regressors.networks.step_one import (
    Prepared,
    Start,
    TrainingRun,
    best_start,
    history_arrays,
    history_from,
    starts_run,
    train_runs,
)
from unabases.regressors.networks.streamed import AbstractStreamed
from unabases.regressors.shared.base import check_count, check_positive, output_variances
from unabases.regressors.shared.parameters import estimator, parameter
from unabases.regressors.shared.saved_state import SavedState
from unabases.regressors.shared.weights import WeightedRows
from unabases.training import AUTO, Trained, on_all_cores

LastLayer = TypeVar("LastLayer", bound="AbstractLastLayer")


@estimator
class AbstractLastLayer(AbstractStreamed):
    """Fit, predict, update and sample for every regressor that is features and an exact linear layer.

    A subclass lists its parameters and supplies `_objective`.
    """

    hidden_layer_sizes: Any = (50, 20)
    gamma: Any = gamma_parameter(1.0)
    prior_variance: Any = parameter(
        0.3,
        "Noise and prior",
        'float, array, "evidence" or "auto"',
        "Prior variance α of the last layer's weights, for standardised y. Larger means wider bands away from the "
        'data. "evidence" takes the value that maximises the marginal likelihood, "auto" 0.6 of it and at least 0.02.',
    )
    sigma2: Any = parameter(
        "residual",
        "Noise and prior",
        'float, array, "residual", "left-out" or "evidence"',
        'Noise variance in squared units of y: a number, one for each output, "residual" to estimate it from the '
        'errors of a few small fits on rows that they did not see, "left-out" to do so with copies of this model, or '
        '"evidence" for the value that maximises the marginal likelihood, which is often too small since the features '
        "have seen the data.",
    )
    restarts: Any = restarts_parameter()
    warm_start: Any = parameter(
        False,
        "Training",
        "bool",
        "If True, later fits start from the previous solution, which saves steps when few rows are new. A loaded model "
        "starts afresh.",
    )

    fitted_attributes = {  # noqa: RUF012  (texts, never changed)
        "phi_": ("callable", "The learned feature map: one standardised input in, its features out."),
        "posterior_": (
            "Posterior or tuple of them",
            "Gaussian posterior of the last layer's weights: mean, Cholesky factor, variances; one for each output.",
        ),
        "prior_variance_": ("float or array", "Prior variance in use; one for each output."),
    }

    _noise_by_evidence = True
    _trained = None  # what Step I trained, kept for a warm start

    @abc.abstractmethod
    def _objective(self, X: np.ndarray, alpha: np.ndarray | None, sigma2: np.ndarray) -> AbstractObjective:
        """What Step I minimises, in standardised units."""

    def _after_step_one(self, start: Start) -> None:
        """Keep whatever else the trained parameters hold."""

    # ------------------------------------------------------------------------------------------------ fitting

    def _learn(self, data: Prepared) -> None:
        """Train the features (Step I), then make the posterior of the last layer on them (Step II)."""
        self._step_two(data, *train_runs([self._step_one(data)]))

    def _step_one(self, data: Prepared) -> TrainingRun:
        """What has to be trained to learn the features."""
        objective = self._objective(data.Z, self._alpha(data.t.shape[1]), data.sigma2)
        warm = self._trained if self.warm_start else None
        return starts_run(objective, data, restarts=check_count("restarts", self.restarts), warm=warm)

    def _step_two(self, data: Prepared, trained: Trained) -> None:
        """Keep the features of the best start, and make the posterior of the last layer."""
        start = best_start(trained)
        self.phi_ = start.params.phi
        self.history_ = start.history
        if self.warm_start:
            self._trained = start.params
        else:
            vars(self).pop("_trained", None)
        self._after_step_one(start)
        sigma2 = None if self._by_evidence("sigma2") else data.sigma2
        alpha = self._alpha(data.t.shape[1])
        cautious, Phi = self._cautious(), self._design(data.Z)
        self._set_layer(fit_layer(Phi, data.t, alpha=alpha, sigma2=sigma2, weight=data.weight, cautious=cautious))

    def _noise_words(self) -> set[str]:
        return {*super()._noise_words(), LEFT_OUT}

    def _noise_before_training(self, data: Prepared) -> Float[np.ndarray, " p"]:
        if not self._says("sigma2", LEFT_OUT) or len(data.Z) < LEAST_ROWS:
            return super()._noise_before_training(data)
        return self._by_left_out(data).sigma2

    def _gammas(self) -> list[float]:
        """Weight penalties to choose from, the weakest first."""
        return [check_positive("gamma", self.gamma, zero=True)]

    def _by_left_out(self, data: Prepared, sigma2: Float[np.ndarray, " p"] | None = None) -> Settled:
        """What copies of this model that leave rows out say about the noise, unless it is given, and the penalty."""
        alpha = self._alpha(data.t.shape[1])

        def objective(gamma: float, noise: Float[np.ndarray, " p"]) -> AbstractObjective:
            own = self._objective(data.Z, alpha, noise)
            return eqx.tree_at(lambda one: one.gamma, own, np.float64(gamma))

        return settle_by_left_out(objective, data, alpha=alpha, gammas=self._gammas(), sigma2=sigma2)

    def _alpha(self, p: int) -> Float[np.ndarray, " p"] | None:
        """The prior variance of each output's weights, or None where the evidence chooses it."""
        return output_variances("prior_variance", self.prior_variance, p, {"evidence", AUTO})

    def _cautious(self) -> bool:
        """Whether the prior variance that the evidence chooses is only a guide."""
        return self._says("prior_variance", AUTO)

    def update(self: LastLayer, X: Any, y: Any, sample_weight: Any = None) -> LastLayer:
        """Add rows to the posterior of the last layer, exactly; features and variances stay.

        Parameters
        ----------
        X, y
            Rows and targets as `fit` takes them.
        sample_weight
            How often each row counts, shape (n,); None for once.
        """
        return self._revise(self._new_rows(X, y, sample_weight), linear.add)

    def forget(self: LastLayer, X: Any, y: Any, sample_weight: Any = None) -> LastLayer:
        """Take rows that were learned from out of the posterior of the last layer, exactly.

        The posterior becomes what it would be without them; features and variances stay as they are. Rows that cannot
        have been learned from are refused: more rows than there are, or rows whose removal leaves sums that no rows
        have. A model keeps sums over its rows and not the rows, so rows that were never added go unnoticed where they
        are plausible; keep a record of your own where that matters.

        Parameters
        ----------
        X, y
            Rows and targets as they were given to `fit` or `update`.
        sample_weight
            Their weights there; less takes a part of their weight away.

        Raises
        ------
        ValueError
            If the rows cannot have been part of what was learned; the model stays as it was.
        """
        return self._revise(self._new_rows(X, y, sample_weight), linear.subtract)

    def refit(self: LastLayer, X: Any, y: Any, sample_weight: Any = None) -> LastLayer:
        """Replace the posterior by that of other data with the same features: transfer.

        The variances are those that the parameters `prior_variance` and `sigma2` now ask for, so `set_params` before
        `refit` has its usual effect. A noise level that `fit` took from residuals is kept.

        Parameters
        ----------
        X, y
            Rows and targets as `fit` takes them.
        sample_weight
            How often each row counts, shape (n,); None for once.
        """
        rows = self._new_rows(X, y, sample_weight)
        sigma2 = self._noise_again(rows, self.layer_.sigma2)
        alpha, Phi = self._alpha(rows.y.shape[1]), self._design(rows.X)
        cautious = self._cautious()
        self._set_layer(fit_layer(Phi, rows.y, alpha=alpha, sigma2=sigma2, weight=rows.weight, cautious=cautious))
        return self

    def _designs_of(self, rows: WeightedRows) -> Iterator[WeightedRows]:
        yield rows._replace(X=self._design(rows.X))

    def _statistics(self) -> list[linear.Statistics]:
        return [self.layer_.statistics]

    def _set_statistics(self, statistics: list[linear.Statistics]) -> None:
        p = statistics[0].b.shape[1]
        given = output_variances("sigma2", self.sigma2, p, self._noise_words())
        used = self.layer_.sigma2 if given is None else given / self.y_scale_.spread**2
        sigma2 = None if self._by_evidence("sigma2") else used
        alpha, cautious = self._alpha(p), self._cautious()
        self._set_layer(layer_from(statistics[0], alpha=alpha, sigma2=sigma2, cautious=cautious))

    # --------------------------------------------------------------------------------------------- prediction

    def _rows_at_once(self) -> int:
        return 2**22  # of which `_predict_rows` takes small blocks

    def _predict_rows(self, X: np.ndarray, covariance: bool) -> Normal:
        n, p = len(X), len(self.layer_.posteriors)
        mean, var = np.empty((n, p)), np.empty((n, p))
        inverses = [linear.worthwhile_inverse(posterior.L, min(n, ROWS)) for posterior in self.layer_.posteriors]

        def fill(rows: slice) -> None:
            Phi = self._block(X[rows], n)
            for j, known in enumerate(zip(self.layer_.posteriors, inverses, strict=True)):
                mean[rows, j], var[rows, j] = linear.predict(known[0], Phi, known[1])

        _for_each_block(fill, n)
        root = None
        if covariance:
            Phi = self._design(self.x_scale_.apply(X))
            root = np.stack([linear.root(posterior, Phi) for posterior in self.layer_.posteriors])
        return self._as_normal(mean, np.sqrt(var), self.layer_.sigma2, root)

    def _mean_rows(self, X: np.ndarray) -> Float[np.ndarray, "n *p"] | None:
        mean = np.empty((len(X), len(self.layer_.posteriors)))

        def fill(rows: slice) -> None:
            Phi = self._block(X[rows], len(X))
            for j, posterior in enumerate(self.layer_.posteriors):
                mean[rows, j] = Phi @ posterior.m

        _for_each_block(fill, len(X))
        mean = self.y_scale_.undo(mean)
        refuse_infinite(mean)
        return self._shaped(mean)

    def _block(self, X: np.ndarray, n: int) -> Float[np.ndarray, "b k"]:
        """Features of a block of n rows in all."""
        Z = self.x_scale_.apply(X).astype(np.float32)
        Phi = linear.with_bias(apply_block(self.phi_, Z, n), np.float64)
        refuse_infinite(Phi)
        return Phi

    def sample_prior(self, X: Any, n: int = 1, random_state: Any = None) -> np.ndarray:
        """`n` functions drawn before seeing data, at the rows of X: shape (n, rows) or (n, rows, p)."""
        n = check_count("n", n, least=0)
        return self._sample(
            X, random_state, lambda Phi, posterior, rng: linear.sample_prior(Phi, posterior.alpha, n, rng)
        )

    def sample_posterior(self, X: Any, n: int = 1, random_state: Any = None) -> np.ndarray:
        """`n` functions drawn after seeing data, at the rows of X: shape (n, rows) or (n, rows, p)."""
        n = check_count("n", n, least=0)
        return self._sample(
            X, random_state, lambda Phi, posterior, rng: linear.sample_posterior(posterior, Phi, n, rng)
        )

    def feature_matrix(self, X: Any) -> Float[np.ndarray, "n k"]:
        """Learned features of each row, the constant one last."""
        X = self._validate_predict(X)
        return self._design(self.x_scale_.apply(X))

    # ------------------------------------------------------------------------------------------------- saving

    def get_state(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Weights, scales, statistics and posteriors."""
        arrays, values = self._common_state()
        arrays |= {f"phi.{i}": np.asarray(leaf) for i, leaf in enumerate(leaves_of(self.phi_))}
        arrays |= layer_arrays(self.layer_)
        arrays |= history_arrays(self.history_)
        return arrays, {
            **values,
            "log_evidence": self.layer_.log_evidence,
            "noise_from_residuals": self._noise_from_residuals,
        }

    def set_state(self, arrays: dict[str, np.ndarray], values: dict[str, Any]) -> None:
        """Put back what `get_state` gave; the parameters must make a feature map of the same shape."""
        saved = self._read_common(SavedState(arrays, values))
        self.phi_ = refill(self._feature_shapes(), saved.numbered("phi."))
        self.history_ = history_from(saved)
        self._noise_from_residuals = saved.value("noise_from_residuals", bool, False)
        k = self._n_features(self.phi_) + 1
        self._set_layer(read_layer(saved, saved.finite_value("log_evidence"), k=k))

    # -------------------------------------------------------------------------------------------------- parts

    def _set_layer(self, layer: ExactLayer) -> None:
        """Step II's result, and the fitted attributes that users read, in their units."""
        spread = self.y_scale_.spread
        self.layer_ = layer
        self.posterior_ = layer.posteriors[0] if self.vector_output_ else layer.posteriors
        self.prior_variance_ = self._per_output(layer.alpha)
        self.sigma2_ = self._per_output(layer.sigma2 * spread**2)
        self.log_evidence_ = layer.log_evidence - layer.statistics.n * float(np.sum(np.log(spread)))

    def _revise(self: LastLayer, rows: WeightedRows, revise: Callable) -> LastLayer:
        own = linear.accumulate(self._design(rows.X), rows.y, rows.weight)
        statistics = revise(self.layer_.statistics, own)
        self._set_layer(layer_from(statistics, alpha=self.layer_.alpha, sigma2=self.layer_.sigma2))
        return self

    def _sample(self, X: Any, random_state: Any, draw: Callable) -> np.ndarray:
        X = self._validate_predict(X)
        rng = np.random.default_rng(check_random_state(random_state).randint(0, 2**31 - 1, size=4))
        Phi = self._design(self.x_scale_.apply(X))
        samples = np.stack([draw(Phi, posterior, rng) for posterior in self.layer_.posteriors], axis=-1)
        return self._shaped(self.y_scale_.undo(samples))

    def _design(self, Z: Float[np.ndarray, "n d"]) -> Float[np.ndarray, "n k"]:
        """Φ of standardised rows, features in float32, the column of ones last."""
        return linear.with_bias(apply_rows(self.phi_, Z.astype(np.float32)).astype(np.float64))


def _for_each_block(function: Callable[[slice], None], n: int) -> None:
    """Call on blocks of rows, so that memory stays bounded whatever their number; many blocks on all cores."""
    blocks = [slice(i, min(i + ROWS, n)) for i in range(0, n, ROWS)]
    on_all_cores(function, blocks, worthwhile=len(blocks) >= 4)
