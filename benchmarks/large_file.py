"""A file larger than memory on the command line: `unabases fit`, killed in the middle and run again, and `predict`.

    python -m benchmarks.large_file [--rows 10000000] [--method LUNA] [--file rows.parquet] [--predict 1000000]

Processor seconds and memory at the peak of every command. The first fit is killed (SIGKILL) as soon as it has kept a
part of its second pass, which it does after a second for once, or after `--kill` seconds for a method that has no such
pass. It then runs again, as the same command, and beside it a fit that nobody stops, with which its predictions have to
agree. `predict` writes a Parquet file with a line for each of the first so many rows. With a name after `--file`, the
table is kept for the next time.
"""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np

ENVIRONMENT = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}


class Cost(NamedTuple):
    """What a command took."""

    seconds: float
    megabytes: float
    waited: float

    def __str__(self) -> str:
        return f"{self.seconds:.0f} s of the processor, {self.megabytes:.0f} MB, {self.waited:.0f} s to wait"


def main() -> int:
    """Print a line for each command; 1 if predictions disagree."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=10**7)
    parser.add_argument("--method", default="LUNA")
    parser.add_argument("--file", type=Path)
    parser.add_argument("--kill", type=float, default=60.0, help="seconds until a fit without a second pass is killed")
    parser.add_argument("--predict", type=int, default=10**6, help="rows to predict")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        table = options.file or folder / "rows.parquet"
        if not table.exists():
            _write(table, options.rows)
        fit = ["fit", str(table), "--target", "y", "--method", options.method]
        stopped, whole = folder / "stopped.una", folder / "whole.una"
        before = _killed([*fit, "--out", str(stopped)], folder, options.kill)
        kept = [path.name for path in folder.glob("*.part")]
        print(
            f"{options.method}, {options.rows:,} rows: killed after {before:.0f} s; kept: {kept or 'nothing'}",
            flush=True,
        )
        print(f"  run again: {_run([*fit, '--out', str(stopped)])}", flush=True)
        print(f"  not stopped: {_run([*fit, '--out', str(whole)])}", flush=True)
        some, out = folder / "some.parquet", [folder / "first.parquet", folder / "second.parquet"]
        n = _first_rows(table, some, options.predict)
        for model, written in zip((stopped, whole), out, strict=True):
            cost = _run(["predict", str(model), str(some), "--out", str(written)])
            print(f"  {n:,} rows predicted: {cost}, {cost.seconds / n * 1e6:.1f} µs a row", flush=True)
        difference = _difference(*out)
        print(f"  largest difference between the two: {difference:.1e} predictive std")
        return int(difference > 1e-6)


def _write(table: Path, rows: int) -> None:
    """In a process of its own, whose memory the commands do not inherit."""
    lines = "from pathlib import Path; from benchmarks.chunked_fit import write_rows; "
    lines += f"write_rows(Path({str(table)!r}), {rows})"
    subprocess.run([sys.executable, "-c", lines], check=True)


def _start(arguments: list[str], often: float | None = None) -> subprocess.Popen:
    """Start `unabases`; with `often`, it keeps a part after so many seconds, not after a minute."""
    command = [sys.executable, "-m", "unabases", *arguments]
    if often is not None:
        lines = f"from unabases.regressors import streamed; streamed._OFTEN = {often}; "
        command[1:3] = ["-c", lines + "from unabases.cli.start import run; run()"]
    return subprocess.Popen(command, env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def _run(arguments: list[str]) -> Cost:
    began, process = time.perf_counter(), _start(arguments)
    _, status, used = os.wait4(process.pid, 0)
    if status:
        raise RuntimeError(f"`unabases {' '.join(arguments)}` ended with {os.waitstatus_to_exitcode(status)}.")
    return Cost(used.ru_utime + used.ru_stime, used.ru_maxrss * 1024 / 1e6, time.perf_counter() - began)


def _killed(arguments: list[str], folder: Path, most: float) -> float:
    """Start a command, kill it when it has kept a part, or after so many seconds; how long it ran."""
    began, process = time.perf_counter(), _start(arguments, often=1.0)
    while not any(folder.glob("*.part")):
        if process.poll() is not None:
            raise RuntimeError("the command ended before it was killed; use more rows.")
        if "LUNA" not in arguments and time.perf_counter() - began > most:
            break
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.wait()
    return time.perf_counter() - began


def _first_rows(table: Path, out: Path, n: int) -> int:
    """The first rows of a table as one of its own; how many there are."""
    import pyarrow.parquet as pq

    source, done = pq.ParquetFile(table), 0
    with pq.ParquetWriter(out, source.schema_arrow) as writer:
        for batch in source.iter_batches(batch_size=100_000):
            part = batch.slice(0, n - done)
            writer.write_batch(part)
            done += part.num_rows
            if done >= n:
                break
    return done


def _difference(first: Path, second: Path) -> float:
    """Largest difference between means or stds, in units of the predictive std."""
    import pyarrow.parquet as pq

    a, b = (pq.read_table(path).to_pandas() for path in (first, second))
    std = np.hypot(a["epistemic_std"], a["noise_std"])
    return float(max(np.max(np.abs(a[name] - b[name]) / std) for name in ("mean", "epistemic_std", "noise_std")))


if __name__ == "__main__":
    sys.exit(main())
