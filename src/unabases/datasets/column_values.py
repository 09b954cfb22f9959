"""Read the values of a column as numbers, as dates or as the labels of a category."""

import re
from typing import Any, Literal

import numpy as np
import pandas as pd
from pandas.api import types

__all__ = ["Kind", "are_dates", "as_days", "as_label", "as_labels", "as_numbers", "kind_of", "row_name", "show_days"]

Kind = Literal["number", "category", "date"]
_DAY = pd.Timedelta(days=1)
_EPOCH = pd.Timestamp(1970, 1, 1)
_DATE = r"\d{4}-\d{2}-\d{2}([T ].*)?"
_WHOLE = re.compile(r"-?\d+\.0+")  # a whole number written with a point


def kind_of(column: pd.Series) -> Kind:
    """Tell whether a column is a category (text, categories, booleans), a date or a number."""
    dtype = column.dtype
    if types.is_datetime64_any_dtype(dtype) or (types.is_object_dtype(dtype) and _holds_dates(column)):
        return "date"
    category = isinstance(dtype, pd.CategoricalDtype) or types.is_bool_dtype(dtype) or _is_text(dtype)
    return "category" if category else "number"


def as_labels(column: pd.Series) -> pd.Series:
    """Turn the values of a category into text; missing ones stay missing.

    Examples
    --------
    >>> as_labels(pd.Series([1.0, None, 2.5])).tolist(), as_labels(pd.Series(["1.0", "TRUE"])).tolist()
    (['1', None, '2.5'], ['1', 'True'])
    """
    labels = [as_label(value) if present else None for value, present in zip(column, column.notna(), strict=True)]
    return pd.Series(labels, index=column.index, name=column.name, dtype=object)


def as_numbers(column: pd.Series, source: str) -> pd.Series:
    """Turn a column into float64, with NaN for missing values; refuse text and infinity, and say in which row."""
    dtype = column.dtype
    if _is_text(dtype):
        numbers: Any = pd.to_numeric(column, errors="coerce")
        if (wrong := column.notna() & numbers.isna()).any():
            raise _wrong_type(column, wrong.index[wrong.to_numpy().argmax()], source)
        column = numbers
    elif kind_of(column) != "number" or not types.is_numeric_dtype(dtype) or types.is_complex_dtype(dtype):
        raise _wrong_type(column, column.index[0], source)
    values = column.astype(np.float64)
    if (infinite := np.isinf(values.to_numpy())).any():
        raise ValueError(
            f"column {column.name!r} of {source} is infinite in row {row_name(values.index[infinite][0])}."
        )
    return values


def as_days(column: pd.Series, source: str) -> pd.Series:
    """Turn dates into days since 1970 as float64, with NaN for missing ones; numbers are days already.

    Dates may be written as text: 2026-11-17, with a time if you like. Times with a zone are taken in UTC.

    Examples
    --------
    >>> as_days(pd.Series(["1970-01-02", None, "1970-01-03 12:00"]), "the table").tolist()
    [1.0, nan, 2.5]
    """
    if kind_of(column) == "number":
        return as_numbers(column, source)
    dates: Any = _read_dates(column)
    if (wrong := column.notna() & dates.isna()).any():
        raise _wrong_type(column, wrong.index[wrong.to_numpy().argmax()], source, "dates such as 2026-11-17")
    return (dates - _EPOCH) / _DAY


def show_days(days: pd.Series) -> pd.Series:
    """Write days since 1970 as dates for a person to read; missing ones stay missing.

    Examples
    --------
    >>> show_days(pd.Series([20774.0])).tolist()
    ['2026-11-17']
    """
    dates: Any = _EPOCH + pd.to_timedelta(days, unit="D")
    return dates.dt.strftime("%Y-%m-%d").astype(object)


def are_dates(column: pd.Series) -> bool:
    """Whether all values that are there are dates written as text, year first."""
    present = column.dropna()
    return _is_text(column.dtype) and bool(_read_dates(present).notna().all())


def _read_dates(column: pd.Series) -> pd.Series:
    """Dates without a zone; what is no date is missing."""
    if kind_of(column) == "category":
        column = column.astype(object).where(column.astype(str).str.fullmatch(_DATE))
    dates: Any = pd.to_datetime(column, errors="coerce", utc=True, format="ISO8601")
    return dates.dt.tz_localize(None)


def _holds_dates(column: pd.Series) -> bool:
    return types.infer_dtype(column, skipna=True) in ("date", "datetime", "datetime64")


def _is_text(dtype: Any) -> bool:
    if isinstance(dtype, pd.CategoricalDtype):
        return False
    return types.is_object_dtype(dtype) or types.is_string_dtype(dtype)


def as_label(value: Any) -> str:
    """Write one value of a category as text; `True` and `TRUE` give the same, and so do 1, 1.0 and "1.0"."""
    if isinstance(value, float | np.floating) and float(value).is_integer():
        return str(int(value))
    text = str(value)
    if _WHOLE.fullmatch(text):
        return text.partition(".")[0]
    return text.capitalize() if text.lower() in ("true", "false") else text


def row_name(label: Any) -> str:
    """Name a row as a person counts it: from 1, without the header."""
    return str(label + 1) if isinstance(label, int | np.integer) else repr(label)


def _wrong_type(column: pd.Series, label: Any, source: str, wanted: str = "numbers") -> ValueError:
    value: Any = column[label]
    value = value.item() if isinstance(value, np.generic) else value
    return ValueError(
        f"column {column.name!r} of {source} must hold {wanted}, but row {row_name(label)} has {value!r} "
        f"({column.dtype}); correct it, or leave the column out with `drop` if it is an input."
    )
