"""What the searches share: ask for trials in batches, train each batch together, choose by a rule, refit."""

import abc
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import optuna
import pandas as pd
from optuna.trial import TrialState
from sklearn.base import BaseEstimator, MetaEstimatorMixin, RegressorMixin
from sklearn.utils import Tags, check_random_state
from sklearn.utils.validation import check_is_fitted

from unabases.predictive import AbstractPredictive
from unabases.regressors import AbstractRegressor
from unabases.regressors.shared.base import check_count
from unabases.regressors.shared.rows import as_pandas, as_targets, first_rows
from unabases.regressors.shared.weights import as_keyword, present_rows
from unabases.regressors.wrappers.wrapper import tags_like
from unabases.selection.progress import SearchProgress
from unabases.selection.rules import sound_trials
from unabases.selection.space import Space, as_space
from unabases.selection.validation import (
    PRUNED,
    Outcome,
    Part,
    better_third,
    short_likelihoods,
    split_rows,
    validate,
    with_parameters,
)
from unabases.selection.workers import check_client, hold, share_out

Rule = Callable[[pd.DataFrame], int]


class _Setting(NamedTuple):
    """What all batches of one search have in common."""

    study: optuna.Study
    space: Space
    base: Any  # the estimator with its noise settled
    parts: Any  # a list of `Part`, or what stands for it on a cluster
    random: np.random.RandomState


