"""How much wider a prediction should be, chosen by what regressors said about rows that they did not see."""

from typing import NamedTuple

import numpy as np
from jaxtyping import Float
from scipy.optimize import minimize

from unabases.predictive import AbstractPredictive
from unabases.regressors.shared.left_out import LeftOut
from unabases.regressors.shared.weights import weighted_mean

__all__ = ["FACTORS", "Factors", "GapScale", "Trial", "choose_factors", "own_factor", "trial_likelihoods"]

FACTORS = np.geomspace(1e-2, 1e4, 61)  # on the epistemic variance; they contain 1
_NOISES = np.geomspace(0.1, 10, 9)
_COARSE = 4  # only every fourth factor is tried first where the noise is searched too


class Factors(NamedTuple):
    """What the variances of one output are multiplied by."""

    epistemic: float
    noise: float


class GapScale(NamedTuple):
    """A change of the width of predictions, with one number for each output.

    The epistemic variance v becomes q + c (v − q) where it exceeds the level q, and stays as it is below. So a model
    that is too sure of itself where it has no data becomes wider there, and hardly on its data, where v is about q.
    """

    epistemic: Float[np.ndarray, " p"]  # c
    noise: Float[np.ndarray, " p"]  # factor on the noise variance, everywhere
    level: Float[np.ndarray, " p"]  # q

    def row_factors(self, prediction: AbstractPredictive) -> Float[np.ndarray, "*shape"]:
        """The factor on the epistemic variance of each element."""
        variance = prediction.epistemic_std**2
        c, q = (self._shaped(value, prediction) for value in (self.epistemic, self.level))
        above = variance > q
        return np.where(above, (q + c * (variance - q)) / np.where(above, variance, 1.0), 1.0)

    def apply(self, prediction: AbstractPredictive) -> AbstractPredictive:
        """The prediction with its new width."""
        return prediction.scaled(self.row_factors(prediction), self._shaped(self.noise, prediction))

    @staticmethod
    def _shaped(values: Float[np.ndarray, " p"], prediction: AbstractPredictive) -> np.ndarray:
        """One number for a vector, one for each column of a matrix."""
        return np.asarray(values[0] if len(prediction.shape) == 1 else values)


class Trial(NamedTuple):
    """What a regressor said about rows that it did not see."""

    left_out: LeftOut
    prediction: AbstractPredictive
    y: Float[np.ndarray, "*shape"]
    level: Float[np.ndarray, " p"]  # of the epistemic variance on the rows that it did see
    weight: Float[np.ndarray, " n"] | None = None  # how often each of the rows counts; None for once


def trial_likelihoods(trial: Trial, epistemic: float, noise: float) -> Float[np.ndarray, " p"]:
    """Mean log-likelihood of each output at the rows left out, if the variances are multiplied by these factors."""
    ones = np.ones_like(trial.level)
    prediction = GapScale(epistemic * ones, noise * ones, trial.level).apply(trial.prediction)
    return np.atleast_1d(weighted_mean(prediction.log_prob(trial.y), trial.weight))


def choose_factors(trials: list[Trial], output: int, prior_std: float) -> Factors:
    r"""Choose the factors of one output by the log-likelihood of what was left out, shrunk towards 1.

    .. math:: \max_{c, r} \sum_{s} \bar\ell_s(c, r) + \frac{S}{F} \sum_{f} \bar\ell_f(c, r)
        - \frac{\log^2 c + \log^2 r}{2 \tau^2}

    Here :math:`\bar\ell` is the mean log-likelihood per row of a slab s or a fold f. So each of the S slabs counts as
    much as one row: errors within a slab have one cause, and many rows of it say little more than one. The last term is
    a log-normal prior. The noise factor r is 1 unless there are folds, and the epistemic one c is 1 unless there are
    slabs.

    Parameters
    ----------
    trials
        What was said about slabs and folds.
    output
        Number of the output.
    prior_std
        :math:`\tau`, the standard deviation of the log of each factor before anything is known.
    """
    slabs = [trial for trial in trials if trial.left_out.kind == "slab"]
    folds = [trial for trial in trials if trial.left_out.kind == "fold"]
    weight = max(1, len(slabs)) / max(1, len(folds))

    def loss(logs: np.ndarray) -> float:
        log_c, log_r = (float(logs[0]) if slabs else 0.0), (float(logs[-1]) if folds else 0.0)
        gained = [trial_likelihoods(trial, np.exp(log_c), np.exp(log_r))[output] for trial in slabs + folds]
        seen = sum(gained[: len(slabs)]) + weight * sum(gained[len(slabs) :])
        return (log_c**2 + log_r**2) / (2 * prior_std**2) - float(seen)

    grids = [np.log(grid) for grid, used in ((FACTORS[:: _COARSE if folds else 1], slabs), (_NOISES, folds)) if used]
    if not grids:
        return Factors(1.0, 1.0)
    points = np.stack(np.meshgrid(*grids, indexing="ij"), axis=-1).reshape(-1, len(grids))
    values = np.array([loss(point) for point in points])
    start = points[np.argmin(np.where(np.isnan(values), np.inf, values))]
    limits = [(grid[0], grid[-1]) for grid in grids]
    best = minimize(loss, start, method="Nelder-Mead", bounds=limits, options={"xatol": 1e-4, "fatol": 1e-9}).x
    return Factors(float(np.exp(best[0])) if slabs else 1.0, float(np.exp(best[-1])) if folds else 1.0)


def own_factor(curve: Float[np.ndarray, " factors"]) -> float:
    """The one of `FACTORS` that a slab would choose alone; of equals, such as where none matters, the nearest to 1."""
    near = np.flatnonzero(curve >= np.max(curve) - 1e-12)
    return float(FACTORS[near[np.argmin(np.abs(np.log(FACTORS[near])))]])
