"""A file is what it should be, or it is refused."""

import gzip
import hashlib
import zlib

from unabases.datasets.registry import File

__all__ = ["checked"]


def checked(file: File, content: bytes, where: str) -> bytes:
    """The bytes of a file, unpacked if it is a gzip file, or a ValueError that says what `where` holds instead."""
    found = hashlib.sha256(content).hexdigest()
    expected = file.sha256
    unpacked = content
    damage = ""
    if file.path.endswith(".gz"):
        try:
            unpacked = gzip.decompress(content)
        except (OSError, EOFError, zlib.error) as error:
            damage = f" It cannot be unpacked ({error})."
        else:
            if found != expected:  # another program may have packed the same bytes
                found = hashlib.sha256(unpacked).hexdigest()
                expected = file.unpacked_sha256
                damage = " (Both are checksums of the unpacked bytes.)"
    if found == expected:
        return unpacked
    if file.columns:
        damage += _difference(file, unpacked)
    raise ValueError(
        f"{where} ({len(content)} bytes) is not the expected file: its sha256 is {found}, not {expected}.{damage} "
        "It was edited, cut short, or saved with other line endings or columns; replace it."
    )


def _difference(file: File, content: bytes) -> str:
    header, *rows = content.decode(errors="replace").splitlines() or [""]
    columns = header.split(",")
    if columns != list(file.columns):
        return f" Its columns are {', '.join(columns)[:300]}; expected are {', '.join(file.columns)}."
    return f" It has {len(rows)} rows, expected are {file.rows}." if len(rows) != file.rows else ""
