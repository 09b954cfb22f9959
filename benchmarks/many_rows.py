"""Fitting tables of many rows: time and error beside scikit-learn's network and boosting.

Ten inputs, default settings, everything compiled already. `MLPRegressor(early_stopping=True)` has the widths of the
model that it stands beside. Times are processor seconds of one fit each, of all cores together, so that a busy
machine does not count; they hide that a fit of `UNA` keeps all cores busy and a network's only one. Linear algebra has
one thread for both: threads that wait for each other would make a network several times as slow. Errors are those on
20,000 other rows. `python -m benchmarks.many_rows LUNA 100000` measures one model and size.
"""

import contextlib
import sys
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.neural_network import MLPRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

from benchmarks import row
from unabases import LUNA, UNA

INPUTS, NEW = 10, 20_000
MOST = {10_000: 1.0, 100_000: 0.5, 1_000_000: 0.25}  # of the network's time
WIDTHS = {"LUNA": (50, 40), "UNA": (50, 100)}


def run(quick: bool) -> list[dict]:
    lines, before = [], {}
    for n in (2_000, 10_000) if quick else MOST:
        X, y = make_rows(n + NEW)
        rows = (X[:n], y[:n], X[n:], y[n:])
        boosting = measure(HistGradientBoostingRegressor(random_state=0), *rows)
        for make in (LUNA, UNA):
            name = make.__name__
            compile_for(make, X[:n], y[:n])
            ours, network = measure(make(random_state=0), *rows), measure(peer(WIDTHS[name]), *rows)
            what = f"{name}, {n:,} rows"
            lines += [
                row(
                    f"{what}: time beside a network",
                    *(one[0] for one in (ours, network)),
                    ratio=ours[0] / network[0],
                    most=MOST.get(n, 1.0),
                ),
                row(f"{what}: RMSE beside it", ours[1], network[1], unit="", ratio=ours[1] / network[1], most=1.02),
                row(f"{what}: time beside boosting", ours[0], boosting[0], ratio=ours[0] / boosting[0]),
                row(f"{what}: RMSE beside it", ours[1], boosting[1], unit="", ratio=ours[1] / boosting[1]),
            ]
            if n == 1_000_000:
                earlier = before[name]
                lines.append(
                    row(f"{name}: time with ten times as many", ours[0], earlier, ratio=ours[0] / earlier, most=3)
                )
            before[name] = ours[0]
    return lines


def make_rows(n: int) -> tuple[np.ndarray, np.ndarray]:
    """A smooth function of five of the inputs, with noise."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, INPUTS))
    f = np.sin(2 * X[:, 0]) * X[:, 1] + 0.5 * X[:, 2] ** 2 + np.maximum(X[:, 3], 0) + 0.5 * X[:, 4]
    return X, f + 0.3 * rng.standard_normal(n)


class CompiledError(Exception):
    """Raised to end a fit that was only there to compile."""


def compile_for(make: Callable, X: np.ndarray, y: np.ndarray) -> None:
    """Compile most of what a fit of these rows needs: up to its first hundred steps."""

    def stop(*_: Any) -> None:
        raise CompiledError

    with contextlib.suppress(CompiledError):
        make(random_state=0, callback=stop).fit(X, y)


def peer(widths: tuple[int, ...]) -> Any:
    """A network that stops early, on standardised inputs."""
    return make_pipeline(StandardScaler(), MLPRegressor(hidden_layer_sizes=widths, early_stopping=True, random_state=0))


def measure(model: Any, X: np.ndarray, y: np.ndarray, X_new: np.ndarray, y_new: np.ndarray) -> tuple[float, float]:
    """Processor seconds to fit, and the error on other rows."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        took = processor_seconds(lambda: model.fit(X, y))
    return took, float(np.sqrt(np.mean((model.predict(X_new) - y_new) ** 2)))


def processor_seconds(function: Callable[[], Any]) -> float:
    """Of all threads together; linear algebra has one."""
    with threadpool_limits(1, user_api="blas"):
        begin = time.process_time()
        function()
        return time.process_time() - begin


def main() -> None:
    """Print time and error of one model, and of the network beside it."""
    name, n = sys.argv[1], int(sys.argv[2])
    make = {"LUNA": LUNA, "UNA": UNA}[name]
    X, y = make_rows(n + NEW)
    rows = (X[:n], y[:n], X[n:], y[n:])
    compile_for(make, X[:n], y[:n])
    ours, network = measure(make(random_state=0), *rows), measure(peer(WIDTHS[name]), *rows)
    for what, own, other in zip(("seconds", "RMSE"), ours, network, strict=True):
        print(f"{name}, {n:,} rows, {what}: {own:.4g} beside {other:.4g}, so {own / other:.3f} times")


if __name__ == "__main__":
    main()
