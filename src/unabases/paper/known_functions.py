"""Functions that are known, with noise that is known: how near a model comes can be said exactly."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from jaxtyping import Float

__all__ = ["FUNCTIONS", "KnownFunction", "KnownRows", "draw_known"]

_TEST_ROWS = 1000


class KnownFunction(NamedTuple):
    """A function with noise, and how its inputs are drawn.

    Parameters
    ----------
    n
        Training rows.
    inputs
        Draws so many rows of inputs.
    mean
        The expected value of y at each row.
    noise
        Draws what is added to it, from the inputs and the expected values.
    """

    n: int
    inputs: Callable[[np.random.Generator, int], np.ndarray]
    mean: Callable[[np.ndarray], np.ndarray]
    noise: Callable[[np.random.Generator, np.ndarray, np.ndarray], np.ndarray]


class KnownRows(NamedTuple):
    """Rows of a known function; `f_test` is its value at the test rows, without noise."""

    X_train: Float[np.ndarray, "train d"]
    y_train: Float[np.ndarray, " train"]
    X_test: Float[np.ndarray, "test d"]
    y_test: Float[np.ndarray, " test"]
    f_test: Float[np.ndarray, " test"]


def draw_known(name: str, seed: int) -> KnownRows:
    """Draw training rows of a known function, and a thousand test rows.

    Parameters
    ----------
    name
        One of `FUNCTIONS`.
    seed
        Seed of the inputs and the noise.

    Examples
    --------
    >>> rows = draw_known("sine-of-square", 0)
    >>> rows.X_train.shape, float(np.std(rows.y_test - rows.f_test).round(2))
    ((120, 1), 0.08)
    """
    if name not in FUNCTIONS:
        raise ValueError(f"unknown function {name!r}; known ones are {', '.join(FUNCTIONS)}.")
    function, rng = FUNCTIONS[name], np.random.default_rng(seed)

    def draw(n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        X = function.inputs(rng, n)
        f = function.mean(X)
        return X, f + function.noise(rng, X, f), f

    X_train, y_train, _ = draw(function.n)
    return KnownRows(X_train, y_train, *draw(_TEST_ROWS))


def _uniform(low: float | int, high: float | int, d: int = 1) -> Callable[[np.random.Generator, int], np.ndarray]:
    return lambda rng, n: rng.uniform(low, high, (n, d))


def _two_sides(rng: np.random.Generator, n: int) -> np.ndarray:
    """Uniform on [−3, −1] and [1, 3]."""
    u = rng.uniform(-2, 2, (n, 1))
    return u + np.where(u < 0, -1, 1)


def _normal(std: float) -> Callable[[np.random.Generator, np.ndarray, np.ndarray], np.ndarray]:
    return lambda rng, X, f: std * rng.standard_normal(len(f))


def _growing(rng: np.random.Generator, X: np.ndarray, f: np.ndarray) -> np.ndarray:
    """Standard deviation 0.05 at the left end and 0.55 at the right."""
    return (0.05 + 0.125 * (X[:, 0] + 2)) * rng.standard_normal(len(f))


def _heavy(rng: np.random.Generator, X: np.ndarray, f: np.ndarray) -> np.ndarray:
    """Student's t with three degrees of freedom, scaled by 0.15."""
    return 0.15 * rng.standard_t(3, len(f))


def _log_normal(rng: np.random.Generator, X: np.ndarray, f: np.ndarray) -> np.ndarray:
    """What turns f into a log-normal value of that mean, of 0.5 in its logarithm."""
    return f * (np.exp(0.5 * rng.standard_normal(len(f)) - 0.125) - 1)


def _interactions(X: np.ndarray) -> np.ndarray:
    """Friedman (1991): a product of two of five inputs, a square, and two straight lines."""
    a, b, c, d, e = X.T
    return 10 * np.sin(np.pi * a * b) + 20 * (c - 0.5) ** 2 + 10 * d + 5 * e


FUNCTIONS: dict[str, KnownFunction] = {
    "sine-of-square": KnownFunction(120, _two_sides, lambda X: np.sin(1.5 * X[:, 0] ** 2), _normal(0.08)),
    "chirp": KnownFunction(
        200, _uniform(0, 1), lambda X: np.sin(2 * np.pi * (1 + 5 * X[:, 0]) * X[:, 0]), _normal(0.1)
    ),
    "step": KnownFunction(150, _uniform(-1, 1), lambda X: np.where(X[:, 0] < 0.2, -1.0, 1.0), _normal(0.1)),
    "interactions": KnownFunction(300, _uniform(0, 1, 5), _interactions, _normal(1.0)),
    "varying-noise": KnownFunction(300, _uniform(-2, 2), lambda X: np.sin(3 * X[:, 0]), _growing),
    "heavy-tails": KnownFunction(300, _uniform(-2, 2, 2), lambda X: np.sin(2 * X[:, 0]) + X[:, 1], _heavy),
    "skewed": KnownFunction(300, _uniform(-1, 1, 3), lambda X: np.exp(X[:, 0] + X[:, 1] * X[:, 2]), _log_normal),
    "cosine-of-cube": KnownFunction(150, _uniform(-2, 2), lambda X: np.cos(X[:, 0] ** 3), _normal(0.1)),
    "bumps": KnownFunction(250, _uniform(-2, 2, 2), lambda X: np.sin(3 * X[:, 0]) * np.cos(2 * X[:, 1]), _normal(0.15)),
    "kinks": KnownFunction(150, _uniform(-2, 2), lambda X: np.abs(X[:, 0]) - 2 * np.abs(X[:, 0] - 1), _heavy),
}
"""Every function by name; `unabases.paper.halves` says which are for development."""
