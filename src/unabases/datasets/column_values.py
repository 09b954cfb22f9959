"""Read the values of a column as numbers, as dates or as the labels of a category."""

import re
import unicodedata
import warnings
from datetime import UTC, datetime
from numbers import Real
from typing import Any, Literal

import numpy as np
import pandas as pd
from pandas.api import types

__all__ = [
    "LINE",
    "Kind",
    "are_dates",
    "as_days",
    "as_label",
    "as_labels",
    "as_numbers",
    "far_values",
    "holds_numbers",
    "kind_of",
    "mostly_dates",
    "mostly_numbers",
    "name_cells",
    "name_row",
    "numbers_if_all",
    "numbers_or_missing",
    "show_days",
    "warn_of_far_values",
    "written_otherwise",
]

Kind = Literal["number", "category", "date"]
LINE = "line"  # name of an index that holds the lines of a file
LARGEST = 1e150  # of a number; the square of a larger one is infinite
_FAR = 1e4  # times the distance between the 10 % and 90 % quantiles: too far from the median to be like the others
_FEW = 2  # levels, which may be anything
_SHOWN = 5  # cells that an error names
_BEFORE_3 = int(pd.__version__.partition(".")[0]) < 3
_WIDE = 19  # digits of a whole number from which on it may not fit into 64 bits
_DIGITS = 308  # of which a whole number is below the largest float
_DAY = np.timedelta64(1, "D")
_EPOCH = np.datetime64(0, "D")  # in 1970
_DATE = r"\d{4}-\d{2}-\d{2}([T ].*)?"
_WHOLE = re.compile(r"(-?\d+)\.0*")  # a whole number written with a point
_NUMBER = r"[$€£¥]?\s*[+\-−]?(\d+|\d{1,3}([,.'\s]\d{3})+)([.,]\d+)?\s*[%$€£¥]?"  # as a person may write it
_DAY_FIRST = r"\d{1,2}[./-]\d{1,2}[./-](\d{2}|\d{4})|\d{4}[./]\d{1,2}[./]\d{1,2}"
_OTHERWISE = {  # what text looks like, and how to write it
    _NUMBER: "numbers, which are written as 1234.5",
    _DAY_FIRST: "dates, which are written with the year first, such as 2026-11-17",
}
_NO_VALUE = (bytes, bytearray, list, tuple, dict, set, np.ndarray)  # what no cell of a table should hold


def kind_of(column: pd.Series) -> Kind:
    """Tell whether a column is a category (text, categories, booleans), a date or a number, also as Python objects."""
    dtype = column.dtype
    if types.is_object_dtype(dtype) and (holds_numbers(column) or _holds_times(column)):
        return "number"  # or not at all, of which reading them tells
    if types.is_datetime64_any_dtype(dtype) or (types.is_object_dtype(dtype) and _holds_dates(column)):
        return "date"
    category = isinstance(dtype, pd.CategoricalDtype) or types.is_bool_dtype(dtype) or _is_text(dtype)
    return "category" if category else "number"


def as_labels(column: pd.Series, source: str = "the table", advice: str = "Correct it.") -> pd.Series:
    """Turn the values of a category into text; missing ones stay missing. Lists and bytes are refused, with advice.

    Examples
    --------
    >>> as_labels(pd.Series([1.0, None, 2.5])).tolist(), as_labels(pd.Series(["1.0", "TRUE"])).tolist()
    (['1', None, '2.5'], ['1', 'True'])
    """
    labels: list[str | None] = []
    for place, (value, present) in enumerate(zip(column, column.notna(), strict=True)):
        if isinstance(value, _NO_VALUE) or (present and not _has_text(value)):
            raise ValueError(
                f"column {column.name!r} of {source} must hold one value in each cell, but "
                f"{name_row(column.index, place)} has {type(value).__name__}. {advice}"
            )
        labels.append(as_label(value) if present else None)
    return pd.Series(labels, index=column.index, name=column.name, dtype=object)


def _has_text(value: Any) -> bool:
    """Whether a value can be written as text; of other objects Python writes where in memory they are."""
    return isinstance(value, str) or type(value).__str__ is not object.__str__ or " at 0x" not in repr(value)


