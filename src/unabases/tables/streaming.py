"""Predict tables of any length in bounded memory."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from unabases.datasets.reading import ROWS, read_chunks, read_names, write_chunks
from unabases.tables.model import TableModel

__all__ = ["Predicted", "chunks_for", "predict_file", "take_row"]

OnRows = Callable[[int], None]  # called with the number of rows just done


class Predicted(NamedTuple):
    """Counts of what `predict_file` wrote."""

    rows: int
    deferred: int
    empty: int
    """Rows without a prediction, because values are missing."""
    unknown_levels: dict[str, Counter]
    """Categories that the model has never seen, by column."""
    ignored: list[str]
    """Columns of the table that were not used."""


class Chunks(NamedTuple):
    """A table that is read piece by piece."""

    names: list[str]
    """All columns of the file."""
    chunks: Iterator[pd.DataFrame]
    """Its rows, with the columns that are needed."""


def chunks_for(
    model: TableModel, path: Path, *, also: Sequence[str] = (), separator: str = ",", rows: int = ROWS
) -> Chunks:
    """Open a table for a model and check the names of its columns at once.

    Parameters
    ----------
    model : TableModel
        The model; its inputs and, if there, its target are read.
    path : Path
        A CSV or Parquet file.
    also : sequence of str
        Further columns to read.
    separator : str
        What separates the columns of a CSV file.
    rows : int
        Most rows of a piece.
    """
    names = read_names(path, separator=separator)
    model.schema.check_names(names, str(path))
    if lacking := [name for name in also if name not in names]:
        raise ValueError(f"{path} has no column {lacking[0]!r}; its columns are {', '.join(names)}.")
    wanted = {column.name for column in model.schema.inputs} | {*also, model.schema.target}
    columns = [name for name in names if name in wanted]
    text = model.schema.text_columns
    return Chunks(names, read_chunks(path, columns=columns, text=text, separator=separator, rows=rows))


def take_row(model: TableModel, path: Path, place: int, *, separator: str = ",") -> pd.DataFrame:
    """Read one row of a table, counted from 0, with the columns that a model needs."""
    done = 0
    for chunk in chunks_for(model, path, separator=separator).chunks:
        if place < done + len(chunk):
            return chunk.iloc[[place - done]]
        done += len(chunk)
    raise ValueError(f"{path} has {done} rows, so there is no row {place + 1}.")


def predict_file(
    model: TableModel,
    path: Path,
    out: Path,
    *,
    level: float = 0.9,
    threshold: float = np.inf,
    keep: Sequence[str] = (),
    separator: str = ",",
    rows: int = ROWS,
    on_rows: OnRows | None = None,
) -> Predicted:
    """Write a prediction for each row of a CSV or Parquet file, holding only a few thousand rows in memory.

    Parameters
    ----------
    model : TableModel
        The model.
    path : Path
        The table, CSV or Parquet.
    out : Path
        The file to write, CSV or Parquet by its name; it appears only when it is complete.
    level : float
        Probability of the interval.
    threshold : float
        Rows with a larger epistemic std are deferred. So are rows with an unknown category or without a prediction.
    keep : sequence of str
        Columns to copy from the table, such as an identifier.
    separator : str
        What separates the columns of a CSV file.
    rows : int
        Rows to read at a time.
    on_rows : callable, optional
        Called with the number of rows just done.

    Returns
    -------
    Predicted
        Counts, and what was unusual about the table.
    """
    names, chunks = chunks_for(model, path, also=keep, separator=separator, rows=rows)
    done = deferred = empty = 0
    unknown: dict[str, Counter] = {}
    with write_chunks(out) as write:
        for chunk in chunks:
            encoded = model.schema.encode(chunk, str(path))
            table = model.predict_encoded(encoded, chunk.index, level)
            for name, levels in encoded.unknown_levels.items():
                unknown.setdefault(name, Counter()).update(levels)
            absent = np.isnan(table["mean"].to_numpy())
            defer = (table["epistemic_std"].to_numpy() > threshold) | table.pop("unknown").to_numpy() | absent
            table["defer"] = np.where(defer, "yes", "no")
            table.insert(0, "row", np.asarray(chunk.index) + 1)
            for place, name in enumerate(keep):
                table.insert(1 + place, name, chunk[name])
            write(table)
            done, deferred, empty = done + len(chunk), deferred + int(defer.sum()), empty + int(absent.sum())
            if on_rows is not None:
                on_rows(len(chunk))
        if done == 0:
            raise ValueError(f"{path} has a header but no rows.")
    used = {column.name for column in model.schema.inputs} | {*keep, model.schema.target}
    return Predicted(done, deferred, empty, unknown, [name for name in names if name not in used])
