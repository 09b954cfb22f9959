"""Searches on problems with a known optimum: every surrogate, random search, and Optuna's samplers."""

import functools
import importlib
import os
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
import optuna

from unabases.bayesopt import BayesOpt
from unabases.bayesopt.problems import Task
from unabases.paper import methods as m
from unabases.paper.plan import Trial
from unabases.paper.presets import preset_settings
from unabases.paper.store import Row
from unabases.paper.tasks import tasks
from unabases.paper.trials import Outcome, parameters_of, plain
from unabases.regressors import AbstractRegressor, all_regressors
from unabases.regressors.shared.base import check_count
from unabases.training.cores import usable_cores

SURROGATES = (m.LUNA, m.GP, m.NLM_MAP, m.DROPOUT, m.ANCHORED, m.BOOTSTRAP, m.VANILLA, m.SNGP, m.MEAN_FIELD)
PEERS = (m.RANDOM_SEARCH, m.OPTUNA_TPE, m.OPTUNA_GP)
METHODS = (*SURROGATES, *PEERS)


def run_search(task: Task, method: str, seed: int, evaluations: int | None = None, **more: Any) -> Row:
    """Run one search with one seed.

    Parameters
    ----------
    task
        One of `unabases.paper.tasks.tasks`.
    method
        A label of `METHODS`: a surrogate, random search, or a sampler of Optuna.
    seed
        Seed of the first points and of everything random after them.
    evaluations
        How many; the task's own number if None.
    more
        Further parameters of the surrogate.

    Returns
    -------
    Row
        Scores `regret`, `best` and `seconds_per_step` (the median), and the curves `regret` and `seconds` with an entry
        for each evaluation.
    """
    _check_method(method)
    begin = time.perf_counter()
    surrogate = None
    if method in SURROGATES:
        settings = {**preset_settings("bayesopt", method), **more}
        surrogate = all_regressors()[m.find_method(method).regressor](**settings)
    found = _search(task, method, seed, _evaluations(task, evaluations), surrogate)
    cell = ("bayesopt", task.name, 0, method, seed)
    return Row(*cell, plain(more), "", "", found.scores, found.curves, time.perf_counter() - begin, {})


def search_trial(trial: Trial, rows: None, given: Mapping[str, Any]) -> Outcome:
    """One search as a trial of an experiment: its surrogate is the regressor, its problem the data set."""
    settings = dict(trial.settings)
    task = _kept_task(trial.dataset)
    evaluations = _evaluations(task, settings.pop("evaluations"))
    surrogate = all_regressors()[trial.regressor](**settings) if trial.regressor else None
    said = {} if surrogate is None else parameters_of(surrogate)  # the seed of each fit comes from the search's
    found = _search(task, trial.method, trial.seed, evaluations, surrogate)
    return found._replace(settings={**said, "evaluations": evaluations, "n_initial": task.n_initial})


def run_searches(
    problem: str | Task,
    methods: Sequence[str] = METHODS,
    seeds: Sequence[int] = range(10),
    evaluations: int | None = None,
    *,
    threads: int | None = None,
    directory: str | os.PathLike[str] | None = None,
    on_done: Callable[[Row], None] | None = None,
) -> list[Row]:
    """Run every method with every seed on one problem.

    The searches of a method run side by side, one per core, in one process: what one of them compiles serves the
    others.

    Parameters
    ----------
    problem
        A task, or its name.
    methods, seeds, evaluations
        Labels of `METHODS`, seeds, and how many evaluations each search has (the task's own number if None).
    threads
        Searches at once; the number of cores by default.
    directory
        Where MNIST is, as for `load_mnist`.
    on_done
        Called with each row when it is done, in no particular order.

    Returns
    -------
    list of Row
        As from `run_search`, by method and then by seed.
    """
    task = _task(problem, directory) if isinstance(problem, str) else problem
    for method in methods:
        _check_method(method)

    def run(job: tuple[str, int]) -> Row:
        row = run_search(task, *job, evaluations)
        if on_done is not None:
            on_done(row)
        return row

    with ThreadPoolExecutor(threads or usable_cores()) as pool:
        return list(pool.map(run, [(method, seed) for method in methods for seed in seeds]))


def _check_method(method: str) -> None:
    if method not in METHODS:
        raise ValueError(f"unknown method {method!r}; known ones are {', '.join(METHODS)}.")


def _evaluations(task: Task, given: int | None) -> int:
    return task.steps if given is None else check_count("evaluations", given)


def _task(problem: str, directory: str | os.PathLike[str] | None = None) -> Task:
    known = tasks(directory)
    if problem not in known:
        raise ValueError(f"unknown problem {problem!r}; known ones are {', '.join(known)}.")
    return known[problem]()


@functools.lru_cache(maxsize=1)
def _kept_task(problem: str) -> Task:
    """The last problem, since those of MNIST take a while to make; its function gives a point the same value again."""
    return _task(problem)


class _Asked(NamedTuple):
    """A point to evaluate, where to tell its value, and how long it took to ask for it."""

    point: dict[str, Any]
    tell: Callable[[float], Any]
    seconds: float


def _search(task: Task, method: str, seed: int, steps: int, surrogate: AbstractRegressor | None) -> Outcome:
    """Scores and curves of one search."""
    best, regret, seconds = np.inf, [], []
    for asked in _points(task, method, seed, steps, surrogate):
        value = task.function(asked.point)
        since = time.perf_counter()
        asked.tell(value)
        seconds.append(asked.seconds + time.perf_counter() - since)
        best = min(best, value)
        regret.append(float(task.regret(best)))
    per_step = float(np.median(seconds[task.n_initial :] or seconds))  # not the mean: now and then a step compiles
    scores = {"regret": regret[-1], "best": float(best), "seconds_per_step": per_step}
    return Outcome(scores, {"regret": regret, "seconds": seconds})


def _points(task: Task, method: str, seed: int, steps: int, surrogate: AbstractRegressor | None) -> Iterator[_Asked]:
    """The points that a method asks for."""
    if method == m.RANDOM_SEARCH:
        points = task.space.decode(task.space.sample(steps, np.random.default_rng(seed)))
        yield from (_Asked(point, lambda value: None, 0.0) for point in points)
    elif surrogate is None:
        yield from _optuna_points(task, method, seed, steps)
    else:
        study = BayesOpt(task.space, surrogate=surrogate, n_initial=task.n_initial, random_state=seed)
        for _ in range(steps):
            since = time.perf_counter()
            point = study.ask()
            yield _Asked(point, functools.partial(study.tell, point), time.perf_counter() - since)


def _optuna_points(task: Task, method: str, seed: int, steps: int) -> Iterator[_Asked]:
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    if method == m.OPTUNA_TPE:
        sampler = optuna.samplers.TPESampler(seed=seed, n_startup_trials=task.n_initial)
    else:
        try:
            importlib.import_module("torch")  # Optuna imports it late, and its error comes after the first trials
        except ImportError as error:
            raise ImportError("Optuna's GP sampler needs PyTorch: pip install torch.") from error
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
            sampler = optuna.samplers.GPSampler(seed=seed, n_startup_trials=task.n_initial)
    study = optuna.create_study(sampler=sampler)
    distributions = task.space.distributions
    for _ in range(steps):
        since = time.perf_counter()
        trial = study.ask(distributions)
        point = task.space.from_trial(trial.params)
        yield _Asked(point, functools.partial(study.tell, trial), time.perf_counter() - since)
