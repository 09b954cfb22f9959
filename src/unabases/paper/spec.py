"""What an experiment is, as data: which methods on which data, how often.

Nothing here fits or draws. `unabases.paper.plan` turns an experiment into trials.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

PROFILES: dict[str, str] = {
    "tiny": "a smoke test that takes seconds; its numbers mean nothing",
    "quick": "for a laptop, about 20 minutes for everything: fewer splits and restarts, parameters from long searches",
    "paper": "the paper's own counts: many hours",
}


@dataclass(frozen=True)
class Search:
    """Which parameters of a method to search, and the rule that picks one of the trials.

    Parameters
    ----------
    space
        Ranges and choices by parameter, as for `unabases.selection.LUNASearch`.
    rule
        `"likely"` (`LikelihoodSearch`), `"diverse"` (`LUNASearch`: the most diverse of the likeliest tenth), or
        `"diverse-within-error"` (the most diverse of all trials within a standard error of the likeliest).
    most
        At most this many trials, for a choice between few values.
    settings
        Cheaper parameters of its trials; the model that is chosen is then fitted without them.
    """

    space: Mapping[str, Any]
    rule: str = "likely"
    most: int | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Method:
    """A regressor with its settings, under the label that tables and figures show.

    Parameters
    ----------
    label, regressor
        What it is called, and the name of its class; no class for a row that only shows data.
    settings
        Parameters that differ from the defaults.
    search
        How to choose further parameters, if at all.
    notes
        What else a row says in its settings, such as the number of features.
    only
        Data sets to run it on; all when empty.
    requires
        Packages that it needs beyond those of `unabases`; without them it is left out.
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
        How many splits, or draws of synthetic data, and how many restarts on each. None means one restart, seeded by
        the split.
    splits_on, seeds_on
        Other numbers of splits and restarts for single data sets.
    datasets, methods
        Which ones to run; None for all.
    notes
        Which values of a method's notes to run.
    leave_out
        Pairs of data set and method that are not run.
    parameters, by_method
        Parameters for every method that has them, such as fewer steps, and for single methods by their label.
    chosen
        Parameters by data set and method that a longer search has chosen; these methods are not searched again.
    searches
        Labels of the methods to search, among those with a search; None for all of them.
    n_random, n_trials, restarts
        Random trials, guided trials, and restarts of each search.
    validation
        How the trials of a search are validated: by so many folds, or on this share of the rows.
    each_split
        If True, each split has its own search; otherwise the first split's choice holds for all.
    """

    splits: int = 1
    seeds: int | None = None
    splits_on: Mapping[str, int] = field(default_factory=dict)
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
    validation: int | float = 5
    each_split: bool = False

    def includes(self, method: Method, dataset: str) -> bool:
        """Whether this profile runs a method on a data set."""
        chosen = self.methods is None or method.label in self.methods
        noted = all(method.notes[name] in values for name, values in self.notes.items() if name in method.notes)
        here = not method.only or dataset in method.only
        return chosen and noted and here and (dataset, method.label) not in self.leave_out


@dataclass(frozen=True)
class Experiment:
    """A question, and what is run to answer it.

    Parameters
    ----------
    name, title, question
        The name that `unabases reproduce` takes, a heading, and what the experiment is to find out.
    shows
        The tables and figures made from it.
    function
        `"module:function"`: what is computed from a fitted model; see `unabases.paper.trials`.
    data
        Kind of data, see `unabases.paper.data`; empty for a function that loads and fits everything itself.
    datasets, methods, extents
        What is run, and how much of it in each profile.
    headline
        The score to show while it runs.
    noise
        If True, the noise variance is estimated first, from residuals, and given to all methods; otherwise it is known.
    together
        If True, the restarts of a neural linear model train in one program.
    by_dataset
        Parameters on a data set, for every method that has them.
    files
        What a data set needs from `unabases data list`; if it cannot be had, the data set is left out.
    half
        Run only the splits of this half, see `unabases.paper.halves`; all splits when empty. A locked experiment is
        run by its name alone, and every run of it stays on record.
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
    half: str = ""

    def extent(self, profile: str) -> Extent:
        """How much of it a profile runs."""
        if profile not in self.extents:
            known = ", ".join(self.extents)
            raise ValueError(f"{self.name} has no profile {profile!r}; it has {known}.")
        return self.extents[profile]


def find_experiments(names: Sequence[str], known: Mapping[str, Experiment]) -> list[Experiment]:
    """Look experiments up by name; an unknown name is an error that lists the known ones."""
    if unknown := [name for name in names if name not in known]:
        raise ValueError(f"unknown experiment {', '.join(unknown)}; known ones are {', '.join(known)}.")
    return [known[name] for name in names]
