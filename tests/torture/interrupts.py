"""Commands that are sent Ctrl-C at random moments, from their first to their last: each ends, and loses nothing."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from tests.torture.kills import Killed

_ENDED = 130  # what shells expect of a program that Ctrl-C ended
_WORK = 30.0  # seconds of its own work after which a command has not heard it
_WAITS = 3600.0  # seconds after which it hangs, however busy others keep the machine
_BRIEF = ("--set", "max_steps=300", "--target", "y")
_COMMANDS = (
    ("fit", "table.csv", "--out", "model.una", *_BRIEF),
    ("predict", "model.una", "table.csv", "--out", "predictions.csv"),
    ("fit", "table.csv", "--out", "luna.una", "--method", "LUNA", *_BRIEF),
    ("audit", "model.una", "table.csv", "--out", "audit.html"),
)


class _Ended(NamedTuple):
    """How a command ended, what it said, and how long it took."""

    code: int
    said: str
    seconds: float


def interrupt_commands(folder: Path, rng: random.Random, *, kills: int, end: float) -> Killed:
    """Send Ctrl-C to commands: they end with 130, say no more than a line, and every file is whole."""
    rows = np.random.default_rng(0).normal(size=(100, 3))
    frame = pd.DataFrame(rows, columns=["a", "b", "c"]).assign(y=rows @ [1.0, 2.0, 3.0])
    frame.to_csv(folder / "table.csv", index=False)
    wrong, done, whole = [], 0, [_run(command, folder) for command in _COMMANDS]
    wrong += [f"{command}: {run.said}" for command, run in zip(_COMMANDS, whole, strict=True) if run.code]
    before = _contents(folder)
    while not wrong and done < kills and time.monotonic() < end:
        place = done % len(_COMMANDS)
        moment = rng.uniform(0.0, whole[place].seconds)
        found = _run(_COMMANDS[place], folder, moment)
        done += 1
        wrong += [f"{' '.join(_COMMANDS[place])}, after {moment:.2f} s: {what}" for what in _faults(found)]
        after = _contents(folder)
        if after != before:  # all commands write the same files again
            wrong.append(f"{' '.join(_COMMANDS[place])}, after {moment:.2f} s: files are not as they were")
    return Killed(done, wrong)


def _run(command: tuple[str, ...], folder: Path, moment: float | None = None) -> _Ended:
    begun = time.monotonic()
    process = subprocess.Popen(
        [sys.executable, "-m", "unabases", *command],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        said, _ = process.communicate(timeout=moment)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGINT)
        said = _wait(process)
    return _Ended(process.returncode, said, time.monotonic() - begun)


def _wait(process: subprocess.Popen[str]) -> str:
    """What a command says until it ends; it is killed if it works or waits for too long."""
    begun, work = time.monotonic(), _worked(process)
    while True:
        try:
            return process.communicate(timeout=1.0)[0]
        except subprocess.TimeoutExpired:
            if _worked(process) - work > _WORK or time.monotonic() - begun > _WAITS:
                process.kill()
                return process.communicate()[0]


def _worked(process: subprocess.Popen[str]) -> float:
    """Seconds of all cores that a process has used; the time of day where the system does not tell."""
    try:
        fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, IndexError):
        return time.monotonic()


def _faults(ended: _Ended) -> list[str]:
    """What is wrong with how a command ended; before it has begun to listen, Python ends it by itself."""
    if ended.code == -signal.SIGINT:
        return []
    wrong = [] if ended.code in (0, _ENDED) else [f"ended with {ended.code}: {ended.said[-500:]}"]
    return wrong + [f"said {ended.said[-500:]}"] * ("Traceback" in ended.said or "Exception" in ended.said)


def _contents(folder: Path) -> dict[str, bytes | None]:
    """Every file, and what is in those that a command writes the same each time."""
    return {path.name: path.read_bytes() if path.suffix in (".una", ".csv") else None for path in folder.iterdir()}
