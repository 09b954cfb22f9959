"""How much each input matters to a fitted model: what scikit-learn's `RFE` and `SelectFromModel` ask for."""

from itertools import pairwise
from typing import Any

import numpy as np
from jaxtyping import Float
from scipy.special import ndtri
from scipy.stats.qmc import Sobol

from unabases.regressors.shared.base import AbstractRegressor

__all__ = ["importances"]

_DRAWS = 512  # evenly spread, so that few are enough
_LEAST = 1e-6  # of a share of a normal distribution


def importances(model: Any) -> Float[np.ndarray, " d"]:
    r"""Share of each input in what a fitted model predicts: how much the mean moves if that input alone is drawn anew.

    .. math:: S_j \propto E \, (f(X) - f(X_1, \ldots, X'_j, \ldots, X_d))^2

    for independent normal X and X' with the means and standard deviations of the training inputs. These are the total
    effects of Sobol, scaled to sum to 1. Fits of this package keep no rows, so inputs that hang together in your table
    are taken apart here; permutation importance does the same. It says what the model uses, not what causes what.

    Parameters
    ----------
    model : regressor
        A fitted regressor of this package, or one in `GapCalibrated` or `Conformal`. It must standardise its inputs,
        as it does by default.

    Returns
    -------
    array of shape (d,)
        Shares that sum to 1, one for each column of the table or array, whatever numbers it becomes; all equal if the
        model predicts the same everywhere.

    References
    ----------
    T. Homma, A. Saltelli (1996). Importance measures in global sensitivity analysis of nonlinear models.

    Examples
    --------
    >>> from sklearn.feature_selection import RFE
    >>> from unabases import GaussianProcess
    >>> X = np.random.default_rng(0).standard_normal((60, 3))
    >>> y = 3 * X[:, 0] + X[:, 2]
    >>> importances(GaussianProcess(restarts=0, sigma2=0.01).fit(X, y)).round(1)
    array([0.9, 0. , 0.1])
    >>> chosen = RFE(GaussianProcess(restarts=0, sigma2=0.01), n_features_to_select=2, importance_getter=importances)
    >>> chosen.fit(X, y).get_support()
    array([ True, False,  True])
    """
    model = _bare(model)
    center, spread = model.x_scale_
    even = np.clip(Sobol(2 * len(center), rng=np.random.default_rng(0)).random(_DRAWS), _LEAST, 1 - _LEAST)
    X, other = (center + spread * Z for Z in np.split(ndtri(even), 2, axis=1))
    before = _means(model, X)
    effects = []
    for columns in _places(model):
        moved = X.copy()
        moved[:, columns] = other[:, columns]
        effects.append(np.mean((_means(model, moved) - before) ** 2))
    shares = np.array(effects)
    return shares / shares.sum() if shares.sum() > 0 else np.full(len(shares), 1 / len(shares))


def _bare(model: Any) -> AbstractRegressor:
    """The regressor inside its wrappers, if its inputs have a scale."""
    while not isinstance(model, AbstractRegressor) and hasattr(model, "estimator_"):
        model = model.estimator_
    if not isinstance(model, AbstractRegressor):
        raise TypeError(f"`model` must be a fitted regressor of unabases; got {type(model).__name__}.")
    if model.standardize is False:
        raise ValueError("with `standardize=False` the model does not know how its inputs spread; use another value.")
    return model


def _means(model: AbstractRegressor, X: np.ndarray) -> Float[np.ndarray, "n p"]:
    """Predicted means of rows that are numbers already, in units of the spread of each output."""
    size = model._rows_at_once()
    blocks = [model._predict_rows(X[i : i + size], False).mean for i in range(0, len(X), size)]
    return np.concatenate(blocks).reshape(len(X), -1) / model.y_scale_.spread


def _places(model: AbstractRegressor) -> list[list[int]]:
    """For each column of the user, where its numbers are among the inputs of the model."""
    if model.encoder_ is None:
        return [[place] for place in range(len(model.x_scale_.center))]
    ends = np.cumsum([0, *(len(column.encoded_names) for column in model.encoder_.inputs)])
    return [list(range(start, end)) for start, end in pairwise(ends)]
