"""The one reader of CSV files: cells as text, each row with its line, and one rule for what is a table."""

import bz2
import codecs
import contextlib
import csv
import gzip
import lzma
import re
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from io import TextIOWrapper
from itertools import accumulate, islice
from pathlib import Path
from typing import Any, NamedTuple

from unabases.datasets.user_text import printable

__all__ = ["CsvRows", "likely_separator", "read_header", "read_rows", "separator_hint"]

_HEAD = 64  # bytes that tell what a file is
_BREAK = re.compile("\r\n|\r|\n")
_PACKED: dict[str, Any] = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}
_DAMAGED = (EOFError, zlib.error, lzma.LZMAError, zipfile.BadZipFile, OSError)
_BEGINNINGS = {  # of files that are something else
    b"\xff\xfe": "UTF-16 text",
    b"\xfe\xff": "UTF-16 text",
    b"PK\x03\x04": "a zip or Excel file",
    b"\xd0\xcf\x11\xe0": "an Excel file",
    b"PAR1": "a Parquet file; give it a name that ends in .parquet",
    b"\x1f\x8b": "a gzip file; give it a name that ends in .csv.gz",
    b"\x28\xb5\x2f\xfd": "a file packed by zstd; unpack it, or pack it by gzip",
    b"ARROW1": "a Feather or Arrow file",
    b"\x89HDF": "an HDF5 file",
    b"%PDF": "a PDF file",
    b"\x93NUMPY": "an array of NumPy",
}
_TEXTS = {  # text that is something else
    rb"\s*<(!doctype|html|\?xml)": "a web page or XML. If a link led to a page in place of the table, download that",
    rb'\s*(\[\s*)?\{\s*"': "JSON; save it as CSV",
}
_SEPARATORS = ";\t|"  # other than the usual one


class CsvRows(NamedTuple):
    """Some rows of a CSV file."""

    lines: list[int]
    """The line of the file where each row begins, counted from 1."""
    columns: list[tuple[str, ...]]
    """The cells of each column, as they are written."""


class _Line(NamedTuple):
    number: int
    fields: list[str]


def read_header(path: Path, separator: str = ",") -> list[str]:
    r"""Read the names of the columns.

    Parameters
    ----------
    path : Path
        A file in UTF-8, packed if its name ends in `.gz`, `.bz2`, `.xz` or `.zip`.
    separator : str
        What separates the columns: one character; `\t` stands for a tab.

    Returns
    -------
    list of str
        The names, as they are written.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = (Path(folder) / "t.csv").write_text("rooms,price")
    ...     read_header(Path(folder) / "t.csv")
    ['rooms', 'price']
    """
    return _header(_lines(path, separator), path)


def read_rows(path: Path, separator: str = ",", rows: int = 8192) -> Iterator[CsvRows]:
    """Read a CSV file a piece at a time. Every row must have as many fields as the header; blank lines are skipped.

    Parameters
    ----------
    path, separator
        As in `read_header`.
    rows : int
        Most rows of a piece.

    Yields
    ------
    CsvRows
        The next rows.
    """
    lines = _lines(path, separator)
    names = _header(lines, path)
    while piece := list(islice(lines, rows)):
        for line in piece:
            if len(line.fields) != len(names):
                raise ValueError(_wrong_number(line, names, path))
            if "\0" in "".join(line.fields):
                raise ValueError(
                    f"line {line.number} of {path} has characters of code 0, which are no text; remove them."
                )
        yield CsvRows([line.number for line in piece], list(zip(*(line.fields for line in piece), strict=True)))


def _header(lines: Iterator[_Line], path: Path) -> list[str]:
    first = next(lines, None)
    if first is None:
        raise ValueError(f"{path} is empty; expected a header and rows.")
    if "\0" in (names := "".join(first.fields)):
        raise ValueError(_not_utf8(path, _with_zeros(names)))
    if re.fullmatch("sep=.?", names, re.IGNORECASE):
        raise ValueError(f"{path} begins with {names!r}, a note for spreadsheets that is no header; remove that line.")
    return first.fields


def _with_zeros(text: str) -> str:
    """What text with characters of code 0 is likely to be."""
    if "\0ustar" in text:
        return "a tar archive; take the table out of it"
    return "UTF-16 text" if text.count("\0") > len(text) / 3 else "no text, or text with characters of code 0"


def _wrong_number(line: _Line, names: list[str], path: Path) -> str:
    shown = ", ".join(line.fields)
    shown = printable(shown if len(shown) <= 80 else shown[:79] + "…")
    return (
        f"line {line.number} of {path} has {len(line.fields)} fields, but the header has {len(names)}. Every line "
        f"needs one field for each column; correct the line, or the header.{separator_hint(names)} The line: {shown}"
    )


