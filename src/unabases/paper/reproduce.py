"""From names to results: choose experiments and cells, plan them, run them, and tell what is done."""

import importlib.util
import os
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Executor
from typing import NamedTuple

from rich.console import Console

from unabases.paper.catalogue import EXPERIMENTS
from unabases.paper.data import lacking
from unabases.paper.progress import LiveProgress
from unabases.paper.results import ResultStore
from unabases.paper.runner import Finished, run
from unabases.paper.spec import PROFILES, Experiment, Method, Trial, TrialGroup, expand, find_experiments, key_of


class Cells(NamedTuple):
    """Which cells of experiments are wanted; None stands for all."""

    methods: Sequence[str] | None = None
    datasets: Sequence[str] | None = None
    seeds: Sequence[int] | None = None


ALL_CELLS = Cells()


class Status(NamedTuple):
    """How far an experiment is in a profile."""

    experiment: Experiment
    profile: str
    total: int
    done: int
    failed: int


def reproduce(
    names: Sequence[str],
    profile: str,
    store: ResultStore,
    *,
    cells: Cells = ALL_CELLS,
    jobs: int | None = None,
    executor: Executor | None = None,
    fresh: bool = False,
    retry_failed: bool = False,
    console: Console | None = None,
    experiments: Mapping[str, Experiment] = EXPERIMENTS,
) -> Finished:
    """Plan the experiments of these names and run the chosen cells that have no result yet.

    Parameters
    ----------
    names, profile
        Experiments of `experiments`, and one of `PROFILES`.
    store
        Where results are and go.
    cells
        Which methods, data sets and seeds. Restarts that train together are run whole.
    jobs, executor, retry_failed
        As in `unabases.paper.runner.run`.
    fresh
        Whether what was done before is done again, with its searches.
    console
        Where progress and messages go.
    """
    console = console or Console()
    chosen = find_experiments(names, experiments)
    check_cells(chosen, profile, cells)
    groups: list[TrialGroup] = []
    left_out: list[str] = []
    for experiment in chosen:
        planned = expand(experiment, profile)
        set_plans(store, experiment, profile, planned)
        wanted = select(planned, cells)
        files = {name: experiment.files.get(name, "") for name in _datasets(wanted)}
        absent = {name: why for name in files if (why := lacking(experiment.data, name, files[name]))}
        labels = {group[0].method for group in wanted}
        unable = {m.label: why for m in experiment.methods if m.label in labels and (why := _absent_packages(m))}
        for name, why in (absent | unable).items():
            console.print(f"{experiment.name}: {name} is left out. {why}", highlight=False)
        left_out += absent
        groups += [group for group in wanted if group[0].dataset not in absent and group[0].method not in unable]
    trials = with_needs(groups)
    if fresh:
        store.drop([key_of(trial) for trial in trials])
    todo = _without_result(trials, store, retry_failed)
    rows = [row for experiment in chosen for row in store.rows(experiment.name, profile)]
    shown = {experiment.name: experiment for experiment in chosen}
    jobs = jobs or os.cpu_count() or 1
    wanted_trials = [trial for group in groups for trial in group]
    with LiveProgress(shown, wanted_trials, todo, rows, jobs, console) as progress:
        finished = run(groups, store, jobs=jobs, executor=executor, retry_failed=retry_failed, watcher=progress)
    for table in progress.tables():
        console.print(table)
    return finished._replace(left_out=tuple(left_out))


def status(
    store: ResultStore | None, profile: str, experiments: Mapping[str, Experiment] = EXPERIMENTS
) -> list[Status]:
    """How far each experiment is, by its spec and code of now; nothing is planned or run."""
    found = []
    for experiment in experiments.values():
        keys = [key_of(trial) for group in expand(experiment, profile) for trial in group]
        missing, failed = (keys, []) if store is None else (store.missing(keys), store.failed(keys))
        found.append(Status(experiment, profile, len(keys), len(keys) - len(missing), len(failed)))
    return found


def check_cells(experiments: Iterable[Experiment], profile: str, cells: Cells) -> None:
    """Refuse names that none of the experiments has, listing those which are known."""
    if profile not in PROFILES:
        raise ValueError(f"unknown profile {profile!r}; known ones are {', '.join(PROFILES)}.")
    trials = [trial for experiment in experiments for group in expand(experiment, profile) for trial in group]
    for kind, wanted, known in (
        ("method", cells.methods, dict.fromkeys(trial.method for trial in trials)),
        ("data set", cells.datasets, dict.fromkeys(trial.dataset for trial in trials)),
        ("seed", cells.seeds, dict.fromkeys(sorted(trial.seed for trial in trials))),
    ):
        if unknown := [str(name) for name in wanted or () if name not in known]:
            raise ValueError(f"unknown {kind} {'; '.join(unknown)}; known here are {'; '.join(map(str, known))}.")


def select(groups: Iterable[TrialGroup], cells: Cells) -> list[TrialGroup]:
    """Batches in which some trial is wanted."""
    return [group for group in groups if any(_is_wanted(trial, cells) for trial in group)]


def set_plans(store: ResultStore, experiment: Experiment, profile: str, groups: Sequence[TrialGroup]) -> None:
    """Write the plan of an experiment, and under names of their own those of the searches and noise it needs."""
    own = [trial for group in groups for trial in group]
    store.set_plan(experiment.name, profile, [key_of(trial) for trial in own])
    for kind in ("search", "noise"):
        keys = [key_of(trial) for trial in with_needs(groups) if trial.experiment == kind]
        store.set_plan(f"{experiment.name}/{kind}", profile, keys)


def with_needs(groups: Iterable[TrialGroup]) -> list[Trial]:
    """All trials of some groups and whatever they need, each once."""
    found: dict[str, Trial] = {}

    def add(trial: Trial) -> None:
        for _, needed in trial.needs:
            add(needed)
        found.setdefault(key_of(trial), trial)

    for group in groups:
        for trial in group:
            add(trial)
    return list(found.values())


def _without_result(trials: Iterable[Trial], store: ResultStore, retry_failed: bool) -> list[Trial]:
    by_key = {key_of(trial): trial for trial in trials}
    return [by_key[key] for key in store.missing(by_key, or_failed=retry_failed)]


def _is_wanted(trial: Trial, cells: Cells) -> bool:
    pairs = ((trial.method, cells.methods), (trial.dataset, cells.datasets), (trial.seed, cells.seeds))
    return all(wanted is None or value in wanted for value, wanted in pairs)


def _absent_packages(method: Method) -> str:
    """Which packages a method needs that are not installed; empty when none is."""
    absent = [name for name in method.requires if importlib.util.find_spec(name) is None]
    return f"It needs {' and '.join(absent)}: pip install {' '.join(absent)}." if absent else ""


def _datasets(groups: Iterable[TrialGroup]) -> list[str]:
    return list(dict.fromkeys(group[0].dataset for group in groups))
