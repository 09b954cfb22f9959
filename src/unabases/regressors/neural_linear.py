"""Neural linear models trained the ordinary ways."""

import numpy as np

from unabases.objectives import AbstractObjective, Marginal, map_objective
from unabases.objectives.una import Una
from unabases.regressors.base import check_positive
from unabases.regressors.last_layer import AbstractLastLayer

OBJECTIVES = ("map", "mle", "marginal")


class NeuralLinear(AbstractLastLayer):
    """Features trained by likelihood, a-posteriori or marginal likelihood, then an exact Bayesian last layer.

    Parameters
    ----------
    objective
        `"map"` (weight penalty gamma), `"mle"` (none), `"marginal"` (evidence with a penalty on the features),
        or a `Una` objective of one's own: its sigma2 and gamma are then taken from this estimator.
    hidden_layer_sizes, activation
        Widths of the network's hidden layers, the last being the number of features; the activation.
    features
        A function `(d, *, key)` that makes a feature map, instead of the network of `hidden_layer_sizes`.
    gamma
        Weight penalty γ.
    prior_variance
        Prior variance of the last layer's weights, for standardised y, or `"evidence"`.
    sigma2
        Noise variance in y's units squared, `"residual"` (of MAP fits on rows held out from them) or `"evidence"`.
    max_steps, learning_rate, decay, batch_size, optimizer
        Training: see `unabases.training.Recipe`.
    early_stopping, validation_fraction, patience
        Stop when the likelihood of a held-out part has not improved for `patience` hundreds of steps.
    restarts
        Random starts, trained together; the one with the lowest loss is kept.
    warm_start
        Whether the first of them is, from the second `fit` on, where the one before ended: for a few rows more, a
        small part of the steps will do. A loaded model starts afresh.
    standardize
        Whether X and y are standardised inside; `"common"` divides all inputs by one spread, which suits inputs in one
        unit, such as principal components.
    random_state
        Seed; an integer makes a fit reproducible.
    verbose
        Whether to show a progress bar.

    Attributes
    ----------
    phi_, posterior_, prior_variance_, sigma2_, log_evidence_, history_
        The feature map, the posterior of the last layer (a tuple of them for several outputs), the variances
        in use, the log evidence in y's units, and the terms of the loss at each step.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.linspace(-1, 1, 40)[:, None]
    >>> model = NeuralLinear(max_steps=200, random_state=0).fit(X, X[:, 0] ** 2)
    >>> mean, std = model.predict(X, return_std=True)
    >>> mean.shape, bool((std > 0).all())
    ((40,), True)
    """

    def __init__(
        self,
        objective="map",
        *,
        hidden_layer_sizes=(50, 20),
        activation="relu",
        features=None,
        gamma=1.0,
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
        self.objective = objective
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

    def _objective(self, X: np.ndarray, alpha: np.ndarray | None, sigma2: np.ndarray) -> AbstractObjective:
        gamma = np.float64(check_positive("gamma", self.gamma, zero=True))
        if isinstance(self.objective, Una):
            given = self.objective
            return Una(
                sigma2=sigma2, gamma=gamma, terms=given.terms, n_heads=given.n_heads, head_spread=given.head_spread
            )
        if not isinstance(self.objective, str) or self.objective not in OBJECTIVES:
            known = ", ".join(OBJECTIVES)
            raise ValueError(f"unknown objective {self.objective!r}; known ones are {known}, or a Una objective.")
        if self.objective == "marginal":
            start = np.ones(len(sigma2)) if alpha is None else alpha
            return Marginal(
                alpha=start,
                sigma2=sigma2,
                gamma=gamma,
                learn_alpha=alpha is None,
                learn_sigma2=self._by_evidence("sigma2"),
            )
        return map_objective(sigma2, gamma if self.objective == "map" else np.float64(0.0))
