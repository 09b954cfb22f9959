"""What regressors take as rows: arrays, tables with columns of any kind, and tables that are numbers already."""

import datetime
import math
from collections.abc import Callable, Iterator, Sequence, Set, ValuesView
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float
from pandas.api import types
from scipy import sparse
from sklearn.utils import check_array
from sklearn.utils.validation import check_X_y, validate_data

from unabases.datasets.column_values import holds_numbers, numbers_or_missing, show_days, warn_of_far_values
from unabases.datasets.encoder import Column, Encoded, Encoder, learn_encoder, refuse_duplicates
from unabases.datasets.user_text import how_many
from unabases.predictive.base import PolarsRows
from unabases.regressors.shared.weights import present_rows

SOURCE = "`X`"  # what errors call the table
DENSE_LIMIT = 2e9  # bytes that the zeros of a sparse matrix may take
_TIMES = (datetime.date, datetime.time, datetime.timedelta, np.datetime64, np.timedelta64, pd.Period)


class Rows(NamedTuple):
    """Rows as the numbers that a regressor learns from."""

    X: Float[np.ndarray, "n d"]
    absent: Bool[np.ndarray, "n columns"] | None = None
    """True where the user's table lacks a value; None if there is no table, or none that could lack one."""

    def take(self, rows: Any) -> "Rows":
        """Some of the rows: a slice, or an array of indices."""
        return Rows(self.X[rows], None if self.absent is None else self.absent[rows])


class FirstRows(NamedTuple):
    """The rows and targets of a fit."""

    rows: Rows
    y: Any
    encoder: Encoder | None
    """How the columns became numbers; None if they were plain numbers, which are taken as they are."""
    weight: Float[np.ndarray, " n"] | None = None
    """How often each row counts; None for once."""


def first_rows(model: Any, X: Any, y: Any, sample_weight: Any = None) -> FirstRows:
    """Check the rows and targets of a fit, and learn what kinds of columns there are.

    Sets `n_features_in_` and `feature_names_in_` as scikit-learn does: they count and name the user's columns. Rows of
    weight 0 are left out.
    """
    rules: dict[str, Any] = {
        "dtype": np.float64, "y_numeric": True, "multi_output": True, "ensure_min_samples": 2,
        "ensure_all_finite": "allow-nan",
    }  # fmt: skip
    X, y, weight = present_rows(as_pandas(X), as_targets(y), sample_weight)
    if isinstance(X, Encoded):
        _check_names(model, pd.DataFrame(columns=[column.name for column in X.encoder.inputs]), reset=True)
        encoded = X
    elif is_mixed(X):
        _check_names(model, X, reset=True)
        encoded = _learn(X)
    else:
        X, y = _numbers(lambda: validate_data(model, X, y, **rules))
        if not _has_nan(X):
            y = without_none(y)
            _warn_of_far_values(X, [Column(name, "number") for name in _names_of(model, X.shape[1])], y)
            return FirstRows(Rows(X), y, None, weight)
        encoded = _learn(pd.DataFrame(X, columns=getattr(model, "feature_names_in_", None)))
    told = X is encoded
    X, y = _numbers(lambda: check_X_y(encoded.X, y, estimator=model, **rules))
    y = without_none(y)
    if not told:  # what was encoded before was looked at before
        inputs, names = encoded.encoder.inputs, list(encoded.encoder.columns)
        known = [column for column in inputs if column.kind != "category"]
        _warn_of_far_values(X[:, [names.index(column.name) for column in known]], known, y)
    return FirstRows(Rows(X, encoded.absent), y, encoded.encoder, weight)


