"""Predict tables of any length in bounded memory."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from unabases.datasets.encoder import refuse_unknown
from unabases.datasets.reading import ROWS, Piece, read_names, read_pieces
from unabases.datasets.user_text import how_many
from unabases.datasets.writing import write_chunks
from unabases.tables.model import TableModel

__all__ = ["WRITTEN", "Predicted", "pieces_for", "predict_file", "take_row"]

OnRows = Callable[[int], None]  # called with the number of rows just done
WRITTEN = ("row", "mean", "epistemic_std", "noise_std", "lower", "upper", "defer")  # columns of predictions


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


class Pieces(NamedTuple):
    """A table that is read piece by piece."""

    names: list[str]
    """All columns of the file."""
    pieces: Iterator[Piece]
    """Its rows, with the columns that are needed."""

    @property
    def chunks(self) -> Iterator[pd.DataFrame]:
        """The columns to read, without those to copy."""
        return (piece.rows for piece in self.pieces)


def pieces_for(
    model: TableModel,
    path: Path,
    *,
    also: Sequence[str] = (),
    copy: Sequence[str] = (),
    separator: str = ",",
    rows: int = ROWS,
) -> Pieces:
    """Open a table for a model and check the names of its columns at once.

    Parameters
    ----------
    model : TableModel
        The model; its inputs and, if there, its target are read.
    path : Path
        A CSV or Parquet file.
    also : sequence of str
        Further columns to read.
    copy : sequence of str
        Columns to copy as the file has them.
    separator : str
        What separates the columns of a CSV file.
    rows : int
        Most rows of a piece.
    """
    names = read_names(path, separator=separator)
    model.schema.check_names(names, str(path))
    refuse_unknown((*also, *copy), names, str(path))
    wanted = {column.name for column in model.schema.inputs} | {*also, model.schema.target}
    columns = [name for name in names if name in wanted]
    text = model.schema.text_columns
    return Pieces(names, read_pieces(path, columns=columns, copy=copy, text=text, separator=separator, rows=rows))


def take_row(model: TableModel, path: Path, place: int, *, separator: str = ",") -> pd.DataFrame:
    """Read one row of a table, counted from 0, with the columns that a model needs."""
    done = 0
    for chunk in pieces_for(model, path, separator=separator).chunks:
        if place < done + len(chunk):
            return chunk.iloc[[place - done]]
        done += len(chunk)
    raise ValueError(f"{path} has {how_many(done, 'row')}, so there is no row {place + 1}.")


def predict_file(
    model: TableModel,
    path: Path,
    out: Path,
    *,
    level: float = 0.9,
    threshold: float = np.inf,
    keep: Sequence[str] = (),
    keep_formulas: bool = False,
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
        Columns to copy from the table, such as an identifier; their text stays as it is.
    keep_formulas : bool
        Copy text such as `=1+1` into a CSV file as it is. By default an apostrophe comes before it, so that no
        spreadsheet runs it.
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
    keep = list(dict.fromkeys(keep))
    if taken := [name for name in keep if name in WRITTEN]:
        raise ValueError(
            f"cannot keep a column called {taken[0]!r}: predictions have one of that name. Rename it in the table; the "
            f"columns of predictions are {', '.join(WRITTEN)}."
        )
    names, pieces = pieces_for(model, path, copy=keep, separator=separator, rows=rows)
    done = deferred = empty = 0
    unknown: dict[str, Counter] = {}
    with write_chunks(out, keep_formulas=keep_formulas) as write:
        for chunk, copies in pieces:
            encoded = model.encode(chunk, str(path))
            table = model.predict_encoded(encoded, chunk.index, level)
            for name, levels in encoded.unknown_levels.items():
                unknown.setdefault(name, Counter()).update(levels)
            absent = np.isnan(table["mean"].to_numpy())
            defer = (table["epistemic_std"].to_numpy() > threshold) | table.pop("unknown").to_numpy() | absent
            table["defer"] = np.where(defer, "yes", "no")
            counted = pd.Series(np.arange(done + 1, done + len(chunk) + 1), index=chunk.index, name="row")
            write(pd.concat([counted, copies, table], axis="columns"))
            done, deferred, empty = done + len(chunk), deferred + int(defer.sum()), empty + int(absent.sum())
            if on_rows is not None:
                on_rows(len(chunk))
    used = {column.name for column in model.schema.inputs} | {*keep, model.schema.target}
    return Predicted(done, deferred, empty, unknown, [name for name in names if name not in used])
