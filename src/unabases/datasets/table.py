"""A user's own table, from a CSV or Parquet file: the target by name, categories one-hot."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

import numpy as np
import pandas as pd
from pandas.api import types

from unabases.datasets.base import Dataset
from unabases.datasets.reading import read_frame, refuse_duplicates

__all__ = ["from_frame", "load_table"]

Missing = Literal["refuse", "drop", "impute"]
MISSING_LEVEL = "missing"  # of a category, where the value is


def load_table(
    path: str | os.PathLike[str],
    target: str,
    *,
    drop: Sequence[str] = (),
    missing: Missing = "refuse",
    like: Dataset | None = None,
    max_levels: int = 50,
    units: Mapping[str, str | None] | None = None,
    separator: str = ",",
) -> Dataset:
    """Load a table with a header; its kind is told by its name: `.parquet`, or anything that pandas reads as CSV.

    Parameters are those of `from_frame`, and

    Parameters
    ----------
    path
        Of the file; CSV may be packed (`.csv.gz`). Parquet needs `pip install 'unabases[parquet]'`.
    separator
        Between the columns of a CSV file.
    """
    path = Path(path).expanduser()
    frame = read_frame(path, separator=separator)
    return from_frame(
        frame, target, drop=drop, missing=missing, like=like, max_levels=max_levels, units=units, source=str(path)
    )


def from_frame(
    frame: pd.DataFrame,
    target: str,
    *,
    drop: Sequence[str] = (),
    missing: Missing = "refuse",
    like: Dataset | None = None,
    max_levels: int = 50,
    units: Mapping[str, str | None] | None = None,
    source: str = "a DataFrame",
) -> Dataset:
    """Turn a DataFrame into a record of numbers.

    Numeric columns stay as they are. A column of text, categories or booleans becomes one column a level, named
    `column=level`, with 1 where the row has it; levels are in sorted order, or in that of the categories.

    Parameters
    ----------
    target
        Name of the numeric column to predict.
    drop
        Names of columns to leave out.
    missing
        What to do with missing values: "refuse"; "drop" the rows that have any; "impute", which fills a numeric
        input with its median and gives a category a level of its own, but refuses where the target is missing.
        Medians are of all rows given: split the table first if a test set must not show through.
    like
        A table loaded before: its columns are made, in its order, so that a model fitted to it can be applied.
        Levels that it has not seen are refused.
    max_levels
        A category with more levels than this is refused: it is rather a name, a number written as text, or a date.
    units
        By column name, as in `Dataset`.
    source
        What the record says about the origin.

    Examples
    --------
    >>> homes = pd.DataFrame({"rooms": [3, 5], "heating": ["oil", "gas"], "price": [210.0, 305.0]})
    >>> from_frame(homes, "price").frame()
       rooms  heating=gas  heating=oil  price
    0    3.0          0.0          1.0  210.0
    1    5.0          1.0          0.0  305.0
    """
    if missing not in ("refuse", "drop", "impute"):
        raise ValueError(f'`missing` must be "refuse", "drop" or "impute", got {missing!r}.')
    names = [str(name) for name in frame.columns]
    refuse_duplicates(names, source)
    frame = frame.set_axis(names, axis="columns").reset_index(drop=True)
    for name in (target, *drop):
        if name not in names:
            hint = " Is `separator` right?" if len(names) == 1 else ""
            raise ValueError(f"{source} has no column {name!r}; its columns are {', '.join(names)}.{hint}")
    frame = frame.drop(columns=[name for name in drop if name != target])
    if frame.shape[1] < 2:
        raise ValueError(f"{source} has no inputs beside the target {target!r}.")
    frame = _without_missing(frame, target, missing, source)
    if len(frame) == 0:
        raise ValueError(f"{source} has no rows{' without missing values' if missing == 'drop' else ''}.")
    y = _numbers(pd.Series(frame[target]), "target", source)
    inputs = pd.concat(
        [_columns_of(column, like, max_levels, source) for name, column in frame.items() if name != target],
        axis="columns",
    )
    if like is not None:
        inputs = _in_order_of(inputs, like, source)
    return Dataset(
        name=Path(source).stem,
        X=inputs.to_numpy(dtype=np.float64),
        y=y,
        columns=tuple(inputs.columns),
        target=target,
        units=dict(units or {}),
        source=source,
        licence="not stated",
        citation="",
    )


def _without_missing(frame: pd.DataFrame, target: str, missing: Missing, source: str) -> pd.DataFrame:
    counts = {str(name): int(column.isna().sum()) for name, column in frame.items() if column.isna().any()}
    if not counts:
        return frame
    if missing == "drop":
        return frame.dropna().reset_index(drop=True)
    if missing == "impute" and target not in counts:
        return pd.DataFrame(
            {name: _filled(column, source) if name in counts else column for name, column in frame.items()}
        )
    listed = ", ".join(f"{name} {count}" for name, count in counts.items())
    raise ValueError(
        f"{source} has missing values in {int(frame.isna().any(axis=1).sum())} of {len(frame)} rows ({listed}). "
        'Leave those rows out with missing="drop", or fill inputs with missing="impute" (medians, and a level '
        f'"{MISSING_LEVEL}" for categories); a target cannot be filled. For other ways, load the table with '
        "pandas, fill it, for example with scikit-learn's SimpleImputer, and use `from_frame`."
    )


def _filled(column: pd.Series, source: str) -> pd.Series:
    if is_categorical(column):
        return column.astype(object).where(column.notna(), MISSING_LEVEL)
    if column.isna().all():
        raise ValueError(f"column {column.name!r} of {source} has no value at all; leave it out with `drop`.")
    return column.fillna(column.median())


def is_categorical(column: pd.Series) -> bool:
    """Whether a column holds text, categories or booleans."""
    dtype = column.dtype
    return (
        types.is_bool_dtype(dtype)
        or isinstance(dtype, pd.CategoricalDtype)
        or types.is_object_dtype(dtype)
        or types.is_string_dtype(dtype)
    )


def _numbers(column: pd.Series, role: str, source: str) -> np.ndarray:
    if is_categorical(column) or not types.is_numeric_dtype(column.dtype) or types.is_complex_dtype(column.dtype):
        first = column.iloc[0]
        advice = "turn it into numbers" + (" or leave it out with `drop`" if role == "input" else "")
        raise ValueError(f"{role} {column.name!r} of {source} is not numeric ({column.dtype}, {first!r}); {advice}.")
    values = column.to_numpy(dtype=np.float64)
    if infinite := int(np.isinf(values).sum()):
        raise ValueError(f"{role} {column.name!r} of {source} has {infinite} infinite values.")
    return values


def _columns_of(column: pd.Series, like: Dataset | None, max_levels: int, source: str) -> pd.DataFrame:
    name = str(column.name)
    if not is_categorical(column):
        return pd.DataFrame({name: _numbers(column, "input", source)})
    labels = column.astype(str)
    if like is not None:
        levels = [made.removeprefix(f"{name}=") for made in like.columns if made.startswith(f"{name}=")]
        if new := sorted(set(labels) - set(levels)):
            raise ValueError(f"column {name!r} of {source} has levels that `like` has not: {', '.join(new)[:200]}.")
    elif isinstance(column.dtype, pd.CategoricalDtype):
        levels = [str(level) for level in column.dtype.categories]
    else:
        levels = sorted(set(labels))
    if len(levels) > max_levels:
        raise ValueError(
            f"column {name!r} of {source} has {len(levels)} levels, such as {', '.join(levels[:3])}: more than "
            f"`max_levels` = {max_levels}. Leave it out with `drop`, turn it into numbers, or raise the limit."
        )
    return pd.DataFrame({f"{name}={level}": (labels == level).astype(np.float64) for level in levels})


def _in_order_of(inputs: pd.DataFrame, like: Dataset, source: str) -> pd.DataFrame:
    lacking = [name for name in like.columns if name not in inputs]
    extra = [name for name in inputs if name not in like.columns]
    if lacking or extra:
        raise ValueError(f"{source} does not have the columns of `like`: it lacks {lacking} and has besides {extra}.")
    return inputs.reindex(columns=list(like.columns))
