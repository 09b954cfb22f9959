"""Read and write CSV and Parquet files, whole or a piece at a time."""

import contextlib
import io
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from unabases.datasets.encoder import refuse_duplicates
from unabases.storage import open_whole

__all__ = [
    "ROWS",
    "check_directory",
    "is_parquet",
    "parquet_rows",
    "read_chunks",
    "read_frame",
    "read_names",
    "write_chunks",
]

ROWS = 8192  # read at a time


def is_parquet(path: Path) -> bool:
    """Tell whether a file name stands for Parquet; everything else is taken for CSV."""
    return path.suffix in (".parquet", ".pq")


def read_frame(path: Path, *, separator: str = ",", text: Sequence[str] = ()) -> pd.DataFrame:
    """Read a whole table. Types are inferred, except for the columns `text`, which are read as they are written."""
    _refuse_absent(path)
    if is_parquet(path):
        _parquet(path)
        return pd.read_parquet(path)
    names = read_names(path, separator=separator)
    as_text: Any = {name: str for name in text if name in names}
    return pd.read_csv(path, sep=separator, dtype=as_text, low_memory=False)


def parquet_rows(path: Path) -> int:
    """Count the rows of a Parquet file, which says so in its last bytes."""
    return int(_parquet(path).ParquetFile(path).metadata.num_rows)


def read_names(path: Path, *, separator: str = ",") -> list[str]:
    """Read the names of the columns; refuse repeated ones, which pandas would rename."""
    _refuse_absent(path)
    if is_parquet(path):
        names = list(_parquet(path).ParquetFile(path).schema_arrow.names)
    else:
        try:
            header = pd.read_csv(path, sep=separator, header=None, nrows=1, dtype=str, keep_default_na=False)
        except pd.errors.EmptyDataError:
            raise ValueError(f"{path} is empty; expected a header and rows.") from None
        names = header.iloc[0].tolist()
    refuse_duplicates(names, str(path))
    return names


def read_chunks(
    path: Path, *, columns: Sequence[str], text: Sequence[str] = (), separator: str = ",", rows: int = ROWS
) -> Iterator[pd.DataFrame]:
    """Read some columns of a table, a piece at a time; the index counts rows from 0.

    Parameters
    ----------
    path : Path
        The file.
    columns : sequence of str
        Names to read; the table must have them all.
    text : sequence of str
        Columns to read as they are written.
    separator : str
        What separates the columns of a CSV file.
    rows : int
        Most rows of a piece.

    Yields
    ------
    DataFrame
        The next rows.
    """
    if is_parquet(path):
        first = 0
        file = _parquet(path).ParquetFile(path, pre_buffer=False)  # it would keep all that it has read
        for batch in file.iter_batches(batch_size=rows, columns=list(columns)):
            frame = batch.to_pandas()
            frame.index = pd.RangeIndex(first, first + len(frame))
            first += len(frame)
            yield frame
        return
    as_text: Any = {name: str for name in text if name in columns}
    with pd.read_csv(
        path, sep=separator, usecols=list(columns), dtype=as_text, chunksize=rows, low_memory=False
    ) as reader:
        yield from reader


def check_directory(path: Path) -> Path:
    """Refuse a file name whose directory does not exist, before any work is done for it."""
    if not path.parent.is_dir():
        raise ValueError(f"cannot write {path}: there is no directory {path.parent}; create it first.")
    return path


@contextlib.contextmanager
def write_chunks(path: Path) -> Iterator[Callable[[pd.DataFrame], None]]:
    """Open a CSV or Parquet file and give a function that adds rows; the file appears only when it is complete."""
    check_directory(path)
    with open_whole(path) as file:
        if is_parquet(path):
            with _parquet_writer(path, file) as add:
                yield add
            return
        text = io.TextIOWrapper(file, encoding="utf-8", newline="")
        header = True

        def write(frame: pd.DataFrame) -> None:
            nonlocal header
            frame.to_csv(text, index=False, header=header)
            header = False

        yield write
        text.flush()
        text.detach()


@contextlib.contextmanager
def _parquet_writer(path: Path, file: Any) -> Iterator[Callable[[pd.DataFrame], None]]:
    parquet = _parquet(path)
    import pyarrow as pa

    writer: Any = None

    def write(frame: pd.DataFrame) -> None:
        nonlocal writer
        table = pa.Table.from_pandas(frame, preserve_index=False, schema=None if writer is None else writer.schema)
        writer = writer or parquet.ParquetWriter(file, table.schema)
        writer.write_table(table)

    try:
        yield write
    finally:  # after an error too, while the file is still open
        if writer is not None:
            writer.close()


def _parquet(path: Path) -> Any:
    try:
        import pyarrow.parquet
    except ImportError as error:
        raise ImportError(
            f"{path.name} needs pyarrow: `pip install 'unabases[parquet]'`, or save the table as CSV."
        ) from error
    return pyarrow.parquet


def _refuse_absent(path: Path) -> None:
    if not path.exists():
        raise FileNotFoundError(f"there is no file {path}; expected a table as CSV or Parquet.")
