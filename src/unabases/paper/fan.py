"""The picture that opens the README: functions that a model holds possible fan out where it has no data."""

from typing import Any, NamedTuple

import numpy as np

from unabases.datasets import SyntheticGap, cubic_gap
from unabases.paper.synthetic_scores import GRID
from unabases.predictive import AbstractPredictive
from unabases.regressors import UNA, NeuralLinear


class Fan(NamedTuple):
    """What the picture shows.

    Parameters
    ----------
    data
        The rows that all models learn from.
    grid
        Inputs over and beyond them.
    ordinary
        What an ordinary neural linear model predicts on the grid.
    functions
        Functions on the grid that the first UNA holds possible, shape (n, grid).
    curves
        What UNA predicts on the grid, one for each seed of the model.
    """

    data: SyntheticGap
    grid: np.ndarray
    ordinary: AbstractPredictive
    functions: np.ndarray
    curves: list[AbstractPredictive]


def fit_fan(random_state: int = 0, n_seeds: int = 5, n_functions: int = 30, **parameters: Any) -> Fan:
    """Fit an ordinary model once and UNA with several seeds to the same Cubic Gap data.

    Parameters
    ----------
    random_state
        Seed of the data, of the ordinary model and of the first UNA; the others have the next ones.
    n_seeds
        How often UNA is fitted.
    n_functions
        Functions to draw from the first UNA's posterior.
    parameters
        Parameters of all models; their defaults hold otherwise.

    Returns
    -------
    Fan
        The data, and what the models say on the grid.

    Examples
    --------
    >>> fan = fit_fan(n_seeds=1, n_functions=2, max_steps=100)
    >>> fan.functions.shape == (2, len(fan.grid))
    True
    """
    data = cubic_gap(random_state=random_state)
    ordinary = NeuralLinear(random_state=random_state, **parameters).fit(data.X_train, data.y_train)
    seeds = [(random_state + i) % 2**32 for i in range(n_seeds)]
    models = [UNA(random_state=seed, **parameters).fit(data.X_train, data.y_train) for seed in seeds]
    functions = models[0].sample_posterior(GRID, n_functions, random_state=random_state)
    return Fan(data, GRID, ordinary.predict_dist(GRID), functions, [model.predict_dist(GRID) for model in models])
