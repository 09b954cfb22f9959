"""Which rows have the same inputs."""

import numpy as np
from jaxtyping import Float, Int

__all__ = ["keys_of"]

_MULTIPLIERS = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))  # of Stafford's mixing function


def keys_of(Z: Float[np.ndarray, "n d"]) -> Int[np.ndarray, " n"]:
    """A number for each row: equal for equal rows, and, but for a chance of one in 10¹⁹, different for different ones.

    Examples
    --------
    >>> a, b, c = keys_of(np.array([[1.0, 0.0], [1.0, -0.0], [0.0, 1.0]]))
    >>> bool(a == b), bool(a == c)
    (True, False)
    """
    bits = np.ascontiguousarray(Z + 0.0).view(np.uint64)  # which makes -0 to 0
    key = np.full(len(Z), np.uint64(Z.shape[1]))
    with np.errstate(over="ignore"):
        for column in bits.T:
            key = key ^ column
            key = (key ^ (key >> np.uint64(30))) * _MULTIPLIERS[0]
            key = (key ^ (key >> np.uint64(27))) * _MULTIPLIERS[1]
            key = key ^ (key >> np.uint64(31))
    return key.view(np.int64)
