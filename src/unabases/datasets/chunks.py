"""Rows that are read chunk by chunk, as often as needed: from files, arrays on disk, Arrow data sets and iterables."""

import os
import pickle
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from unabases.datasets.reading import is_parquet, parquet_rows, read_names, read_pieces

__all__ = ["Chunk", "Chunks", "as_chunks", "chunks_of"]

ROWS = 2**16  # of a chunk


class Chunk(NamedTuple):
    """Some rows and their targets."""

    X: Any
    y: Any


class Chunks:
    """Rows and targets in chunks that can be read again and again; make them with `chunks_of`.

    Parameters
    ----------
    read : callable
        Gives a new iterator over all chunks.
    rows : int, optional
        How many rows there are, if that is known.
    """

    def __init__(self, read: Callable[[], Iterator[Chunk]], rows: int | None = None):
        self._read, self.rows = read, rows

    def __iter__(self) -> Iterator[Chunk]:
        return self._read()


def chunks_of(
    source: Any,
    target: Any,
    *,
    drop: Sequence[str] = (),
    rows: int = ROWS,
    separator: str = ",",
) -> Chunks:
    """Read a table that may be larger than memory in chunks, for `fit_stream`.

    Parameters
    ----------
    source
        A CSV or Parquet file or a folder of Parquet files, by its path; an Arrow table or data set; a DataFrame; or an
        array, such as an `np.memmap`.
    target
        The name of the column to predict. With an array, the array of the targets.
    drop : sequence of str
        Columns to leave out.
    rows : int
        Most rows of a chunk.
    separator : str
        What separates the columns of a CSV file.

    Returns
    -------
    Chunks
        Pairs of rows and targets, to be read as often as needed.

    Examples
    --------
    >>> X, y = np.arange(20.0).reshape(10, 2), np.arange(10.0)  # could be an `np.memmap`
    >>> [chunk.X.shape for chunk in chunks_of(X, y, rows=4)]
    [(4, 2), (4, 2), (2, 2)]
    >>> table = pd.DataFrame({"a": [1, 2, 3], "b": [0, 1, 0], "price": [5.0, 6.0, 7.0]})
    >>> [list(chunk.X) for chunk in chunks_of(table, "price")]
    [['a', 'b']]
    """
    if not isinstance(target, str):
        return _of_arrays(source, target, rows)
    if isinstance(source, str | os.PathLike):
        path = Path(source).expanduser()
        if path.is_dir():
            return _of_arrow(_arrow_datasets().dataset(path, format="parquet"), target, drop, rows)
        names = _inputs(read_names(path, separator=separator), target, drop, str(path))
        read = lambda: read_pieces(path, columns=[*names, target], separator=separator, rows=rows)  # noqa: E731
        return Chunks(
            lambda: (_split(frame, names, target) for frame, _ in read()),
            parquet_rows(path) if is_parquet(path) else None,
        )
    if hasattr(source, "to_batches"):
        return _of_arrow(source, target, drop, rows)
    if isinstance(source, pd.DataFrame):
        names = _inputs([str(name) for name in source.columns], target, drop, "the table")
        cuts = range(0, len(source), rows)
        return Chunks(lambda: (_split(source.iloc[i : i + rows], names, target) for i in cuts), len(source))
    raise TypeError(
        "`source` must be a path, an Arrow table or data set, a DataFrame, or an array with its targets as `target`; "
        f"got {type(source).__name__}. Give chunks of your own to `fit_stream` directly, as pairs (X, y)."
    )


def as_chunks(chunks: Any) -> Chunks:
    """Chunks that can be read more than once, of anything that can be read once.

    What can be read only once, such as a generator, is kept in a temporary file while it is read the first time.

    Parameters
    ----------
    chunks
        `Chunks`, or an iterable of pairs (X, y).

    Examples
    --------
    >>> twice = as_chunks((np.ones((2, 1)) * i, np.zeros(2)) for i in range(3))
    >>> [len(list(twice)), len(list(twice))]
    [3, 3]
    """
    if isinstance(chunks, Chunks):
        return chunks
    if not isinstance(chunks, Iterable) or isinstance(chunks, str | pd.DataFrame | np.ndarray):
        raise TypeError(
            f"`chunks` must give pairs (X, y) of rows and targets, got {type(chunks).__name__}; "
            "`unabases.datasets.chunks_of` makes them from files, tables and arrays."
        )
    again = _Spooled(chunks) if isinstance(chunks, Iterator) else chunks
    return Chunks(lambda: (Chunk(*pair) for pair in again))


class _Spooled:
    """What can be read only once, kept in a temporary file while it is read for the first time."""

    def __init__(self, once: Iterator[Any]):
        self._once: Iterator[Any] | None = once
        self._file = tempfile.TemporaryFile()  # noqa: SIM115  (closed with this object)
        self._count = 0

    def __iter__(self) -> Iterator[Any]:
        if self._once is not None:
            once, self._once = self._once, None
            for pair in once:
                pickle.dump(tuple(pair), self._file, protocol=5)
                self._count += 1
                yield pair
            return
        self._file.seek(0)
        for _ in range(self._count):
            yield pickle.load(self._file)


def _of_arrays(X: Any, y: Any, rows: int) -> Chunks:
    if not (hasattr(X, "shape") and hasattr(y, "shape")) or len(X) != len(y):
        raise ValueError(
            "with an array of rows, `target` must be the array of their targets, as long as it; got "
            f"{type(X).__name__} of length {len(X) if hasattr(X, '__len__') else '?'} and {type(y).__name__} of length "
            f"{len(y) if hasattr(y, '__len__') else '?'}. For a table, give the name of the target's column."
        )
    take = lambda array, i: array.iloc[i : i + rows] if hasattr(array, "iloc") else np.asarray(array[i : i + rows])  # noqa: E731
    return Chunks(lambda: (Chunk(take(X, i), take(y, i)) for i in range(0, len(X), rows)), len(X))


def _of_arrow(source: Any, target: str, drop: Sequence[str], rows: int) -> Chunks:
    names = _inputs(list(source.schema.names), target, drop, "the Arrow data")
    columns = [*names, target]

    def read() -> Iterator[Chunk]:
        if hasattr(source, "scanner"):  # a data set; little is read ahead and nothing kept, so that memory is bounded
            options: dict[str, Any] = {"batch_size": rows, "batch_readahead": 2, "fragment_readahead": 1}
            if getattr(getattr(source, "format", None), "default_extname", None) == "parquet":
                options["fragment_scan_options"] = _arrow_datasets().ParquetFragmentScanOptions(pre_buffer=False)
            batches = source.scanner(columns=columns, **options).to_batches()
        else:
            batches = source.select(columns).to_batches(max_chunksize=rows)
        for batch in batches:
            if batch.num_rows:
                yield _split(batch.to_pandas(), names, target)

    return Chunks(read, source.count_rows() if hasattr(source, "count_rows") else source.num_rows)


def _arrow_datasets() -> Any:
    try:
        import pyarrow.dataset
    except ImportError as error:
        raise ImportError("a folder of Parquet files needs pyarrow: `pip install 'unabases[parquet]'`.") from error
    return pyarrow.dataset


def _split(frame: pd.DataFrame, names: list[str], target: str) -> Chunk:
    return Chunk(frame[names], frame[target].to_numpy())


def _inputs(names: list[str], target: str, drop: Sequence[str], source: str) -> list[str]:
    for name in (target, *drop):
        if name not in names:
            raise ValueError(f"{source} has no column {name!r}; its columns are {', '.join(names)}.")
    return [name for name in names if name not in (target, *drop)]
