"""The contract of every regressor: a distribution for each row, behind scikit-learn's interface."""

import abc
import numbers
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, MultiOutputMixin, RegressorMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from unabases.predictive import AbstractPredictive


class AbstractRegressor(MultiOutputMixin, RegressorMixin, BaseEstimator, abc.ABC):
    """A scikit-learn regressor whose predictions are distributions.

    A new regressor supplies `fit`, `predict_dist`, `get_state` and `set_state`; `predict`, scoring, saving and
    the contract tests come with it.
    """

    @abc.abstractmethod
    def fit(self, X: Any, y: Any) -> "AbstractRegressor":
        """Learn from rows `X` and targets `y`."""

    @abc.abstractmethod
    def predict_dist(self, X: Any, covariance: bool = False) -> AbstractPredictive:
        """Predictive distribution of y at each row; with `covariance`, jointly over rows."""

    @abc.abstractmethod
    def get_state(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Everything learned, as named arrays and as values that JSON can hold."""

    @abc.abstractmethod
    def set_state(self, arrays: dict[str, np.ndarray], values: dict[str, Any], **extra: Any) -> None:
        """Put back what `get_state` gave."""

    def predict(self, X: Any, return_std: bool = False, return_cov: bool = False) -> Any:
        """Mean of y at each row, with the standard deviation or covariance of y (noise included) on demand.

        `predict_dist` tells the uncertainty of the model from the noise.
        """
        if return_std and return_cov:
            raise ValueError("ask for one of `return_std` and `return_cov`, not both.")
        d = self.predict_dist(X, covariance=return_cov)
        if return_cov:
            return d.mean, _with_noise(d.covariance, d.noise_std)
        return (d.mean, d.std) if return_std else d.mean

    def _validate_fit(self, X: Any, y: Any) -> tuple[np.ndarray, np.ndarray]:
        """Rows and targets as float64 matrices; remembers whether y came as a vector."""
        X, y = validate_data(
            self, X, y, dtype=np.float64, y_numeric=True, multi_output=True, ensure_min_samples=2
        )
        self.vector_output_ = y.ndim == 1
        return X, np.asarray(y, dtype=np.float64).reshape(len(X), -1)

    def _validate_predict(self, X: Any) -> np.ndarray:
        """Rows as a float64 matrix with the columns seen in `fit`."""
        check_is_fitted(self)
        return validate_data(self, X, dtype=np.float64, reset=False)

    def _shaped(self, values: np.ndarray) -> np.ndarray:
        """Outputs as they were given to `fit`: the last axis is dropped when y was a vector."""
        return values[..., 0] if self.vector_output_ else values


def _with_noise(covariance: np.ndarray, noise_std: np.ndarray) -> np.ndarray:
    """Covariance of y from that of f; outputs, if several, are the last axis as in scikit-learn."""
    eye = np.eye(len(covariance))
    return covariance + (eye * noise_std**2 if noise_std.ndim == 1 else eye[..., None] * noise_std**2)


def check_positive(name: str, value: Any, zero: bool = False) -> float:
    """`value` as a float, or an error that names it."""
    good = isinstance(value, numbers.Real) and not isinstance(value, bool) and np.isfinite(value)
    if not good or value < 0 or (value == 0 and not zero):
        kind = "a number that is zero or positive" if zero else "a positive number"
        raise ValueError(f"`{name}` must be {kind}; got {value!r}.")
    return float(value)


def check_count(name: str, value: Any, least: int = 1) -> int:
    """`value` as a whole number of at least `least`, or an error that names it."""
    if not isinstance(value, numbers.Integral) or isinstance(value, bool) or value < least:
        raise ValueError(f"`{name}` must be a whole number of at least {least}; got {value!r}.")
    return int(value)
