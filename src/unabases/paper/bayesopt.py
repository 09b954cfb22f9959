"""Searches on problems with a known optimum: every surrogate, random search, and what else a user would pick."""

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
from unabases.bayesopt.defaults import SETTINGS
from unabases.bayesopt.problems import Task, tasks
from unabases.paper.spec import Trial
from unabases.paper.trials import Outcome
from unabases.regressors import AbstractRegressor, all_regressors
from unabases.regressors.base import check_count
from unabases.regressors.presets import PRESETS

__all__ = [
    "METHODS",
    "PEERS",
    "SURROGATES",
    "SearchRow",
    "make_surrogate",
    "run_search",
    "run_searches",
    "search_trial",
    "surrogate_spec",
]

_FEW = {"sigma2": 1e-4, "max_steps": 500}  # the noise as a share of the variance of what was told; steps of each fit
SURROGATES: dict[str, tuple[str, dict[str, Any]]] = {
    "LUNA": ("LUNA", SETTINGS),
    "GP": ("GaussianProcess", {"restarts": 1}),
    "NLM, MAP": ("NeuralLinear", _FEW),
    "MC dropout": ("MCDropout", {"sigma2": 1e-2, "max_steps": 2000}),  # with 500 it learns too little to leave a slope
    "Anchored ensemble": ("AnchoredEnsemble", {**_FEW, "n_members": 10}),
    "Bootstrap ensemble": ("BootstrapEnsemble", {**_FEW, "n_members": 10}),
    "Vanilla ensemble": ("VanillaEnsemble", {**_FEW, "n_members": 10}),
    "SNGP": ("SNGP", _FEW),
    "Mean-field VI": ("MeanFieldVI", {**_FEW, "sigma2": 1e-2}),
}
"""Class and settings of each surrogate; what they do not say is as in the paper, or else the class's default."""
PEERS = ("Random search", "Optuna TPE", "Optuna GP")
METHODS = (*SURROGATES, *PEERS)


class SearchRow(NamedTuple):
    """One search: the best value it found and how far that is above the optimum, after every evaluation too."""

    dataset: str
    method: str
    seed: int
    settings: dict[str, Any]
    scores: dict[str, float]  # regret, best, seconds_per_step (the median)
    curves: dict[str, list[float]]  # regret and seconds, an entry an evaluation
    seconds: float


def surrogate_spec(label: str) -> tuple[str, dict[str, Any]]:
    """The class of a surrogate and its settings for searches, by its label."""
    if label not in SURROGATES:
        raise ValueError(f"unknown surrogate {label!r}; known ones are {', '.join(SURROGATES)}.")
    name, own = SURROGATES[label]
    if label == "LUNA":
        return name, dict(own)  # the default of `BayesOpt`
    preset = PRESETS["bayesopt"][name]
    return name, {**preset.printed, **preset.instead, **own}


def make_surrogate(label: str, **more: Any) -> AbstractRegressor:
    """The surrogate of a label, with settings for searches."""
    name, settings = surrogate_spec(label)
    return all_regressors()[name](**{**settings, **more})


def run_search(task: Task, method: str, seed: int, evaluations: int | None = None, **more: Any) -> SearchRow:
    """One search with one seed.

    Parameters
    ----------
    task
        One of `unabases.bayesopt.problems.tasks`.
    method
        One of `METHODS`.
    seed
        Of the first points and everything random after them.
    evaluations
        How many; the task's own number if None.
    more
        Further parameters of the surrogate.
    """
    _check_method(method)
    begin = time.perf_counter()
    surrogate = make_surrogate(method, **more) if method in SURROGATES else None
    scores, curves = _search(task, method, seed, _evaluations(task, evaluations), surrogate)
    return SearchRow(task.name, method, seed, more, scores, curves, time.perf_counter() - begin)


def search_trial(trial: Trial, rows: None, given: Mapping[str, Any]) -> Outcome:
    """One search as a trial of an experiment: its surrogate is the regressor, its problem the data set."""
    settings = dict(trial.settings)
    task = _kept_task(trial.dataset)
    evaluations = _evaluations(task, settings.pop("evaluations"))
    surrogate = all_regressors()[trial.regressor](**settings) if trial.regressor else None
    said = {} if surrogate is None else {"regressor": trial.regressor, **surrogate.get_params(deep=False)}
    hidden = ("verbose", "random_state")  # the seed of each fit comes from the search's
    said = {name: value for name, value in said.items() if name not in hidden}
    said |= {"evaluations": evaluations, "n_initial": task.n_initial}
    return Outcome(*_search(task, trial.method, trial.seed, evaluations, surrogate), said)


def run_searches(
    problem: str | Task,
    methods: Sequence[str] = METHODS,
    seeds: Sequence[int] = range(10),
    evaluations: int | None = None,
    *,
    threads: int | None = None,
    directory: str | os.PathLike[str] | None = None,
    on_done: Callable[[SearchRow], None] | None = None,
) -> list[SearchRow]:
    """Every method with every seed on one problem.

    The searches of a method run side by side, one a core, in one process: what one of them compiles serves the others.

    Parameters
    ----------
    problem
        A task, or its name.
    methods, seeds, evaluations
        As in `run_search`.
    threads
        Searches at once; the number of cores by default.
    directory
        Where MNIST is, as for `load_mnist`.
    on_done
        Called with each row as it is done, in no particular order.
    """
    task = _task(problem, directory) if isinstance(problem, str) else problem
    for method in methods:
        _check_method(method)

    def run(job: tuple[str, int]) -> SearchRow:
        row = run_search(task, *job, evaluations)
        if on_done is not None:
            on_done(row)
        return row

    with ThreadPoolExecutor(threads or os.cpu_count()) as pool:
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


def _search(
    task: Task, method: str, seed: int, steps: int, surrogate: AbstractRegressor | None
) -> tuple[dict[str, float], dict[str, list[float]]]:
    """Scores and curves of one search."""
    best, regret, seconds = np.inf, [], []
    for point, tell, spent in _points(task, method, seed, steps, surrogate):
        value = task.function(point)
        since = time.perf_counter()
        tell(value)
        seconds.append(spent + time.perf_counter() - since)
        best = min(best, value)
        regret.append(float(task.regret(best)))
    per_step = float(np.median(seconds[task.n_initial :] or seconds))  # not the mean: now and then a step compiles
    scores = {"regret": regret[-1], "best": float(best), "seconds_per_step": per_step}
    return scores, {"regret": regret, "seconds": seconds}


_Asked = tuple[dict[str, Any], Callable[[float], Any], float]  # a point, where to tell its value, seconds it took


def _points(task: Task, method: str, seed: int, steps: int, surrogate: AbstractRegressor | None) -> Iterator[_Asked]:
    """The points that a method asks for."""
    if method == "Random search":
        points = task.space.decode(task.space.sample(steps, np.random.default_rng(seed)))
        yield from ((point, lambda value: None, 0.0) for point in points)
    elif surrogate is None:
        yield from _optuna_points(task, method, seed, steps)
    else:
        study = BayesOpt(task.space, surrogate=surrogate, n_initial=task.n_initial, random_state=seed)
        for _ in range(steps):
            since = time.perf_counter()
            point = study.ask()
            yield point, lambda value, x=point: study.tell(x, value), time.perf_counter() - since


def _optuna_points(task: Task, method: str, seed: int, steps: int) -> Iterator[_Asked]:
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    if method == "Optuna TPE":
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
        yield (
            task.space.from_trial(trial.params),
            lambda value, own=trial: study.tell(own, value),
            time.perf_counter() - since,
        )