def as_numbers(column: pd.Series, source: str, advice: str = "Correct it.") -> pd.Series:
    """Turn a column into float64, with NaN for missing values; refuse text and infinity, and say in which row.

    Parameters
    ----------
    column : Series
        The column.
    source : str
        What errors call the table.
    advice : str
        What errors tell to do about cells that are no numbers.
    """
    dtype = column.dtype
    if _is_text(dtype):
        numbers = numbers_or_missing(column)
        if (wrong := (column.notna() & numbers.isna()).to_numpy()).any():
            raise _wrong_type(column, wrong, source, advice)
        column = numbers
    elif kind_of(column) != "number" or not types.is_numeric_dtype(dtype) or types.is_complex_dtype(dtype):
        raise _wrong_type(column, np.arange(len(column)) == 0, source, advice)
    values = column.astype(np.float64)
    with np.errstate(invalid="ignore"):
        large = np.abs(values.to_numpy()) > LARGEST
    if large.any():
        raise ValueError(
            f"column {column.name!r} of {source} is infinite or too large to compute with (above {LARGEST:g}): "
            f"{name_cells(values, large)}. Correct it."
        )
    return values


def numbers_if_all(column: pd.Series) -> pd.Series:
    """Turn text into numbers if all values that are there are numbers; otherwise return the text.

    Examples
    --------
    >>> numbers_if_all(pd.Series(["1", " 2.5", None])).tolist(), numbers_if_all(pd.Series(["1", "one"])).tolist()
    ([1.0, 2.5, nan], ['1', 'one'])
    """
    try:
        return _to_numbers(column)
    except (ValueError, TypeError):
        return column


def _to_numbers(column: pd.Series, errors: Any = "raise") -> Any:
    """Read text as numbers, whole numbers of any length too: beyond all floats they are infinite."""
    try:
        numbers: Any = pd.to_numeric(_with_points(column) if _BEFORE_3 else column, errors=errors)
        return numbers if types.is_numeric_dtype(numbers.dtype) else numbers.astype(np.float64)
    except OverflowError:  # more than 308 digits
        return pd.to_numeric(_with_points(column), errors=errors)


def _with_points(column: pd.Series) -> pd.Series:
    """Write whole numbers beyond 64 bits with a point: pandas before 3.0 takes them for text otherwise.

    Those beyond all floats are written as infinite, which pandas 2.2 does not find out by itself.
    """
    if not _is_text(column.dtype) or column.astype(str).str.len().max() < _WIDE:
        return column
    wide = column.astype(str).str.fullmatch(rf"\s*[+-]?\d{{{_WIDE},}}\s*")
    text = column.astype(str).str.strip()
    sign = text.str.startswith("-").map({True: "-", False: ""})
    return column.where(~wide, (text + ".0").where(text.str.len() <= _DIGITS, sign + "inf"))


def numbers_or_missing(column: pd.Series) -> pd.Series:
    """Turn text into numbers; what is no number is missing.

    Examples
    --------
    >>> numbers_or_missing(pd.Series(["1", "unknown"])).tolist()
    [1.0, nan]
    """
    if not _is_text(column.dtype):
        return column
    if holds_numbers(column):
        values = [_as_float(value) if there else np.nan for value, there in zip(column, column.notna(), strict=True)]
        return pd.Series(values, column.index, np.float64, str(column.name))
    return _to_numbers(column, errors="coerce").astype(np.float64)


def mostly_numbers(column: pd.Series) -> np.ndarray | None:
    """Tell which cells of a column of text are no numbers, if it is likely to be a column of numbers; else None.

    It is likely if more than half of the cells are numbers, and these have more different values than the others.

    Examples
    --------
    >>> mostly_numbers(pd.Series(["31", "42", "unknown", "25"])).tolist()
    [False, False, True, False]
    >>> mostly_numbers(pd.Series(["1", "1", "a", "b"])) is None
    True
    """
    if not _is_text(column.dtype):
        return None
    numbers = numbers_or_missing(column)
    other = (column.notna() & numbers.isna()).to_numpy()
    n_numbers = int(numbers.notna().sum())
    if not other.any() or n_numbers <= other.sum() or numbers.nunique() <= len(set(map(str, column[other]))):
        return None
    return other


def far_values(column: pd.Series) -> np.ndarray:
    """Tell which numbers are so far from the others that they are probably mistakes.

    Far is more than 10,000 times the distance between the 10 % and 90 % quantiles away from the median; if these are
    equal, the median distance of the values that differ counts.

    Examples
    --------
    >>> far_values(pd.Series([1.0, 2.0, 3.0, 4.0, 5.0, 1e9])).tolist()
    [False, False, False, False, False, True]
    """
    values = column.to_numpy(dtype=np.float64)
    there = values[np.isfinite(values)]
    if len(there) == 0:
        return np.zeros(len(values), dtype=bool)
    low, middle, high = np.quantile(there, [0.1, 0.5, 0.9], method="nearest")
    with np.errstate(over="ignore"):
        distance = np.abs(np.where(np.isfinite(values), values, middle) - middle)
        usual = high - low or np.median(distance[distance > 0]) if distance.any() else 0.0
    return distance > _FAR * usual


