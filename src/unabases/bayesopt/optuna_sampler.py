"""The search of this package inside Optuna: `optuna.create_study(sampler=UnabasesSampler())`."""

import threading
from typing import Any

import numpy as np
from optuna.distributions import BaseDistribution, CategoricalDistribution, FloatDistribution, IntDistribution
from optuna.samplers import BaseSampler, RandomSampler
from optuna.search_space import IntersectionSearchSpace
from optuna.study import Study, StudyDirection
from optuna.trial import FrozenTrial, TrialState

from unabases.bayesopt.proposer import Proposer
from unabases.bayesopt.space import Categorical, Integer, Parameter, Real, Space
from unabases.regressors.base import check_count

__all__ = ["UnabasesSampler"]


class UnabasesSampler(BaseSampler):
    """A sampler for Optuna that fits a surrogate to the complete trials and takes the most promising point.

    Parameters that every trial has are chosen together. Others, and all of the first trials, are left to another
    sampler. Trials that still run elsewhere are taken into account; those that failed or were pruned are not. For one
    objective only.

    Parameters
    ----------
    surrogate, acquisition, kappa, warp
        As in `BayesOpt`.
    n_startup_trials
        Complete trials before the surrogate is used.
    independent_sampler
        What chooses parameters that the surrogate cannot; at random if None.
    seed
        Seed; an integer makes a study that runs one trial at a time reproducible.

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
        self._proposer: Proposer | None = None
        self._seen: tuple[Any, ...] = ()  # the trials that the surrogate was fitted to
        self._given: dict[int, dict[str, Any]] = {}  # parameters of trials, until they are done
        self._lock = threading.Lock()
        Proposer(Space(x=(0, 1)), surrogate, acquisition, kappa, warp)  # refuses what makes no sense

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_lock"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _lock=threading.Lock())

    def reseed_rng(self) -> None:
        """Other random numbers, for a copy in another process."""
        self._rng = np.random.default_rng()
        self.independent_sampler.reseed_rng()

    def infer_relative_search_space(self, study: Study, trial: FrozenTrial) -> dict[str, BaseDistribution]:
        """Parameters that all complete trials have, without those that have one value only."""
        common = self._space_of_all.calculate(study)
        return {name: distribution for name, distribution in common.items() if not distribution.single()}

    def sample_relative(
        self, study: Study, trial: FrozenTrial, search_space: dict[str, BaseDistribution]
    ) -> dict[str, Any]:
        """Values of all these parameters together."""
        _refuse_several_objectives(study)
        if not search_space:
            return {}
        complete = study.get_trials(deepcopy=False, states=(TrialState.COMPLETE,))
        if len(complete) < self.n_startup_trials:
            return {}
        with self._lock:
            space = Space({name: _parameter(distribution) for name, distribution in search_space.items()})
            found = self._propose(study, trial, complete, search_space, space)
            self._given[trial.number] = found
            return found

    def sample_independent(
        self, study: Study, trial: FrozenTrial, param_name: str, param_distribution: BaseDistribution
    ) -> Any:
        """The value of one parameter, by the other sampler."""
        _refuse_several_objectives(study)
        return self.independent_sampler.sample_independent(study, trial, param_name, param_distribution)

    def _propose(
        self,
        study: Study,
        trial: FrozenTrial,
        complete: list[FrozenTrial],
        search_space: dict[str, BaseDistribution],
        space: Space,
    ) -> dict[str, Any]:
        """What the surrogate finds; nothing where it has no row left to offer, which is left to the other sampler."""
        if self._proposer is None or self._proposer.space != space:
            self._proposer, self._seen = Proposer(space, self.surrogate, self.acquisition, self.kappa, self.warp), ()
        seen = tuple(trial.number for trial in complete)
        if seen != self._seen:
            sign = -1.0 if study.direction == StudyDirection.MAXIMIZE else 1.0
            t = np.array([sign * float(done.value) for done in complete])  # pyright: ignore[reportArgumentType]
            U = space.encode([_point(search_space, done.params) for done in complete])
            self._proposer.fit(U, np.where(np.isfinite(t), t, np.nan), [int(self._rng.integers(2**31))])
            self._seen = seen
        if self._proposer.belief is None:  # too few rows to learn from
            place = space.sample(1, self._rng)[0]
        else:
            place = self._proposer.propose(self._running(study, trial, search_space, space), self._rng)
        if place is None:
            return {}
        point = space.decode(place[None])[0]
        return {name: _value(distribution, point[name]) for name, distribution in search_space.items()}

    def _running(
        self, study: Study, trial: FrozenTrial, search_space: dict[str, BaseDistribution], space: Space
    ) -> np.ndarray:
        """Rows of the other trials that run now, as far as their parameters are known."""
        running = [
            t for t in study.get_trials(deepcopy=False, states=(TrialState.RUNNING,)) if t.number != trial.number
        ]
        self._given = {t.number: self._given[t.number] for t in running if t.number in self._given}
        known = [{**self._given.get(t.number, {}), **t.params} for t in running]
        points = [
            _point(search_space, params)
            for params in known
            if all(name in params and d._contains(d.to_internal_repr(params[name])) for name, d in search_space.items())
        ]
        return space.encode(points) if points else np.empty((0, space.width))


def _refuse_several_objectives(study: Study) -> None:
    if len(study.directions) > 1:
        raise ValueError("UnabasesSampler has one objective; for several, use another sampler such as NSGAIISampler.")


def _parameter(distribution: BaseDistribution) -> Parameter:
    """What a distribution of Optuna's is in a space: steps are counted, choices numbered."""
    if isinstance(distribution, CategoricalDistribution):
        return Categorical(list(range(len(distribution.choices))))
    if isinstance(distribution, IntDistribution) and distribution.step == 1:
        return Integer(distribution.low, distribution.high, distribution.log)
    if isinstance(distribution, FloatDistribution) and distribution.step is None:
        return Real(distribution.low, distribution.high, distribution.log)
    if isinstance(distribution, IntDistribution | FloatDistribution):
        return Integer(0, round((distribution.high - distribution.low) / (distribution.step or 1)))
    raise TypeError(f"unknown kind of parameter: {distribution!r}.")


def _point(search_space: dict[str, BaseDistribution], params: dict[str, Any]) -> dict[str, Any]:
    """Values of a trial in the terms of the space."""
    point = {}
    for name, distribution in search_space.items():
        value: Any = params[name]
        if isinstance(distribution, CategoricalDistribution):
            value = int(distribution.to_internal_repr(value))
        elif _stepped(distribution):
            value = round((value - distribution.low) / distribution.step)  # pyright: ignore
        point[name] = value
    return point


def _value(distribution: BaseDistribution, value: Any) -> Any:
    """A value of the space in Optuna's terms."""
    if isinstance(distribution, CategoricalDistribution):
        return distribution.choices[value]
    if isinstance(distribution, IntDistribution | FloatDistribution) and _stepped(distribution):
        value = min(distribution.low + value * (distribution.step or 1), distribution.high)
    return int(value) if isinstance(distribution, IntDistribution) else float(value)


def _stepped(distribution: BaseDistribution) -> bool:
    step = getattr(distribution, "step", None)
    return step is not None and not (isinstance(distribution, IntDistribution) and step == 1)
