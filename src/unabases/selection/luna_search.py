"""The search for LUNA: likely first, then diverse."""

from functools import partial
from typing import Any

from unabases.regressors import LUNA, AbstractRegressor
from unabases.selection.rules import most_diverse
from unabases.selection.search import AbstractSearch, Rule


class LUNASearch(AbstractSearch):
    """Search γ, λ and the schedule (or what else is named), keep the likeliest tenth, take the most diverse of it.

    Optuna asks for trials that are likely and for trials that are diverse. Trials of a batch train together in one
    program; the noise is settled once, before the first trial.

    Parameters
    ----------
    estimator
        The `LUNA` whose other settings hold for every trial.
    space
        Parameters to search: `(low, high)` is a range, logarithmic when it is positive, a list is a choice, and
        distributions of Optuna's are taken as they are. None: gamma and lam in [0.01, 100], and the schedule.
    n_random, n_trials
        Trials at random, and then further ones by Optuna's tree-structured Parzen estimator.
    batch
        Trials asked for and trained at once.
    restarts
        Random starts of each fit; the one with the lowest loss counts. None leaves the estimator's.
    keep
        The share of trials, best in validation log-likelihood, among which the most diverse is taken; those pruned
        count. Or `"standard-error"`: all within one standard error of the best.
    rule
        A function of the table of trials that did not fail, which returns the label of the one to take, instead of
        `keep`. Trials that were pruned have no log-likelihood there (NaN).
    validation
        A number of folds: every row validates once, and each fold has its own random starts. Or the share of the rows
        that is held out once, or a pair (X, y).
    prune
        Whether each batch first trains for a quarter of the steps, after which only its better third goes on.
    refit
        Whether the chosen settings are fitted to all rows at the end, or only to those that trained the trials.
    storage, study_name
        Where Optuna keeps the trials, such as `"sqlite:///search.db"`, and under which name: a search that was stopped
        goes on from there, and several processes can share one.
    random_state, verbose
        Seed; whether to show a progress bar.

    Attributes
    ----------
    best_estimator_, best_params_, best_index_
        The chosen model, its searched parameters, its row in `results_`.
    results_
        A row for each trial: parameters; on the validation rows log-likelihood, its standard error, RMSE and epistemic
        std; diversity (mean squared cosine, 0 is most diverse), seconds, and how it ended.
    interrupted_
        Whether Ctrl-C ended the search early.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.linspace(-1, 1, 60)[:, None]
    >>> base = LUNA(max_steps=100, sigma2=0.01)
    >>> search = LUNASearch(base, n_random=4, n_trials=0, batch=4, restarts=1, random_state=0)
    >>> len(search.fit(X, X[:, 0] ** 2).results_)
    4
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
        keep=0.1,
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
        self.keep = keep
        self.rule = rule
        self.validation = validation
        self.prune = prune
        self.refit = refit
        self.storage = storage
        self.study_name = study_name
        self.random_state = random_state
        self.verbose = verbose

    def _default_estimator(self) -> AbstractRegressor:
        return LUNA()

    def _default_space(self) -> dict[str, Any]:
        return {"gamma": (1e-2, 1e2), "lam": (1e-2, 1e2), "schedule": ["none", "sqrt", "sigmoid", "tanh"]}

    def _objectives(self) -> dict[str, Any]:
        return {"log_likelihood": "maximize", "diversity": "minimize"}

    def _rule(self) -> Rule:
        return partial(most_diverse, keep=self.keep) if self.rule is None else self.rule

    def _describe(self, model: Any) -> dict[str, float]:
        return {"diversity": model.diversity_}
