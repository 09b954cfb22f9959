"""What all neural linear models share: learned features below, an exact Bayesian last layer on top."""

import abc
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import jax
import numpy as np
from jaxtyping import Float
from sklearn.utils import check_random_state

from unabases import linear
from unabases.objectives import AbstractObjective
from unabases.predictive import Normal
from unabases.regressors.base import check_count, output_variances
from unabases.regressors.blocks import ROWS, apply_block, apply_rows
from unabases.regressors.head import Head, fit_head, head_from
from unabases.regressors.network import AbstractNetwork, leaves_of, numbered, refill
from unabases.regressors.step_one import Plan, Start, history_arrays, history_from, train_starts


class AbstractLastLayer(AbstractNetwork):
    """Fit, predict, update and sample for every regressor that is features and a linear head.

    A subclass lists its parameters and supplies `_objective`.
    """

    # Parameters that every subclass has besides those of a network.
    gamma: Any
    prior_variance: Any
    restarts: Any
    warm_start: Any = False

    _noise_by_evidence = True
    _trained: Any = None  # what Step I trained, kept for a warm start

    @abc.abstractmethod
    def _objective(self, X: np.ndarray, alpha: np.ndarray | None, sigma2: np.ndarray) -> AbstractObjective:
        """What Step I minimises, in standardised units."""

    def _after_step_one(self, start: Start) -> None:
        """Keep whatever else the trained parameters hold."""

    # ------------------------------------------------------------------------------------------------ fitting

    def _learn(self, Z: np.ndarray, t: np.ndarray, sigma2: np.ndarray, plan: Plan, rng: np.random.Generator) -> None:
        """The features (Step I), then the posterior of the last layer (Step II)."""
        alpha = output_variances("prior_variance", self.prior_variance, t.shape[1], {"evidence"})
        restarts = check_count("restarts", self.restarts)
        objective = self._objective(Z, alpha, sigma2)
        start = train_starts(objective, Z, t, restarts=restarts, plan=plan, rng=rng, warm=self._warm())
        self._finish(start, Z, t, sigma2, alpha)

    def _finish(self, start: Start, Z: np.ndarray, t: np.ndarray, sigma2: np.ndarray, alpha: np.ndarray | None) -> None:
        """Keep what Step I trained and make the posterior of the last layer (Step II)."""
        self.phi_ = start.params.phi
        self.history_ = start.history
        if self.warm_start:
            self._trained = start.params
        else:
            vars(self).pop("_trained", None)
        self._after_step_one(start)
        chosen = None if self._by_evidence("sigma2") else sigma2
        self._set_head(fit_head(self._design(Z), t, alpha=alpha, sigma2=chosen))

    def update(self, X: Any, y: Any) -> "AbstractLastLayer":
        """Add rows to the posterior of the last layer, exactly; features and variances stay."""
        return self._revise(X, y, linear.add)

    def forget(self, X: Any, y: Any) -> "AbstractLastLayer":
        """Take rows that were learned from out of the posterior of the last layer, exactly."""
        return self._revise(X, y, linear.subtract)

    def refit(self, X: Any, y: Any) -> "AbstractLastLayer":
        """Replace the posterior by that of other data with the same features: transfer.

        Variances given as `"evidence"` are chosen anew, others stay.
        """
        Z, t = self._new_rows(X, y)
        alpha = None if self._by_evidence("prior_variance") else self.head_.alpha
        sigma2 = None if self._by_evidence("sigma2") else self.head_.sigma2
        self._set_head(fit_head(self._design(Z), t, alpha=alpha, sigma2=sigma2))
        return self

    # --------------------------------------------------------------------------------------------- prediction

    def _rows_at_once(self) -> int:
        return 2**22  # of which `_predict_rows` takes small blocks

    def _predict_rows(self, X: np.ndarray, covariance: bool) -> Normal:
        n, p = len(X), len(self.head_.posteriors)
        mean, var = np.empty((n, p)), np.empty((n, p))

        def fill(rows: slice) -> None:
            Z = self.x_scale_.apply(X[rows]).astype(np.float32)
            Phi = linear.with_bias(apply_block(self.phi_, Z, n).astype(np.float64))
            for j, posterior in enumerate(self.head_.posteriors):
                mean[rows, j], var[rows, j] = linear.predict(posterior, Phi)

        _for_each_block(fill, n)
        root = None
        if covariance:
            Phi = self._design(self.x_scale_.apply(X))
            root = np.stack([linear.root(posterior, Phi) for posterior in self.head_.posteriors])
        return self._as_normal(mean, np.sqrt(var), self.head_.sigma2, root)

    def sample_prior(self, X: Any, n: int = 1, random_state: Any = None) -> np.ndarray:
        """`n` functions drawn before seeing data, at the rows of X: shape (n, rows) or (n, rows, p)."""
        return self._sample(
            X, random_state, lambda Phi, posterior, rng: linear.sample_prior(Phi, posterior.alpha, n, rng)
        )

    def sample_posterior(self, X: Any, n: int = 1, random_state: Any = None) -> np.ndarray:
        """`n` functions drawn after seeing data, at the rows of X: shape (n, rows) or (n, rows, p)."""
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
        arrays |= {f"statistics.{k}": np.asarray(v) for k, v in self.head_.statistics._asdict().items()}
        for j, posterior in enumerate(self.head_.posteriors):
            arrays |= {f"posterior.{j}.{k}": np.asarray(v) for k, v in posterior._asdict().items()}
        arrays |= history_arrays(self.history_)
        return arrays, {**values, "log_evidence": self.head_.log_evidence}

    def set_state(self, arrays: dict[str, np.ndarray], values: dict[str, Any]) -> None:
        """Put back what `get_state` gave; the parameters must make a feature map of the same shape."""
        self._set_common_state(arrays, values)
        like = self._make_features()(self.n_features_in_, key=jax.random.key(0))
        self.phi_ = refill(like, numbered(arrays, "phi."))
        self.history_ = history_from(arrays)
        statistics = linear.Statistics(**_fields(linear.Statistics, arrays, "statistics."))
        posteriors = [
            linear.Posterior(**_fields(linear.Posterior, arrays, f"posterior.{j}."))
            for j in range(statistics.b.shape[1])
        ]
        self._set_head(Head(statistics, tuple(posteriors), float(values["log_evidence"])))

    # -------------------------------------------------------------------------------------------------- parts

    def _warm(self) -> Any:
        """Parameters to start the next training from, if it is to start warm."""
        return self._trained if self.warm_start else None

    def _set_head(self, head: Head) -> None:
        """Step II's result, and the fitted attributes that users read, in their units."""
        spread = self.y_scale_.spread
        self.head_ = head
        self.posterior_ = head.posteriors[0] if self.vector_output_ else head.posteriors
        self.prior_variance_ = self._per_output(head.alpha)
        self.sigma2_ = self._per_output(head.sigma2 * spread**2)
        self.log_evidence_ = head.log_evidence - head.statistics.n * float(np.sum(np.log(spread)))

    def _revise(self, X: Any, y: Any, revise: Callable) -> "AbstractLastLayer":
        Z, t = self._new_rows(X, y)
        statistics = revise(self.head_.statistics, linear.accumulate(self._design(Z), t))
        self._set_head(head_from(statistics, alpha=self.head_.alpha, sigma2=self.head_.sigma2))
        return self

    def _sample(self, X: Any, random_state: Any, draw: Callable) -> np.ndarray:
        X = self._validate_predict(X)
        rng = np.random.default_rng(check_random_state(random_state).randint(0, 2**31 - 1, size=4))
        Phi = self._design(self.x_scale_.apply(X))
        samples = np.stack([draw(Phi, posterior, rng) for posterior in self.head_.posteriors], axis=-1)
        return self._shaped(self.y_scale_.undo(samples))

    def _design(self, Z: Float[np.ndarray, "n d"]) -> Float[np.ndarray, "n k"]:
        """Φ of standardised rows, features in float32, the column of ones last."""
        return linear.with_bias(apply_rows(self.phi_, Z.astype(np.float32)).astype(np.float64))


def _for_each_block(function: Callable[[slice], None], n: int) -> None:
    """Call on blocks of rows, so that memory stays bounded whatever their number; many blocks on all cores."""
    blocks = [slice(i, min(i + ROWS, n)) for i in range(0, n, ROWS)]
    if len(blocks) < 4:
        for rows in blocks:
            function(rows)
        return
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(function, blocks))


def _fields(kind: Any, arrays: dict[str, np.ndarray], prefix: str) -> dict[str, Any]:
    """The fields of a named tuple that were saved as arrays, numbers as numbers again."""
    values = {field: arrays[prefix + field] for field in kind._fields}
    return {field: float(value) if value.ndim == 0 else value for field, value in values.items()}
