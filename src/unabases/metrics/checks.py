"""What every metric accepts: predictions with rows, and finite outcomes of the same shape."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from jaxtyping import Float
from numpy.typing import ArrayLike

from unabases.predictive import AbstractPredictive
from unabases.predictive.base import Numbers


def checked_outcomes(predictive: AbstractPredictive, y: ArrayLike, name: str = "y") -> Float[np.ndarray, "*shape"]:
    """Outcomes, or other values called `name`, in the shape of the prediction, all of them finite numbers."""
    refuse_empty(predictive)
    y = np.asarray(y, dtype=np.float64)
    if y.shape != predictive.shape:
        hint = f" Try `{name}.reshape({predictive.shape})`." if y.size == predictive.mean.size else ""
        raise ValueError(f"`{name}` has shape {y.shape} but the prediction has shape {predictive.shape}.{hint}")
    if unusable := int(np.sum(~np.isfinite(y))):
        raise ValueError(f"`{name}` has {unusable} of {y.size} values that are NaN or infinite; leave out their rows.")
    return y


def refuse_arrays(predictive: object) -> None:
    """Refuse what is no distribution, and say where to get one."""
    if not isinstance(predictive, AbstractPredictive):
        raise TypeError(
            f"this metric judges uncertainty, so it needs a distribution, but got {type(predictive).__name__}. Give "
            "`model.predict_dist(X)`, or make one of means and standard deviations: "
            "`unabases.predictive.Normal(mean, epistemic_std, noise_std)`. Plain arrays are enough for `rmse` and "
            "`mae`."
        )


def average(values: np.ndarray, sample_weight: ArrayLike | None) -> float:
    """Mean over rows and outputs, each row counted as often as its weight says."""
    return float(np.mean(row_average(values, sample_weight)))


def row_average(values: np.ndarray, sample_weight: ArrayLike | None) -> Float[np.ndarray, "*p"] | np.floating:
    """Mean over rows, for each output, each row counted as often as its weight says."""
    if sample_weight is None:
        return np.mean(values, axis=0)
    weight = checked_weight(sample_weight, len(values))
    there = weight > 0
    return np.average(values[there], axis=0, weights=weight[there])


def checked_weight(sample_weight: ArrayLike | None, n: int, name: str = "sample_weight") -> Float[np.ndarray, " n"]:
    """How often each of n rows counts: once, or as the weights say, which are finite, not negative and not all 0."""
    if sample_weight is None:
        return np.ones(n)
    weight = np.asarray(sample_weight, dtype=np.float64)
    if weight.shape != (n,):
        raise ValueError(f"`{name}` has shape {weight.shape} but there are {n} rows; give one for each.")
    if not np.all(np.isfinite(weight) & (weight >= 0)) or not np.any(weight):
        raise ValueError(f"`{name}` must be finite numbers that are zero or positive, and not all zero.")
    return weight


def refuse_empty(predictive: Any) -> None:
    """Refuse a prediction of no rows, whose averages would be NaN, and what is no distribution."""
    refuse_arrays(predictive)
    if predictive.mean.size == 0:
        raise ValueError(f"there are no rows to average over: the prediction has shape {predictive.shape}.")


def checked_levels(levels: Sequence[float] | Numbers) -> Float[np.ndarray, " levels"]:
    """Probabilities strictly between 0 and 1."""
    levels = np.asarray(levels, dtype=np.float64)
    if levels.ndim != 1 or levels.size == 0:
        raise ValueError(f"`levels` must be a list of at least one probability, got shape {levels.shape}.")
    if not np.all((levels > 0) & (levels < 1)):
        raise ValueError(f"`levels` must lie strictly between 0 and 1, got {levels}.")
    return levels


def checked_choice(name: str, value: str, known: tuple[str, ...]) -> str:
    """One of the known words."""
    if value not in known:
        raise ValueError(f"`{name}` must be one of {', '.join(map(repr, known))}, got {value!r}.")
    return value
