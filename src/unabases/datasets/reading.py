"""Read CSV and Parquet files, whole or a piece at a time, by one set of rules."""

import re
from collections.abc import Iterator, Sequence, Sized
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import pandas as pd

from unabases.datasets.column_values import LINE, numbers_if_all
from unabases.datasets.csv_text import CsvRows, read_header, read_rows
from unabases.datasets.encoder import refuse_duplicates

__all__ = [
    "ROWS",
    "Piece",
    "import_parquet",
    "is_parquet",
    "parquet_rows",
    "read_frame",
    "read_names",
    "read_pieces",
]

ROWS = 8192  # read at a time
Rows = TypeVar("Rows", bound=Sized)
_MISSING = {  # what stands for a missing value in a CSV file
    *("", "NA", "N/A", "n/a", "<NA>", "#NA", "#N/A", "#N/A N/A", "NULL", "null", "None"),
    *("NaN", "nan", "-NaN", "-nan", "1.#IND", "-1.#IND", "1.#QNAN", "-1.#QNAN"),
}


class Piece(NamedTuple):
    """Some rows of a table."""

    rows: pd.DataFrame
    """The columns to read. The index holds the line of each row of a CSV file; in Parquet it counts rows from 0."""
    copies: pd.DataFrame
    """The columns to copy, exactly as the file has them: the text of a CSV file, the types of a Parquet file."""


def is_parquet(path: Path) -> bool:
    """Tell whether a file name stands for Parquet; everything else is taken for CSV."""
    return path.suffix.lower() in (".parquet", ".pq")


def parquet_rows(path: Path) -> int:
    """Count the rows of a Parquet file, which says so in its last bytes."""
    return int(_open_parquet(path).metadata.num_rows)


def read_names(path: Path, *, separator: str = ",") -> list[str]:
    """Read the names of the columns; refuse repeated ones, and columns without a name."""
    _refuse_no_file(path)
    names = _parquet_names(_open_parquet(path)) if is_parquet(path) else read_header(path, separator)
    if nameless := [place for place, name in enumerate(names, 1) if not name.strip()]:
        raise ValueError(
            f"column {nameless[0]} of {path} has no name; name it, or remove it. A table saved together with its row "
            "numbers has such a column."
        )
    refuse_duplicates(names, str(path))
    return names


def read_frame(path: Path, *, separator: str = ",", text: Sequence[str] = ()) -> pd.DataFrame:
    """Read a whole table. Types are inferred, except for the columns `text`, which are read as they are written."""
    names = read_names(path, separator=separator)
    if is_parquet(path):
        return _refuse_no_rows(_frame(_open_parquet(path).read(columns=names)), path)
    parts = [_frame_of_cells(piece.columns, piece.lines, names, names) for piece in read_rows(path, separator, ROWS)]
    _refuse_no_rows(parts, path)
    frame = pd.concat(parts)
    parts.clear()
    for place, name in enumerate(names):
        if name not in text:
            frame.isetitem(place, numbers_if_all(frame.iloc[:, place]))
    return frame


def read_pieces(
    path: Path,
    *,
    columns: Sequence[str],
    copy: Sequence[str] = (),
    text: Sequence[str] = (),
    separator: str = ",",
    rows: int = ROWS,
) -> Iterator[Piece]:
    """Read some columns of a table, a piece at a time; refuse a table without rows.

    Parameters
    ----------
    path : Path
        The file.
    columns : sequence of str
        Names to read; the table must have them all.
    copy : sequence of str
        Names of columns to copy; the table must have them all.
    text : sequence of str
        Columns to read as they are written; missing values are still missing.
    separator : str
        What separates the columns of a CSV file.
    rows : int
        Most rows of a piece.

    Yields
    ------
    Piece
        The next rows.
    """
    names, done = read_names(path, separator=separator), 0
    if is_parquet(path):
        pieces = _parquet_pieces(path, columns, copy, rows)
    else:
        pieces = _csv_pieces(read_rows(path, separator, rows), names, columns, copy, text)
    for piece in pieces:
        done += len(piece.rows)
        yield piece
    _refuse_no_rows(range(done), path)


