"""Two Dask workers beside one: statistics and predictions of many rows, each worker bound to a core of its own.

    python -m benchmarks.dask_workers [--rows 10000000]

LUNA is fitted to a few rows beforehand. Every partition is made, added to the statistics of the last layer, and
predicted with its std, where it is. Times are processor seconds, of each worker and of the process with the scheduler
and the client, so a busy machine does not count. On idle cores the busiest worker decides how long it takes, if the
scheduler's process has little to do: the time of one worker alone, divided by that of the busier of two, is the gain.
"""

import argparse
import os
import time
from typing import Any

import dask
import dask.dataframe as dd
import numpy as np
import pandas as pd
from dask.distributed import Client, LocalCluster

from unabases import LUNA
from unabases.regressors.networks.on_dask import predict_on_dask, statistics_on_dask

INPUTS, PARTITION = 10, 500_000


def make(place: int, rows: int = PARTITION) -> pd.DataFrame:
    rng = np.random.default_rng(place)
    X = rng.standard_normal((rows, INPUTS), dtype=np.float32)
    y = np.sin(2 * X[:, 0]) * X[:, 1] + X[:, 2] + 0.3 * rng.standard_normal(rows, dtype=np.float32)
    return pd.DataFrame({**{f"x{j}": X[:, j] for j in range(INPUTS)}, "y": y})


def spent(workers: int, model: LUNA, rows: int) -> dict[str, Any]:
    """Processor seconds of every worker, and of this process."""
    cores = sorted(os.sched_getaffinity(0))
    with (
        LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        for address, core in zip(client.scheduler_info(n_workers=-1)["workers"], cores, strict=False):
            client.run(os.sched_setaffinity, 0, {core}, workers=[address])
        client.run(_warm_up, model)  # imports and compiles

        def times() -> np.ndarray:
            return np.array([*client.run(time.process_time).values(), time.process_time()])

        before, began = times(), time.perf_counter()
        parts = [dask.delayed(make)(place) for place in range(rows // PARTITION)]
        table = dd.from_delayed(parts, meta=make(0, 1), verify_meta=False)
        inputs = table.drop(columns="y")
        statistics = statistics_on_dask(model, inputs, table["y"])
        mean, std = predict_on_dask(model, inputs, return_std=True)
        dask.compute(mean.mean(), std.mean())
        taken = times() - before
    assert statistics[0].n == rows
    return {"workers": taken[:-1], "here": taken[-1], "waited": time.perf_counter() - began}


def _warm_up(model: LUNA) -> None:
    table = make(0)
    inputs = table.drop(columns="y")
    model.statistics_of(inputs, table["y"])
    model.predict(inputs, return_std=True)


def main() -> None:
    """Print what one and two workers take."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=10_000_000)
    rows = parser.parse_args().rows
    few = make(10**6, 2000)
    model = LUNA(sigma2=0.1, max_steps=300, random_state=0).fit(few.drop(columns="y"), few["y"])
    busiest = []
    for workers in (1, 2):
        found = spent(workers, model, rows)
        busiest.append(max(found["workers"]))
        said = " and ".join(f"{seconds:.1f}" for seconds in found["workers"])
        print(
            f"{workers} worker(s), {rows:,} rows: {said} processor seconds, {found['here']:.1f} here; waited "
            f"{found['waited']:.1f} s",
            flush=True,
        )
    print(f"the busier of two workers takes 1/{busiest[0] / busiest[1]:.2f} of what one takes")


if __name__ == "__main__":
    main()
