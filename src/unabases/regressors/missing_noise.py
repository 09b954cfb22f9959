"""How much less is known about y where an input is missing."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float
from scipy.optimize import nnls

from unabases.linear import weighted_rows
from unabases.predictive import AbstractPredictive
from unabases.regressors.rows import FirstRows
from unabases.regressors.saved_state import SavedState
from unabases.regressors.weights import part_of, weighted_mean

_MOST = 1000  # rows with, and rows without missing values that are looked at
_LEAST_SHARE = 0.2  # of the noise that remains in rows without missing values
_SAME = 1e-6  # differences of noise that are rounding


class MissingNoise(NamedTuple):
    """The noise of a row by what it lacks, in y's units squared.

    A model with one noise level has it for all rows, those that lack an input among them. Here it is told apart:
    complete rows have a share of it, and every missing value adds its own variance. Noise that varies with the inputs
    is told apart already, since what is missing is an input: there the share is 1, and only what lacks is added.
    """

    share: Float[np.ndarray, " p"]
    extra: Float[np.ndarray, "columns p"]

    def widen(self, d: AbstractPredictive, absent: Bool[np.ndarray, "n columns"]) -> AbstractPredictive:
        """The same prediction with the noise that each row has by what it lacks."""
        added = (absent @ self.extra).reshape(d.shape)
        share = self.share if len(d.shape) == 2 else self.share[0]
        return d.with_noise(np.sqrt(share * d.noise_std**2 + added))


def learn_missing_noise(
    predict: Callable[[np.ndarray], AbstractPredictive], first: FirstRows, estimated: bool
) -> MissingNoise | None:
    """Learn from the training rows what a missing value costs; None if no value may be missing.

    Two estimates of the variance that a missing value of a column adds are averaged. One is what the residuals say: a
    regression of their squares on what is missing, which is too small if the model follows its training rows closely.
    The other is how far predictions move if a known value is hidden. For a column that no training row lacks, there is
    only the second.

    Parameters
    ----------
    predict
        The fitted model: matrices of numbers in, predictions out.
    first
        What it was fitted to: rows, targets of shape (n, p), and how columns became numbers.
    estimated
        Whether the noise was estimated from these rows, so that it is an average over complete and incomplete ones. If
        not, it is taken for the noise of complete rows.
    """
    (X, absent), y, encoder, weight = first
    if encoder is None or encoder.missing != "impute" or absent is None:
        return None
    lacking, p = absent.any(axis=1), y.shape[1]
    chosen = np.sort(np.concatenate([_spread_out(np.flatnonzero(lacking)), _spread_out(np.flatnonzero(~lacking))]))
    d = predict(X[chosen])
    mean, noises = d.mean.reshape(-1, p), (d.noise_std**2).reshape(-1, p)
    noise, constant = noises.mean(axis=0), np.ptp(noises, axis=0) <= _SAME * noises.max(axis=0)
    counts = part_of(weight, chosen)
    by_residuals = _by_residuals((y[chosen] - mean) ** 2, absent[chosen], counts)
    share, scale = np.ones(p), np.ones(p)
    if estimated:  # residuals of training rows are too small everywhere: only their ratios count
        average = by_residuals[0] + weighted_mean(absent, weight) @ by_residuals[1:]
        known = average > 0
        alike = known & constant
        share[alike] = np.maximum(by_residuals[0][alike] / average[alike], _LEAST_SHARE)
        scale[known] = noise[known] / average[known]
    extra = np.empty((len(encoder.inputs), p))
    for place, column in enumerate(encoder.inputs):
        there = ~absent[chosen, place]
        if not there.any():  # so rare that none of these rows has it: there is nothing to hide
            extra[place] = scale * by_residuals[1 + place]
            continue
        moved = predict(encoder.hide(X[chosen][there], place)).mean.reshape(-1, p) - mean[there]
        by_hiding = weighted_mean(moved**2, None if counts is None else counts[there])
        extra[place] = (by_hiding + scale * by_residuals[1 + place]) / 2 if column.was_missing else by_hiding
        if not there.all():  # what noise that varies says of these rows already
            told = noises[~there].mean(axis=0) - noises[there].mean(axis=0)
            extra[place] = np.maximum(extra[place] - np.where(constant, 0.0, told), 0.0)
    return MissingNoise(share, extra)


def noise_arrays(noise: MissingNoise | None) -> dict[str, np.ndarray]:
    """Named arrays, to be saved."""
    return {} if noise is None else {"missing.share": noise.share, "missing.extra": noise.extra}


def noise_from(saved: SavedState, columns: int) -> MissingNoise | None:
    """What `noise_arrays` named, for so many columns of the user's."""
    own = saved.below("missing.", columns=columns)
    if not own.arrays:
        return None
    return MissingNoise(own.array("share", "p", "positive"), own.array("extra", "columns p", "not negative"))


def _by_residuals(
    squares: Float[np.ndarray, "n p"],
    absent: Bool[np.ndarray, "n columns"],
    weight: Float[np.ndarray, " n"] | None = None,
) -> Float[np.ndarray, "terms p"]:
    """Squared residuals as a constant, and a term that is not negative for each missing value."""
    design = np.column_stack([np.ones(len(absent)), absent])
    design, squares = weighted_rows(design, squares, weight)
    return np.column_stack([nnls(design, column)[0] for column in squares.T])


def _spread_out(places: np.ndarray) -> np.ndarray:
    """At most a thousand of the places, evenly spread."""
    return places if len(places) <= _MOST else places[np.linspace(0, len(places) - 1, _MOST).astype(int)]
