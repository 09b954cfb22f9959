"""From an experiment to its trials, and the key under which the result of each is stored.

`expand` makes the trials of a profile, in groups that run in one go. A trial may need the results of others: the noise
of its split, or a search for its parameters. `with_needs` lists those too.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from unabases.paper.code_version import code_version
from unabases.paper.halves import half_of
from unabases.paper.rivals import known_regressors
from unabases.paper.spec import Experiment, Extent, Method
from unabases.regressors.networks.last_layer import AbstractLastLayer

_NOISE = "unabases.paper.noise:settle_noise"
_SEARCH = "unabases.paper.parameter_search:choose_parameters"


@dataclass(frozen=True)
class Trial:
    """Everything that determines a row of results, besides the code."""

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
    needs: Mapping[str, "Trial"] = field(default_factory=dict)
    """Trials whose results this one uses, by their role: `"noise"` or `"search"`."""
    alone: bool = False
    """If True, the function does everything itself; otherwise it is given a fitted model."""

    def __repr__(self) -> str:
        return f"{self.experiment}: {self.method} on {self.dataset}, split {self.split}, seed {self.seed}"


TrialGroup = tuple[Trial, ...]  # what runs in one go: one trial, or those that train together


def expand(experiment: Experiment, profile: str) -> list[TrialGroup]:
    """The trials of an experiment in a profile, in the order of its data sets, methods and splits."""
    extent = experiment.extent(profile)
    groups: list[TrialGroup] = []
    for dataset in experiment.datasets if extent.datasets is None else extent.datasets:
        cell = _Cells(experiment, extent, dataset)
        splits = range(extent.splits_on.get(dataset, extent.splits))
        splits = [split for split in splits if experiment.half in ("", half_of(dataset, split))]
        for method in experiment.methods:
            if extent.includes(method, dataset):
                groups += [group for split in splits for group in cell.groups(method, split)]
    return groups


def with_needs(groups: Iterable[TrialGroup]) -> dict[str, TrialGroup]:
    """Groups by the key of their first trial, each after the trials that it needs; every one of them once."""
    found: dict[str, TrialGroup] = {}

    def add(group: TrialGroup) -> None:
        key = key_of(group[0])
        if key not in found:
            for trial in group:
                for needed in trial.needs.values():
                    add((needed,))
            found[key] = group

    for group in groups:
        add(group)
    return found


def code_of(trial: Trial) -> str:
    """The version of the code that a trial runs: its function, its regressor, and what they use."""
    modules = [trial.function.partition(":")[0]]
    if trial.regressor:
        modules.append(known_regressors()[trial.regressor].__module__)
    return code_version(modules)


def key_of(trial: Trial) -> str:
    """The key of a trial's result: a hash of its spec, of its needs, and of the code that it runs.

    The experiment's name is not part of it, so what two experiments have in common is run once.
    """
    spec = {name: value for name, value in vars(trial).items() if name not in ("experiment", "needs")}
    spec |= {"needs": [(role, key_of(needed)) for role, needed in trial.needs.items()], "code": code_of(trial)}
    text = json.dumps(spec, sort_keys=True, ensure_ascii=False, default=_plain)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


@dataclass(frozen=True)
class _Cells:
    """Makes the trials of one data set of an experiment in one profile."""

    experiment: Experiment
    extent: Extent
    dataset: str

    def groups(self, method: Method, split: int) -> list[TrialGroup]:
        """The trials of a method on a split: one group if they train together, else one each."""
        count = self.extent.seeds_on.get(self.dataset, self.extent.seeds)
        seeds = (split,) if count is None else tuple(range(count))
        together = self.experiment.together and len(seeds) > 1 and _can_share(method.regressor)
        trials = [self._trial(method, split, seed, seeds if together else ()) for seed in seeds]
        return [tuple(trials)] if together else [(trial,) for trial in trials]

    def _trial(self, method: Method, split: int, seed: int, together: tuple[int, ...]) -> Trial:
        extent, label = self.extent, method.label
        chosen = extent.chosen.get(self.dataset, {}).get(label, {})
        layers = (self._on_dataset, extent.by_method.get(label, {}), extent.parameters, chosen)
        settings = _settings(method.regressor, method.settings, *layers)
        needs = self._noise(split) if method.regressor else {}
        if method.search is not None and not chosen and (extent.searches is None or label in extent.searches):
            needs["search"] = self._search(method, split, settings)
        return Trial(
            experiment=self.experiment.name,
            function=self.experiment.function,
            data=self.experiment.data,
            dataset=self.dataset,
            split=split,
            method=label,
            seed=seed,
            regressor=method.regressor,
            settings=settings,
            notes=method.notes,
            together=together,
            needs=needs,
            alone=not (method.regressor and self.experiment.data),
        )

    def _noise(self, split: int) -> dict[str, Trial]:
        """The trial that estimates the noise of a split for all methods, where one is wanted."""
        if not self.experiment.noise:
            return {}
        settings = _settings("NeuralLinear", {}, self._on_dataset, self.extent.parameters)
        cell = (self.experiment.data, self.dataset, split, "residuals", split)
        return {"noise": Trial("noise", _NOISE, *cell, settings=settings, alone=True)}

    def _search(self, method: Method, split: int, settings: Mapping[str, Any]) -> Trial:
        """The trial that chooses a method's parameters, the same for every experiment that has the same data."""
        search, extent, data = method.search, self.extent, self.experiment.data
        assert search is not None
        place = split if extent.each_split else 0
        total = extent.n_random + extent.n_trials if search.most is None else search.most
        n_random = min(extent.n_random, total)
        trials = {"n_random": n_random, "n_trials": total - n_random}
        how = {**trials, "restarts": extent.restarts, "validation": extent.validation}
        return Trial(
            experiment="search",
            function=_SEARCH,
            data=data,
            dataset=self.dataset if self.experiment.noise else data,
            split=place,
            method=method.label,
            seed=place,
            regressor=method.regressor,
            settings={"parameters": {**settings, **search.settings}, "space": search.space, "rule": search.rule, **how},
            needs=self._noise(place),
            alone=True,
        )

    @property
    def _on_dataset(self) -> Mapping[str, Any]:
        return self.experiment.by_dataset.get(self.dataset, {})


def _can_share(regressor: str) -> bool:
    return bool(regressor) and issubclass(known_regressors()[regressor], AbstractLastLayer)


def _settings(regressor: str, own: Mapping[str, Any], *layers: Mapping[str, Any]) -> dict[str, Any]:
    """Settings of a method, then those of data set and profile that it or its class has."""
    known = {*own, *(known_regressors()[regressor]().get_params() if regressor else ())}
    return dict(own) | {name: value for layer in layers for name, value in layer.items() if name in known}


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"a spec holds numbers, text, lists and mappings, so that it can be hashed; got {value!r}.")
