"""How to train: steps, learning rate, mini batches, early stopping."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import optax

Optimizer = Callable[..., optax.GradientTransformation]
"""A function of the learning rate, such as `optax.adam`."""

LEARNING_RATES = {
    "constant": np.ones_like,
    "cosine": lambda r: 0.5 * (1 + np.cos(np.pi * np.asarray(r))),
    "linear": lambda r: 1 - np.asarray(r),
}
"""How the learning rate changes over training: its share of the first one, as a function of t/T."""


AUTO = "auto"
"""The word for batches whose size follows from the number of rows."""
AUTO_ROWS, AUTO_BATCH = 4096, 512  # up to so many rows all of them are a batch; of more, so many


class Recipe(NamedTuple):
    """How long and how fast to train.

    Parameters
    ----------
    steps : int
        Updates of the weights, T.
    learning_rate : float or array of shape (B,)
        The rate of the first step; one for all models, or one for each of B.
    decay : {"constant", "cosine", "linear"}
        How the learning rate falls from there; the last two reach about 0 at the end.
    batch_size : int, "auto" or None
        Rows used at each step, drawn without repetition until all have been used once. None uses all rows; `"auto"`
        too, up to 4096 of them, and 512 of more.
    patience : int or None
        A model stops after this many looks at the validation rows without a lower loss. None trains to the end.
        With validation rows, the best weights seen are kept in either case.
    chunk : int
        Steps between two looks at the validation rows; progress is reported, and Ctrl-C heard, as often.

    Examples
    --------
    >>> Recipe(steps=500, decay="cosine").learning_rate
    0.01
    """

    steps: int = 2000
    learning_rate: Any = 1e-2
    decay: str = "constant"
    batch_size: int | str | None = None
    patience: int | None = None
    chunk: int = 100

    def batch_of(self, rows: int) -> int | None:
        """Rows used at each step when there are so many; None for all of them.

        Examples
        --------
        >>> Recipe(batch_size="auto").batch_of(1000), Recipe(batch_size="auto").batch_of(10_000)
        (None, 512)
        """
        if self.batch_size == AUTO:
            return AUTO_BATCH if rows > AUTO_ROWS else None
        return None if self.batch_size is None or int(self.batch_size) >= rows else int(self.batch_size)

    def check(self, n_models: int) -> None:
        """Refuse numbers and names that make no sense for so many models."""
        for name in ("steps", "chunk", "batch_size", "patience"):
            value = getattr(self, name)
            if value is not None and value != AUTO and (isinstance(value, str) or value < 1):
                raise ValueError(f"`{name}` must be at least 1; got {value}.")
        rates = np.asarray(self.learning_rate)
        if not np.all(rates > 0) or rates.shape not in {(), (n_models,)}:
            raise ValueError(
                f"`learning_rate` must be positive, one or one for each of {n_models} models; got {self.learning_rate}."
            )
        if self.decay not in LEARNING_RATES:
            raise ValueError(f"unknown decay {self.decay!r}; known ones are {', '.join(LEARNING_RATES)}.")
