"""How much less is known about y where an input is missing, learned from the training rows."""

from collections.abc import Callable

import numpy as np
from jaxtyping import Bool, Float
from scipy.optimize import nnls

from unabases.linear import weighted_rows
from unabases.predictive import AbstractPredictive, Transformed
from unabases.regressors.shared.missing_noise import MissingNoise
from unabases.regressors.shared.rows import FirstRows
from unabases.regressors.shared.weights import part_of, weighted_mean

__all__ = ["learn_missing_noise"]

_MOST = 1000  # rows with, and rows without missing values that are looked at
_LEAST_SHARE = 0.2  # of the noise that remains in rows without missing values
_SAME = 1e-6  # differences of noise that are rounding


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
    d, targets = predict(X[chosen]), y[chosen]
    if isinstance(d, Transformed):
        d, targets = d.base, d.curve.bend(targets)
    mean, noises = d.mean.reshape(-1, p), (d.noise_std**2).reshape(-1, p)
    noise, constant = noises.mean(axis=0), np.ptp(noises, axis=0) <= _SAME * noises.max(axis=0)
    counts = part_of(weight, chosen)
    by_residuals = _by_residuals((targets - mean) ** 2, absent[chosen], counts)
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
        hidden = predict(encoder.hide(X[chosen][there], place))
        hidden = hidden.base if isinstance(hidden, Transformed) else hidden
        moved = hidden.mean.reshape(-1, p) - mean[there]
        by_hiding = weighted_mean(moved**2, None if counts is None else counts[there])
        extra[place] = (by_hiding + scale * by_residuals[1 + place]) / 2 if column.was_missing else by_hiding
        if not there.all():  # what noise that varies says of these rows already
            told = noises[~there].mean(axis=0) - noises[there].mean(axis=0)
            extra[place] = np.maximum(extra[place] - np.where(constant, 0.0, told), 0.0)
    return MissingNoise(share, extra)


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
