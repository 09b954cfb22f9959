"""Your own table, from a CSV or Parquet file or a DataFrame, as a record of numbers."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Unpack

import numpy as np
import pandas as pd

from unabases.datasets.base import Dataset
from unabases.datasets.directory import whole_path
from unabases.datasets.encoder import refuse_unknown
from unabases.datasets.reading import read_frame
from unabases.datasets.schema import Column, ColumnRules, Schema, count_rows, learn_schema

__all__ = ["from_frame", "load_table"]


def load_table(
    path: str | os.PathLike[str],
    target: str,
    *,
    like: Dataset | None = None,
    units: Mapping[str, str | None] | None = None,
    separator: str = ",",
    **rules: Unpack[ColumnRules],
) -> Dataset:
    """Load a CSV or Parquet file with a header and turn it into numbers.

    Parameters
    ----------
    path : path-like
        The file. A name that ends in `.parquet` or `.pq` is read as Parquet, which needs
        `pip install 'unabases[parquet]'`; anything else as CSV, also packed (`.csv.gz`).
    target : str
        Name of the numeric column to predict.
    like : Dataset, optional
        A table loaded before, whose columns this one gets; see `from_frame`.
    units : mapping, optional
        Units by column name.
    separator : str
        What separates the columns of a CSV file.
    **rules
        `drop`, `categories`, `numbers`, `missing` and `max_levels`, as `from_frame` describes them.

    Returns
    -------
    Dataset
        The inputs and the target, with the names of their columns.

    See Also
    --------
    from_frame : The same for a DataFrame; it describes how columns become numbers.
    TableModel.fit : Train a model on a table and keep its columns with the model.
    """
    path = whole_path(path)
    frame = read_frame(path, separator=separator, text=rules.get("categories", ()) if like is None else _text(like))
    return from_frame(frame, target, like=like, units=units, source=str(path), **rules)


def from_frame(
    frame: pd.DataFrame,
    target: str,
    *,
    like: Dataset | None = None,
    units: Mapping[str, str | None] | None = None,
    source: str = "a DataFrame",
    **rules: Unpack[ColumnRules],
) -> Dataset:
    """Turn a DataFrame into a record of numbers.

    Numeric columns stay as they are. A column of text, categories or booleans becomes one column for each level, named
    `column=level`, with 1 where a row has that level. Levels are sorted, or in the order of a pandas category.

    Parameters
    ----------
    frame : DataFrame
        The table.
    target : str
        Name of the numeric column to predict.
    like : Dataset, optional
        A table loaded before. Its columns are made, in its order, so that a model fitted to it can be applied; other
        columns are ignored, missing numbers are filled with its medians, and levels that it lacks are refused.
    units : mapping, optional
        Units by column name.
    source : str
        Where the table comes from, for the record and for errors.
    **rules
        How to read the columns. `drop`: columns to leave out. `categories`: numeric columns to treat as categories.
        `numbers`: columns of numbers in which other text, such as "unknown", counts as missing.
        `missing`: what to do with missing values. `"refuse"`, the default, raises an error; `"drop"` leaves out the
        rows that have any; `"impute"` fills numbers with their median, with a column `name=missing` beside them, and
        gives categories a level `missing`. Medians are those of all rows given, so split the table first if test rows
        must not leak into training.
        `max_levels`: how many levels of a category have a number of their own (50 by default); others share one.

    Returns
    -------
    Dataset
        The inputs and the target, with the names of their columns.

    Examples
    --------
    >>> homes = pd.DataFrame({"rooms": [3, 5], "heating": ["oil", "gas"], "price": [210.0, 305.0]})
    >>> from_frame(homes, "price").frame()
       rooms  heating=gas  heating=oil  price
    0    3.0          0.0          1.0  210.0
    1    5.0          1.0          0.0  305.0
    """
    frame = count_rows(frame)
    if like is None:
        schema = learn_schema(frame, target, source=source, **rules)
    else:
        refuse_unknown([target], list(frame.columns), source)
        frame = frame.drop(columns=list(rules.get("drop", ())))
        schema = _schema_of(like)._replace(target=target, missing=rules.get("missing", "refuse"))
    rows = schema.encode_training(frame, source)
    for name, levels in rows.encoded.unknown_levels.items():
        raise ValueError(f"column {name!r} of {source} has levels that `like` lacks: {', '.join(levels)[:200]}.")
    return Dataset(
        name=Path(source).stem,
        X=rows.encoded.X,
        y=rows.y,
        columns=schema.columns,
        target=target,
        units=dict(units or {}),
        source=source,
        licence="not stated",
        citation="",
        schema=schema,
    )


def _schema_of(data: Dataset) -> Schema:
    """The columns that a data set was made from; all numbers if it was not made from a table."""
    if data.schema is not None:
        return data.schema
    medians = np.median(data.X, axis=0)
    columns = zip(data.columns, medians, strict=True)
    return Schema(tuple(Column(name, "number", fill=float(fill)) for name, fill in columns), data.target)


def _text(data: Dataset) -> list[str]:
    return _schema_of(data).text_columns
