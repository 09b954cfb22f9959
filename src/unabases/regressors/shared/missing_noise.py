"""What a missing value adds to the noise of a row."""

from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float

from unabases.predictive import AbstractPredictive, Transformed
from unabases.regressors.shared.saved_state import SavedState, StateError

__all__ = ["MissingNoise", "noise_arrays", "noise_from"]


class MissingNoise(NamedTuple):
    """The noise of a row by what it lacks, squared, on the scale on which y is learned.

    That is y's own unless it is curved. On a logarithm, say, a missing value then makes a prediction so many times less
    certain, whether it is small or large.

    A model with one noise level has it for all rows, those that lack an input among them. Here it is told apart:
    complete rows have a share of it, and every missing value adds its own variance. Noise that varies with the inputs
    is told apart already, since what is missing is an input: there the share is 1, and only what lacks is added.
    """

    share: Float[np.ndarray, " p"]
    extra: Float[np.ndarray, "columns p"]

    def widen(self, d: AbstractPredictive, absent: Bool[np.ndarray, "n columns"]) -> AbstractPredictive:
        """The same prediction with the noise that each row has by what it lacks."""
        if isinstance(d, Transformed):
            return Transformed(d.base.with_noise(self._noise_std(d.base, absent)), d.curve).labelled(d.index)
        return d.with_noise(self._noise_std(d, absent))

    def _noise_std(self, d: AbstractPredictive, absent: Bool[np.ndarray, "n columns"]) -> Float[np.ndarray, "*shape"]:
        added = (absent @ self.extra).reshape(d.shape)
        share = self.share if len(d.shape) == 2 else self.share[0]
        return np.sqrt(share * d.noise_std**2 + added)


def noise_arrays(noise: MissingNoise | None) -> dict[str, np.ndarray]:
    """Named arrays, to be saved."""
    return {} if noise is None else {"missing.share": noise.share, "missing.added": noise.extra}


def noise_from(saved: SavedState, columns: int) -> MissingNoise | None:
    """What `noise_arrays` named, for so many columns of the user's."""
    own = saved.below("missing.", columns=columns)
    if not own.arrays:
        return None
    return MissingNoise(own.array("share", "p", "positive"), own.array(_added_name(saved), "columns p", "not negative"))


def _added_name(saved: SavedState) -> str:
    """The name of the variances that missing values add.

    Early files have another, and in them the variances are in y's units throughout. On a curved scale that is wrong.
    """
    if "missing.added" in saved.arrays:
        return "added"
    if saved.below("curve.").arrays:
        raise StateError(
            "the noise of rows with missing values is that of an early version, which got it wrong for targets on a "
            "curved scale; fit the model again"
        )
    return "extra"
