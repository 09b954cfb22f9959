"""From names to results: choose experiments and cells, plan them, run them, and tell what is done."""

import importlib.util
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Executor
from typing import NamedTuple

from rich.console import Console

from unabases.paper.catalogue import EVERY_EXPERIMENT
from unabases.paper.data import impossible, lacking
from unabases.paper.halves import LOCKED
from unabases.paper.plan import Trial, TrialGroup, expand, key_of, with_needs
from unabases.paper.progress import LiveProgress
from unabases.paper.runner import Finished, run
from unabases.paper.spec import PROFILES, Experiment, find_experiments
from unabases.paper.store import ResultStore
from unabases.training.cores import usable_cores


class Cells(NamedTuple):
    """Which cells of the experiments to run; None stands for all."""

    methods: Sequence[str] | None = None
    datasets: Sequence[str] | None = None
    seeds: Sequence[int] | None = None

    def include(self, group: TrialGroup) -> bool:
        """Whether some trial of a group is wanted."""
        return any(
            all(wanted is None or value in wanted for value, wanted in zip(cell, self, strict=True))
            for cell in ((trial.method, trial.dataset, trial.seed) for trial in group)
        )


ALL_CELLS = Cells()


class Status(NamedTuple):
    """How much of an experiment is done in a profile."""

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
    experiments: Mapping[str, Experiment] = EVERY_EXPERIMENT,
) -> Finished:
    """Plan the named experiments and run the chosen cells that have no result yet.

    Parameters
    ----------
    names, profile
        Names in `experiments`, and one of `PROFILES`.
    store
        Where results are and go.
    cells
        Which methods, data sets and seeds. Restarts that train together run together, whichever of them was asked for.
    jobs, executor, retry_failed
        As for `unabases.paper.runner.run`.
    fresh
        If True, run again what was done before, searches included. A locked experiment refuses it, since every run of
        it stays on record.
    console
        Where progress and messages go.
    experiments
        The experiments to choose from, by name; those of the paper by default.
    """
    console, jobs = console or Console(), jobs or usable_cores()
    chosen = find_experiments(names, experiments)
    check_cells(chosen, profile, cells)
    if fresh and (locked := [experiment.name for experiment in chosen if experiment.half == LOCKED]):
        raise ValueError(
            f"every run of {', '.join(locked)} stays on record, so it cannot be run afresh; leave out `fresh`."
        )
    groups: list[TrialGroup] = []
    left_out: list[str] = []
    for experiment in chosen:
        planned = possible(experiment, profile)
        set_plans(store, experiment, profile, planned)
        wanted = [group for group in planned if cells.include(group)]
        absent, unable = _absent_data(experiment, wanted), _unable_methods(experiment, wanted)
        for name, why in (absent | unable).items():
            console.print(f"{experiment.name}: {name} is left out. {why}", highlight=False)
        left_out += absent
        groups += [group for group in wanted if group[0].dataset not in absent and group[0].method not in unable]
    if fresh:
        store.drop([key_of(trial) for trial in _trials(with_needs(groups).values())])
    with LiveProgress(chosen, profile, groups, store, console, jobs=jobs, retry_failed=retry_failed) as progress:
        finished = run(groups, store, jobs=jobs, executor=executor, retry_failed=retry_failed, watcher=progress)
    for table in progress.tables():
        console.print(table)
    return finished._replace(left_out=tuple(left_out))


def possible(experiment: Experiment, profile: str) -> list[TrialGroup]:
    """The trials of an experiment in a profile, without those on data sets that cannot be made at all."""
    groups = expand(experiment, profile)
    names = dict.fromkeys(group[0].dataset for group in groups)
    never = {name for name in names if impossible(experiment.data, name)}
    return [group for group in groups if group[0].dataset not in never]


def status(
    store: ResultStore | None, profile: str, experiments: Mapping[str, Experiment] = EVERY_EXPERIMENT
) -> list[Status]:
    """How much of each experiment is done, by the spec and code of now; nothing is planned or run."""
    found = []
    for experiment in experiments.values():
        trials = list(_trials(possible(experiment, profile)))
        done = failed = 0
        if store is not None:
            keys = [key_of(trial) for trial in trials]
            done, failed = len(keys) - len(store.missing(keys)), len(store.failed(keys))
        found.append(Status(experiment, profile, len(trials), done, failed))
    return found


def check_cells(experiments: Iterable[Experiment], profile: str, cells: Cells) -> None:
    """Refuse names that none of the experiments has, and list the known ones."""
    if profile not in PROFILES:
        raise ValueError(f"unknown profile {profile!r}; known ones are {', '.join(PROFILES)}.")
    trials = [trial for experiment in experiments for trial in _trials(expand(experiment, profile))]
    for kind, wanted, known in (
        ("method", cells.methods, dict.fromkeys(trial.method for trial in trials)),
        ("data set", cells.datasets, dict.fromkeys(trial.dataset for trial in trials)),
        ("seed", cells.seeds, dict.fromkeys(sorted(trial.seed for trial in trials))),
    ):
        if unknown := [str(name) for name in wanted or () if name not in known]:
            raise ValueError(f"unknown {kind} {'; '.join(unknown)}; known here are {'; '.join(map(str, known))}.")


def set_plans(store: ResultStore, experiment: Experiment, profile: str, groups: Sequence[TrialGroup]) -> None:
    """Write the plan of an experiment, and those of its searches and noise under names of their own.

    What a locked experiment had in its plan before, with other code or settings, stays under `NAME/earlier`.
    """
    now = [key_of(trial) for trial in _trials(groups)]
    if experiment.half == LOCKED:
        record = f"{experiment.name}/earlier"
        known = dict.fromkeys([*store.planned(record, profile), *store.planned(experiment.name, profile)])
        unrun = {*now, *store.missing(known)}
        store.set_plan(record, profile, [key for key in known if key not in unrun])
    store.set_plan(experiment.name, profile, now)
    needed = _trials(with_needs(groups).values())
    for kind in ("search", "noise"):
        keys = [key_of(trial) for trial in needed if trial.experiment == kind]
        store.set_plan(f"{experiment.name}/{kind}", profile, keys)


def _trials(groups: Iterable[TrialGroup]) -> list[Trial]:
    return [trial for group in groups for trial in group]


def _absent_data(experiment: Experiment, groups: Iterable[TrialGroup]) -> dict[str, str]:
    """Data sets of these groups that cannot be loaded, and why."""
    names = dict.fromkeys(group[0].dataset for group in groups)
    reasons = {name: lacking(experiment.data, name, experiment.files.get(name, "")) for name in names}
    return {name: why for name, why in reasons.items() if why}


def _unable_methods(experiment: Experiment, groups: Iterable[TrialGroup]) -> dict[str, str]:
    """Methods of these groups whose packages are not installed, and what to install."""
    labels = {group[0].method for group in groups}
    found = {}
    for method in experiment.methods:
        absent = [name for name in method.requires if importlib.util.find_spec(name) is None]
        if absent and method.label in labels:
            found[method.label] = f"It needs {' and '.join(absent)}: pip install {' '.join(absent)}."
    return found
