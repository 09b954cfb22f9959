"""Test functions of Bayesian optimisation, to be minimised, whose minimum is known.

They are defined as in HPOlib 1.5 and the paper. The paper prints the third minimiser of Branin as (9.42478, 2,475); it
is (3π, 2.475).
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

__all__ = ["Problem", "branin", "hartmann6"]


@dataclass(frozen=True, eq=False)
class Problem:
    """A function on a box with a known minimum; call it on rows of inputs.

    Parameters
    ----------
    name : str
        Short name.
    function : callable
        Maps inputs of shape (..., d) to values of shape (...).
    bounds : array of shape (d, 2)
        Lower and upper bound of each input.
    minimisers : array of shape (m, d)
        All points of the box at which the minimum is reached.
    minimum : float
        The value there.

    Examples
    --------
    >>> branin(branin.minimisers).round(6).tolist()
    [0.397887, 0.397887, 0.397887]
    """

    name: str
    function: Callable[[np.ndarray], np.ndarray]
    bounds: Float[np.ndarray, "d 2"]
    minimisers: Float[np.ndarray, "m d"]
    minimum: float

    @property
    def d(self) -> int:
        """Number of inputs."""
        return len(self.bounds)

    def __call__(self, X: Float[np.ndarray, "*shape d"]) -> Float[np.ndarray, "*shape"]:
        """Evaluate the function at each row of X."""
        X = np.asarray(X, dtype=np.float64)
        if X.ndim == 0 or X.shape[-1] != self.d:
            raise ValueError(f"{self.name} has {self.d} inputs, so the last axis must be {self.d}; got {X.shape}.")
        return self.function(X)

    def sample(self, n: int, random_state: int | np.random.Generator | None = 0) -> Float[np.ndarray, "n d"]:
        """Draw n points uniformly from the box."""
        low, high = self.bounds.T
        return np.random.default_rng(random_state).uniform(low, high, size=(n, self.d))

    def __repr__(self) -> str:
        return f"Problem({self.name}: {self.d} inputs, minimum {self.minimum:.6g})"


def _branin(X: np.ndarray) -> np.ndarray:
    x1, x2 = X[..., 0], X[..., 1]
    parabola = x2 - 5.1 / (4 * np.pi**2) * x1**2 + 5 / np.pi * x1 - 6
    return np.asarray(parabola**2 + 10 * (1 - 1 / (8 * np.pi)) * np.cos(x1) + 10)


_ALPHA = np.array([1.0, 1.2, 3.0, 3.2])
_A = np.array(
    [
        [10, 3, 17, 3.5, 1.7, 8],
        [0.05, 10, 17, 0.1, 8, 14],
        [3, 3.5, 1.7, 10, 17, 8],
        [17, 8, 0.05, 10, 0.1, 14],
    ]
)
_P = 1e-4 * np.array(
    [
        [1312, 1696, 5569, 124, 8283, 5886],
        [2329, 4135, 8307, 3736, 1004, 9991],
        [2348, 1451, 3522, 2883, 3047, 6650],
        [4047, 8828, 8732, 5743, 1091, 381],
    ]
)


def _hartmann6(X: np.ndarray) -> np.ndarray:
    return np.asarray(-np.exp(-np.sum(_A * (X[..., None, :] - _P) ** 2, axis=-1)) @ _ALPHA)


branin = Problem(
    name="branin",
    function=_branin,
    bounds=np.array([[-5.0, 10.0], [0.0, 15.0]]),
    minimisers=np.array([[-np.pi, 12.275], [np.pi, 2.275], [3 * np.pi, 2.475]]),
    minimum=10 / (8 * np.pi),
)
"""Two inputs, three minimisers in shallow valleys; minimum 5/(4π) = 0.397887."""

hartmann6 = Problem(
    name="hartmann6",
    function=_hartmann6,
    bounds=np.array([[0.0, 1.0]] * 6),
    minimisers=np.array(
        [[0.2016895110067, 0.1500106918235, 0.4768739742219, 0.2753324304941, 0.3116516166001, 0.6573005340656]]
    ),
    minimum=-3.322368011415515,
)
"""Six inputs, one global minimiser and several local ones; found by Newton's method from the paper's digits."""
