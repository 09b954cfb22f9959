"""What the profiles of several experiments have in common."""

import json
from importlib import resources
from typing import Any

from unabases.paper.spec import Extent

CHOSEN: dict[str, dict[str, dict[str, dict[str, Any]]]] = json.loads(
    resources.files("unabases.paper").joinpath("chosen.json").read_text(encoding="utf-8")
)
"""What the long searches of the profile `paper` chose on the first split, by experiment, data set and method, for
profiles that cannot search as long. In a clone, `python -m benchmarks.chosen STORE...` writes it anew."""

_TINY: dict[str, Any] = {
    **{"max_steps": 20, "restarts": 1, "n_members": 2, "n_passes": 20, "n_draws": 20, "n_fourier": 50},
    **{"n_chains": 2, "n_warmup": 10, "n_samples": 10, "max_depth": 3},
}
QUICK_SEARCH: dict[str, Any] = {"n_random": 5, "n_trials": 1, "restarts": 1}

EACH_SPLIT: dict[str, Any] = {"each_split": True, "validation": 0.2}
"""A search on each split, validated on a fifth of its rows, as in the paper. A single one, whose choice holds for all
splits, is validated by five folds instead, because a fifth of a hundred rows decides little."""


def tiny(**more: Any) -> Extent:
    """The profile `tiny`: as few steps, members and draws as run at all, and searches of two trials."""
    return Extent(parameters=_TINY, n_random=2, n_trials=0, restarts=1, **more)
