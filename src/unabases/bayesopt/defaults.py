"""The surrogate that Bayesian optimisation uses by default."""

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
"""Parameters of LUNA that differ from its own defaults."""


def default_surrogate(**more: Any) -> LUNA:
    """LUNA with settings for the few, nearly noise-free values of a search.

    It has the architecture of the paper: three layers of 50 ReLU units, and 50 heads.

    Parameters
    ----------
    **more
        Parameters of `LUNA` to set or change.

    Returns
    -------
    LUNA
        An unfitted model.

    Examples
    --------
    >>> default_surrogate(max_steps=100).max_steps
    100
    """
    return LUNA(**{**SETTINGS, **more})
