"""How the numbers came about: runs and their times, exact settings, versions and machines, failures and warnings."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import pandas as pd

from unabases.paper.catalogue import LOCKED_EXPERIMENTS
from unabases.paper.report.rows import Results, by_method, grouped
from unabases.paper.report.scores import number
from unabases.paper.store import OF_A_TRIAL, Row

__all__ = ["costs", "failures", "locked_runs", "machines", "runs", "settings", "warnings_given"]

_MANY = 4  # values of a setting: more are given as a range or a count
_LONG = 300  # characters of a message
_SMALL = 0.03  # a share of the time of a profile below which a method is listed with others


def runs(results: Results) -> pd.DataFrame:
    """A line for each experiment and profile that has rows, shown or not."""
    parts = grouped(results.stored, lambda row: (row.experiment, row.profile))
    shown = {id(row) for row in _shown(results)}
    return pd.DataFrame(
        [
            {
                "experiment": experiment,
                "profile": profile,
                "shown": _how_much(part, shown),
                "trials": str(len(part)),
                "failed": str(sum(bool(row.failed) for row in part)),
                "time of all trials": _duration(sum(row.seconds for row in part)),
                "processor time": _duration(_processor(part)),
                "finished": _ends(part),
            }
            for (experiment, profile), part in parts.items()
        ]
    )


def costs(results: Results) -> pd.DataFrame:
    """Where the processor time of what is shown went, in each profile: experiments and methods, small ones together."""
    lines = []
    for profile, rows in grouped(_shown(results), lambda row: row.profile).items():
        total, parts = _processor(rows), grouped(rows, lambda row: (row.experiment, row.method))
        large = {name: part for name, part in parts.items() if total and _processor(part) >= _SMALL * total}
        small = [row for name, part in parts.items() if name not in large for row in part]
        ranked = sorted(large.items(), key=lambda one: -_processor(one[1]))
        lines += [
            {
                "profile": profile,
                "experiment": experiment,
                "method": method,
                "trials": str(len(part)),
                "processor time": _duration(_processor(part)),
                "of each": f"{number(_processor(part) / len(part))} s",
                "share": f"{100 * _processor(part) / total:.0f} %",
            }
            for (experiment, method), part in (*ranked, (("all others", ""), small))
            if part and total
        ]
    return pd.DataFrame(lines)


def settings(results: Results) -> pd.DataFrame:
    """A line for each experiment and method: every setting, with all values or the range where trials differ."""
    lines = []
    for experiment, rows in results.rows.items():
        for method, part in by_method(rows).items():
            names = dict.fromkeys(name for row in part for name in row.settings)
            said = [f"{name} = {_values(row.settings[name] for row in part if name in row.settings)}" for name in names]
            lines.append({"experiment": experiment, "method": method, "settings": "; ".join(said) or "none"})
    return pd.DataFrame(lines)


def machines(results: Results) -> pd.DataFrame:
    """A line for each set of versions and machine, with the experiments and trials that ran there."""
    parts = grouped(_shown(results), _machine)
    return pd.DataFrame(
        [
            {
                "versions and machine": "; ".join(_flat(json.loads(known))) or "not said",
                "experiments": ", ".join(dict.fromkeys(row.experiment for row in part)),
                "trials": str(len(part)),
                "code": _values(row.provenance.get("code", "not said") for row in part),
                "finished": _ends(part),
            }
            for known, part in parts.items()
        ]
    )


def locked_runs(results: Results) -> pd.DataFrame:
    """A line for each method and version of the code that was run on the locked half, earlier ones too."""
    stored = (row for row in results.stored if row.experiment.partition("/")[0] in LOCKED_EXPERIMENTS)
    parts = grouped(stored, lambda row: (row.experiment, row.profile, row.method, row.provenance.get("code", "")))
    return pd.DataFrame(
        [
            {
                "experiment": experiment,
                "profile": profile,
                "method": method,
                "code": code or "not said",
                "cells": "; ".join(
                    f"{name}: {', '.join(str(row.split) for row in own)}"
                    for name, own in grouped(part, lambda row: row.dataset).items()
                ),
                "finished": _ends(part),
            }
            for (experiment, profile, method, code), part in parts.items()
        ]
    )


def failures(results: Results) -> pd.DataFrame:
    """A line for each experiment, method and message, with the data sets and how often."""
    failed = (row for row in _shown(results) if row.failed)
    found = grouped(failed, lambda row: (row.experiment, row.method, _short(row.failed)))
    return pd.DataFrame(
        [
            {
                "experiment": experiment,
                "method": method,
                "data sets": ", ".join(dict.fromkeys(row.dataset for row in part)),
                "times": str(len(part)),
                "message": message,
            }
            for (experiment, method, message), part in found.items()
        ]
    )


def warnings_given(results: Results) -> pd.DataFrame:
    """A line for each experiment, method and warning, with how many trials gave it."""
    counts = Counter(
        (row.experiment, row.method, _short(str(message)))
        for row in _shown(results)
        for message in row.provenance.get("warnings", ())
    )
    return pd.DataFrame(
        [
            {"experiment": experiment, "method": method, "trials": str(count), "warning": message}
            for (experiment, method, message), count in counts.items()
        ]
    )


def _shown(results: Results) -> list[Row]:
    return [row for rows in results.rows.values() for row in rows]


def _how_much(part: Sequence[Row], shown: set[int]) -> str:
    count = sum(id(row) in shown for row in part)
    return "yes" if count == len(part) else "in part" if count else "no"


def _processor(rows: Iterable[Row]) -> float:
    """Seconds of all threads."""
    return sum(row.provenance.get("cpu_seconds", 0.0) for row in rows)


def _machine(row: Row) -> str:
    known = {name: value for name, value in row.provenance.items() if name not in OF_A_TRIAL}
    return json.dumps(known, sort_keys=True, default=str)


def _values(values: Iterable[Any]) -> str:
    """One value as it is, a few joined, many numbers as a range and anything else as a count."""
    distinct = list(dict.fromkeys(json.dumps(value, sort_keys=True, ensure_ascii=False) for value in values))
    if len(distinct) <= _MANY:
        return " or ".join(distinct)
    read = [json.loads(value) for value in distinct]
    if all(isinstance(value, int | float) and not isinstance(value, bool) for value in read):
        return f"{min(read):.4g} to {max(read):.4g} ({len(read)} values)"
    return f"{len(distinct)} values, such as {distinct[0]}"


def _flat(values: dict[str, Any], before: str = "") -> list[str]:
    said = []
    for name, value in values.items():
        if isinstance(value, dict):
            said += _flat(value, f"{before}{name} ")
        else:
            said.append(f"{before}{name} {value}")
    return said


def _ends(rows: Sequence[Row]) -> str:
    times = sorted(str(row.provenance["finished_at"]) for row in rows if "finished_at" in row.provenance)
    if not times:
        return "not said"
    return times[0] if times[0] == times[-1] else f"{times[0]} to {times[-1]}"


def _duration(seconds: float) -> str:
    if seconds < 120:
        return f"{number(seconds)} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


def _short(message: str) -> str:
    return message if len(message) <= _LONG else f"{message[:_LONG]} …"
