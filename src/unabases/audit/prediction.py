"""Epistemic uncertainty of any model of this package, for rows that it has seen and rows that it has not."""

from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Float
from sklearn.utils.validation import check_is_fitted

from unabases.regressors.last_layer import AbstractLastLayer
from unabases.tables import TableModel

__all__ = ["leave_one_out_std", "predict_epistemic"]


def predict_epistemic(model: Any, X: Any) -> tuple[Float[np.ndarray, " n"], Float[np.ndarray, " n"]]:
    """Mean and epistemic std of each row, for a regressor or a `TableModel`."""
    if not hasattr(model, "predict_dist"):
        raise TypeError(
            f"`model` must be a fitted regressor of unabases or a TableModel, got {type(model).__name__}, which has no "
            "`predict_dist`."
        )
    d = model.predict_dist(_inputs_of(model, X))
    if d.mean.ndim != 1:
        raise ValueError(f"the model has {d.mean.shape[1]} outputs; an audit needs one. Fit one model for each output.")
    return d.mean, d.epistemic_std


def leave_one_out_std(model: Any, X: Any) -> Float[np.ndarray, " n"]:
    r"""Epistemic std of rows that the model was trained on, as if its last layer had not seen each of them.

    A row pulls its own uncertainty down. Without it, the precision of the last layer is
    :math:`A - \phi\phi^\top/\sigma^2`, and by Sherman and Morrison the variance at it is

    .. math:: \frac{v}{1 - v/\sigma^2}, \quad v = \phi^\top A^{-1} \phi

    exactly. That the features were trained on the row too remains, so rows held out from training are the better
    reference where there are any. Only for models with a Bayesian last layer (`LUNA`, `NeuralLinear`).
    """
    regressor = model.regressor if isinstance(model, TableModel) else model
    check_is_fitted(regressor)
    if not isinstance(regressor, AbstractLastLayer):
        raise TypeError(
            f"{type(regressor).__name__} has no Bayesian last layer to leave a row out of; hold out rows from training "
            "and give them as `reference`."
        )
    d = model.predict_dist(_inputs_of(model, X))
    share = (d.epistemic_std / d.noise_std) ** 2
    if np.any(share >= 1):
        raise ValueError(
            f"{int(np.sum(share >= 1))} of these rows are less certain than one observation would make them: the "
            "model was not trained on them. Give training rows, or give these as `reference`."
        )
    return d.epistemic_std / np.sqrt(1 - share)


def _inputs_of(model: Any, X: Any) -> Any:
    """The columns that a regressor was trained on, if X is a table that has more."""
    names = getattr(model, "feature_names_in_", None)
    if isinstance(X, pd.DataFrame) and names is not None and set(names) <= set(X.columns):
        return X[list(names)]
    return X
