"""LUNA: a neural linear model whose features can disagree where there is no data."""

from typing import Any

import numpy as np

from unabases.objectives import AbstractObjective, luna_objective, make_places
from unabases.regressors.base import check_count, check_positive
from unabases.regressors.last_layer import AbstractLastLayer
from unabases.regressors.scaling import column_mean_and_std
from unabases.regressors.step_one import Start
from unabases.training import bucket


class LUNA(AbstractLastLayer):
    """Features on which many heads fit the data with different slopes, then an exact Bayesian last layer.

    Parameters
    ----------
    n_heads
        M, the number of auxiliary heads.
    lam
        λ, the strength of the diversity penalty, in nats per row.
    epsilon
        Length of the finite-difference step, in units of each input's standard deviation.
    schedule
        How λ grows over training: `"sqrt"`, `"sigmoid"`, `"tanh"` or `"none"`.
    similarity
        `"field"` or, for two inputs and more, `"pointwise"`: see `unabases.objectives.Diversity`.
    gradient
        `"finite-difference"` or `"exact"`.
    where
        Where the heads must differ: `"data"` (at the training inputs), `"between"` (between pairs of them), or a
        function `(X, key) -> points`.
    n_points
        Points at which the penalty is estimated in each step, drawn anew; None for as many as rows.
    hidden_layer_sizes, activation, features, gamma, prior_variance, sigma2, max_steps, learning_rate
        As in `NeuralLinear`.
    decay, batch_size, optimizer
        As in `NeuralLinear`.
    early_stopping, validation_fraction, patience, restarts, warm_start, standardize, random_state, verbose
        As in `NeuralLinear`.

    Attributes
    ----------
    phi_, posterior_, prior_variance_, sigma2_, log_evidence_, history_
        As in `NeuralLinear`.
    diversity_
        Mean squared cosine between the heads' gradients at the end of training: 0 is most diverse, 1 least.
    heads_
        Weights of the auxiliary heads, shape (M, p, k + 1). No prediction uses them.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.r_[np.linspace(-4, -2, 50), np.linspace(2, 4, 50)][:, None]
    >>> model = LUNA(random_state=0).fit(X, X[:, 0] ** 3)
    >>> data, gap = model.predict_dist(X), model.predict_dist([[0.0]])
    >>> bool(gap.epistemic_std.mean() > 2 * data.epistemic_std.mean())
    True
    """

    def __init__(
        self,
        *,
        n_heads=20,
        lam=1.5,
        epsilon=0.3,
        schedule="none",
        similarity="field",
        gradient="finite-difference",
        where="between",
        n_points=64,
        hidden_layer_sizes=(50, 20),
        activation="relu",
        features=None,
        gamma=0.3,
        prior_variance=0.3,
        sigma2="residual",
        max_steps=2000,
        learning_rate=1e-2,
        decay="cosine",
        batch_size=None,
        optimizer="adam",
        early_stopping=False,
        validation_fraction=0.1,
        patience=10,
        restarts=1,
        warm_start=False,
        standardize=True,
        random_state=None,
        verbose=False,
    ):
        self.n_heads = n_heads
        self.lam = lam
        self.epsilon = epsilon
        self.schedule = schedule
        self.similarity = similarity
        self.gradient = gradient
        self.where = where
        self.n_points = n_points
        self.hidden_layer_sizes = hidden_layer_sizes
        self.activation = activation
        self.features = features
        self.gamma = gamma
        self.prior_variance = prior_variance
        self.sigma2 = sigma2
        self.max_steps = max_steps
        self.learning_rate = learning_rate
        self.decay = decay
        self.batch_size = batch_size
        self.optimizer = optimizer
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.patience = patience
        self.restarts = restarts
        self.warm_start = warm_start
        self.standardize = standardize
        self.random_state = random_state
        self.verbose = verbose

    def predict_heads(self, X: Any) -> np.ndarray:
        """Values of the M auxiliary heads at the rows of X, shape (M, rows) or (M, rows, p): for pictures."""
        X = self._validate_predict(X)
        values = np.einsum("mpk,nk->mnp", self.heads_, self._design(self.x_scale_.apply(X)))
        return self._shaped(self.y_scale_.undo(values))

    def _objective(self, X: np.ndarray, alpha: np.ndarray | None, sigma2: np.ndarray) -> AbstractObjective:
        n_points = 0 if self.n_points is None else check_count("n_points", self.n_points)
        if self.where == "between" and not n_points:
            n_points = bucket(len(X))
        return luna_objective(
            sigma2=sigma2,
            gamma=np.float64(check_positive("gamma", self.gamma, zero=True)),
            lam=np.float64(check_positive("lam", self.lam, zero=True)),
            epsilon=np.float64(check_positive("epsilon", self.epsilon)),
            spread=column_mean_and_std(X)[1],
            n_heads=check_count("n_heads", self.n_heads, least=2),
            where=make_places(self.where, n_points),
            schedule=self.schedule,
            similarity=self.similarity,
            gradient=self.gradient,
        )

    def _after_step_one(self, start: Start) -> None:
        self.heads_ = np.asarray(start.params.W, dtype=np.float64)
        upto = start.history["diversity"].to_numpy()[: start.stopped]
        self.diversity_ = float(np.mean(upto[-100:]))

    def get_state(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """The heads too."""
        arrays, values = super().get_state()
        return {**arrays, "heads": self.heads_}, {**values, "diversity": self.diversity_}

    def set_state(self, arrays: dict[str, np.ndarray], values: dict[str, Any]) -> None:
        """The heads too."""
        super().set_state(arrays, values)
        self.heads_, self.diversity_ = arrays["heads"], float(values["diversity"])
