"""Made-up data whose truth is known."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from jaxtyping import Float

__all__ = ["SyntheticGap", "cubic", "cubic_gap"]


class SyntheticGap(NamedTuple):
    """Data on both sides of a gap in a single input."""

    X_train: Float[np.ndarray, "n 1"]
    y_train: Float[np.ndarray, " n"]
    X_test: Float[np.ndarray, "n 1"]
    """Drawn as the training inputs are: not in the gap."""
    y_test: Float[np.ndarray, " n"]
    gap_grid: Float[np.ndarray, "m 1"]
    """Evenly spaced inputs well inside the gap."""
    gap: tuple[float, float]
    sigma2: float
    function: Callable[[np.ndarray], np.ndarray]
    """The truth without noise."""


def cubic(x: Float[np.ndarray, "*shape"]) -> Float[np.ndarray, "*shape"]:
    """x³, element by element."""
    return x**3


def cubic_gap(
    n: int = 100, random_state: int | np.random.Generator | None = 0, noise_std: float | int = 3.0
) -> SyntheticGap:
    r"""The Cubic Gap data: n training and n test rows.

    .. math:: y = x^3 + \epsilon, \quad x \sim U([-4, -2] \cup [2, 4]), \quad \epsilon \sim N(0, noise\_std^2)

    Examples
    --------
    >>> data = cubic_gap()
    >>> data.X_train.shape, data.sigma2
    ((100, 1), 9.0)
    """
    if n < 1:
        raise ValueError(f"`n` must be at least 1, got {n}.")
    if not noise_std >= 0:
        raise ValueError(f"`noise_std` must not be negative, got {noise_std}.")
    rng = np.random.default_rng(random_state)

    def draw() -> tuple[np.ndarray, np.ndarray]:
        u = rng.uniform(-2, 2, size=n)
        x = u + np.where(u < 0, -2, 2)
        return x[:, None], cubic(x) + noise_std * rng.standard_normal(n)

    X_train, y_train = draw()
    X_test, y_test = draw()
    return SyntheticGap(
        X_train=X_train,
        y_train=y_train,
        X_test=X_test,
        y_test=y_test,
        gap_grid=np.linspace(-1.5, 1.5, 101)[:, None],
        gap=(-2.0, 2.0),
        sigma2=float(noise_std) ** 2,
        function=cubic,
    )
