"""The contract of every regressor: a distribution for each row, behind scikit-learn's interface."""

import abc
import numbers
from typing import Any, TypeVar

import numpy as np
from jaxtyping import Float
from sklearn.base import BaseEstimator, MultiOutputMixin, RegressorMixin
from sklearn.utils.validation import check_is_fitted

from unabases.datasets.encoder import Encoder, describe_columns, encoder_from
from unabases.predictive import AbstractPredictive, Normal
from unabases.predictive.checks import EXTREMES, refuse_infinite
from unabases.regressors.shared.missing_noise import MissingNoise, noise_arrays, noise_from
from unabases.regressors.shared.missing_values import learn_missing_noise
from unabases.regressors.shared.parameters import check_kinds, estimator, parameter
from unabases.regressors.shared.pickling import PlainState
from unabases.regressors.shared.rows import FirstRows, Rows, first_rows, labels_of, later_rows
from unabases.regressors.shared.saved_state import SavedState, StateError
from unabases.regressors.shared.scaling import Scale, refuse_extreme
from unabases.regressors.shared.weights import WeightedRows

_SCALES = (("x", "d"), ("y", "p"))  # of inputs and outputs, and the letters of their numbers
Model = TypeVar("Model", bound="AbstractRegressor")  # `fit` returns the class it was called on


class _Fitted:
    """Attributes that `fit` sets on every regressor; apart, since fields of an estimator are parameters."""

    n_features_in_: int  # of the user's columns; `_width` of the numbers that they become
    encoder_: Encoder | None = None  # how columns become numbers; None if they are plain numbers
    missing_noise_: MissingNoise | None = None  # how much less is known where a value is missing
    vector_output_: bool  # y was a vector, so predictions are
    x_scale_: Scale
    y_scale_: Scale
    history_: Any  # of regressors that train a network
    sigma2_: Any  # noise variance in y's units squared: set last, by `fit` and `set_state`