@dataclass(kw_only=True, eq=False, repr=False)
class AbstractSearch(RegressorMixin, MetaEstimatorMixin, BaseEstimator, abc.ABC):
    """A search over the parameters of a regressor, which afterwards predicts as the chosen model does.

    A subclass adds its own parameters and says what to search by default, which scores to ask Optuna for, and which
    trial to take.
    """

    estimator: Any = field(default=None, kw_only=False)
    space: Any = None
    n_random: Any = 10
    n_trials: Any = 50
    batch: Any = 10
    restarts: Any = 1
    validation: Any = 5
    prune: Any = False
    refit: Any = True
    storage: Any = None
    study_name: Any = None
    random_state: Any = None
    client: Any = None
    verbose: Any = False

    @abc.abstractmethod
    def _default_estimator(self) -> AbstractRegressor:
        """The model to search if the user gives none."""

    @abc.abstractmethod
    def _default_space(self) -> Space:
        """What to search if the user does not say."""

    @abc.abstractmethod
    def _objectives(self) -> dict[str, Any]:
        """The scores that Optuna optimises, the log-likelihood first, and the direction of each."""

    @abc.abstractmethod
    def _rule(self) -> Rule:
        """Which trial to take."""

    @staticmethod
    @abc.abstractmethod
    def _describe(model: Any) -> dict[str, float]:
        """Further columns of a trial in `results_`, which the rule may use."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "AbstractSearch":
        """Search, choose a trial, and fit the chosen settings to all rows.

        Ctrl-C ends the search early and takes the best trial so far.

        Parameters
        ----------
        X : array or DataFrame
            Inputs.
        y : array or Series
            Targets.
        sample_weight : array of shape (n,), optional
            How often each row counts, in fits and in their scores.

        Returns
        -------
        self
        """
        vars(self).pop("best_estimator_", None)
        random, estimator = check_random_state(self.random_state), self._searched()
        space = self._default_space() if self.space is None else as_space(self.space)
        self._check(estimator, space)
        X, y, weight = present_rows(as_pandas(X), as_targets(y), sample_weight)
        y = first_rows(self, X, y).y  # refuses what no regressor can learn from, before anything is trained
        X = X if isinstance(X, pd.DataFrame) else np.asarray(X)
        parts = split_rows(X, y, self.validation, random, weight)
        base = _settle_noise(estimator, space, parts[0], random)
        setting = _Setting(self._study(random), space, base, hold(self.client, parts), random)
        self._run(setting)
        self.results_ = self._table(setting)
        if "complete" not in set(self.results_["state"]):
            raise ValueError(_nothing_worked(self.results_))
        self.best_index_ = int(self._rule()(sound_trials(self.results_)))
        self.best_params_ = space.from_trial(setting.study.trials[self.best_index_].params)
        self.sigma2_ = base.sigma2
        final = with_parameters(base, **self.best_params_)
        if final.get_params(deep=False).get("random_state", 0) is None:  # or the last fit would differ each time
            final.set_params(random_state=int(random.randint(2**31 - 1)))
        if not self.refit:
            X, y, weight = parts[0].X, parts[0].y, parts[0].weight
        self.best_estimator_ = final.fit(X, y, **as_keyword(weight))
        return self

    def predict(self, X: Any, return_std: bool = False, return_cov: bool = False) -> Any:
        """Predict with the chosen model.

        Parameters
        ----------
        X : array or DataFrame
            Inputs.
        return_std, return_cov : bool
            If True, also return standard deviations, or the covariance between rows.

        Returns
        -------
        array, or a pair of arrays
            The mean, and what was asked for with it.
        """
        check_is_fitted(self, "best_estimator_")
        return self.best_estimator_.predict(X, return_std=return_std, return_cov=return_cov)

    def predict_dist(self, X: Any, covariance: bool = False) -> AbstractPredictive:
        """The predictive distribution of the chosen model: mean, epistemic and noise standard deviations, densities.

        Parameters
        ----------
        X : array or DataFrame
            Inputs.
        covariance : bool
            If True, include the covariance between rows.
        """
        check_is_fitted(self, "best_estimator_")
        return self.best_estimator_.predict_dist(X, covariance=covariance)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "best_estimator_")

    def __sklearn_clone__(self) -> "AbstractSearch":
        """A copy that works on the same cluster, since a client cannot be copied."""
        plain: Any = type(self)(**{**self.get_params(deep=False), "client": None})
        copy: Any = BaseEstimator.__sklearn_clone__(plain)
        return copy.set_params(client=self.client)

    def __getstate__(self) -> dict[str, Any]:
        """What is pickled: all but the client, which belongs to this process."""
        state: Any = super().__getstate__()
        return {**state, "client": None}

    def __sklearn_tags__(self) -> Tags:
        """What the regressor can take, the search can take."""
        return tags_like(super().__sklearn_tags__(), self._searched())

    # -------------------------------------------------------------------------------------------------- parts

    def _searched(self) -> Any:
        return self._default_estimator() if self.estimator is None else self.estimator

    def _check(self, estimator: Any, space: Space) -> None:
        """Refuse parameters that make no sense, before anything is trained."""
        check_client(self.client)
        if not isinstance(estimator, AbstractRegressor):
            raise TypeError(
                f"`estimator` must be a regressor of unabases, such as LUNA(); got {type(estimator).__name__}."
            )
        kind, known = type(estimator).__name__, set(estimator.get_params())
        if unknown := sorted(set(space) - known):
            raise ValueError(f"{kind} has no parameter {', '.join(unknown)}; it has {', '.join(sorted(known))}.")
        if self.prune and "max_steps" not in known:
            raise ValueError(f"`prune` trains for fewer steps, and {kind} has no `max_steps`; set `prune=False`.")
        if not self.refit and isinstance(self.validation, int | np.integer) and self.validation >= 2:
            raise ValueError("`refit=False` needs one set of training rows; give `validation` as a share, such as 0.2.")
        if self._total() == 0:
            raise ValueError("`n_random` and `n_trials` are both 0: there is nothing to try.")

    def _total(self) -> int:
        return check_count("n_random", self.n_random, least=0) + check_count("n_trials", self.n_trials, least=0)

    def _run(self, setting: _Setting) -> None:
        """Run batches of trials until there are enough, or Ctrl-C."""
        study, total, batch = setting.study, self._total(), check_count("batch", self.batch)
        distributions = setting.space.distributions
        self.interrupted_ = False
        with SearchProgress(type(self).__name__, total, enabled=bool(self.verbose)) as progress:
            done = len(_finished(study))
            progress.advance(min(done, total), _best_value(study))
            while done < total:
                count = min(batch, total - done)
                trials = [study.ask(distributions) for _ in range(count)]
                try:
                    self._run_batch(trials, setting)
                except KeyboardInterrupt:
                    self.interrupted_ = True
                    for trial in trials:  # or a stored study would wait for them
                        study.tell(trial, state=TrialState.FAIL, skip_if_finished=True)
                    break
                done = len(_finished(study))
                progress.advance(count, _best_value(study))

    def _run_batch(self, trials: list[optuna.Trial], setting: _Setting) -> None:
        """Fit the models of some trials together, and tell the study how well they predict the validation rows."""
        seeds = [int(setting.random.randint(2**31 - 1)) for _ in trials]
        models = [
            self._trial_model(setting.base, setting.space.from_trial(trial.params), seed)
            for trial, seed in zip(trials, seeds, strict=True)
        ]
        begin = time.perf_counter()
        kept = list(range(len(models)))
        if self.prune and len(models) > 1:
            kept = better_third(share_out(self.client, short_likelihoods, models, setting.parts))
        trained = share_out(self.client, validate, [models[i] for i in kept], setting.parts, self._describe)
        outcomes = dict(zip(kept, trained, strict=True))
        seconds = (time.perf_counter() - begin) / len(models)
        for i, (trial, seed) in enumerate(zip(trials, seeds, strict=True)):
            trial.set_user_attr("seed", seed)
            trial.set_user_attr("seconds", seconds)
            self._tell(setting.study, trial, outcomes.get(i, PRUNED))

    def _tell(self, study: optuna.Study, trial: optuna.Trial, outcome: Outcome) -> None:
        for name, value in outcome.scores.items():
            trial.set_user_attr(name, value)
        if outcome.error:
            trial.set_user_attr("error", outcome.error)
        complete = outcome.state == TrialState.COMPLETE
        values = [outcome.scores[name] for name in self._objectives()] if complete else None
        study.tell(trial, values, state=outcome.state)

    def _trial_model(self, base: Any, parameters: dict[str, Any], seed: int) -> Any:
        model = with_parameters(base, **parameters)
        changed: dict[str, Any] = {"random_state": seed, "verbose": False}
        if self.restarts is not None:
            changed["restarts"] = check_count("restarts", self.restarts)
        return model.set_params(**{name: value for name, value in changed.items() if name in model.get_params()})

    def _study(self, random: np.random.RandomState) -> optuna.Study:
        """A new study, or the stored one of the same name."""
        seed = int(random.randint(2**31 - 1))
        verbosity = optuna.logging.get_verbosity()
        optuna.logging.set_verbosity(optuna.logging.WARNING)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
                return optuna.create_study(
                    storage=self.storage,
                    sampler=optuna.samplers.TPESampler(
                        n_startup_trials=self.n_random, seed=seed, multivariate=True, constant_liar=True
                    ),
                    study_name=self.study_name,
                    directions=list(self._objectives().values()),
                    load_if_exists=self.study_name is not None,
                )
        finally:
            optuna.logging.set_verbosity(verbosity)

    def _table(self, setting: _Setting) -> pd.DataFrame:
        """Every finished trial: its parameters, its scores, and how it ended."""
        rows = {
            trial.number: {
                **setting.space.from_trial(trial.params),
                **trial.user_attrs,
                "state": trial.state.name.lower(),
            }
            for trial in _finished(setting.study)
        }
        table = pd.DataFrame.from_dict(rows, orient="index")
        table.index.name = "trial"
        for column in ("log_likelihood", "standard_error", "rmse", "epistemic", "seconds", "error"):
            if column not in table:
                table[column] = np.nan if column != "error" else ""
        return table


def _settle_noise(estimator: Any, space: Space, part: Part, random: np.random.RandomState) -> Any:
    """The estimator with its noise estimated once, so that trials differ only in what is searched."""
    base = with_parameters(estimator)
    noise = getattr(base, "sigma2", None)
    if isinstance(noise, str) and noise in ("residual", "left-out") and "sigma2" not in space:
        first = with_parameters(base, random_state=int(random.randint(2**31 - 1)))
        sigma2 = first._prepare(part.X, part.y, part.weight).sigma2 * first.y_scale_.spread**2
        base.set_params(sigma2=float(sigma2[0]) if first.vector_output_ else sigma2)
    return base


def _finished(study: optuna.Study) -> list[Any]:
    return [trial for trial in study.trials if trial.state.is_finished()]


def _best_value(study: optuna.Study) -> float | None:
    complete = [trial for trial in study.trials if trial.state == TrialState.COMPLETE]
    return max((trial.values[0] for trial in complete), default=None)


def _nothing_worked(results: pd.DataFrame) -> str:
    reasons = results["error"].dropna().unique()
    said = f" The first said: {reasons[0]}" if len(reasons) and reasons[0] else ""
    return f"none of {len(results)} trials gave a model.{said}"