def later_rows(model: Any, X: Any, encoder: Encoder | None) -> Rows:
    """Check further rows for a fitted model, and make the same numbers of their columns."""
    numbers: dict[str, Any] = {"dtype": np.float64, "reset": False, "ensure_all_finite": "allow-nan"}
    X = as_pandas(X)
    if isinstance(X, Encoded):
        if encoder is None:  # fitted to these numbers
            X = X.X
        elif X.encoder.inputs == encoder.inputs:
            return Rows(X.X, X.absent)
        else:
            raise ValueError("the rows were encoded for a table with other columns; give the table itself.")
    if encoder is None:
        X = np.asarray(_numbers(lambda: validate_data(model, X, **numbers)))
        if _has_nan(X):
            n = int(np.isnan(X).any(axis=1).sum())
            raise ValueError(
                f"`X` has missing values (NaN) in {how_many(n, 'row')}, but no training row lacked a value, so this "
                f"{type(model).__name__} has not learned what that means. Fill them in, or fit the model to rows of "
                "which some lack a value."
            )
        return Rows(X)
    if encoder.numeric:
        X = validate_data(model, X, **numbers)
    else:
        if not isinstance(X, pd.DataFrame):
            anything: Any = {"dtype": None, "ensure_all_finite": False}
            X = check_array(X, estimator=model, **anything)
        _check_names(model, X, reset=False)
    names = [column.name for column in encoder.inputs]
    encoded = encoder.encode(settled(pd.DataFrame(X)).set_axis(names, axis="columns"), SOURCE)
    return Rows(check_array(encoded.X, estimator=model), encoded.absent)


def _names_of(model: Any, d: int) -> list[str]:
    return list(getattr(model, "feature_names_in_", [f"x{i}" for i in range(d)]))


def _warn_of_far_values(X: Float[np.ndarray, "n k"], columns: Sequence[Column], y: np.ndarray) -> None:
    """Warn of numbers that are very far from all others of their column or output, as commands do."""
    for values, (name, kind, *_) in zip(X.T, columns, strict=True):
        numbers = pd.Series(values, name=name)
        warn_of_far_values(numbers, show_days(numbers) if kind == "date" else numbers, kind, SOURCE)
    for values in y.reshape(len(y), -1).T:
        numbers = pd.Series(values.astype(np.float64))
        warn_of_far_values(numbers, numbers, "number", "`y`")


def is_mixed(X: Any) -> bool:
    """Whether it is a table with columns that are not plain numbers."""
    if not isinstance(X, pd.DataFrame):
        return False
    return not all(types.is_numeric_dtype(dtype) or types.is_bool_dtype(dtype) for dtype in settled(X).dtypes)


def as_pandas(X: Any) -> Any:
    """A table of Polars or Arrow as one of pandas, a sparse matrix as an array, masked values and pandas' NA as NaN.

    Anything else stays as it is.
    """
    if sparse.issparse(X):
        return _dense(X)
    if _is_arrow(X):
        X = X.to_pandas()
    X = without_masks(X, "X")
    if _holds_times(X):
        X = pd.DataFrame(X)
    if isinstance(X, pd.DataFrame) and X.shape[1] == 0:
        raise ValueError("`X` is a table without columns; give it at least one input.")
    if isinstance(X, pd.DataFrame):  # which scikit-learn sees from 1.7 on only
        refuse_duplicates([str(name) for name in X.columns], "`X`")
        sparse_places = [i for i, dtype in enumerate(X.dtypes) if isinstance(dtype, pd.SparseDtype)]
        decimals = [i for i, dtype in enumerate(X.dtypes) if str(dtype).startswith("decimal")]  # of Arrow
        if sparse_places:
            _refuse_large(X.shape)
        if sparse_places or decimals:
            X = X.copy(deep=False)
        for place in sparse_places:
            X.isetitem(place, X.iloc[:, place].sparse.to_dense())
        for place in decimals:
            X.isetitem(place, X.iloc[:, place].to_numpy(dtype=np.float64, na_value=np.nan))
    if not is_polars(X):
        return X
    columns = {name: X.get_column(name) for name in X.columns}
    return pd.DataFrame(
        {name: c.to_numpy() if _fits_numpy(c.dtype) else pd.Series(c.to_list()) for name, c in columns.items()}
    )


