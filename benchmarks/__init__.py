"""Benchmarks: how long things take beside another way of doing the same, and how much memory they need.

`python -m benchmarks.run` runs them, `make bench` in an environment that has PyTorch. What they share is here, and
needs only the standard library, so that a fresh process can time its own imports.
"""

import json
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

_MEGABYTE = 10**6


def row(
    what: str,
    ours: Any,
    theirs: Any = None,
    *,
    unit: str = "s",
    ratio: float | None = None,
    least: float | None = None,
    most: float | None = None,
    **more: Any,
) -> dict:
    """A line of a table: `ours` and `theirs` in `unit`, or as text; a target for the ratio, or for ours without one."""
    judged = ours if ratio is None else ratio
    target, met = None, None
    if least is not None or most is not None:
        bound, sign = (least, "≥") if least is not None else (most, "≤")
        target = f"{sign} {bound:.4g}" + ("×" if ratio is not None else f" {unit}")
        met = judged >= bound if least is not None else judged <= bound
    line = {"what": what, "ours": ours, "theirs": theirs, "unit": unit, "ratio": ratio, "target": target, "met": met}
    return {**line, **more}


def seconds(function: Callable[[], Any]) -> float:
    """How long one call takes."""
    begin = time.perf_counter()
    function()
    return time.perf_counter() - begin


def median_seconds(repeats: int, *functions: Callable[[], Any]) -> list[float]:
    """Median time of each function; they take turns, so that a busy machine slows all of them alike."""
    times = [[seconds(function) for function in functions] for _ in range(repeats)]
    return [statistics.median(column) for column in zip(*times, strict=True)]


@contextmanager
def extra_memory(found: dict) -> Iterator[None]:
    """Set `found["megabytes"]` to how far resident memory rose above where it stood at the start."""
    begin = _resident()
    try:  # Linux: start the record of the peak anew
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        begin = _peak()
    yield
    found["megabytes"] = max(0.0, (_peak() - begin) / _MEGABYTE)


def in_new_process(module: str, *arguments: Any, **environment: str) -> dict:
    """Run `python -m module arguments`, which prints JSON as its last line."""
    command = [sys.executable, "-m", module, *map(str, arguments)]
    done = subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command[1:])} failed:\n{done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])


def _resident() -> int:
    return _status("VmRSS") or _peak()


def _peak() -> int:
    """Bytes. `getrusage` alone would not do on Linux: a process starts with the peak of the one that started it."""
    if value := _status("VmHWM"):
        return value
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def _status(field: str) -> int | None:
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        return None
    return next((1024 * int(line.split()[1]) for line in lines if line.startswith(field + ":")), None)
