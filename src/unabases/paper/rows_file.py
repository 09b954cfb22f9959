"""Rows without their curves in one compressed text file: small, and enough for every table."""

import gzip
import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from unabases.paper.store import OF_A_TRIAL, ResultStore, Row, StoreError
from unabases.storage import write_whole

__all__ = ["read_rows", "rows_of", "write_rows"]

_FORMAT = "unabases rows 1"
_DIGITS = 6


def write_rows(path: str | os.PathLike[str], rows: Iterable[Row]) -> None:
    """Write rows to a gzip file: first a line with the settings and provenance that rows share, then one line per row.

    Numbers keep six digits. The same rows always give the same file, and it is written whole or not at all.

    Examples
    --------
    >>> import tempfile
    >>> row = Row("demo", "toy", 0, "GP", 0, {}, "tiny", "", {"rmse": 1.5}, {"x": [1, 2]}, 0.1, {"python": "3.12"})
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     write_rows(Path(directory) / "rows.jsonl.gz", [row])
    ...     read_rows(Path(directory) / "rows.jsonl.gz") == [row._replace(curves={})]
    True
    """
    settings: dict[str, int] = {}
    machines: dict[str, int] = {}
    lines = []
    for row in rows:
        own = {name: row.provenance[name] for name in OF_A_TRIAL if name in row.provenance}
        common = {name: value for name, value in row.provenance.items() if name not in own}
        fields = row._asdict() | {
            "settings": settings.setdefault(_text(_rounded(row.settings)), len(settings)),
            "provenance": {"shared": machines.setdefault(_text(common), len(machines)), **own},
        }
        del fields["curves"]
        lines.append(_text(_rounded(fields)))
    head = {"format": _FORMAT, "settings": list(map(json.loads, settings)), "shared": list(map(json.loads, machines))}
    write_whole(Path(path), gzip.compress("\n".join([_text(head), *lines, ""]).encode(), mtime=0))


def read_rows(path: str | os.PathLike[str]) -> list[Row]:
    """The rows of a file that `write_rows` has written; their curves are empty."""
    try:
        head, *lines = [json.loads(line) for line in gzip.decompress(Path(path).read_bytes()).splitlines()]
        if head["format"] != _FORMAT:
            raise StoreError(f"{path} has the format {head['format']!r}, this version reads {_FORMAT!r}.")
        rows = []
        for fields in lines:
            own = fields.pop("provenance")
            provenance = head["shared"][own.pop("shared")] | own
            settings = head["settings"][fields.pop("settings")]
            rows.append(Row(**fields, settings=settings, curves={}, provenance=provenance))
        return rows
    except (OSError, EOFError, ValueError, KeyError, TypeError, IndexError) as error:
        raise StoreError(f"{path} is not a file of rows, or is damaged ({error}); choose another.") from error


def rows_of(paths: Iterable[Path]) -> list[Row]:
    """The rows of several stores and files of rows; where two have the same cell, the earlier one counts.

    A store that does not exist has no rows. A cell is what `unabases reproduce` can be asked for: an experiment in a
    profile, a data set, a method and a seed.
    """
    found: list[Row] = []
    for path in paths:
        known = {_cell(row) for row in found}
        found += [row for row in _rows_in(path) if _cell(row) not in known]
    return found


def _rows_in(path: Path) -> list[Row]:
    if path.suffix == ".gz":
        return read_rows(path)
    return ResultStore(path).rows() if path.is_file() else []


def _cell(row: Row) -> tuple[Any, ...]:
    return row.experiment, row.profile, row.dataset, row.split, row.method, row.seed


def _text(values: Any) -> str:
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"))


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return float(f"{value:.{_DIGITS}g}")
    if isinstance(value, dict):
        return {name: _rounded(one) for name, one in value.items()}
    return [_rounded(one) for one in value] if isinstance(value, list | tuple) else value
