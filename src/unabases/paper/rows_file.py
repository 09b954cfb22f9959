"""Rows in one compressed text file: small, and enough for every table and figure."""

import gzip
import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from unabases.paper.catalogue import LOCKED_EXPERIMENTS
from unabases.paper.store import OF_A_TRIAL, ResultStore, Row, StoreError
from unabases.storage import write_whole

__all__ = ["DRAWN", "read_rows", "rows_of", "worth_keeping", "write_rows"]

_FORMAT, _EARLIER = "unabases rows 2", "unabases rows 1"  # earlier files have no curves
_DIGITS, _CURVE_DIGITS = 6, 4
_BAND = ("grid", "mean", "epistemic", "noise", "X_train", "y_train")
_EXACT = (*_BAND, "truth", "gap", "sigma", "exact_mean", "exact_std")
DRAWN: dict[str, tuple[str, ...]] = {
    "map-prior": (*_BAND, "prior_samples"),
    "luna-heads": (*_BAND, "heads"),
    "cubic-gap": _BAND,
    "restarts": _BAND,
    "transfer": ("X", "y"),
    "uci-gap": ("calibration", "calibration_gap"),
    "uci-standard": ("calibration",),
    "bayesopt": ("regret", "seconds"),
    "faces": ("train", "test", "gap"),
    "honesty": _EXACT,
    "honesty-locked": _EXACT,
}
"""The curves that figures draw, by experiment; a file of rows keeps these alone."""


def write_rows(path: str | os.PathLike[str], rows: Iterable[Row]) -> None:
    """Write rows to a gzip file: first a line with what rows share, then one line per row.

    Numbers keep six digits, and curves four. Of the curves those are kept that figures draw (`DRAWN`), and equal ones,
    such as a grid or the data, once. The same rows always give the same file, and it is written whole or not at all.

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
    lists: dict[str, int] = {}
    lines = []
    for row in rows:
        own = {name: row.provenance[name] for name in OF_A_TRIAL if name in row.provenance}
        common = {name: value for name, value in row.provenance.items() if name not in own}
        fields = row._asdict() | {
            "settings": settings.setdefault(_text(_rounded(row.settings)), len(settings)),
            "provenance": {"shared": machines.setdefault(_text(common), len(machines)), **own},
        }
        kept = {name: row.curves[name] for name in DRAWN.get(row.experiment, ()) if name in row.curves}
        fields["curves"] = {name: _packed(value, lists) for name, value in kept.items()}
        if not kept:
            del fields["curves"]
        lines.append(_text(_rounded(fields)))
    tables = {"settings": settings, "shared": machines, "lists": lists}
    head = {"format": _FORMAT, **{name: list(map(json.loads, table)) for name, table in tables.items()}}
    write_whole(Path(path), gzip.compress("\n".join([_text(head), *lines, ""]).encode(), mtime=0))


def read_rows(path: str | os.PathLike[str]) -> list[Row]:
    """The rows of a file that `write_rows` has written, with the curves that figures draw."""
    try:
        head, *lines = [json.loads(line) for line in gzip.decompress(Path(path).read_bytes()).splitlines()]
        if head["format"] not in (_FORMAT, _EARLIER):
            raise StoreError(f"{path} has the format {head['format']!r}, this version reads {_FORMAT!r}.")
        rows = []
        for fields in lines:
            own = fields.pop("provenance")
            provenance = head["shared"][own.pop("shared")] | own
            settings = head["settings"][fields.pop("settings")]
            curves = _unpacked(fields.pop("curves", {}), head.get("lists", []))
            rows.append(Row(**fields, settings=settings, curves=curves, provenance=provenance))
        return rows
    except (OSError, EOFError, ValueError, KeyError, TypeError, IndexError) as error:
        raise StoreError(f"{path} is not a file of rows, or is damaged ({error}); choose another.") from error


def rows_of(paths: Iterable[Path]) -> list[Row]:
    """The rows of several stores and files of rows; where two have the same cell, that of the first one counts.

    A store that does not exist has no rows. A cell is what `unabases reproduce` can be asked for: an experiment in a
    profile, a data set, a method and a seed. Every run of a locked half stays on record: where another one counts, it
    is kept under `NAME/earlier`.
    """
    found: list[Row] = []
    for path in paths:
        known, runs = {_cell(row) for row in found}, {_run(row) for row in found}
        for row in _rows_in(path):
            if _cell(row) not in known:
                found.append(row)
            elif row.experiment.partition("/")[0] in LOCKED_EXPERIMENTS and _run(row) not in runs:
                found.append(row._replace(experiment=f"{_run(row)[0]}/earlier"))
    return found


def worth_keeping(shown: Iterable[Row], rows: Iterable[Row]) -> list[Row]:
    """The rows that a report shows, and every other run of a locked half, which stays on record in whatever profile."""
    kept = list(shown)
    known = {id(row) for row in kept}
    locked = [row for row in rows if row.experiment.partition("/")[0] in LOCKED_EXPERIMENTS]
    return kept + [row for row in locked if id(row) not in known]


def _rows_in(path: Path) -> list[Row]:
    if path.suffix == ".gz":
        return read_rows(path)
    return ResultStore(path).rows() if path.is_file() else []


def _cell(row: Row) -> tuple[Any, ...]:
    return row.experiment, row.profile, row.dataset, row.split, row.method, row.seed


def _run(row: Row) -> tuple[Any, ...]:
    """The cell, and when and by which code it was run, whether another run counts now or not."""
    name, *cell = _cell(row)
    return name.partition("/")[0], *cell, row.provenance.get("code"), row.provenance.get("finished_at")


def _text(values: Any) -> str:
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"))


def _rounded(value: Any, digits: int = _DIGITS) -> Any:
    if isinstance(value, float):
        return float(f"{value:.{digits}g}")
    if isinstance(value, dict):
        return {name: _rounded(one, digits) for name, one in value.items()}
    return [_rounded(one, digits) for one in value] if isinstance(value, list | tuple) else value


def _packed(value: Any, lists: dict[str, int]) -> Any:
    """A curve with every list of numbers replaced by its place in `lists`, as text."""
    if isinstance(value, dict):
        return {name: _packed(one, lists) for name, one in value.items()}
    plain = value.tolist() if isinstance(value, np.ndarray) else value
    if not isinstance(plain, list | tuple):
        return plain
    if any(isinstance(one, list | tuple) for one in plain):
        return [_packed(one, lists) for one in plain]
    return f"@{lists.setdefault(_text(_rounded(list(plain), _CURVE_DIGITS)), len(lists))}"


def _unpacked(value: Any, lists: list[list[float]]) -> Any:
    if isinstance(value, dict):
        return {name: _unpacked(one, lists) for name, one in value.items()}
    if isinstance(value, list):
        return [_unpacked(one, lists) for one in value]
    return lists[int(value[1:])] if isinstance(value, str) else value
