"""Rows that are read chunk by chunk, as often as needed: from files, arrays on disk, Arrow data sets and iterables."""

import os
import pickle
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from unabases.datasets.directory import whole_path
from unabases.datasets.encoder import name_some, refuse_unknown
from unabases.datasets.reading import is_parquet, parquet_rows, read_names, read_pieces
from unabases.datasets.user_text import how_many

__all__ = ["Chunk", "Chunks", "WeightedChunk", "as_chunks", "chunks_of"]

ROWS = 2**16  # of a chunk


class Chunk(NamedTuple):
    """Some rows and their targets."""

    X: Any
    y: Any


class WeightedChunk(NamedTuple):
    """Some rows, their targets, and how often each row counts."""

    X: Any
    y: Any
    weight: Any


class Chunks:
    """Rows and targets in chunks that can be read again and again; make them with `chunks_of`.

    Parameters
    ----------
    read : callable
        Gives a new iterator over all chunks.
    rows : int, optional
        How many rows there are, if that is known.
    """

    def __init__(self, read: Callable[[], Iterator[Chunk | WeightedChunk]], rows: int | None = None):
        self._read, self.rows = read, rows

    def __iter__(self) -> Iterator[Chunk | WeightedChunk]:
        return self._read()


def chunks_of(
    source: Any,
    target: Any,
    *,
    weight: Any = None,
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
    weight
        The name of the column that says how often each row counts; with an array, the array of these numbers. None for
        once each.
    drop : sequence of str
        Columns to leave out.
    rows : int
        Most rows of a chunk.
    separator : str
        What separates the columns of a CSV file.

    Returns
    -------
    Chunks
        Pairs of rows and targets, or triples with the weights, to be read as often as needed.

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
        return _of_arrays(source, target, weight, rows)
    named = _Columns.of(target, weight, drop)
    if isinstance(source, str | os.PathLike):
        path = whole_path(source)
        if path.is_dir():
            return _of_arrow(_arrow_datasets().dataset(path, format="parquet"), named, rows)
        named = named.among(read_names(path, separator=separator), str(path))
        read = lambda: read_pieces(path, columns=named.all, separator=separator, rows=rows)  # noqa: E731
        return Chunks(
            lambda: (named.split(frame) for frame, _ in read()), parquet_rows(path) if is_parquet(path) else None
        )
    if hasattr(source, "to_batches"):
        return _of_arrow(source, named, rows)
    if isinstance(source, pd.DataFrame):
        named = named.among([str(name) for name in source.columns], "the table")
        cuts = range(0, len(source), rows)
        return Chunks(lambda: (named.split(source.iloc[i : i + rows]) for i in cuts), len(source))
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
        `Chunks`, or an iterable of pairs (X, y) or triples (X, y, weight).

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
    return Chunks(lambda: _checked(again))


def _checked(chunks: Iterable[Any]) -> Iterator[Chunk | WeightedChunk]:
    """Chunks of a user, which need the same columns and outputs."""
    first = None
    for number, parts in enumerate(chunks, 1):
        if not isinstance(parts, tuple | list) or len(parts) not in (2, 3):
            raise TypeError(
                f"`chunks` must give pairs (X, y) of rows and targets, but number {number} is a "
                f"{type(parts).__name__}, not a pair. Pass `[(X, y)]` if there is only one."
            )
        chunk = _chunk(*parts)
        (n, *width), (n_targets, *outputs) = np.shape(chunk.X), np.shape(chunk.y)
        if n != n_targets:
            raise ValueError(f"chunk {number} has {how_many(n, 'row')} but {how_many(n_targets, 'target')}.")
        names = sorted(map(str, chunk.X.columns)) if isinstance(chunk.X, pd.DataFrame) else None
        form = _Form(width, names, outputs)
        first = first or form
        if form != first:
            raise ValueError(f"chunk {number} has {form}, but chunk 1 has {first}. All need the same.")
        yield chunk


class _Form(NamedTuple):
    """What all chunks have in common: columns, their names if they have some, and outputs."""

    width: list[int]
    names: list[str] | None
    outputs: list[int]

    def __str__(self) -> str:
        names = "" if self.names is None else f" ({name_some(self.names)})"
        columns = how_many(sum(self.width), "column")
        return f"{columns}{names} and y of shape ({', '.join(map(str, ['n', *self.outputs]))})"


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


class _Columns(NamedTuple):
    """What the columns of a table are for, by their names."""

    target: str
    weight: str | None
    drop: tuple[str, ...]
    inputs: list[str]

    @classmethod
    def of(cls, target: str, weight: Any, drop: Sequence[str]) -> "_Columns":
        """The columns that were named; the rest are not known yet."""
        if weight is not None and not isinstance(weight, str):
            raise TypeError(f"`weight` must be the name of a column, as `target` is; got {type(weight).__name__}.")
        return cls(target, weight, tuple(drop), [])

    def among(self, names: list[str], source: str) -> "_Columns":
        """With the inputs, which are all other columns of the table."""
        others = [name for name in (self.target, self.weight, *self.drop) if name is not None]
        refuse_unknown(others, names, source)
        return self._replace(inputs=[name for name in names if name not in others])

    @property
    def all(self) -> list[str]:
        """The columns to read."""
        return [*self.inputs, self.target, *([] if self.weight is None else [self.weight])]

    def split(self, frame: pd.DataFrame) -> Chunk | WeightedChunk:
        """Inputs, targets and weights of some rows."""
        weight = None if self.weight is None else frame[self.weight].to_numpy()
        return _chunk(frame[self.inputs], frame[self.target].to_numpy(), weight)


def _chunk(X: Any, y: Any, weight: Any = None) -> Chunk | WeightedChunk:
    return Chunk(X, y) if weight is None else WeightedChunk(X, y, weight)


def _of_arrays(X: Any, y: Any, weight: Any, rows: int) -> Chunks:
    if not (hasattr(X, "shape") and hasattr(y, "shape")) or len(X) != len(y):
        raise ValueError(
            "with an array of rows, `target` must be the array of their targets, as long as it; got "
            f"{type(X).__name__} of length {len(X) if hasattr(X, '__len__') else '?'} and {type(y).__name__} of length "
            f"{len(y) if hasattr(y, '__len__') else '?'}. For a table, give the name of the target's column."
        )
    take = lambda array, i: array.iloc[i : i + rows] if hasattr(array, "iloc") else np.asarray(array[i : i + rows])  # noqa: E731
    if weight is not None and (not hasattr(weight, "shape") or len(weight) != len(X)):
        raise ValueError(
            f"`weight` must be an array of {len(X)} numbers, one for each row; got {type(weight).__name__}."
        )
    own = lambda i: None if weight is None else take(weight, i)  # noqa: E731
    return Chunks(lambda: (_chunk(take(X, i), take(y, i), own(i)) for i in range(0, len(X), rows)), len(X))


def _of_arrow(source: Any, named: _Columns, rows: int) -> Chunks:
    named = named.among(list(source.schema.names), "the Arrow data")

    def read() -> Iterator[Chunk | WeightedChunk]:
        if hasattr(source, "scanner"):  # a data set; little is read ahead and nothing kept, so that memory is bounded
            options: dict[str, Any] = {"batch_size": rows, "batch_readahead": 2, "fragment_readahead": 1}
            if getattr(getattr(source, "format", None), "default_extname", None) == "parquet":
                options["fragment_scan_options"] = _arrow_datasets().ParquetFragmentScanOptions(pre_buffer=False)
            batches = source.scanner(columns=named.all, **options).to_batches()
        else:
            batches = source.select(named.all).to_batches(max_chunksize=rows)
        for batch in batches:
            if batch.num_rows:
                yield named.split(batch.to_pandas())

    return Chunks(read, source.count_rows() if hasattr(source, "count_rows") else source.num_rows)


def _arrow_datasets() -> Any:
    try:
        import pyarrow.dataset
    except ImportError as error:
        raise ImportError("a folder of Parquet files needs pyarrow: `pip install 'unabases[parquet]'`.") from error
    return pyarrow.dataset
