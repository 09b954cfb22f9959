"""What the searches share: trials asked for in batches, trained together, chosen by a rule, refitted on all data."""

import abc
import time
import warnings
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

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
from unabases.selection.rules import sound_trials
from unabases.selection.space import as_distributions, chosen

Rule = Callable[[pd.DataFrame], int]


class Part(NamedTuple):
    """Rows that train a trial, and rows that validate it."""

    X: Any
    y: Any
    X_val: Any
    y_val: Any


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
    def _objectives(self) -> dict[str, Any]:
        """The scores by which Optuna asks for trials, the log-likelihood first, and which way each is better."""

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
        if self.prune and "max_steps" not in estimator.get_params():
            raise ValueError(f"`prune` trains for fewer steps, and {type(estimator).__name__} has no `max_steps`.")
        parts = self._parts(X, y, random)
        base = self._base(estimator, *parts[0][:2], random)
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
                    self._run_batch(study, trials, base, space, parts, random)
                except KeyboardInterrupt:
                    self.interrupted_ = True
                    _abandon(study, trials)
                    break
                done = _finished(study)
                progress.advance(count, _best_value(study))
        self.results_ = self._table(study, space)
        if "complete" not in set(self.results_["state"]):
            raise ValueError(self._nothing_worked())
        self.best_index_ = int(self._rule()(sound_trials(self.results_)))
        self.best_params_ = chosen(space, study.trials[self.best_index_].params)
        self.sigma2_ = base.sigma2
        final = _copy(base, **self.best_params_)
        self.best_estimator_ = final.fit(X, y) if self.refit else final.fit(*parts[0][:2])
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

    def _parts(self, X: Any, y: Any, random: np.random.RandomState) -> list[Part]:
        """Rows to train on and to validate on: folds, one share drawn at random, or a set of the user's."""
        if isinstance(self.validation, tuple) and len(self.validation) == 2:
            return [Part(X, y, *self.validation)]
        n, asked = len(y), self.validation
        order = random.permutation(n)
        if isinstance(asked, float) and 0 < asked < 1:
            cut = min(max(1, round(asked * n)), n - 2)
            held_out = [order[:cut]] if cut >= 1 else []
        elif isinstance(asked, int | np.integer) and not isinstance(asked, bool) and asked >= 2:
            if not self.refit:
                raise ValueError("`refit=False` needs one part of the rows that trained; give `validation` as a share.")
            held_out = np.array_split(order, asked) if n >= max(asked, 3) else []
        else:
            raise ValueError(
                f"`validation` must be a share of the rows, a number of folds from 2, or a pair (X, y); got {asked!r}."
            )
        if not held_out:
            raise ValueError(f"{n} rows are too few to hold some out; give `validation=(X, y)` or more rows.")
        return [_part(X, y, np.sort(rows)) for rows in held_out]

    def _base(self, estimator: AbstractRegressor, X: Any, y: Any, random: np.random.RandomState) -> Any:
        """The estimator with its noise settled once, so that trials differ only in what is searched."""
        base = _copy(estimator)
        noise = getattr(base, "sigma2", None)
        if isinstance(noise, str) and noise == "residual" and "sigma2" not in (self.space or {}):
            first = _copy(base, random_state=int(random.randint(2**31 - 1)))
            sigma2 = first._prepare(X, y).sigma2 * first.y_scale_.spread**2
            base.set_params(sigma2=float(sigma2[0]) if first.vector_output_ else sigma2)
        return base

    def _run_batch(self, study, trials, base, space, parts, random) -> None:
        """Fit the models of some trials together and tell the study how likely they make the validation rows."""
        parameters = [chosen(space, trial.params) for trial in trials]
        seeds = [int(random.randint(2**31 - 1)) for _ in trials]
        models = [self._trial_model(base, own, seed) for own, seed in zip(parameters, seeds, strict=True)]
        begin = time.perf_counter()
        running = list(range(len(models)))
        if self.prune and len(models) > 1:
            running = self._survivors(models, parts[0])
        outcome = self._validate([models[i] for i in running], parts)
        seconds = (time.perf_counter() - begin) / len(models)
        told = dict(zip(running, outcome, strict=True))
        for i, (trial, seed) in enumerate(zip(trials, seeds, strict=True)):
            trial.set_user_attr("seed", seed)
            trial.set_user_attr("seconds", seconds)
            scores = told.get(i)
            if scores is None:
                study.tell(trial, state=TrialState.PRUNED)
            elif isinstance(scores, str):
                trial.set_user_attr("error", scores)
                study.tell(trial, state=TrialState.FAIL)
            else:
                for name, value in scores.items():
                    trial.set_user_attr(name, value)
                study.tell(trial, [scores[name] for name in self._objectives()])

    def _trial_model(self, base: Any, parameters: Mapping[str, Any], seed: int) -> Any:
        model = _copy(base, **parameters)
        known = model.get_params()
        model.set_params(**{k: v for k, v in {"random_state": seed, "verbose": False}.items() if k in known})
        if self.restarts is not None and "restarts" in known:
            model.set_params(restarts=check_count("restarts", self.restarts))
        return model

    def _validate(self, models: list[Any], parts: list[Part]) -> list[dict[str, float] | str]:
        """Scores of each model, over all parts; or what went wrong with it in one of them."""
        tables: list[list[dict[str, float]]] = [[] for _ in models]
        errors: dict[int, str] = {}
        for fold, part in enumerate(parts):
            left = [i for i in range(len(models)) if i not in errors]
            fitted = [_reseeded(models[i], fold) for i in left]
            for i, model, failure in zip(left, fitted, fit_together(fitted, part.X, part.y), strict=True):
                scores = {} if failure else self._scores(model, part)
                if failure or not np.isfinite(scores["log_likelihood"]):
                    errors[i] = str(failure or "the validation log-likelihood is not finite")
                else:
                    tables[i].append(scores)
        weights = np.array([len(part.y_val) for part in parts]) / sum(len(part.y_val) for part in parts)
        return [errors[i] if i in errors else _mean_scores(tables[i], weights) for i in range(len(models))]

    def _survivors(self, models: list[Any], part: Part) -> list[int]:
        """The better third of a batch after a quarter of the steps from one start."""
        short = [_copy(model, max_steps=max(1, model.max_steps // 4)) for model in models]
        for model in short:
            if "restarts" in model.get_params():
                model.set_params(restarts=1)
        failures = fit_together(short, part.X, part.y)
        values = [
            -np.inf if failure else log_likelihood(model.predict_dist(part.X_val), np.asarray(part.y_val))
            for model, failure in zip(short, failures, strict=True)
        ]
        keep = max(1, -(-len(models) // 3))
        return sorted(int(i) for i in np.argsort(values)[::-1][:keep])

    def _scores(self, model: AbstractRegressor, part: Part) -> dict[str, float]:
        d, y_val = model.predict_dist(part.X_val), np.asarray(part.y_val, dtype=np.float64)
        own = {
            "log_likelihood": log_likelihood(d, y_val),
            "standard_error": _standard_error(d.log_prob(y_val)),
            "rmse": rmse(d, y_val),
            "epistemic": epistemic(d),
        }
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
                    directions=list(self._objectives().values()),
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
        for column in ("log_likelihood", "standard_error", "rmse", "epistemic", "seconds", "error"):
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
    complete = [trial for trial in study.trials if trial.state == TrialState.COMPLETE]
    return max((trial.values[0] for trial in complete), default=None)


def _copy(model: Any, **parameters: Any) -> Any:
    """An unfitted model with some parameters changed."""
    copy: Any = clone(model)
    return copy.set_params(**parameters)


def _reseeded(model: Any, fold: int) -> Any:
    """An unfitted copy for a fold; each but the first has random starts of its own."""
    seed = getattr(model, "random_state", None)
    return _copy(model, random_state=(seed + fold) % 2**31) if fold and seed is not None else _copy(model)


def _mean_scores(scores: list[dict[str, float]], weights: np.ndarray) -> dict[str, float]:
    """Scores over all validation rows: a root mean square for the RMSE, means for the rest."""
    columns = {name: np.array([row[name] for row in scores]) for name in scores[0]}
    pooled = {name: weights @ values for name, values in columns.items()}
    pooled["rmse"] = np.sqrt(weights @ columns["rmse"] ** 2)
    pooled["standard_error"] = np.sqrt(weights**2 @ columns["standard_error"] ** 2)
    return {name: float(value) for name, value in pooled.items()}


def _standard_error(log_prob: np.ndarray) -> float:
    """Of the mean over rows."""
    rows = log_prob.reshape(len(log_prob), -1).mean(axis=1)
    return float(np.std(rows, ddof=1) / np.sqrt(len(rows))) if len(rows) > 1 else 0.0


def _part(X: Any, y: Any, held_out: np.ndarray) -> Part:
    rest = np.setdiff1d(np.arange(len(y)), held_out)
    return Part(_take(X, rest), _take(y, rest), _take(X, held_out), _take(y, held_out))


def _take(rows: Any, index: np.ndarray) -> Any:
    """Rows of an array or of a table."""
    return rows.iloc[index] if hasattr(rows, "iloc") else np.asarray(rows)[index]