def _holds_times(X: Any) -> bool:
    """Whether it is a matrix of dates or lengths of time, which as numbers would depend on their unit."""
    return isinstance(X, np.ndarray) and X.ndim == 2 and X.dtype.kind in "mM"


def _fits_numpy(dtype: Any) -> bool:
    """Whether NumPy has such numbers as Polars does; it has no whole numbers of 128 bits."""
    return dtype.is_numeric() and not str(dtype).endswith("128")


def _dense(X: Any) -> np.ndarray:
    """All numbers of a sparse matrix, if memory can be expected to hold its zeros."""
    _refuse_large(X.shape)
    return X.toarray()


def _refuse_large(shape: tuple[int, ...]) -> None:
    size = 8.0 * math.prod(shape)
    if size > DENSE_LIMIT:
        raise ValueError(
            f"`X` is a sparse matrix of shape {shape}. Models need its zeros, too: {1e-9 * size:,.1f} GB, and up "
            f"to {1e-9 * DENSE_LIMIT:g} GB are made. Encode fewer levels (`OneHotEncoder(max_categories=...)`), make "
            "fewer columns with `TruncatedSVD`, or predict a part of the rows at a time."
        )


def is_polars(X: Any) -> bool:
    """Whether it is a Polars table, found out without importing Polars."""
    return type(X).__module__.startswith("polars") and hasattr(X, "columns") and hasattr(X, "get_column")


def _is_arrow(X: Any) -> bool:
    """Whether it is a table or a batch of rows of Arrow, found out without importing Arrow."""
    return type(X).__module__.startswith("pyarrow") and hasattr(X, "to_pandas") and hasattr(X, "schema")


def labels_of(X: Any) -> pd.Index | PolarsRows | None:
    """Labels of the rows of a pandas table, or what stands for them in a Polars table; None if it is no table.

    Examples
    --------
    >>> labels_of(pd.DataFrame({"a": [1, 2]}, index=["x", "y"])).tolist()
    ['x', 'y']
    """
    if is_polars(X):
        return PolarsRows()
    return X.index if isinstance(X, pd.DataFrame) else None


def _check_names(model: Any, X: Any, reset: bool) -> None:
    """Number and names of the columns, by scikit-learn."""
    validate_data(model, X, skip_check_array=True, reset=reset)


def _numbers(check: Callable[[], Any]) -> Any:
    """What a check of scikit-learn gives; whole numbers of Python may be too large for it."""
    try:
        return check()
    except OverflowError:
        raise ValueError("some whole numbers of `X` or `y` are beyond 1e308; choose another unit.") from None


def without_none(y: np.ndarray) -> np.ndarray:
    """Targets without None, which scikit-learn's check turns into NaN after it looked for NaN; and no sparse ones."""
    if sparse.issparse(y):  # which scikit-learn refuses from 1.7 on
        raise ValueError("sparse targets are not supported: pass `y.toarray()`.")
    if y.dtype.kind == "f" and not np.isfinite(y).all():
        raise ValueError(f"`y` has {int((~np.isfinite(y)).sum())} missing values (None or NaN); drop those rows first.")
    return y


def _has_nan(X: np.ndarray) -> bool:
    with np.errstate(over="ignore", invalid="ignore"):
        return bool(np.isnan(np.sum(X)) and np.isnan(X).any())  # the sum needs no memory, and is mostly enough


def _learn(frame: pd.DataFrame) -> Encoded:
    frame = settled(frame)
    if frame.columns.dtype.kind in "iu":  # an array has no names
        frame = frame.set_axis([f"x{i}" for i in frame.columns], axis="columns")
    frame = frame.set_axis([str(name) for name in frame.columns], axis="columns")
    try:
        encoder = learn_encoder(frame, missing="impute", source=SOURCE)
    except ValueError as error:
        if not any(rule in str(error) for rule in ("categories=", "max_levels", "`drop`")):
            raise
        raise ValueError(f"{error} `unabases.TableRegressor` takes such rules: it wraps any regressor.") from error
    return encoder.encode(frame, SOURCE)


