"""The search of a method's parameters, stored as a trial of its own, whose choice other trials use."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from unabases.paper.data import Rows
from unabases.paper.plan import Trial
from unabases.paper.store import Row
from unabases.paper.trials import Outcome, known_noise, plain
from unabases.regressors import all_regressors
from unabases.selection.likelihood_search import LikelihoodSearch
from unabases.selection.luna_search import LUNASearch

_WITHIN_ERROR: dict[str, Any] = {"keep": "standard-error"}
RULES: dict[str, Any] = {
    "likely": LikelihoodSearch,
    "diverse": LUNASearch,
    "diverse-within-error": partial(LUNASearch, **_WITHIN_ERROR),
}


def choose_parameters(trial: Trial, rows: Rows, given: Mapping[str, Row]) -> Outcome:
    """The chosen parameters, and every trial of the search as lists to draw."""
    spec = trial.settings
    sigma2 = known_noise(rows, given)
    estimator = all_regressors()[trial.regressor](
        **{**spec["parameters"], **({} if sigma2 is None else {"sigma2": sigma2})}
    )
    search = RULES[spec["rule"]](
        estimator,
        space=spec["space"],
        n_random=spec["n_random"],
        n_trials=spec["n_trials"],
        restarts=spec["restarts"],
        validation=spec["validation"],
        random_state=trial.seed,
    )
    search.fit(rows.X_search, rows.y_search)
    best = search.results_.loc[search.best_index_]
    scores = {name: float(best[name]) for name in ("log_likelihood", "rmse", "epistemic", "diversity") if name in best}
    shown = [*spec["space"], *scores, "state", "seconds"]
    curves = {name: plain(search.results_[name].tolist()) for name in shown} | {"chosen": int(search.best_index_)}
    return Outcome(scores, curves, {"chosen": plain(search.best_params_)})
