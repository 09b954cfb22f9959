"""Turn the plain-text copies of the UCI tables into the files of the data directory."""

import gzip
import io

import numpy as np

from unabases.datasets.registry import File

__all__ = ["as_csv", "table_file"]


def as_csv(text: bytes, text_columns: tuple[str, ...], columns: tuple[str, ...]) -> bytes:
    r"""Turn whitespace-separated numbers into a CSV table with a header.

    Each number is written with the fewest digits that reproduce it exactly, whole numbers without a point.

    Examples
    --------
    >>> as_csv(b"1.0 2.50e+00\n3 \t -4\n", ("a", "b"), ("b", "a"))
    b'b,a\n2.5,1\n-4,3\n'
    """
    if not text.strip():
        raise ValueError("not a table of numbers separated by blanks: the text is empty.")
    try:
        values = np.loadtxt(io.BytesIO(text), ndmin=2)
    except ValueError as error:
        raise ValueError(f"not a table of numbers separated by blanks: {error}") from error
    if values.shape[1] != len(text_columns):
        raise ValueError(f"the text has {values.shape[1]} columns, expected {len(text_columns)}: {text_columns}.")
    values = values[:, [text_columns.index(name) for name in columns]]
    lines = [",".join(columns), *(",".join(map(_shortest, row)) for row in values.tolist())]
    return ("\n".join(lines) + "\n").encode()


def table_file(file: File, text: bytes) -> bytes:
    """Make the bytes of a table's file from its plain-text copy."""
    content = as_csv(text, file.text_columns, file.columns)
    return gzip.compress(content, 9, mtime=0) if file.path.endswith(".gz") else content


def _shortest(number: float) -> str:
    return repr(number).removesuffix(".0")
