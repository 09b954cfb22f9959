"""The experiments, one file each, in the order in which they are run and reported.

To add one, write a module with an `EXPERIMENT` and put the module's name in the list below.
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
    "uci_gap",
    "gap_search",
    "uci_standard",
    "transfer",
    "bayesopt",
    "faces",
)
_FOUND = [import_module(f"unabases.paper.catalogue.{name}").EXPERIMENT for name in _MODULES]
EXPERIMENTS = cast("dict[str, Experiment]", {experiment.name: experiment for experiment in _FOUND})

__all__ = ["EXPERIMENTS"]
