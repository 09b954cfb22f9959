"""The plain search, for every regressor: take the likeliest."""

from dataclasses import dataclass
from typing import Any

from unabases.regressors import AbstractRegressor, NeuralLinear
from unabases.selection.documentation import ATTRIBUTES, PARAMETERS, documented
from unabases.selection.rules import likeliest
from unabases.selection.search import AbstractSearch, Rule
from unabases.selection.space import Space


@documented(parameters=PARAMETERS, attributes=ATTRIBUTES)
@dataclass(kw_only=True, eq=False, repr=False)
class LikelihoodSearch(AbstractSearch):
    """Tune any regressor for the highest log-likelihood on validation rows.

    Optuna proposes trials in batches. Models of a batch that differ only in numbers train together in one compiled
    program. The noise variance is settled once, before the first trial.

    Parameters
    ----------
    estimator : regressor of unabases, optional
        The model to tune. Its other settings hold for every trial. `NeuralLinear()` by default.
    space : Space or dict, optional
        The parameters to search; `Space` describes the forms. By default `gamma` from 0.01 to 100 on a logarithmic
        scale.
    rule : callable, optional
        Your own rule instead of the highest log-likelihood: a function of the table of trials that did not fail, which
        returns the index label of the one to take. Pruned trials have no log-likelihood there (NaN).
    {parameters}

    Attributes
    ----------
    {attributes}

    See Also
    --------
    LUNASearch : For LUNA; takes the most diverse of the likely trials.

    Examples
    --------
    >>> import numpy as np
    >>> from unabases import GaussianProcess
    >>> X = np.linspace(-1, 1, 30)[:, None]
    >>> search = LikelihoodSearch(
    ...     GaussianProcess(restarts=0), space={"kernel": ["rbf", "matern"]}, n_random=4, n_trials=0, random_state=0
    ... )
    >>> search.fit(X, np.sin(3 * X[:, 0])).best_params_["kernel"] in ("rbf", "matern")
    True
    """

    rule: Any = None

    def _default_estimator(self) -> AbstractRegressor:
        return NeuralLinear()

    def _default_space(self) -> Space:
        return Space(gamma=(1e-2, 1e2, "log"))

    def _objectives(self) -> dict[str, Any]:
        return {"log_likelihood": "maximize"}

    def _rule(self) -> Rule:
        return likeliest if self.rule is None else self.rule

    @staticmethod
    def _describe(model: Any) -> dict[str, float]:
        return {}
