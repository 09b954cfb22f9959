"""Schedules: how the strength of a term grows over training."""

import numpy as np

SCHEDULES = {
    "sqrt": np.sqrt,
    "sigmoid": lambda r: 1 / (1 + np.exp(-6 * r + 3)),
    "tanh": lambda r: (np.tanh(6 * r - 3) + 1) / 2,
    "none": np.ones_like,
}
"""Share of a term's full strength, s, as a function of t/T."""


def schedule_values(name: str, progress: np.ndarray) -> np.ndarray:
    """Share of the full strength at each step.

    Parameters
    ----------
    name : str
        One of `SCHEDULES`.
    progress : array
        t/T of each step, between 0 and 1.

    Examples
    --------
    >>> schedule_values("sqrt", np.array([0.25, 1.0]))
    array([0.5, 1. ], dtype=float32)
    """
    return np.asarray(SCHEDULES[name](np.asarray(progress, dtype=np.float64)), dtype=np.float32)


def check_schedule(name: str) -> str:
    """Return `name` if there is such a schedule."""
    if name not in SCHEDULES:
        raise ValueError(f"unknown schedule {name!r}; known ones are {', '.join(SCHEDULES)}.")
    return name
