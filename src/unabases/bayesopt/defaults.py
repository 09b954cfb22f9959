"""The surrogate that Bayesian optimisation uses by default."""

from typing import Any

from unabases.regressors import LUNA
from unabases.regressors.luna import AS_IN_PAPER

__all__ = ["SETTINGS", "default_surrogate"]

SETTINGS: dict[str, Any] = {
    **AS_IN_PAPER,
    "hidden_layer_sizes": (50, 50, 50),
    "n_heads": 50,
    "where": "between",
    "n_points": 64,
    "prior_variance": 10.0,
    "gamma": 0.01,
    "sigma2": 1e-4,
    "max_steps": 500,
}
"""Parameters of LUNA for searches. They name its whole penalty, so they do not follow its defaults."""


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
