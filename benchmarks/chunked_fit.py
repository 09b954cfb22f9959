"""Fitting more rows than fit into memory: memory at the peak, and time, as the rows grow.

`fit_stream` of a Parquet file with ten inputs and a target in float32, default settings, in a process of its own. Times
are processor seconds, with one thread for linear algebra. `python -m benchmarks.chunked_fit UNA 1000000` measures one
size; with the name of a file after it, that file is kept for the next time. `python -m benchmarks.large_file` does the
same on the command line, with a kill in the middle.
"""

import json
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks import extra_memory, in_new_process, row

INPUTS, AT_ONCE, MOST_MEGABYTES = 10, 500_000, 4000
SIZES = {"LUNA": (10**6, 10**7, 10**8), "UNA": (10**6, 10**7, 10**8)}


def run(quick: bool) -> list[dict]:
    lines = []
    for name, sizes in SIZES.items():
        for n in (200_000,) if quick else sizes:
            found = in_new_process("benchmarks.chunked_fit", name, n, OPENBLAS_NUM_THREADS="1")
            lines += [
                row(f"{name}, {n:,} rows: memory", found["megabytes"], unit="MB", most=MOST_MEGABYTES),
                row(f"{name}, {n:,} rows: time", found["seconds"]),
            ]
    return lines


def fit_one(name: str, n: int, kept: Path | None = None) -> dict:
    """Write a file, unless it is there already, and fit it; forget it, unless it is to be kept."""
    import unabases
    from unabases.datasets import chunks_of

    with tempfile.TemporaryDirectory() as folder:
        path = kept or Path(folder) / "rows.parquet"
        if not path.exists():
            write_rows(path, n)
        found: dict = {}
        begin, waited = time.process_time(), time.perf_counter()
        with extra_memory(found):
            model = getattr(unabases, name)(random_state=0).fit_stream(chunks_of(path, "y"))
        assert model.rows_seen == min(n, getattr(model, "layer_rows", n))
        return {**found, "seconds": time.process_time() - begin, "waited": time.perf_counter() - waited}


def write_rows(path: Path, n: int) -> None:
    """A smooth function with noise, part by part."""
    rng = np.random.default_rng(0)
    names = [*(f"x{i}" for i in range(INPUTS)), "y"]
    columns = pa.schema([(name, pa.float32()) for name in names])
    with pq.ParquetWriter(path, columns, use_dictionary=False, compression="none") as writer:  # the numbers are random
        for first in range(0, n, AT_ONCE):
            X = rng.standard_normal((min(AT_ONCE, n - first), INPUTS), dtype=np.float32)
            y = np.sin(2 * X[:, 0]) * X[:, 1] + 0.3 * rng.standard_normal(len(X), dtype=np.float32)
            writer.write_table(pa.table(dict(zip(names, [*X.T, y], strict=True))))


if __name__ == "__main__":
    print(json.dumps(fit_one(sys.argv[1], int(sys.argv[2]), *map(Path, sys.argv[3:]))))
