"""The surrogate that is taken when none is given."""

from typing import Any

from unabases.regressors import LUNA

__all__ = ["SETTINGS", "default_surrogate"]

SETTINGS: dict[str, Any] = {
    "hidden_layer_sizes": (50, 50, 50),
    "n_heads": 50,
    "prior_variance": 10.0,
    "gamma": 0.01,
    "sigma2": 1e-4,
    "max_steps": 500,
}
"""What of LUNA's parameters differs from its own defaults."""


def default_surrogate(**more: Any) -> LUNA:
    """LUNA for the few, nearly noise-free rows of a search: three layers of 50 ReLU units, 50 heads, as in the paper.

    Parameters
    ----------
    more
        Further parameters of `LUNA`; they win.
    """
    return LUNA(**{**SETTINGS, **more})
