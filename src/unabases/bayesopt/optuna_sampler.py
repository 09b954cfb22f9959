"""The search of this package inside Optuna: `optuna.create_study(sampler=UnabasesSampler())`."""

import threading
from collections.abc import Sequence
from typing import Any

import numpy as np
from optuna.distributions import BaseDistribution
from optuna.samplers import BaseSampler, RandomSampler
from optuna.search_space import IntersectionSearchSpace
from optuna.study import Study, StudyDirection
from optuna.trial import FrozenTrial, TrialState

from unabases.bayesopt.proposer import PARAMETERS, Proposer
from unabases.bayesopt.turning import turned
from unabases.regressors.shared.base import check_count
from unabases.selection.documentation import documented
from unabases.selection.space import Space

__all__ = ["UnabasesSampler"]

_DONE = (TrialState.COMPLETE, TrialState.FAIL, TrialState.PRUNED)


@documented(surrogate=PARAMETERS)
class UnabasesSampler(BaseSampler):
    """An Optuna sampler that fits a surrogate to the trials so far and proposes the most promising point.

    Parameters that all trials share are chosen together. Other parameters, and all those of the first trials, are left
    to a second sampler. Trials still running elsewhere are taken into account. A trial that failed, was pruned or
    violates a constraint counts as one with the worst value, as failures do in `BayesOpt`, so that the search moves
    away from it. Single-objective studies only.

    Parameters
    ----------
    {surrogate}
    n_startup_trials : int
        Trials before the surrogate is used, failed and pruned ones included.
    independent_sampler : optuna.samplers.BaseSampler, optional
        The second sampler. By default it draws at random.
    seed : int, optional
        Seed. An integer makes a study that runs one trial at a time reproducible.

    See Also
    --------
    unabases.bayesopt.BayesOpt : The same search without Optuna.

    Examples
    --------
    >>> import optuna
    >>> from unabases import GaussianProcess
    >>> optuna.logging.set_verbosity(optuna.logging.WARNING)
    >>> study = optuna.create_study(sampler=UnabasesSampler(surrogate=GaussianProcess(), n_startup_trials=4, seed=0))
    >>> study.optimize(lambda trial: (trial.suggest_float("x", -5, 5) - 1) ** 2, n_trials=12)
    >>> round(study.best_params["x"], 1)
    1.0
    """

    def __init__(
        self,
        *,
        surrogate=None,
        acquisition="ei",
        kappa=2.0,
        warp=True,
        n_startup_trials=10,
        independent_sampler=None,
        seed=None,
    ):
        self.surrogate = surrogate
        self.acquisition = acquisition
        self.kappa = kappa
        self.warp = warp
        self.n_startup_trials = check_count("n_startup_trials", n_startup_trials, least=0)
        self.independent_sampler = independent_sampler or RandomSampler(seed=seed)
        self.seed = seed
        self._rng = np.random.default_rng(seed)
        self._space_of_all = IntersectionSearchSpace()
        self._maximizes = False
        self._proposer = self._new_proposer(Space(x=(0.0, 1.0)))  # refuses wrong parameters now, not in the first trial
        self._seen: tuple[Any, ...] = ()  # the trials that the surrogate was fitted to
        self._given: dict[int, dict[str, Any]] = {}  # parameters of trials, until they are done
        self._lock = threading.Lock()

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_lock"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _lock=threading.Lock())

    def reseed_rng(self) -> None:
        """Draw new random numbers, for a copy in another process."""
        self._rng = np.random.default_rng()
        self.independent_sampler.reseed_rng()

    def infer_relative_search_space(self, study: Study, trial: FrozenTrial) -> dict[str, BaseDistribution]:
        """The parameters that all complete trials share, without those that have only one value."""
        common = self._space_of_all.calculate(study)
        return {name: distribution for name, distribution in common.items() if not distribution.single()}

    def sample_relative(
        self, study: Study, trial: FrozenTrial, search_space: dict[str, BaseDistribution]
    ) -> dict[str, Any]:
        """Choose the values of all these parameters together."""
        _refuse_several_objectives(study)
        done = study.get_trials(deepcopy=False, states=_DONE)
        if not search_space or len(done) < self.n_startup_trials:
            return {}
        with self._lock:
            self._fit(Space(search_space), study, done)
            self._given[trial.number] = self._propose(study, trial)
            return self._given[trial.number]

    def sample_independent(
        self, study: Study, trial: FrozenTrial, param_name: str, param_distribution: BaseDistribution
    ) -> Any:
        """Choose the value of one parameter with the second sampler."""
        _refuse_several_objectives(study)
        return self.independent_sampler.sample_independent(study, trial, param_name, param_distribution)

    def before_trial(self, study: Study, trial: FrozenTrial) -> None:
        """Let the second sampler prepare for a trial."""
        self.independent_sampler.before_trial(study, trial)

    def after_trial(self, study: Study, trial: FrozenTrial, state: TrialState, values: Sequence[float] | None) -> None:
        """Let the second sampler learn how a trial ended."""
        self.independent_sampler.after_trial(study, trial, state, values)

    def _new_proposer(self, space: Space) -> Proposer:
        surrogate = turned(self.surrogate) if self._maximizes else self.surrogate
        return Proposer(space, surrogate, self.acquisition, self.kappa, self.warp)

    def _fit(self, space: Space, study: Study, done: list[FrozenTrial]) -> None:
        """Fit the surrogate to the trials that are done, unless it has seen them."""
        maximizes = study.direction == StudyDirection.MAXIMIZE
        if self._proposer.space != space or self._maximizes != maximizes:
            self._maximizes = maximizes
            self._proposer, self._seen = self._new_proposer(space), ()
        seen = tuple(trial.number for trial in done)
        if seen != self._seen:
            sign = -1.0 if maximizes else 1.0
            points, values = [], []
            for trial in done:
                point = _point(space, trial.params)
                if point is not None:  # a trial may have failed before all its parameters were chosen
                    points.append(point)
                    values.append(sign * _final_value(trial))
            self._proposer.fit(space.encode(points), np.array(values), [int(self._rng.integers(2**31))])
            self._seen = seen

    def _propose(self, study: Study, trial: FrozenTrial) -> dict[str, Any]:
        """What the surrogate proposes; nothing if no point is left, so that the second sampler decides."""
        space = self._proposer.space
        if self._proposer.belief is None:  # too few rows to learn from
            place = space.sample(1, self._rng)[0]
        else:
            place = self._proposer.propose(space.encode(self._running(study, trial)), self._rng)
        return {} if place is None else space.decode(place[None])[0]

    def _running(self, study: Study, trial: FrozenTrial) -> list[dict[str, Any]]:
        """Points of the other trials that run now, as far as their parameters are known."""
        running = [
            t for t in study.get_trials(deepcopy=False, states=(TrialState.RUNNING,)) if t.number != trial.number
        ]
        self._given = {t.number: self._given[t.number] for t in running if t.number in self._given}
        found = [_point(self._proposer.space, {**self._given.get(t.number, {}), **t.params}) for t in running]
        return [point for point in found if point is not None]


def _point(space: Space, known: dict[str, Any]) -> dict[str, Any] | None:
    """The point of a trial; None if some of it is not known, or of another range."""
    try:
        return space.check({name: known[name] for name in space})
    except (KeyError, ValueError):
        return None


def _final_value(trial: FrozenTrial) -> float:
    """The value of a trial; NaN if it failed, was pruned after an early value, or violates a constraint."""
    excesses = [*getattr(trial, "constraints", {}).values(), *(trial.system_attrs.get("constraints") or ())]
    allowed = all(excess <= 0 for excess in excesses)
    found = trial.value if allowed and trial.state == TrialState.COMPLETE else None
    return np.nan if found is None or not np.isfinite(found) else float(found)


def _refuse_several_objectives(study: Study) -> None:
    if len(study.directions) > 1:
        raise ValueError(
            "UnabasesSampler is for single-objective studies; for several objectives, use another sampler, such as "
            "NSGAIISampler."
        )
