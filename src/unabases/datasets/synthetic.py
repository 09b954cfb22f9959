"""Synthetic data with a gap and a known truth."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from jaxtyping import Float

__all__ = ["SyntheticGap", "cubic", "cubic_gap", "squiggle", "squiggle_gap"]


class SyntheticGap(NamedTuple):
    """Data on both sides of a gap in a single input and, separately, data from the gap itself."""

    X_train: Float[np.ndarray, "n 1"]
    y_train: Float[np.ndarray, " n"]
    X_test: Float[np.ndarray, "n 1"]
    """Drawn like the training inputs: not in the gap."""
    y_test: Float[np.ndarray, " n"]
    gap_grid: Float[np.ndarray, "m 1"]
    """Evenly spaced inputs well inside the gap."""
    gap: tuple[float, float]
    sigma2: float
    function: Callable[[np.ndarray], np.ndarray]
    """The truth without noise."""
    X_gap_train: Float[np.ndarray, "n 1"]
    """Uniform in the gap; for transferring the last layer, never for training the features."""
    y_gap_train: Float[np.ndarray, " n"]
    X_gap_test: Float[np.ndarray, "n 1"]
    """Uniform in the gap; for scoring the transfer."""
    y_gap_test: Float[np.ndarray, " n"]


def cubic(x: Float[np.ndarray, "*shape"]) -> Float[np.ndarray, "*shape"]:
    """Compute x³, element by element."""
    return x**3


def squiggle(x: Float[np.ndarray, "*shape"]) -> Float[np.ndarray, "*shape"]:
    """Compute x³ + 20 exp(-x²) sin(10x), element by element: the cube with waves around 0."""
    return x**3 + 20 * np.exp(-(x**2)) * np.sin(10 * x)


def cubic_gap(
    n: int = 100, random_state: int | np.random.Generator | None = 0, noise_std: float | int = 3.0
) -> SyntheticGap:
    r"""Draw the Cubic Gap data: n training and n test rows on both sides of a gap.

    .. math:: y = x^3 + \epsilon, \quad x \sim U([-4, -2] \cup [2, 4]), \quad \epsilon \sim N(0, noise\_std^2)

    Parameters
    ----------
    n : int
        Number of training rows, and of test rows.
    random_state : int or Generator, optional
        Seed for the inputs and the noise.
    noise_std : float
        Standard deviation of the noise.

    Returns
    -------
    SyntheticGap
        The rows and the truth.

    Examples
    --------
    >>> data = cubic_gap()
    >>> data.X_train.shape, data.sigma2
    ((100, 1), 9.0)
    """
    return _gap_data(cubic, n, random_state, noise_std)


def squiggle_gap(
    n: int = 100, random_state: int | np.random.Generator | None = 0, noise_std: float | int = 3.0
) -> SyntheticGap:
    r"""Draw the Squiggle Gap data, for transfer: nearly the cube outside the gap, and hidden waves inside.

    .. math:: y = x^3 + 20 e^{-x^2} \sin(10 x) + \epsilon, \quad \epsilon \sim N(0, noise\_std^2)

    Training and test inputs are uniform on [-4, -2] and [2, 4]; `X_gap_train` and `X_gap_test` on [-2, 2]. The paper
    does not say how many rows there are; here there are n of each, as in the Cubic Gap.

    Parameters
    ----------
    n : int
        Number of rows of each kind.
    random_state : int or Generator, optional
        Seed for the inputs and the noise.
    noise_std : float
        Standard deviation of the noise.

    Returns
    -------
    SyntheticGap
        The rows and the truth.

    Examples
    --------
    >>> data = squiggle_gap()
    >>> bool(abs(data.X_gap_test).max() <= 2 <= abs(data.X_train).min())
    True
    """
    return _gap_data(squiggle, n, random_state, noise_std)


def _gap_data(
    function: Callable[[np.ndarray], np.ndarray],
    n: int,
    random_state: int | np.random.Generator | None,
    noise_std: float | int,
) -> SyntheticGap:
    if n < 1:
        raise ValueError(f"`n` must be at least 1, got {n}.")
    if not noise_std >= 0:
        raise ValueError(f"`noise_std` must not be negative, got {noise_std}.")
    rng = np.random.default_rng(random_state)

    def draw(inside: bool = False) -> tuple[np.ndarray, np.ndarray]:
        u = rng.uniform(-2, 2, size=n)
        x = u if inside else u + np.where(u < 0, -2, 2)
        return x[:, None], function(x) + noise_std * rng.standard_normal(n)

    X_train, y_train = draw()
    X_test, y_test = draw()
    X_gap_train, y_gap_train = draw(inside=True)
    X_gap_test, y_gap_test = draw(inside=True)
    return SyntheticGap(
        X_train=X_train,
        y_train=y_train,
        X_test=X_test,
        y_test=y_test,
        gap_grid=np.linspace(-1.5, 1.5, 101)[:, None],
        gap=(-2.0, 2.0),
        sigma2=float(noise_std) ** 2,
        function=function,
        X_gap_train=X_gap_train,
        y_gap_train=y_gap_train,
        X_gap_test=X_gap_test,
        y_gap_test=y_gap_test,
    )
