"""The epistemic std of any model of this package, for new rows and for training rows."""

from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Float
from sklearn.utils.validation import check_is_fitted

from unabases.regressors.networks.last_layer import AbstractLastLayer
from unabases.tables import TableModel

__all__ = ["check_unsure", "leave_one_out_std", "predict_epistemic"]


def predict_epistemic(model: Any, X: Any) -> tuple[Float[np.ndarray, " n"], Float[np.ndarray, " n"]]:
    """Predict the mean and epistemic std of each row with a regressor or a `TableModel`."""
    if not hasattr(model, "predict_dist"):
        raise TypeError(
            f"`model` must be a fitted regressor of unabases or a TableModel, got {type(model).__name__}, which has no "
            "`predict_dist`."
        )
    d = model.predict_dist(_inputs_of(model, X))
    if d.mean.ndim != 1:
        raise ValueError(f"the model has {d.mean.shape[1]} outputs, but audits take one; fit one model per output.")
    return d.mean, d.epistemic_std


def check_unsure(reference_std: Float[np.ndarray, " m"]) -> None:
    """Refuse reference rows that a model is certain of: nothing can be compared with an epistemic std of 0.

    Parameters
    ----------
    reference_std : array of shape (m,)
        Epistemic stds of rows like the training data.

    Examples
    --------
    >>> check_unsure(np.array([0.0, 0.1]))
    """
    if not np.mean(reference_std) > 0:
        raise ValueError(
            f"the model is certain of all {len(reference_std)} reference rows: their epistemic std is 0, so there is "
            "nothing to compare other rows with. Was the target the same in all training rows? If not, fit a regressor "
            "that knows what it does not know, such as UNA()."
        )


def leave_one_out_std(model: Any, X: Any) -> Float[np.ndarray, " n"]:
    r"""Compute the epistemic std of training rows as if the last layer had not seen each of them.

    A training row lowers its own uncertainty. Without it, the precision of the last layer is
    :math:`A - \phi\phi^\top/\sigma^2`, and by Sherman and Morrison the variance at it is

    .. math:: \frac{v}{1 - v/\sigma^2}, \quad v = \phi^\top A^{-1} \phi

    exactly. The features were still trained on the row, so rows held out from training are a better reference if
    there are any.

    Parameters
    ----------
    model : regressor or TableModel
        A fitted model with a Bayesian last layer, such as `LUNA` or `NeuralLinear`.
    X : array or DataFrame
        Rows that it was trained on.

    Returns
    -------
    array of shape (n,)
        The corrected epistemic stds.

    Examples
    --------
    >>> from unabases import NeuralLinear
    >>> X = np.linspace(-1, 1, 20)[:, None]
    >>> model = NeuralLinear(hidden_layer_sizes=(5,), max_steps=20, sigma2=0.1, random_state=0).fit(X, X[:, 0])
    >>> bool((leave_one_out_std(model, X) > model.predict_dist(X).epistemic_std).all())
    True
    """
    regressor = model.regressor if isinstance(model, TableModel) else model
    check_is_fitted(regressor)
    if not isinstance(regressor, AbstractLastLayer):
        raise TypeError(
            f"{type(regressor).__name__} has no Bayesian last layer to leave a row out of; hold rows out from training "
            "and pass them as `reference`."
        )
    d = model.predict_dist(_inputs_of(model, X))
    share = d.epistemic_std**2 / regressor.sigma2_  # not `noise_std`, which is larger where inputs are missing
    if np.any(share >= 1):
        raise ValueError(
            f"{int(np.sum(share >= 1))} of these rows are less certain than one observation would make them, so "
            "the model was not trained on them. Pass training rows, or pass these as a plain `reference`."
        )
    return d.epistemic_std / np.sqrt(1 - share)


def _inputs_of(model: Any, X: Any) -> Any:
    """Pick the columns that a regressor was trained on, if X is a table that has more."""
    names = getattr(model, "feature_names_in_", None)
    if isinstance(X, pd.DataFrame) and names is not None and set(names) <= set(X.columns):
        return X[list(names)]
    return X
