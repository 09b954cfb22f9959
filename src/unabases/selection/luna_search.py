"""The search for LUNA: among the likely models, take the most diverse."""

from dataclasses import dataclass
from functools import partial
from typing import Any

from unabases.regressors import LUNA, AbstractRegressor
from unabases.selection.documentation import ATTRIBUTES, PARAMETERS, documented
from unabases.selection.rules import most_diverse
from unabases.selection.search import AbstractSearch, Rule
from unabases.selection.space import Space


@documented(parameters=PARAMETERS, attributes=ATTRIBUTES)
@dataclass(kw_only=True, eq=False, repr=False)
class LUNASearch(AbstractSearch):
    """Tune LUNA: keep the trials with the highest validation likelihood, and take the most diverse of them.

    Likelihood alone cannot see what LUNA is for: it measures the fit where there is data, and says nothing about the
    gaps. So Optuna is asked for trials that are likely and for trials that are diverse, and among those that fit about
    equally well the most diverse wins. The trials of a batch train together in one compiled program. The noise variance
    is settled once, before the first trial.

    Parameters
    ----------
    estimator : LUNA, optional
        The model to tune. Its other settings hold for every trial. `LUNA()` by default.
    space : Space or dict, optional
        The parameters to search; `Space` describes the forms. By default `gamma` and `lam` from 0.01 to 100 on a
        logarithmic scale, and `schedule`.
    keep : float or "standard-error"
        The share of trials, best in validation log-likelihood, among which the most diverse is taken; pruned trials
        count. Or `"standard-error"`: all trials within one standard error of the best.
    rule : callable, optional
        Your own rule instead of `keep`: a function of the table of trials that did not fail, which returns the index
        label of the one to take. Pruned trials have no log-likelihood there (NaN).
    {parameters}

    Attributes
    ----------
    {attributes}

    See Also
    --------
    LikelihoodSearch : For any regressor; takes the likeliest trial.
    unabases.selection.most_diverse : The default rule.

    Notes
    -----
    `results_` has a further column `diversity`: the mean squared cosine between auxiliary heads. 0 is most diverse.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.linspace(-1, 1, 60)[:, None]
    >>> base = LUNA(max_steps=100, sigma2=0.01)
    >>> search = LUNASearch(base, n_random=4, n_trials=0, batch=4, random_state=0)
    >>> len(search.fit(X, X[:, 0] ** 2).results_)
    4
    >>> sorted(search.best_params_)
    ['gamma', 'lam', 'schedule']
    """

    keep: Any = 0.1
    rule: Any = None

    def _default_estimator(self) -> AbstractRegressor:
        return LUNA()

    def _default_space(self) -> Space:
        return Space(gamma=(1e-2, 1e2, "log"), lam=(1e-2, 1e2, "log"), schedule=["none", "sqrt", "sigmoid", "tanh"])

    def _objectives(self) -> dict[str, Any]:
        return {"log_likelihood": "maximize", "diversity": "minimize"}

    def _rule(self) -> Rule:
        return partial(most_diverse, keep=self.keep) if self.rule is None else self.rule

    @staticmethod
    def _describe(model: Any) -> dict[str, float]:
        return {"diversity": model.diversity_}
