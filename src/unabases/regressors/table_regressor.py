"""A regressor of tables with rules for their columns."""

from dataclasses import field
from typing import Any, TypeVar

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.utils import check_array
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from unabases.datasets.encoder import Encoder, learn_encoder
from unabases.predictive import AbstractPredictive
from unabases.regressors.shared.base import AbstractRegressor
from unabases.regressors.shared.parameters import about, check_kinds, estimator, parameter
from unabases.regressors.shared.rows import SOURCE, as_pandas, as_targets, labels_of, settled
from unabases.regressors.shared.saved_state import SavedState, StateError
from unabases.regressors.shared.scaling import Scale
from unabases.regressors.shared.weights import as_keyword, present_rows
from unabases.regressors.una import UNA
from unabases.regressors.wrappers.wrapper import AbstractWrapper, HandedOn, offers

__all__ = ["TableRegressor"]

_MISSING = ("impute", "refuse")
Ruled = TypeVar("Ruled", bound="TableRegressor")


class _Fitted:
    """Attributes that `fit` sets; apart, since fields of an estimator are parameters."""

    regressor_: Any
    encoder_: Encoder
    n_features_in_: int
    feature_names_in_: np.ndarray


@estimator
class TableRegressor(_Fitted, AbstractWrapper):
    """Any regressor of this package, with rules for the columns of its table.

    Every regressor takes tables with categories, text, dates and missing values by itself, by rules that suit most of
    them. Use this one where a column is not what it looks like: codes that are categories, numbers with words among
    them, columns to leave out. Columns are found by name, in any order, and others are ignored. It is a scikit-learn
    estimator like the others, in pipelines, searches (`regressor__lam`) and `save`.

    Attributes
    ----------
    regressor_ : regressor
        The fitted regressor.
    encoder_ : Encoder
        How columns become numbers.

    See Also
    --------
    unabases.TableModel : A model that also remembers its table, for audits and the command line.

    Examples
    --------
    >>> from unabases import GaussianProcess
    >>> rng = np.random.default_rng(0)
    >>> homes = pd.DataFrame({"id": range(60), "region": rng.integers(1, 4, 60), "rooms": rng.integers(1, 7, 60)})
    >>> price = 50.0 * homes["rooms"] + 100.0 * (homes["region"] == 2) + rng.normal(size=60)
    >>> model = TableRegressor(GaussianProcess(restarts=0), categories=["region"], drop=["id"]).fit(homes, price)
    >>> model.encoder_.columns
    ('region=1', 'region=2', 'region=3', 'rooms')
    >>> model.predict(pd.DataFrame({"rooms": [3], "region": [2]})).round(-1)
    array([250.])
    """

    regressor: Any = field(
        default=None,
        kw_only=False,
        metadata=about("Model", "regressor or None", "What to fit: a regressor of this package. None for `UNA()`."),
    )
    categories: Any = parameter(
        (), "Other", "list", "Columns of numbers that are categories, such as codes of regions."
    )
    numbers: Any = parameter(
        (), "Other", "list", 'Columns of numbers in which other text, such as "unknown", counts as missing.'
    )
    drop: Any = parameter((), "Other", "list", "Columns that the model does not see.")
    missing: Any = parameter(
        "impute",
        "Other",
        "str",
        'What to do with missing values: "impute" learns what they mean, and is less sure where a value is missing; '
        '"refuse" raises an error that names the first of them.',
    )
    max_levels: Any = parameter(
        50,
        "Other",
        "int or None",
        "Levels of a category that have a number of their own, at most; all others share one. None for any number.",
    )

    def fit(self: Ruled, X: Any, y: Any, sample_weight: Any = None) -> Ruled:
        """Learn the columns of a table, and what they say about y.

        Parameters
        ----------
        X : DataFrame of pandas or Polars, or array
            The inputs. Columns of an array, which has to hold numbers, are called x0, x1 and so on.
        y : array or Series
            Targets: a vector, or a matrix with a column for each output.
        sample_weight : array of shape (n,), optional
            How often each row counts. Of rows of weight 0 not even the categories are learned.
        """
        vars(self).pop("regressor_", None)
        check_kinds(self)
        if self.missing not in _MISSING:
            raise ValueError(
                f'`missing` must be "impute" or "refuse"; got {self.missing!r}. To leave rows out, drop them from X '
                "and y beforehand, so that every row of X has its prediction."
            )
        if not isinstance(self._wrapped(), AbstractRegressor):
            raise TypeError(
                f"`regressor` must be one of `unabases.all_regressors()`; got {self._wrapped()!r}. What "
                "calibrates goes around this: GapCalibrated(TableRegressor(...)), Conformal(TableRegressor(...))."
            )
        X, y, weight = present_rows(as_pandas(X), as_targets(y), sample_weight)
        frame = self._frame(X)
        for name in ("categories", "numbers", "drop"):
            if lacking := [column for column in getattr(self, name) if column not in frame]:
                raise ValueError(f"`{name}` has {', '.join(map(repr, lacking))}, but X has {', '.join(frame)}.")
        encoder = learn_encoder(
            frame.drop(columns=list(self.drop)),
            categories=list(self.categories),
            numbers=list(self.numbers),
            missing=self.missing,
            max_levels=self.max_levels,
            source=SOURCE,
        )
        self._set_fitted(self._copy().fit(encoder.encode(frame, SOURCE), y, **as_keyword(weight)))
        return self

    def predict_dist(self, X: Any, covariance: bool = False) -> AbstractPredictive:
        """Distribution of y at each row, in y's units.

        Parameters
        ----------
        X : DataFrame of pandas or Polars, or array
            Rows with the columns seen in `fit`, in any order if they have names.
        covariance : bool
            Whether to add the epistemic covariance between rows.
        """
        model, rows = self._hand_on(X)
        return model.predict_dist(rows, covariance).labelled(labels_of(X))

    def predict(self, X: Any, return_std: bool = False, return_cov: bool = False) -> Any:
        """Mean of y at each row, with the standard deviation or covariance of y (noise included) on demand."""
        model, rows = self._hand_on(X)
        return model.predict(rows, return_std=return_std, return_cov=return_cov)

    @available_if(offers("sample_posterior"))
    def sample_posterior(self, X: Any, n: int = 1, random_state: Any = None) -> np.ndarray:
        """`n` functions drawn after seeing data: (n, rows), or (n, rows, p) for several outputs."""
        model, rows = self._hand_on(X)
        return model.sample_posterior(rows, n, random_state)

    # ------------------------------------------------------------------------------------------------- saving

    def get_state(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """The state of the regressor, which has the columns."""
        check_is_fitted(self)
        arrays, values = self.regressor_.get_state()
        return {f"regressor.{name}": array for name, array in arrays.items()}, {"regressor": values}

    def set_state(self, arrays: dict[str, np.ndarray], values: dict[str, Any]) -> None:
        """Put back what `get_state` gave."""
        saved = SavedState(arrays, values)
        fitted = self._copy()
        fitted.set_state(saved.below("regressor.").arrays, saved.value("regressor", dict))
        if fitted.encoder_ is None:
            raise StateError("the regressor of a table has to know its columns")
        self._set_fitted(fitted)

    # -------------------------------------------------------------------------------------------------- parts

    @property
    def sigma2_(self) -> Any:
        """Noise variance in use, in squared units of y; one for each output."""
        return self.regressor_.sigma2_

    @property
    def y_scale_(self) -> Scale:
        """Of the regressor: it says how many outputs there are."""
        return self.regressor_.y_scale_

    @property
    def vector_output_(self) -> bool:
        """Whether y was a vector."""
        return self.regressor_.vector_output_

    def _wrapped(self) -> Any:
        return UNA() if self.regressor is None else self.regressor

    def _inside(self) -> Any:
        return getattr(self, "regressor_", None)

    def _hand_on(self, X: Any) -> HandedOn:
        check_is_fitted(self)
        return HandedOn(self.regressor_, self.encoder_.encode(self._frame(X), SOURCE))

    def _copy(self) -> Any:
        """The regressor, not fitted."""
        return clone(self._wrapped())

    def _set_fitted(self, fitted: Any) -> None:
        """Last, since it marks the model as fitted."""
        self.encoder_ = fitted.encoder_
        names = [column.name for column in self.encoder_.inputs]
        self.n_features_in_, self.feature_names_in_ = len(names), np.array(names, dtype=object)
        self.regressor_ = fitted

    def _frame(self, X: Any) -> pd.DataFrame:
        """Rows as a table whose columns have names."""
        X = as_pandas(X)
        if not isinstance(X, pd.DataFrame):
            numbers: Any = {"dtype": np.float64, "ensure_all_finite": "allow-nan"}
            X = pd.DataFrame(check_array(X, estimator=self, **numbers))
            expected = len(self.encoder_.inputs) + len(self.drop) if hasattr(self, "regressor_") else X.shape[1]
            if X.shape[1] != expected:
                raise ValueError(
                    f"X has {X.shape[1]} features, but TableRegressor is expecting {expected} features as input."
                )
            X = X.set_axis([f"x{i}" for i in range(expected)], axis="columns")
        return settled(X).set_axis([str(name) for name in X.columns], axis="columns")
