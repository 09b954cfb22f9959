"""Shapes of functions that no smooth prior foresees: kinks, waves, jumps, products of inputs."""

from collections.abc import Callable

import numpy as np
from jaxtyping import Float

__all__ = ["SHAPES", "draw_function"]

Function = Callable[[np.ndarray], np.ndarray]
_ROWS = 1000  # over which mean and std of a function are taken


def draw_function(shape: str, d: int, rng: np.random.Generator) -> Function:
    """Draw a function of one of the `SHAPES`, with mean 0 and std 1 over the box from −1 to 1.

    All shapes but the interaction are sums over inputs of functions of one input, drawn independently of each other.
    They go on beyond the box.

    Parameters
    ----------
    shape : str
        A key of `SHAPES`.
    d : int
        Number of inputs; at least 2 for an interaction.
    rng : Generator
        Source of its parameters: knots, slopes, frequencies, phases.

    Returns
    -------
    callable
        Maps rows of shape (n, d) to values of shape (n,).

    Examples
    --------
    >>> step = draw_function("step", 1, np.random.default_rng(0))
    >>> len(np.unique(step(np.linspace(-1, 1, 500)[:, None]).round(9)))
    4
    """
    if shape not in SHAPES:
        raise ValueError(f"unknown shape {shape!r}; choose one of {', '.join(SHAPES)}.")
    if shape == "interaction" and d < 2:
        raise ValueError(f"an interaction needs at least 2 inputs, got `d` = {d}.")
    raw = SHAPES[shape](d, rng)
    over_box = raw(rng.uniform(-1, 1, (_ROWS, d)))
    mean, std = over_box.mean(), over_box.std()

    def standardised(X: Float[np.ndarray, "n d"]) -> Float[np.ndarray, " n"]:
        return (raw(np.asarray(X, dtype=np.float64)) - mean) / std

    return standardised


def _linear(d: int, rng: np.random.Generator) -> Function:
    slopes = rng.normal(size=d)
    return lambda X: X @ slopes


def _piecewise_linear(d: int, rng: np.random.Generator) -> Function:
    slopes, knots, bends = rng.normal(size=d), rng.uniform(-1, 1, (4, d)), rng.normal(0, 3, (4, d))
    return lambda X: X @ slopes + np.sum(bends * np.maximum(X[:, None] - knots, 0), axis=(1, 2))


def _periodic(d: int, rng: np.random.Generator) -> Function:
    frequency, phase = rng.uniform(4, 8, d), rng.uniform(0, 2 * np.pi, (2, d))
    return lambda X: np.sum(np.sin(frequency * X + phase[0]) + np.sin(2 * frequency * X + phase[1]) / 2, axis=1)


def _chirp(d: int, rng: np.random.Generator) -> Function:
    """A wave that starts slow at the lower end and is about four to eight times as fast at the upper."""
    start, growth, phase = rng.uniform(1, 2, d), rng.uniform(1.5, 2.5, d), rng.uniform(0, 2 * np.pi, d)
    return lambda X: np.sum(np.sin(phase + start * (X + 1) + growth * (X + 1) ** 2), axis=1)


def _step(d: int, rng: np.random.Generator) -> Function:
    places, heights = rng.uniform(-1, 1, (3, d)), rng.choice([-1.0, 1.0], (3, d)) * rng.uniform(0.5, 1.5, (3, d))
    return lambda X: np.sum(heights * (X[:, None] > places), axis=(1, 2))


def _interaction(d: int, rng: np.random.Generator) -> Function:
    """Waves in the product of each input and the next."""
    frequency, weight = rng.uniform(2, 4, d - 1), rng.normal(size=d - 1)
    return lambda X: np.sin(frequency * X[:, :-1] * X[:, 1:]) @ weight


SHAPES: dict[str, Callable[[int, np.random.Generator], Function]] = {
    "linear": _linear,
    "piecewise-linear": _piecewise_linear,
    "periodic": _periodic,
    "chirp": _chirp,
    "step": _step,
    "interaction": _interaction,
}
"""How each shape is drawn, by name."""
