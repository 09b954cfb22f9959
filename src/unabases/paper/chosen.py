"""Parameters that the long searches of the profile `paper` have chosen, for profiles that cannot search as long.

They are in `chosen.json`, by experiment, data set and method: what was chosen on the first split. From a clone of the
repository, `python -m benchmarks.chosen STORE...` writes it anew from stores in which those searches were run.
"""

import json
from collections.abc import Iterable
from importlib import resources
from typing import Any

from unabases.paper.store import Row

__all__ = ["CHOSEN", "chosen_parameters"]

_DIGITS = 3

Chosen = dict[str, dict[str, dict[str, dict[str, Any]]]]  # by experiment, data set and method

CHOSEN: Chosen = json.loads(resources.files("unabases.paper").joinpath("chosen.json").read_text(encoding="utf-8"))


def chosen_parameters(rows: Iterable[Row], searched: Iterable[str]) -> Chosen:
    """What searches chose for the first split, of rows of the profile `paper`.

    Parameters
    ----------
    rows
        Of experiments, and under `"NAME/search"` of their searches.
    searched
        Names of parameters that searches choose.
    """
    rows, names = [row for row in rows if row.profile == "paper" and row.split == 0], list(searched)
    methods = {
        (row.experiment.removesuffix("/search"), row.method) for row in rows if row.experiment.endswith("/search")
    }
    found: Chosen = {}
    for row in rows:
        if (row.experiment, row.method) in methods and not row.failed:
            own = {name: _short(row.settings[name]) for name in names if name in row.settings}
            found.setdefault(row.experiment, {}).setdefault(row.dataset, {}).setdefault(row.method, own)
    return found


def _short(value: Any) -> Any:
    return float(f"{value:.{_DIGITS}g}") if isinstance(value, float) else value
