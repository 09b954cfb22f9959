"""What an experiment is, as data: which methods on which data, how often, and which trials that makes.

Nothing here fits or draws. `expand` turns an experiment and a profile into groups of trials, and `key_of` gives the
hash under which a trial's result is stored.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from unabases.paper.code_version import code_version
from unabases.regressors import all_regressors
from unabases.regressors.last_layer import AbstractLastLayer

PROFILES: dict[str, str] = {
    "tiny": "to see that all runs: seconds, and numbers that mean nothing",
    "quick": "a laptop, half an hour for all: fewer splits and restarts, parameters that long searches chose",
    "paper": "the paper's own counts: many hours",
}
_NOISE = "unabases.paper.noise:settle_noise"
_SEARCH = "unabases.paper.search:choose_parameters"


@dataclass(frozen=True)
class Search:
    """In what a method's parameters are searched, and by which rule one trial is taken.

    Parameters
    ----------
    space
        As in `unabases.selection.LUNASearch`.
    rule
        `"diverse"` (`LUNASearch`: the most diverse of the likeliest tenth), `"diverse-within-error"` (of all within a
        standard error of the likeliest) or `"likely"` (`LikelihoodSearch`).
    most
        No more trials than this: for a choice between few values.
    """

    space: Mapping[str, Any]
    rule: str = "likely"
    most: int | None = None


@dataclass(frozen=True)
class Method:
    """A regressor with its settings, under the label that tables and figures show.

    Parameters
    ----------
    label, regressor
        What it is called, and the name of its class; none for a row that only shows data.
    settings
        Parameters that differ from the defaults.
    search
        How to choose further ones, if at all.
    notes
        What else a row says in its settings, such as the number of features.
    only
        Data sets on which it is run; all when empty.
    requires
        Packages that it needs besides those of `unabases` itself; without them it is left out.
    """

    label: str
    regressor: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)
    search: Search | None = None
    notes: Mapping[str, Any] = field(default_factory=dict)
    only: tuple[str, ...] = ()
    requires: tuple[str, ...] = ()


@dataclass(frozen=True)
class Extent:
    """How much of an experiment a profile runs.

    Parameters
    ----------
    splits, seeds
        How many splits, or draws of synthetic data, and how many restarts on each; None: one, seeded by the split.
    seeds_on
        Numbers of restarts on single data sets.
    datasets, methods
        Which ones; None for all.
    notes
        Values of a method's notes that are run; others are not.
    leave_out
        Pairs of data set and method that are not run.
    parameters, by_method
        Parameters of every method that has them, such as fewer steps, and of single methods by their label.
    chosen
        Parameters by data set and method, as a longer search has chosen them; these methods are not searched.
    searches
        Labels of the methods whose parameters are searched, of those with a search; None for all of them.
    n_random, n_trials, restarts
        Of each search.
    each_split
        Whether each split has its own search; otherwise the first split's choice holds for all.
    """

    splits: int = 1
    seeds: int | None = None
    seeds_on: Mapping[str, int] = field(default_factory=dict)
    datasets: tuple[str, ...] | None = None
    methods: tuple[str, ...] | None = None
    notes: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    leave_out: tuple[tuple[str, str], ...] = ()
    parameters: Mapping[str, Any] = field(default_factory=dict)
    by_method: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    chosen: Mapping[str, Mapping[str, Mapping[str, Any]]] = field(default_factory=dict)
    searches: tuple[str, ...] | None = None
    n_random: int = 10
    n_trials: int = 50
    restarts: int = 1
    each_split: bool = False


@dataclass(frozen=True)
class Experiment:
    """A question, and what is run to answer it.

    Parameters
    ----------
    name, title, question
        As in `unabases reproduce`.
    shows
        The tables and figures that are made of it.
    function
        `"module:function"`: what is computed of a fitted model, see `unabases.paper.trials`.
    data
        Kind of data, see `unabases.paper.data`; none for a function that loads and fits all by itself.
    datasets, methods, extents
        What is run, and how much of it in each profile.
    headline
        The score that is shown while it runs.
    noise
        Whether the noise variance comes first, from residuals, and holds for all methods; else it is known.
    together
        Whether the restarts of a neural linear model train in one program.
    by_dataset
        Parameters on a data set, of every method that has them.
    files
        What a data set needs of `unabases data list`; where that cannot be had, it is left out.
    """

    name: str
    title: str
    question: str
    shows: str
    function: str
    data: str
    datasets: tuple[str, ...]
    methods: tuple[Method, ...]
    extents: Mapping[str, Extent]
    headline: str = "eurc"
    noise: bool = False
    together: bool = False
    by_dataset: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Trial:
    """Everything that a row of results follows from, besides the code."""

    experiment: str
    function: str
    data: str
    dataset: str
    split: int
    method: str
    seed: int
    regressor: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)
    notes: Mapping[str, Any] = field(default_factory=dict)
    together: tuple[int, ...] = ()
    """Seeds of the trials that differ in nothing else and train in the same program, this one included."""
    needs: tuple[tuple[str, "Trial"], ...] = ()
    """Trials whose results this one uses, by what they are for."""
    alone: bool = False
    """Whether the function does all by itself, instead of being given a fitted model."""

    def __repr__(self) -> str:
        return f"{self.experiment}: {self.method} on {self.dataset}, split {self.split}, seed {self.seed}"


TrialGroup = tuple[Trial, ...]  # what is run in one go: one trial, or those that train together


def expand(experiment: Experiment, profile: str) -> list[TrialGroup]:
    """The trials of an experiment in a profile, in the order of its data sets, methods and splits."""
    extent = extent_of(experiment, profile)
    groups = []
    for dataset in experiment.datasets if extent.datasets is None else extent.datasets:
        n_seeds = extent.seeds_on.get(dataset, extent.seeds)
        for method in experiment.methods:
            if not _is_run(method, dataset, extent):
                continue
            for split in range(extent.splits):
                seeds = (split,) if n_seeds is None else tuple(range(n_seeds))
                trials = [_trial(experiment, extent, dataset, method, split, seed, seeds) for seed in seeds]
                groups += [tuple(trials)] if trials[0].together else [(trial,) for trial in trials]
    return groups


def extent_of(experiment: Experiment, profile: str) -> Extent:
    """How much of an experiment a profile runs."""
    if profile not in experiment.extents:
        known = ", ".join(experiment.extents)
        raise ValueError(f"{experiment.name} has no profile {profile!r}; it has {known}.")
    return experiment.extents[profile]


def code_of(trial: Trial) -> str:
    """The version of the code that a trial runs: its function, its regressor, and what they use."""
    modules = [trial.function.partition(":")[0]]
    if trial.regressor:
        modules.append(all_regressors()[trial.regressor].__module__)
    return code_version(modules)


def key_of(trial: Trial) -> str:
    """Under which a trial's result is stored: a hash of its spec, of its needs, and of the code that it runs.

    The experiment's name is no part of it, so that what two experiments have in common is run once.
    """
    spec = {name: value for name, value in vars(trial).items() if name not in ("experiment", "needs")}
    spec |= {"needs": [(role, key_of(needed)) for role, needed in trial.needs], "code": code_of(trial)}
    text = json.dumps(spec, sort_keys=True, ensure_ascii=False, default=_plain)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def find_experiments(names: Iterable[str], known: Mapping[str, Experiment]) -> list[Experiment]:
    """Look experiments up by name."""
    names = list(names)
    if unknown := [name for name in names if name not in known]:
        raise ValueError(f"unknown experiment {', '.join(unknown)}; known ones are {', '.join(known)}.")
    return [known[name] for name in names]


# ------------------------------------------------------------------------------------------------------------- parts


def _is_run(method: Method, dataset: str, extent: Extent) -> bool:
    chosen = extent.methods is None or method.label in extent.methods
    noted = all(method.notes[name] in values for name, values in extent.notes.items() if name in method.notes)
    here = not method.only or dataset in method.only
    return chosen and noted and here and (dataset, method.label) not in extent.leave_out


def _trial(
    experiment: Experiment,
    extent: Extent,
    dataset: str,
    method: Method,
    split: int,
    seed: int,
    seeds: tuple[int, ...],
) -> Trial:
    chosen = extent.chosen.get(dataset, {}).get(method.label, {})
    layers = (experiment.by_dataset.get(dataset, {}), extent.by_method.get(method.label, {}), extent.parameters, chosen)
    settings = _settings(method.regressor, method.settings, *layers)
    needs = _noise_first(experiment, extent, dataset, split) if method.regressor else ()
    if method.search is not None and not chosen and (extent.searches is None or method.label in extent.searches):
        needs += (("search", _search_trial(experiment, extent, dataset, method, split, settings)),)
    return Trial(
        experiment=experiment.name,
        function=experiment.function,
        data=experiment.data,
        dataset=dataset,
        split=split,
        method=method.label,
        seed=seed,
        regressor=method.regressor,
        settings=settings,
        notes=method.notes,
        together=seeds if experiment.together and len(seeds) > 1 and _can_share(method.regressor) else (),
        needs=needs,
        alone=not (method.regressor and experiment.data),
    )


def _can_share(regressor: str) -> bool:
    return bool(regressor) and issubclass(all_regressors()[regressor], AbstractLastLayer)


def _noise_first(experiment: Experiment, extent: Extent, dataset: str, split: int) -> tuple[tuple[str, Trial], ...]:
    """The trial that settles the noise of a split for all methods."""
    if not experiment.noise:
        return ()
    settings = _settings("NeuralLinear", {}, experiment.by_dataset.get(dataset, {}), extent.parameters)
    trial = Trial("noise", _NOISE, experiment.data, dataset, split, "residuals", split, settings=settings, alone=True)
    return (("noise", trial),)


def _search_trial(
    experiment: Experiment, extent: Extent, dataset: str, method: Method, split: int, settings: Mapping[str, Any]
) -> Trial:
    """The trial that chooses a method's parameters, the same for every experiment that has the same data."""
    search = method.search
    assert search is not None
    place = split if extent.each_split else 0
    total = extent.n_random + extent.n_trials if search.most is None else search.most
    n_random = min(extent.n_random, total)
    return Trial(
        experiment="search",
        function=_SEARCH,
        data=experiment.data,
        dataset=dataset if experiment.noise else experiment.data,
        split=place,
        method=method.label,
        seed=place,
        regressor=method.regressor,
        alone=True,
        settings={
            "parameters": settings,
            "space": search.space,
            "rule": search.rule,
            "n_random": n_random,
            "n_trials": total - n_random,
            "restarts": extent.restarts,
        },
        needs=_noise_first(experiment, extent, dataset, place),
    )


def _settings(regressor: str, *layers: Mapping[str, Any]) -> dict[str, Any]:
    """Settings of a method, then those of data set and profile where it or its class has them."""
    own, *more = layers
    known = {*own, *(all_regressors()[regressor]().get_params() if regressor else ())}
    return dict(own) | {name: value for layer in more for name, value in layer.items() if name in known}


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"a spec holds numbers, text, lists and mappings, so that it can be hashed; got {value!r}.")
