"""Methods that several experiments share: the paper's settings, and what it searches."""

from typing import Any

from unabases.paper.comparison import VARIANTS
from unabases.paper.spec import Method, Search
from unabases.regressors.presets import PRESETS

BETWEEN = "LUNA, between"
SEARCHES = {
    "LUNA": Search(
        {"gamma": (1e-2, 1e2, "log"), "lam": (1e-2, 1e2, "log"), "schedule": ["none", "sqrt", "sigmoid", "tanh"]},
        "diverse",
    ),
    "NLM, MAP": Search({"gamma": (1e-2, 1e2, "log")}),
}
"""What the paper searches on every kind of data; the dropout rate has ranges of its own on each."""

TINY: dict[str, Any] = {
    "max_steps": 20,
    "restarts": 1,
    "n_members": 2,
    "n_passes": 20,
    "n_draws": 20,
    "n_fourier": 50,
    "n_chains": 2,
    "n_warmup": 10,
    "n_samples": 10,
    "max_depth": 3,
}
"""Parameters of the profile `tiny`, for every method that has them."""
TINY_SEARCH: dict[str, Any] = {"n_random": 2, "n_trials": 0, "restarts": 1}
QUICK_SEARCH: dict[str, Any] = {"n_random": 5, "n_trials": 1, "restarts": 1}


def preset_method(preset: str, label: str, search: Search | None = None, **more: Any) -> Method:
    """A method under its label in `unabases compare`, with the paper's settings for a kind of experiment."""
    _, regressor, own, _ = next(variant for variant in VARIANTS if variant[0] == label.removesuffix(", between"))
    if label == BETWEEN:
        own = {**own, "where": "between", "n_points": 64}
    found = PRESETS[preset][regressor]
    return Method(label, regressor, {**found.printed, **found.instead, **own, **more}, search or searched(label))


def searched(label: str) -> Search | None:
    """What the paper searches of a method, whatever the data."""
    return SEARCHES.get(label.removesuffix(", between"))