def settled(frame: pd.DataFrame) -> pd.DataFrame:
    """The same table with its rows counted from 0, and with numbers where a column holds them as Python objects."""
    frame = frame.reset_index(drop=True)
    for place, dtype in enumerate(frame.dtypes):
        if types.is_object_dtype(dtype) and holds_numbers(column := pd.Series(frame.iloc[:, place])):
            frame.isetitem(place, numbers_or_missing(column))
    return frame


def without_masks(values: Any, name: str) -> Any:
    """Masked values and pandas' NA of an array as NaN, which a model sees; refuses what has no rows in order.

    Examples
    --------
    >>> without_masks(np.ma.masked_array([1.0, 2.0], [False, True]), "y").tolist()
    [1.0, nan]
    """
    if isinstance(values, dict | Set | ValuesView | Iterator) and not sparse.issparse(values):
        raise ValueError(
            f"`{name}` must be an array, a list or a table, but is a {type(values).__name__}. Pass `pd.DataFrame(...)` "
            "of a dictionary, and `list(...)` of anything else."
        )
    if hasattr(values, "collect_schema") and hasattr(values, "collect") and not hasattr(values, "get_column"):
        raise ValueError(f"`{name}` is a {type(values).__name__}, which has no rows yet; pass `{name}.collect()`.")
    if not isinstance(values, np.ndarray):
        return values
    if values.dtype == object and values.ndim == 1 and np.ndim(values[:1].tolist()) > 1:
        raise ValueError(f"`{name}` is an array of arrays, one for each row; pass `np.stack({name})`.")
    if values.dtype.names is not None:
        raise ValueError(f"`{name}` is an array whose fields have names; pass `pd.DataFrame({name})`.")
    if np.ma.isMaskedArray(values):
        values = np.ma.filled(values.astype(np.float64 if values.dtype.kind in "biuf" else object), np.nan)
    if values.dtype == object and (absent := pd.isna(values)).any():
        values = np.where(absent, np.nan, values)
    return values


def as_targets(y: Any) -> Any:
    """Targets without masks; refuses words, and dates, which scikit-learn would count in parts of a second."""
    if isinstance(y, str):
        raise ValueError(f"`y` is the text {y!r}. Give the targets themselves, such as `table[{y!r}]`.")
    known = isinstance(y, pd.DataFrame | pd.Series | pd.Index | list | tuple | np.ndarray)
    if not known and hasattr(y, "__array__"):  # of Polars, Arrow and pandas, whose dates would become numbers
        y = np.asarray(y)
    y = without_masks(y, "y")
    for value in _cells(y):
        if isinstance(value, str) and not _is_number(value):
            raise ValueError(
                f"`y` holds text, such as {str(value)!r}, but numbers are predicted: no model here classifies."
            )
        if isinstance(value, _TIMES):
            raise ValueError(
                "`y` holds dates or times, which are no numbers to predict. Say in which unit: "
                "`(y - y.min()) / pd.Timedelta(days=1)`."
            )
        if isinstance(value, list | tuple | np.ndarray | dict | set) and np.ndim(y) == 1:
            raise ValueError(
                f"`y` holds a {type(value).__name__} in each row; give one number for each row, or an array with a "
                "column for each output."
            )
        if isinstance(value, pd.Interval):
            raise ValueError(f"`y` holds ranges, such as {value}, but numbers are predicted; give their middles.")
    return y


def _cells(y: Any) -> Iterator[Any]:
    """All targets that may be no numbers; those of an array of numbers are."""
    if isinstance(y, list | tuple):
        for row in y:
            yield from row if isinstance(row, list | tuple | np.ndarray) and np.ndim(row) == 1 else [row]
    elif isinstance(y, pd.DataFrame):
        for place in range(y.shape[1]):
            yield from _cells(y.iloc[:, place])
    elif isinstance(y, np.ndarray | pd.Series | pd.Index) and not types.is_numeric_dtype(y.dtype):
        yield from y.ravel() if isinstance(y, np.ndarray) else y


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
