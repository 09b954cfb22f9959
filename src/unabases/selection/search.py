"""What the searches share: trials asked for in batches, trained together, chosen by a rule, refitted on all data."""

import abc
import time
import warnings
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import optuna
import pandas as pd
from optuna.trial import TrialState
from sklearn.base import BaseEstimator, MetaEstimatorMixin, RegressorMixin, clone
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from unabases.metrics import epistemic, log_likelihood, rmse
from unabases.predictive import AbstractPredictive
from unabases.regressors import AbstractRegressor
from unabases.regressors.base import check_count
from unabases.regressors.together import fit_together
from unabases.selection.progress import SearchProgress
from unabases.selection.space import as_distributions, chosen

Rule = Callable[[pd.DataFrame], int]


class AbstractSearch(RegressorMixin, MetaEstimatorMixin, BaseEstimator, abc.ABC):
    """Ask Optuna for a batch of trials, fit them together, tell it their validation log-likelihood, and go on.

    A subclass lists its parameters and supplies `_default_space`, `_rule` and `_describe`.
    """

    # Parameters that every subclass has, stored by its __init__.
    estimator: Any
    space: Any
    n_random: Any
    n_trials: Any
    batch: Any
    restarts: Any
    validation: Any
    prune: Any
    refit: Any
    storage: Any
    study_name: Any
    random_state: Any
    verbose: Any

    best_estimator_: AbstractRegressor
    results_: pd.DataFrame

    @abc.abstractmethod
    def _default_estimator(self) -> AbstractRegressor:
        """What is searched over when the user gives none."""

    @abc.abstractmethod
    def _default_space(self) -> dict[str, Any]:
        """What is searched when the user names nothing."""

    @abc.abstractmethod
    def _rule(self) -> Rule:
        """Which trial to take."""

    @abc.abstractmethod
    def _describe(self, model: AbstractRegressor) -> dict[str, float]:
        """Further columns of a trial in `results_`, which the rule may use."""

    def fit(self, X: Any, y: Any) -> "AbstractSearch":
        """Search on a part of the rows, validate on the rest, and refit the chosen settings on all of them.

        Ctrl-C ends the search early with the best trial so far.
        """
        random = check_random_state(self.random_state)
        estimator = self._default_estimator() if self.estimator is None else self.estimator
        space = self._default_space() if self.space is None else dict(self.space)
        check_space(estimator, space)
        if self.prune and "steps" not in estimator.get_params():
            raise ValueError(f"`prune` trains for fewer steps, and {type(estimator).__name__} has no `steps`.")
        X_train, y_train, X_val, y_val = self._split(X, y, random)
        base = self._base(estimator, X_train, y_train, random)
        study = self._study(random)
        total = check_count("n_random", self.n_random, least=0) + check_count("n_trials", self.n_trials, least=0)
        if total == 0:
            raise ValueError("`n_random` and `n_trials` are both 0: there is nothing to try.")
        distributions = as_distributions(space)
        self.interrupted_ = False
        with SearchProgress(type(self).__name__, total, enabled=bool(self.verbose)) as progress:
            done = _finished(study)
            progress.advance(min(len(done), total), _best_value(study))
            while len(done) < total:
                count = min(check_count("batch", self.batch), total - len(done))
                trials = [study.ask(distributions) for _ in range(count)]
                try:
                    self._run_batch(study, trials, base, space, X_train, y_train, X_val, y_val, random)
                except KeyboardInterrupt:
                    self.interrupted_ = True
                    _abandon(study, trials)
                    break
                done = _finished(study)
                progress.advance(count, _best_value(study))
        self.results_ = self._table(study, space)
        good: Any = self.results_.loc[self.results_["state"] == "complete"]
        if good.empty:
            raise ValueError(self._nothing_worked())
        self.best_index_ = int(self._rule()(good))
        self.best_params_ = chosen(space, study.trials[self.best_index_].params)
        self.sigma2_ = base.sigma2
        final = _copy(base, **self.best_params_)
        self.best_estimator_ = final.fit(X, y) if self.refit else final.fit(X_train, y_train)
        return self

    def predict(self, X: Any, return_std: bool = False, return_cov: bool = False) -> Any:
        """As the chosen model."""
        check_is_fitted(self, "best_estimator_")
        return self.best_estimator_.predict(X, return_std=return_std, return_cov=return_cov)

    def predict_dist(self, X: Any, covariance: bool = False) -> AbstractPredictive:
        """As the chosen model."""
        check_is_fitted(self, "best_estimator_")
        return self.best_estimator_.predict_dist(X, covariance=covariance)

    @property
    def n_features_in_(self) -> int:
        """Inputs of the chosen model."""
        return self.best_estimator_.n_features_in_

    # -------------------------------------------------------------------------------------------------- parts

    def _split(self, X: Any, y: Any, random: np.random.RandomState) -> tuple[Any, Any, Any, Any]:
        """Rows to train on and to validate on: a share drawn at random, or a set of the user's."""
        if isinstance(self.validation, tuple) and len(self.validation) == 2:
            return X, y, *self.validation
        share = self.validation
        if not isinstance(share, float) or not 0 < share < 1:
            raise ValueError(f"`validation` must be a share of the rows or a pair (X, y); got {self.validation!r}.")
        n = len(y)
        order = random.permutation(n)
        cut = min(max(1, round(share * n)), n - 2)
        if cut < 1:
            raise ValueError(f"{n} rows are too few to hold some out; give `validation=(X, y)` or more rows.")
        held_out, rest = np.sort(order[:cut]), np.sort(order[cut:])
        return _take(X, rest), _take(y, rest), _take(X, held_out), _take(y, held_out)

    def _base(self, estimator: AbstractRegressor, X: Any, y: Any, random: np.random.RandomState) -> Any:
        """The estimator with its noise settled once, so that trials differ only in what is searched."""
        base = _copy(estimator)
        noise = getattr(base, "sigma2", None)
        if isinstance(noise, str) and noise == "residual" and "sigma2" not in (self.space or {}):
            first = _copy(base, random_state=int(random.randint(2**31 - 1)))
            sigma2 = first._prepare(X, y).sigma2 * first.y_scale_.spread**2
            base.set_params(sigma2=float(sigma2[0]) if first.vector_output_ else sigma2)
        return base

    def _run_batch(self, study, trials, base, space, X, y, X_val, y_val, random) -> None:
        """Fit the models of some trials together and tell the study how likely they make the validation rows."""
        parameters = [chosen(space, trial.params) for trial in trials]
        seeds = [int(random.randint(2**31 - 1)) for _ in trials]
        models = [_copy(base, **own) for own in parameters]
        for model, seed in zip(models, seeds, strict=True):
            known = model.get_params()
            model.set_params(**{k: v for k, v in {"random_state": seed, "verbose": False}.items() if k in known})
            if self.restarts is not None and "restarts" in known:
                model.set_params(restarts=check_count("restarts", self.restarts))
        begin = time.perf_counter()
        running = list(range(len(models)))
        if self.prune and len(models) > 1:
            running = self._survivors(models, X, y, X_val, y_val)
        failures = dict(zip(running, fit_together([models[i] for i in running], X, y), strict=True))
        seconds = (time.perf_counter() - begin) / len(models)
        for i, (trial, model, seed) in enumerate(zip(trials, models, seeds, strict=True)):
            trial.set_user_attr("seed", seed)
            trial.set_user_attr("seconds", seconds)
            if i not in failures:
                study.tell(trial, state=TrialState.PRUNED)
                continue
            scores = {} if failures[i] else self._scores(model, X_val, y_val)
            if failures[i] or not np.isfinite(scores["log_likelihood"]):
                trial.set_user_attr("error", str(failures[i] or "the validation log-likelihood is not finite"))
                study.tell(trial, state=TrialState.FAIL)
                continue
            for name, value in scores.items():
                trial.set_user_attr(name, value)
            study.tell(trial, scores["log_likelihood"])

    def _survivors(self, models: list[Any], X: Any, y: Any, X_val: Any, y_val: Any) -> list[int]:
        """The better third of a batch after a quarter of the steps from one start."""
        short = [_copy(model, steps=max(1, model.steps // 4)) for model in models]
        for model in short:
            if "restarts" in model.get_params():
                model.set_params(restarts=1)
        failures = fit_together(short, X, y)
        values = [
            -np.inf if failure else log_likelihood(model.predict_dist(X_val), np.asarray(y_val))
            for model, failure in zip(short, failures, strict=True)
        ]
        keep = max(1, -(-len(models) // 3))
        return sorted(int(i) for i in np.argsort(values)[::-1][:keep])

    def _scores(self, model: AbstractRegressor, X_val: Any, y_val: Any) -> dict[str, float]:
        d, y_val = model.predict_dist(X_val), np.asarray(y_val, dtype=np.float64)
        own = {"log_likelihood": log_likelihood(d, y_val), "rmse": rmse(d, y_val), "epistemic": epistemic(d)}
        return {name: float(value) for name, value in {**own, **self._describe(model)}.items()}

    def _study(self, random: np.random.RandomState) -> optuna.Study:
        """A study that goes on where a stored one of the same name stopped."""
        sampler = optuna.samplers.TPESampler(
            n_startup_trials=self.n_random, seed=int(random.randint(2**31 - 1)), multivariate=True, constant_liar=True
        )
        verbosity = optuna.logging.get_verbosity()
        optuna.logging.set_verbosity(optuna.logging.WARNING)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
                return optuna.create_study(
                    storage=self.storage,
                    sampler=sampler,
                    study_name=self.study_name,
                    direction="maximize",
                    load_if_exists=self.study_name is not None,
                )
        finally:
            optuna.logging.set_verbosity(verbosity)

    def _table(self, study: optuna.Study, space: Mapping[str, Any]) -> pd.DataFrame:
        """Every trial: its parameters, its scores, and how it ended."""
        rows = {
            trial.number: {**chosen(space, trial.params), **trial.user_attrs, "state": trial.state.name.lower()}
            for trial in study.trials
            if trial.state.is_finished()
        }
        table = pd.DataFrame.from_dict(rows, orient="index")
        table.index.name = "trial"
        for column in ("log_likelihood", "rmse", "epistemic", "seconds", "error"):
            if column not in table:
                table[column] = np.nan if column != "error" else ""
        return table

    def _nothing_worked(self) -> str:
        reasons = self.results_["error"].dropna().unique()
        said = f" The first said: {reasons[0]}" if len(reasons) and reasons[0] else ""
        return f"none of {len(self.results_)} trials gave a model.{said}"


def check_space(estimator: Any, space: Mapping[str, Any]) -> None:
    """Refuse an estimator of another kind, and parameters that it does not have."""
    if not isinstance(estimator, AbstractRegressor):
        raise TypeError(f"`estimator` must be a regressor of unabases, such as LUNA(); got {type(estimator).__name__}.")
    if not space:
        raise ValueError("the search space is empty; name at least one parameter.")
    known = set(estimator.get_params())
    if unknown := sorted(set(space) - known):
        raise ValueError(
            f"{type(estimator).__name__} has no parameter {', '.join(unknown)}; it has {', '.join(sorted(known))}."
        )


def _finished(study: optuna.Study) -> list[Any]:
    return [trial for trial in study.trials if trial.state.is_finished()]


def _abandon(study: optuna.Study, trials: list[Any]) -> None:
    """Mark what was under way as failed, so that a stored study does not wait for it."""
    for trial in trials:
        study.tell(trial, state=TrialState.FAIL, skip_if_finished=True)


def _best_value(study: optuna.Study) -> float | None:
    values = [trial.value for trial in study.trials if trial.state == TrialState.COMPLETE and trial.value is not None]
    return max(values, default=None)


def _copy(model: Any, **parameters: Any) -> Any:
    """An unfitted model with some parameters changed."""
    copy: Any = clone(model)
    return copy.set_params(**parameters)


def _take(rows: Any, index: np.ndarray) -> Any:
    """Rows of an array or of a table."""
    return rows.iloc[index] if hasattr(rows, "iloc") else np.asarray(rows)[index]