def warn_of_far_values(values: pd.Series, cells: pd.Series, kind: Kind, source: str) -> None:
    """Warn of numbers or dates that are very far from all others in their column.

    Parameters
    ----------
    values : Series
        The column as numbers.
    cells : Series
        The column as the user wrote it.
    kind : str
        `"number"` or `"date"`.
    source : str
        What warnings call the table.
    """
    if (far := far_values(values)).any():
        where = source if cells.name is None else f"column {cells.name!r} of {source}"
        warnings.warn(
            f"{where} has {kind}s that are very far from all others: "
            f"{name_cells(cells, far)}. One wrong {kind} can spoil the model; correct it if it is one.",
            stacklevel=4,
        )


def as_days(column: pd.Series, source: str, advice: str = "Correct it.") -> pd.Series:
    """Turn dates into days since 1970 as float64, with NaN for missing ones; numbers are days already.

    Dates may be written as text: 2026-11-17, with a time if you like. Times with a zone are taken in UTC.

    Examples
    --------
    >>> as_days(pd.Series(["1970-01-02", None, "1970-01-03 12:00"]), "the table").tolist()
    [1.0, nan, 2.5]
    >>> as_days(pd.Series(["9999-12-31", "0001-01-01"]), "the table").tolist()
    [2932896.0, -719162.0]
    """
    if kind_of(column) == "number":
        return as_numbers(column, source, advice)
    dates: Any = _read_dates(column)
    if (wrong := (column.notna() & dates.isna()).to_numpy()).any():
        raise _wrong_type(column, wrong, source, advice, "dates such as 2026-11-17")
    # By NumPy: before pandas 3, a length of time beyond 292 years becomes another one without a word.
    return pd.Series((dates.to_numpy() - _EPOCH) / _DAY, index=column.index, name=column.name)


def show_days(days: pd.Series) -> pd.Series:
    """Write days since 1970 as dates for a person to read; missing ones stay missing.

    Examples
    --------
    >>> show_days(pd.Series([20774.5, 2932896.0])).tolist()
    ['2026-11-17', '9999-12-31']
    """
    written = np.datetime_as_string(np.floor(days.fillna(0.0).to_numpy()).astype("int64").astype("datetime64[D]"))
    return pd.Series(written, index=days.index, name=days.name, dtype=object).where(days.notna(), np.nan)


def are_dates(column: pd.Series) -> bool:
    """Whether all values that are there are dates written as text, year first."""
    present = column.dropna()
    return _is_text(column.dtype) and bool(_read_dates(present).notna().all())


def mostly_dates(column: pd.Series) -> np.ndarray | None:
    """Tell which cells of a column of text are no dates, if more than half of them are; else None.

    Examples
    --------
    >>> mostly_dates(pd.Series(["2026-02-27", "2026-02-28", "2026-02-30"])).tolist()
    [False, False, True]
    """
    if not _is_text(column.dtype):
        return None
    dates = _read_dates(column)
    wrong = (column.notna() & dates.isna()).to_numpy()
    return wrong if dates.notna().sum() > wrong.sum() else None


def written_otherwise(labels: pd.Series) -> str | None:
    """Say what text looks like, if all of it looks like numbers or dates that are written in another way; else None.

    Examples
    --------
    >>> written_otherwise(pd.Series(["1,5", "2,25", "1.300,0"]))
    'numbers, which are written as 1234.5'
    >>> written_otherwise(pd.Series(["1-5", "6-10", "11-20"])) is None
    True
    """
    levels = {str(label).strip() for label in labels}
    numbers: Any = pd.to_numeric(pd.Series(sorted(levels), dtype=object), errors="coerce")
    if len(levels) <= _FEW or numbers.notna().all():  # codes, which their owner has made text
        return None
    found = (what for form, what in _OTHERWISE.items() if all(re.fullmatch(form, level) for level in levels))
    return next(found, None)