@estimator
class AbstractRegressor(PlainState, _Fitted, MultiOutputMixin, RegressorMixin, BaseEstimator, abc.ABC):
    """A scikit-learn regressor whose predictions are distributions.

    A new regressor supplies `fit`, `_predict_rows`, `_rows_at_once`, `get_state` and `set_state`; `predict`,
    `predict_dist`, scoring, saving and the contract tests come with it.
    """

    standardize: Any = parameter(
        True,
        "Other",
        'bool or "common"',
        "If True, inputs and targets are scaled to mean 0 and standard deviation 1 inside the model; predictions are "
        'always in your units. "common" divides all inputs by one number, which suits inputs that share a unit, such '
        "as principal components. If False, give data that is scaled already.",
    )
    random_state: Any = parameter(
        None,
        "Other",
        "int, RandomState or None",
        "Seed of everything random. With an int, fitting twice gives the same model.",
    )
    verbose: Any = parameter(False, "Other", "bool", "If True, show a progress bar while training.")

    fitted_attributes = {  # noqa: RUF012  (texts, never changed)
        "sigma2_": ("float or array", "Noise variance in use, in squared units of y; one for each output."),
        "history_": (
            "DataFrame",
            "The loss and each of its terms at every training step, and with early stopping, every 100 steps, the "
            "`validation` loss of the held-out rows. `n_iter_` is the number of steps.",
        ),
        "log_evidence_": ("float", "Log marginal likelihood of the training targets, in their units."),
    }

    @abc.abstractmethod
    def fit(self: Model, X: Any, y: Any, sample_weight: Any = None) -> Model:
        """Learn from rows `X` and targets `y`, each row counted as often as its weight says.

        A regressor of its own calls `_validate_fit` first, and `_learn_missing_noise` last.

        Parameters
        ----------
        X
            Rows of shape (n, d): an array or a table.
        y
            Targets of shape (n,), or (n, p) for p outputs.
        sample_weight
            How often each row counts, shape (n,); None for once each.
        """

    @abc.abstractmethod
    def _predict_rows(self, X: Float[np.ndarray, "n d"], covariance: bool) -> AbstractPredictive:
        """Prediction for valid rows in the user's units."""

    @abc.abstractmethod
    def _rows_at_once(self) -> int:
        """How many rows `predict` may take together, so that memory stays bounded for any number."""

    @abc.abstractmethod
    def get_state(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Everything learned, as named arrays and as values that JSON can hold."""

    @abc.abstractmethod
    def set_state(self, arrays: dict[str, np.ndarray], values: dict[str, Any]) -> None:
        """Put back what `get_state` gave."""

    def predict_dist(self, X: Any, covariance: bool = False) -> AbstractPredictive:
        """Distribution of y at each row, in y's units: what more data would settle and the noise apart.

        Parameters
        ----------
        X
            Rows of shape (n, d): an array or a table, with the columns seen in `fit`.
        covariance
            Whether to add the epistemic covariance between rows.

        Returns
        -------
        AbstractPredictive
            Its `mean`, `std`, `epistemic_std` and `noise_std` are arrays; `interval(0.9)`, `quantile`, `log_prob` and
            `sample` say more, and `to_frame()` makes a table with the labels of a pandas X.
        """
        return self._predict_any(self._rows(X), covariance).labelled(labels_of(X))

    def predict(self, X: Any, return_std: bool = False, return_cov: bool = False) -> Any:
        """Mean of y at each row, with the standard deviation or covariance of y (noise included) on demand.

        `predict_dist` tells the uncertainty of the model from the noise.

        Parameters
        ----------
        X
            Rows of shape (n, d): an array or a table, with the columns seen in `fit`.
        return_std
            Whether to return the standard deviation of y too.
        return_cov
            Whether to return the covariance of y between rows too; not together with `return_std`.

        Returns
        -------
        array, or tuple of two arrays
            The mean, of the shape of the targets; with what was asked for.
        """
        if return_std and return_cov:
            raise ValueError("ask for one of `return_std` and `return_cov`, not both.")
        rows = self._rows(X)
        if return_cov:
            d = self._predict_any(rows, True)
            return d.mean, with_noise(d.covariance, d.noise_std)
        size = self._rows_at_once()
        blocks = [rows.take(slice(i, i + size)) for i in range(0, len(rows.X), size)]
        if not return_std:
            return np.concatenate([self._mean_any(block) for block in blocks])
        said = (self._predict_any(block, False) for block in blocks)
        mean, std = (np.concatenate(part) for part in zip(*((d.mean, d.std) for d in said), strict=True))
        return mean, std

    def __sklearn_is_fitted__(self) -> bool:
        """Whether the noise is known, which is the last thing that `fit` settles: a fit that failed is no fit."""
        return hasattr(self, "sigma2_")

    def _common_state(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """What every regressor that standardises remembers of its data."""
        check_is_fitted(self)
        arrays = {
            f"{name}.{field}": value
            for name, scale in (("x", self.x_scale_), ("y", self.y_scale_))
            for field, value in scale._asdict().items()
        }
        values = {
            "n_features_in": self.n_features_in_,
            "feature_names_in": getattr(self, "feature_names_in_", np.array([])).tolist(),
            "vector_output": self.vector_output_,
        }
        if self.encoder_ is not None:
            values["encoder"] = {"inputs": describe_columns(self.encoder_.inputs), "missing": self.encoder_.missing}
        return arrays | noise_arrays(self.missing_noise_), values

    def _read_common(self, saved: SavedState) -> SavedState:
        """Put back what `_common_state` gave; what is left to read, with d and p for inputs and outputs."""
        x, y = (Scale(saved.array(f"{of}.center", c), saved.array(f"{of}.spread", c, "positive")) for of, c in _SCALES)
        if max(np.abs(y.center).max(), y.spread.max()) > 2 * EXTREMES[1]:  # twice, for rounding
            raise StateError(f"the scale of the targets is beyond {EXTREMES[1]:g}, which no fit accepts")
        n_features, names = saved.value("n_features_in", int), saved.value("feature_names_in", list)
        if not all(type(name) is str for name in names) or len(names) not in (0, n_features):
            raise StateError(f"`feature_names_in` has to be {n_features} names or none")
        vector = saved.value("vector_output", bool)
        if vector and saved.sizes["p"] != 1:
            raise StateError(f"there are {saved.sizes['p']} outputs, so y cannot have been a vector")
        described = saved.value("encoder", dict, None)
        encoder = None if described is None else encoder_from(described)
        inside, outside = (n_features, n_features) if encoder is None else (len(encoder.columns), len(encoder.inputs))
        self.n_features_in_, self.vector_output_, self.x_scale_, self.y_scale_ = n_features, vector, x, y
        if names:
            self.feature_names_in_ = np.array(names, dtype=object)
        if encoder is not None:
            self.encoder_ = encoder
        if outside != n_features or self._read_view(saved, inside) != saved.sizes["d"]:
            raise StateError(
                f"the inputs do not agree: {saved.sizes['d']} numbers a row, {n_features} columns, and an encoder that "
                f"makes {inside} numbers of {outside} columns"
            )
        if noise := noise_from(saved, outside):
            self.missing_noise_ = noise
        return saved

    def _validate_fit(self, X: Any, y: Any, sample_weight: Any = None) -> WeightedRows:
        """Rows and targets as float64 matrices, and the rows' weights, None if each counts once.

        Rows of weight 0 are left out. Remembers whether y came as a vector, and forgets an earlier fit.
        """
        for name in ("sigma2_", "encoder_", "missing_noise_", "_first"):
            vars(self).pop(name, None)
        check_kinds(self)
        rows, y, encoder, weight = first_rows(self, X, y, sample_weight)
        self.vector_output_ = y.ndim == 1
        y = np.asarray(y, dtype=np.float64).reshape(len(rows.X), -1)
        refuse_extreme(y)
        if encoder is not None:
            self.encoder_ = encoder
            self._first = FirstRows(rows, y, encoder, weight)  # until `_learn_missing_noise`
        return WeightedRows(rows.X, y, weight)

    def _learn_missing_noise(self) -> None:
        """See how much less is known where a value is missing: the last step of `fit`."""
        first: FirstRows | None = vars(self).pop("_first", None)
        if first is not None:
            estimated = isinstance(getattr(self, "sigma2", "estimated"), str)
            noise = learn_missing_noise(lambda X: self._predict_rows(self._shown(X), False), first, estimated)
            if noise is not None:
                self.missing_noise_ = noise

    def _shown(self, X: Float[np.ndarray, "n d"]) -> Float[np.ndarray, "n shown"]:
        """What the model sees of its rows: all of it, unless it was told otherwise."""
        return X

    def _read_view(self, saved: SavedState, width: int) -> int:
        """How many numbers the model sees of a row that has `width` of them; puts back first what decides that."""
        return width

    def _rows(self, X: Any) -> Rows:
        """Rows with the columns seen in `fit`, as the numbers that these became."""
        check_is_fitted(self)
        return later_rows(self, X, self.encoder_)

    def _validate_predict(self, X: Any) -> np.ndarray:
        """Rows as a float64 matrix, made of the columns seen in `fit`."""
        return self._rows(X).X

    def _mean_rows(self, X: Float[np.ndarray, "n d"]) -> Float[np.ndarray, "n *p"] | None:
        """Mean for valid rows, the same as `_predict_rows` has, where it can be had without the rest; else None."""
        return None

    def _mean_any(self, rows: Rows) -> Float[np.ndarray, "n *p"]:
        """Mean for valid rows, to which missing values only add noise."""
        mean = self._mean_rows(rows.X)
        return self._predict_any(rows, False).mean if mean is None else mean

    def _predict_any(self, rows: Rows, covariance: bool) -> AbstractPredictive:
        """Prediction for valid rows, with more noise where a value is missing."""
        d = self._predict_rows(rows.X, covariance)
        if self.missing_noise_ is None or rows.absent is None:
            return d
        wider = self.missing_noise_.widen(d, rows.absent)
        refuse_infinite(wider.noise_std)
        return wider

    @property
    def _width(self) -> int:
        """How many numbers a row has inside the model: categories and missing values have columns of their own."""
        return len(self.x_scale_.center)

    def __sklearn_tags__(self) -> Any:
        """Missing values and sparse matrices are accepted."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        return tags

    def _as_normal(
        self,
        mean: Float[np.ndarray, "n p"],
        std: Float[np.ndarray, "n p"],
        sigma2: Float[np.ndarray, "*n p"],
        root: Float[np.ndarray, "p n k"] | None = None,
    ) -> Normal:
        """A Gaussian prediction in the user's units, from one in standardised units; `sigma2` may differ by row."""
        spread = self.y_scale_.spread
        refuse_infinite(self.y_scale_.undo(mean), std * spread, np.sqrt(sigma2) * spread)
        if root is not None:
            root = root * spread[:, None, None]
        return Normal(
            mean=self._shaped(self.y_scale_.undo(mean)),
            epistemic_std=self._shaped(std * spread),
            noise_std=self._shaped(np.broadcast_to(np.sqrt(sigma2) * spread, mean.shape)),
            root=root[0] if root is not None and self.vector_output_ else root,
        )

    def _shaped(self, values: np.ndarray) -> np.ndarray:
        """Outputs as they were given to `fit`: the last axis is dropped when y was a vector."""
        return values[..., 0] if self.vector_output_ else values


def with_noise(covariance: np.ndarray, noise_std: np.ndarray) -> np.ndarray:
    """Covariance of y from that of f; outputs, if several, become the last axis, as in scikit-learn."""
    if noise_std.ndim == 1:
        return covariance + np.diag(noise_std**2)
    return np.moveaxis(covariance, 0, -1) + np.eye(len(noise_std))[..., None] * noise_std**2


def output_variances(name: str, value: Any, p: int, words: set[str]) -> np.ndarray | None:
    """A given variance for each of p outputs, or None where one of `words` says how to choose it."""
    if isinstance(value, str):
        if value not in words:
            raise ValueError(f"`{name}` must be a positive number or one of {sorted(words)}; got {value!r}.")
        return None
    try:
        values = np.atleast_1d(np.asarray(value, dtype=np.float64))
    except (TypeError, ValueError):
        values = np.array([np.nan])
    if values.shape not in {(1,), (p,)} or not np.all(np.isfinite(values) & (values > 0)):
        raise ValueError(
            f"`{name}` is a variance: a positive number, {p} of them, or one of {sorted(words)}; got {value!r}."
        )
    return np.broadcast_to(values, (p,)).copy()


def check_positive(name: str, value: Any, zero: bool = False) -> float:
    """`value` as a float, or an error that names it."""
    good = isinstance(value, numbers.Real) and not isinstance(value, bool) and np.isfinite(float(value))
    if not good or value < 0 or (value == 0 and not zero):
        kind = "a number that is zero or positive" if zero else "a positive number"
        raise ValueError(f"`{name}` must be {kind}; got {value!r}.")
    return float(value)


def check_count(name: str, value: Any, least: int = 1) -> int:
    """`value` as a whole number of at least `least`, or an error that names it."""
    if not isinstance(value, numbers.Integral) or isinstance(value, bool) or value < least:
        raise ValueError(f"`{name}` must be a whole number of at least {least}; got {value!r}.")
    return int(value)
