"""Predictions for a table of any length, in bounded memory."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from unabases.datasets.reading import ROWS, read_chunks, read_names, write_chunks
from unabases.tables.model import TableModel

__all__ = ["Predicted", "chunks_for", "predict_file", "take_row"]

OnRows = Callable[[int], None]  # how many rows were just done


class Predicted(NamedTuple):
    """What was written."""

    rows: int
    deferred: int
    empty: int  # rows with missing values, which have no prediction
    unknown_levels: dict[str, Counter]  # categories that the model has never seen, by column
    ignored: list[str]  # columns of the table that nothing used


def chunks_for(
    model: TableModel, path: Path, *, also: Sequence[str] = (), separator: str = ",", rows: int = ROWS
) -> tuple[list[str], Iterator[pd.DataFrame]]:
    """Names of a table's columns, and an iterator over what a model needs of them; names are checked at once.

    Parameters
    ----------
    also
        Further columns to read; of those that the model does not know as numbers, the text as it is written.
    """
    names = read_names(path, separator=separator)
    model.schema.check_names(names, str(path))
    if lacking := [name for name in also if name not in names]:
        raise ValueError(f"{path} has no column {lacking[0]!r}; its columns are {', '.join(names)}.")
    wanted = {column.name for column in model.schema.inputs} | {*also, model.schema.target}
    columns = [name for name in names if name in wanted]
    text = model.schema.text()
    return names, read_chunks(path, columns=columns, text=text, separator=separator, rows=rows)


def take_row(model: TableModel, path: Path, place: int, *, separator: str = ",") -> pd.DataFrame:
    """One row of a table, counted from 0, with the columns that a model needs."""
    _, chunks = chunks_for(model, path, separator=separator)
    done = 0
    for chunk in chunks:
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
    """Write a prediction for each row of a CSV or Parquet file, holding at most `rows` of them at a time.

    Parameters
    ----------
    model, path, out
        The model, its table, and the file to write, whose name says its kind; it is there only when all of it is.
    level
        Probability of the interval.
    threshold
        Rows with a larger epistemic std are deferred, and so are those with an unknown category or no prediction.
    keep
        Columns to copy, such as a name or number of the row.
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