def _read_dates(column: pd.Series) -> pd.Series:
    """Dates without a zone; what is no date is missing."""
    if kind_of(column) == "category":
        column = column.astype(object).where(column.astype(str).str.fullmatch(_DATE))
    dates: Any = pd.to_datetime(column, errors="coerce", utc=True, format="ISO8601")
    dates = dates.dt.tz_localize(None)
    if (late := column.notna() & dates.isna()).any():  # before pandas 3, dates that it reads end in the year 2262
        known = dates.to_numpy(dtype="datetime64[us]", copy=True)
        known[late.to_numpy()] = [_read_date(str(value)) for value in column[late]]
        dates = pd.Series(known, index=column.index, name=column.name)
    return dates


def _read_date(text: str) -> Any:
    try:
        date = datetime.fromisoformat(text)
        return np.datetime64(date if date.tzinfo is None else date.astimezone(UTC).replace(tzinfo=None), "us")
    except (ValueError, OverflowError):  # no date, or one that leaves the calendar on its way to UTC
        return np.datetime64("NaT")


def _holds_dates(column: pd.Series) -> bool:
    return types.infer_dtype(column, skipna=True) in ("date", "datetime", "datetime64")


def _holds_times(column: pd.Series) -> bool:
    """Whether all objects are times of a day, lengths of time or months, which are neither dates nor names."""
    return types.infer_dtype(column, skipna=True) in ("time", "timedelta", "timedelta64", "period")


def holds_numbers(column: pd.Series) -> bool:
    """Whether the objects of a column that are there are all numbers: Python's own, decimals or fractions.

    Examples
    --------
    >>> holds_numbers(pd.Series([2**70, None], dtype=object)), holds_numbers(pd.Series([1, "1"], dtype=object))
    (True, False)
    """
    kind = types.infer_dtype(column, skipna=True)
    if kind in ("mixed", "mixed-integer"):  # of which fractions are one
        there = column[column.notna()]
        return all(isinstance(value, Real) and not isinstance(value, bool) for value in there)
    return kind in ("integer", "floating", "mixed-integer-float", "decimal")


def _as_float(value: Any) -> float:
    try:
        return float(value)
    except OverflowError:  # a whole number beyond all floats
        return np.inf


def _is_text(dtype: Any) -> bool:
    if isinstance(dtype, pd.CategoricalDtype):
        return False
    return types.is_object_dtype(dtype) or types.is_string_dtype(dtype) or str(dtype).startswith("dictionary<")


def as_label(value: Any) -> str:
    """Write one value of a category as text; what a person reads as the same gives the same.

    These are `True` and `TRUE`, 25, 25.0 and "25.0", and a letter with its accent, however the two are coded.
    """
    if isinstance(value, float | np.floating) and float(value).is_integer():
        return str(int(value))
    text = unicodedata.normalize("NFC", str(value))
    if whole := _WHOLE.fullmatch(text.strip()):
        return "0" if whole[1] == "-0" else whole[1]
    return text.capitalize() if text.lower() in ("true", "false") else text


def name_row(index: pd.Index, place: int) -> str:
    """Name a row as a person finds it: by its line in a file, or counted from 1, or by its own name.

    Examples
    --------
    >>> name_row(pd.RangeIndex(9), 2), name_row(pd.Index([2, 3, 5], name=LINE), 2), name_row(pd.Index(["x"]), 0)
    ('row 3', 'line 5', "row 'x'")
    """
    label = index[place]
    if index.name == LINE:
        return f"line {label}"
    return f"row {label + 1}" if isinstance(label, int | np.integer) else f"row {label!r}"


def name_cells(column: pd.Series, which: np.ndarray) -> str:
    """Name some cells of a column with their rows: the first five, and how many more there are.

    Examples
    --------
    >>> name_cells(pd.Series(["1", "?", "x"]), np.array([False, True, True]))
    "row 2 has '?', row 3 has 'x'"
    """
    places = np.flatnonzero(which)
    shown = [f"{name_row(column.index, int(place))} has {_shown(column.iloc[place])}" for place in places[:_SHOWN]]
    more = len(places) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")


def _shown(value: Any) -> str:
    text = repr(value.item() if isinstance(value, np.generic) else value)
    return text if len(text) <= 60 else text[:59] + "…"


def _wrong_type(column: pd.Series, wrong: np.ndarray, source: str, advice: str, wanted: str = "numbers") -> ValueError:
    if types.infer_dtype(column, skipna=True) in ("timedelta", "timedelta64"):
        unit = f"Say in which unit, such as `table[{column.name!r}] / pd.Timedelta(days=1)`"
        advice = advice.replace("Correct it", unit)
    cells = f"{name_cells(column, wrong)} ({column.dtype})"
    return ValueError(f"column {column.name!r} of {source} must hold {wanted}, but {cells}. {advice}")
