"""A cluster: fit a Dask table whose partitions stay where they are. Needs `pip install 'unabases[dask]'`.

`Client("tcp://scheduler:8786")` instead of the local one runs the same on many machines.
"""

import dask.array as da
import matplotlib.pyplot as plt
import numpy as np
from dask.distributed import Client

from unabases import UNA
from unabases.plotting import plain_axes

ROWS = 400_000

if __name__ == "__main__":  # workers import this file
    with Client(processes=False, n_workers=2, threads_per_worker=1, dashboard_address=None):
        X = da.random.default_rng(0).uniform(-1, 1, (ROWS, 3), chunks=(ROWS // 8, 3))
        y = da.sin(3 * X[:, 0]) + X[:, 1] ** 2
        model = UNA(random_state=0).fit(X, y)
        part = slice(ROWS // 20)
        error = np.sqrt(((model.predict(X[part]) - y[part]) ** 2).mean().compute())  # predicted where the rows are
    print(f"{ROWS:,} rows in {X.npartitions} partitions, RMSE {error:.5f}")

    line = np.zeros((200, 3))
    line[:, 0] = np.linspace(-2, 2, 200)
    prediction = model.predict_dist(line)
    low, high = prediction.mean - 2 * prediction.epistemic_std, prediction.mean + 2 * prediction.epistemic_std
    figure, ax = plt.subplots(figsize=(8, 3.6), layout="constrained")
    plain_axes(ax).fill_between(line[:, 0], low, high, color="#689ac9", linewidth=0, label="epistemic ± 2 std")
    ax.plot(line[:, 0], prediction.mean, color="#08306b", label="mean")
    ax.plot(line[:, 0], np.sin(3 * line[:, 0]), "--", color="#d6604d", label="truth")
    ax.set_xlabel("first input; rows end at ± 1")
    ax.set_ylabel("y")
    ax.legend(frameon=False)
    figure.savefig("cluster.png", dpi=100)
