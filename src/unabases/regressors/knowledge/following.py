"""The wish of a prior over functions: heads that follow functions drawn from a kernel's posterior."""

import numpy as np
from jaxtyping import Float, Int

from unabases.objectives.follow import Follow
from unabases.regressors.processes.draws import draw_functions
from unabases.regressors.processes.smooth_kernel import SmoothKernel
from unabases.regressors.shared.weights import WeightedRows

_POOL = 1024  # points at which the functions to follow are known
_BEYOND = (-0.7, 1.7)  # where points lie on the line through two rows, of which one is 0 and the other 1
_TOLERANCE = 0.01  # added to the noise: how near to its function a head has to come


def follow_draws(
    kernel: SmoothKernel,
    known: WeightedRows,
    Z: Float[np.ndarray, "n d"],
    seen: Int[np.ndarray, " m"],
    n_heads: int,
    noise: Float[np.ndarray, " p"],
    strength: float,
    rng: np.random.Generator,
) -> Follow:
    """Wish that each head follows a function of its own, between and beyond the rows.

    Parameters
    ----------
    kernel
        Of the process that functions are drawn from.
    known
        The rows that they are drawn given.
    Z, seen
        Standardised rows, and the numbers of those between and beyond which points lie.
    n_heads
        How many functions.
    noise
        Noise variance of each output.
    strength
        In nats per row.
    rng
        Draws points and functions.
    """
    first, second = Z[rng.choice(seen, _POOL)], Z[rng.choice(seen, _POOL)]
    points = first + rng.uniform(*_BEYOND, (_POOL, 1)) * (second - first)
    outputs = [(kernel, known.X, t, points, n_heads, rng, known.weight) for t in known.y.T]
    drawn = [draw_functions(*of_output) for of_output in outputs]
    return Follow(points, np.stack(drawn, axis=-1), noise + _TOLERANCE, strength)