def import_parquet(path: Path) -> Any:
    """Import what reads and writes Parquet, or raise an error that names the extra to install."""
    try:
        import pyarrow.parquet
    except ImportError as error:
        raise ImportError(
            f"{path.name} needs pyarrow: `pip install 'unabases[parquet]'`, or save the table as CSV."
        ) from error
    return pyarrow.parquet


def _frame_of_cells(
    columns: Sequence[tuple[str, ...]], lines: list[int], names: Sequence[str], text: Sequence[str]
) -> pd.DataFrame:
    """Cells as numbers or text, missing ones as missing."""
    index, found = pd.Index(lines, name=LINE), {}
    for place, (name, cells) in enumerate(zip(names, columns, strict=True)):
        there = cells if _MISSING.isdisjoint(cells) else [None if cell in _MISSING else cell for cell in cells]
        column = pd.Series(there, index=index, dtype=object)
        numbers = column if name in text else numbers_if_all(column)
        found[place] = pd.Series(there, index=index, dtype="str") if numbers is column else numbers
    return pd.DataFrame(found, index=index).set_axis(list(names), axis="columns")


def _csv_pieces(
    found: Iterator[CsvRows],
    names: Sequence[str],
    columns: Sequence[str],
    copy: Sequence[str],
    text: Sequence[str],
) -> Iterator[Piece]:
    place = {name: i for i, name in enumerate(names)}
    for cells, lines in ((rows.columns, rows.lines) for rows in found):
        frame = _frame_of_cells([cells[place[name]] for name in columns], lines, columns, text)
        copies = {name: pd.Series(cells[place[name]], index=frame.index, dtype="str") for name in copy}
        yield Piece(frame, pd.DataFrame(copies, index=frame.index))


def _parquet_pieces(path: Path, columns: Sequence[str], copy: Sequence[str], rows: int) -> Iterator[Piece]:
    first, wanted = 0, list(dict.fromkeys([*columns, *copy]))
    for batch in _open_parquet(path).iter_batches(batch_size=rows, columns=wanted):
        index = pd.RangeIndex(first, first + batch.num_rows)
        copies = batch.select(list(copy)).to_pandas(types_mapper=pd.ArrowDtype, ignore_metadata=True)
        yield Piece(_frame(batch.select(list(columns))).set_axis(index), copies.set_axis(index))
        first += batch.num_rows


def _frame(found: Any) -> pd.DataFrame:
    """A table of Arrow as one of pandas; decimal numbers become floats."""
    import pyarrow as pa

    frame = found.to_pandas(ignore_metadata=True)
    for field in found.schema:
        if pa.types.is_decimal(field.type):
            frame[field.name] = frame[field.name].astype("float64")
    return frame


def _open_parquet(path: Path) -> Any:
    parquet = import_parquet(path)
    try:
        return parquet.ParquetFile(path, pre_buffer=False)  # it would keep all that it has read
    except (ValueError, OSError) as error:  # what Arrow raises for files that it cannot read
        raise ValueError(f"{path} is not a Parquet file, is cut short or damaged ({error}).") from error


def _parquet_names(file: Any) -> list[str]:
    """The columns, without the row numbers that pandas may have stored beside them."""
    return [name for name in file.schema_arrow.names if not name.startswith("__index_level_")]


def _refuse_no_rows(rows: Rows, path: Path) -> Rows:
    if len(rows) == 0:
        raise ValueError(f"{path} has a header but no rows.")
    return rows


def _refuse_no_file(path: Path) -> None:
    if path.is_dir():
        raise IsADirectoryError(f"{path} is a directory; expected a table as CSV or Parquet.")
    if re.match(r"\w\w+:/", str(path)):
        raise FileNotFoundError(
            f"{str(path).replace(':/', '://', 1)} is an address; tables are read from files, so download it first."
        )
    if not path.exists():
        raise FileNotFoundError(f"there is no file {path}; expected a table as CSV or Parquet.")
    if not path.is_file():
        raise ValueError(f"{path} is no ordinary file; tables are read more than once, so save it to a file first.")
