"""The plain search, for every regressor: the likeliest wins."""

from typing import Any

from unabases.regressors import AbstractRegressor, NeuralLinear
from unabases.selection.rules import likeliest
from unabases.selection.search import AbstractSearch, Rule


class LikelihoodSearch(AbstractSearch):
    """Search the parameters of any regressor for the highest validation log-likelihood.

    Parameters
    ----------
    estimator
        A regressor of unabases whose other settings hold for every trial.
    space
        Parameters to search, as in `LUNASearch`. None: gamma in [0.01, 100].
    n_random, n_trials, batch, restarts, validation, prune, refit, storage, study_name, random_state, verbose
        As in `LUNASearch`.
    rule
        A function of the table of trials that did not fail, which returns the label of the one to take.

    Attributes
    ----------
    best_estimator_, best_params_, best_index_, results_, interrupted_
        As in `LUNASearch`.
    """

    def __init__(
        self,
        estimator=None,
        *,
        space=None,
        n_random=10,
        n_trials=50,
        batch=10,
        restarts=1,
        rule=None,
        validation=5,
        prune=False,
        refit=True,
        storage=None,
        study_name=None,
        random_state=None,
        verbose=False,
    ):
        self.estimator = estimator
        self.space = space
        self.n_random = n_random
        self.n_trials = n_trials
        self.batch = batch
        self.restarts = restarts
        self.rule = rule
        self.validation = validation
        self.prune = prune
        self.refit = refit
        self.storage = storage
        self.study_name = study_name
        self.random_state = random_state
        self.verbose = verbose

    def _default_estimator(self) -> AbstractRegressor:
        return NeuralLinear()

    def _default_space(self) -> dict[str, Any]:
        return {"gamma": (1e-2, 1e2)}

    def _objectives(self) -> dict[str, Any]:
        return {"log_likelihood": "maximize"}

    def _rule(self) -> Rule:
        return likeliest if self.rule is None else self.rule

    def _describe(self, model: Any) -> dict[str, float]:
        return {}
