"""The experiments, one file each, in the order in which they are run and reported.

To add one, write a module with an `EXPERIMENT` and put the module's name in the list below. Locked experiments
(`unabases.paper.halves`) have a list of their own. They and the development halves of accuracy and honesty, which the
paper does not have, are run by name, never by `--all`.
"""

from importlib import import_module
from typing import cast

from unabases.paper.spec import Experiment

_MODULES = (
    "map_prior",
    "luna_heads",
    "cubic_gap",
    "consistency",
    "restarts",
    "training_length",
    "our_restarts",
    "uci_gap",
    "our_gap_sets",
    "gap_search",
    "luna_strength",
    "cubic_strength",
    "cubic_anchored",
    "uci_standard",
    "our_standard_sets",
    "transfer",
    "bayesopt",
    "faces",
    "accuracy",
    "honesty",
)
_LOCKED_MODULES = ("accuracy_locked", "honesty_locked")
_FOUND = [import_module(f"unabases.paper.catalogue.{name}").EXPERIMENT for name in _MODULES]
_LOCKED = [import_module(f"unabases.paper.catalogue.{name}").EXPERIMENT for name in _LOCKED_MODULES]
EXPERIMENTS = cast("dict[str, Experiment]", {experiment.name: experiment for experiment in _FOUND})
LOCKED_EXPERIMENTS = cast("dict[str, Experiment]", {experiment.name: experiment for experiment in _LOCKED})
EVERY_EXPERIMENT = EXPERIMENTS | LOCKED_EXPERIMENTS
# What `--all` runs: the paper's experiments, and those that explain or complete its tables and claims.
PAPER_EXPERIMENTS = {name: experiment for name, experiment in EXPERIMENTS.items() if not experiment.half}

__all__ = ["EVERY_EXPERIMENT", "EXPERIMENTS", "LOCKED_EXPERIMENTS", "PAPER_EXPERIMENTS"]
