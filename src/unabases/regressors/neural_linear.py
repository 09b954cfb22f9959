"""Neural linear models trained the ordinary ways."""

from dataclasses import field
from typing import Any

import numpy as np

from unabases.objectives import AbstractObjective, Marginal, map_objective
from unabases.objectives.una import Una
from unabases.regressors.networks.last_layer import AbstractLastLayer
from unabases.regressors.shared.base import check_positive
from unabases.regressors.shared.parameters import about, estimator

OBJECTIVES = ("map", "mle", "marginal")


@estimator
class NeuralLinear(AbstractLastLayer):
    """Neural linear regression: a network learns features, an exact Bayesian linear regression predicts from them.

    This is the ordinary model that LUNA improves on. It is fast, its error is as good as a network's, and `update`
    adds rows exactly. But features that are trained only to fit often cannot disagree in a gap between the data, so the
    model may be too sure there.

    Attributes
    ----------
    {phi_, posterior_, prior_variance_, sigma2_, log_evidence_, history_}

    See Also
    --------
    LUNA : The same model with features that can disagree where there is no data.
    unabases.objectives.Una : Objectives of your own.

    References
    ----------
    Snoek et al. (2015). Scalable Bayesian optimization using deep neural networks. Ober, Rasmussen (2019).
    Benchmarking the neural linear model for regression.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.linspace(-1, 1, 40)[:, None]
    >>> model = NeuralLinear(max_steps=200, random_state=0).fit(X, X[:, 0] ** 2)
    >>> mean, std = model.predict(X, return_std=True)
    >>> mean.shape, bool((std > 0).all())
    ((40,), True)
    """

    objective: Any = field(
        default="map",
        kw_only=False,
        metadata=about(
            "Model",
            "str or Una",
            'What the features are trained on: "map" (fit and the weight penalty `gamma`), "mle" (fit alone), '
            '"marginal" (the marginal likelihood, with the penalty on the features), or a `Una` objective of your '
            "own, whose noise and penalty are then taken from this estimator.",
        ),
    )

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