def separator_hint(names: Sequence[str]) -> str:
    r"""What to say of a header with a single name, which often holds many with another separator between them.

    Examples
    --------
    >>> separator_hint(["rooms;price"])
    " The header looks as if `separator` should be ';'."
    >>> separator_hint(["rooms", "price"])
    ''
    """
    return likely_separator(names) or (" Is `separator` right?" if len(names) == 1 else "")


def likely_separator(names: Sequence[str]) -> str:
    """What to say of a single name that holds a separator; nothing of others."""
    likely = max(_SEPARATORS, key=names[0].count) if len(names) == 1 else ""
    return f" The header looks as if `separator` should be {likely!r}." if likely and likely in names[0] else ""


def _lines(path: Path, separator: str) -> Iterator[_Line]:
    """All lines with text, the header too; whatever goes wrong is told with its line."""
    separator = "\t" if separator in ("\\t", "tab") else separator
    if len(separator) != 1 or separator in '"\r\n\0':
        raise ValueError(f"`separator` must be one character, such as , or ; or \\t, got {separator!r}.")
    number = 1
    try:
        _refuse_other_text(path)
        with _opened(path) as text:
            reader = csv.reader(text, delimiter=separator, strict=True)
            while block := list(islice(reader, 4096)):
                if reader.line_num - number + 1 == len(block):  # one line for each row
                    numbers = range(number, reader.line_num + 1)
                else:  # line breaks within quotes
                    spans = (1 + sum(len(_BREAK.findall(cell)) for cell in fields) for fields in block)
                    numbers = accumulate(spans, initial=number)
                for start, fields in zip(numbers, block, strict=False):
                    if len(fields) > 1 or (fields and fields[0].strip()):
                        yield _Line(start, fields)
                number = reader.line_num + 1
    except UnicodeDecodeError:
        raise ValueError(_not_utf8(path)) from None
    except csv.Error as error:
        raise ValueError(
            f"the row that begins in line {_wrong_line(path, separator)} of {path} cannot be read ({error}); is a "
            "quotation mark missing or out of place?"
        ) from None
    except _DAMAGED as error:
        if getattr(error, "errno", None) is not None:  # of the system, which says what is wrong
            raise
        raise ValueError(f"{path} is cut short or damaged ({error}); copy or download it again.") from None


def _refuse_other_text(path: Path) -> None:
    with _unpacked(path) as file:
        start = file.read(_HEAD).removeprefix(codecs.BOM_UTF8).lower()
    if kind := next((kind for begin, kind in _TEXTS.items() if re.match(begin, start)), None):
        raise ValueError(f"{path} is not a CSV file: it looks like {kind}.")


def _wrong_line(path: Path, separator: str) -> int:
    """Where the first row begins that cannot be read."""
    number = 1
    with _opened(path) as text, contextlib.suppress(csv.Error):
        reader = csv.reader(text, delimiter=separator, strict=True)
        for _ in reader:
            number = reader.line_num + 1
    return number


def _opened(path: Path) -> TextIOWrapper:
    return TextIOWrapper(_unpacked(path), encoding="utf-8-sig", newline="")


def _unpacked(path: Path) -> Any:
    suffix = path.suffix.lower()
    if suffix == ".zip":
        return _only_member(path)
    return _PACKED.get(suffix, open)(path, "rb")


def _only_member(path: Path) -> Any:
    archive = zipfile.ZipFile(path)
    members = [name for name in archive.namelist() if not name.endswith("/")]
    if len(members) != 1:
        raise ValueError(f"{path} must hold one file, a table; it holds {len(members)}.")
    try:
        return archive.open(members[0])
    except (RuntimeError, NotImplementedError) as error:  # a password, or a method that Python does not know
        raise ValueError(f"{path} cannot be unpacked ({error}); unpack it first.") from None


def _not_utf8(path: Path, kind: str | None = None) -> str:
    """Say where a file stops being UTF-8, and what it may be."""
    with _unpacked(path) as file:
        start = file.read(_HEAD)
    kind = kind or next((kind for begin, kind in _BEGINNINGS.items() if start.startswith(begin)), None)
    if kind is not None:
        how = "save it as CSV in UTF-8" if "name that" not in kind else "or save it as CSV"
        return f"{path} is not a CSV file in UTF-8: it looks like {kind}; {how}."
    with _unpacked(path) as file:
        for number, line in enumerate(file, 1):
            try:
                line.decode()
            except UnicodeDecodeError as error:
                return (
                    f"line {number} of {path} is not UTF-8 (byte {line[error.start]:#04x}). Save the file as UTF-8; if "
                    f"it is Latin-1, as older spreadsheets write it: iconv -f LATIN1 -t UTF-8 old.csv > new.csv"
                )
    return f"{path} is not UTF-8; save it as UTF-8."
