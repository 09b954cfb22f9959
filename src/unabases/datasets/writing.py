"""Write CSV and Parquet files, a piece at a time, completely or not at all."""

import contextlib
import gzip
import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd
from pandas.api import types

from unabases.datasets.reading import import_parquet, is_parquet
from unabases.datasets.user_text import harmless_cell
from unabases.storage import open_whole

__all__ = ["check_directory", "check_ending", "harmless_frame", "write_chunks"]

_OTHERS = (
    *(".xlsx", ".xlsm", ".xls", ".ods", ".json", ".jsonl", ".feather", ".arrow", ".pkl", ".pickle", ".tsv", ".html"),
    *(".zip", ".bz2", ".xz", ".zst", ".tar", ".tgz"),
)


def check_ending(path: Path) -> None:
    """Refuse a file name that promises another kind of file than the CSV or Parquet that is written."""
    if path.suffix.lower() in _OTHERS:
        raise ValueError(
            f"cannot write {path}: tables are written as CSV (.csv), packed CSV (.csv.gz) or Parquet (.parquet); "
            "choose a name with such an ending."
        )


def check_directory(path: Path) -> Path:
    """Refuse a file name whose directory does not exist, before any work is done for it."""
    if not path.parent.is_dir():
        raise ValueError(f"cannot write {path}: there is no directory {path.parent}; create it first.")
    return path


@contextlib.contextmanager
def write_chunks(path: Path, *, keep_formulas: bool = False) -> Iterator[Callable[[pd.DataFrame], None]]:
    """Open a CSV or Parquet file and give a function that adds rows; the file appears only when it is complete.

    Parameters
    ----------
    path : Path
        The file; a name that ends in `.parquet` or `.pq` stands for Parquet, one that ends in `.gz` for packed CSV.
    keep_formulas : bool
        Write text such as `=1+1` into a CSV file as it is. By default an apostrophe comes before it, so that no
        spreadsheet runs it.

    Yields
    ------
    callable
        Takes a DataFrame and adds its rows.
    """
    check_directory(path)
    check_ending(path)
    with open_whole(path) as file:
        if is_parquet(path):
            with _parquet_writer(path, file) as add:
                yield add
            return
        packed = gzip.GzipFile(fileobj=file, mode="wb", mtime=0) if path.suffix.lower() == ".gz" else None
        text = io.TextIOWrapper(packed or file, encoding="utf-8", newline="")
        header = True

        def write(frame: pd.DataFrame) -> None:
            nonlocal header
            frame = frame if keep_formulas else harmless_frame(frame)
            frame.to_csv(text, index=False, header=header)
            header = False

        yield write
        text.flush()
        text.detach()
        if packed is not None:
            packed.close()


@contextlib.contextmanager
def _parquet_writer(path: Path, file: Any) -> Iterator[Callable[[pd.DataFrame], None]]:
    parquet = import_parquet(path)
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


def harmless_frame(frame: pd.DataFrame) -> pd.DataFrame:
    """Apply `harmless_cell` to every cell and to the names of the columns.

    Parameters
    ----------
    frame : DataFrame
        A table to be written as CSV.

    Returns
    -------
    DataFrame
        A table whose text no spreadsheet takes for a formula.

    Examples
    --------
    >>> harmless_frame(pd.DataFrame({"=id": ["+a", "b"], "x": [-1, 2]})).to_dict("list")
    {"'=id": ["'+a", 'b'], 'x': [-1, 2]}
    """
    columns = [
        column if _has_no_text(column.dtype) else column.astype(object).map(harmless_cell)
        for _, column in frame.items()
    ]
    names = [harmless_cell(name) for name in frame.columns]
    return pd.concat(columns, axis="columns").set_axis(names, axis="columns") if columns else frame


def _has_no_text(dtype: Any) -> bool:
    return types.is_numeric_dtype(dtype) or types.is_datetime64_any_dtype(dtype)
