"""Clocks and scales: times of peers side by side, the machine's matrix-product rate, peak memory."""

import multiprocessing
import os
import resource
import statistics
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import jax
import numpy as np

_PAUSE = 0.05  # seconds between two peers, for the threads of the first to go to sleep
_STATUS, _RESET = Path("/proc/self/status"), Path("/proc/self/clear_refs")  # on Linux


def seconds(function: Callable[[], Any]) -> float:
    """Wall time of one call."""
    begin = time.perf_counter()
    function()
    return time.perf_counter() - begin


def side_by_side(peers: dict[str, Callable[[], Any]], repeats: int) -> dict[str, float]:
    """Median wall time of each peer; they take turns, so that all of them see the same disturbances."""
    times: dict[str, list[float]] = {name: [] for name in peers}
    for _ in range(repeats):
        for name, function in peers.items():
            time.sleep(_PAUSE)
            times[name].append(seconds(function))
    return {name: statistics.median(values) for name, values in times.items()}


def matmul_rate(size: int = 1024, repeats: int = 10) -> float:
    """Floating-point operations a second of a float32 matrix product on all cores, the better of NumPy and JAX."""
    A = np.random.default_rng(0).standard_normal((size, size)).astype(np.float32)
    on_device, product = jax.numpy.asarray(A), jax.jit(lambda a, b: a @ b)
    peers = {"numpy": lambda: A @ A, "jax": lambda: product(on_device, on_device).block_until_ready()}
    for function in peers.values():
        function()
    return 2 * size**3 / min(side_by_side(peers, repeats).values())


def in_fresh_process(function: Callable[..., Any], *args: Any) -> Any:
    """What an importable function returns in a new interpreter, whose memory nothing else has touched."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        return pool.submit(function, *args).result()


def peak_extra_bytes(function: Callable[[], Any]) -> int:
    """How far resident memory rises above its level before the call, results that are still held included.

    Meant for a fresh process. Where the kernel cannot forget the peak so far, a peak before the call hides what
    lies below it.
    """
    before = _resident()
    if _RESET.exists():
        _RESET.write_text("5")  # the peak so far becomes the present level
    kept = function()  # noqa: F841
    return max(_peak() - before, 0)


def _resident() -> int:
    return _status("VmRSS:") if _STATUS.exists() else _peak()


def _peak() -> int:
    if _STATUS.exists():
        return _status("VmHWM:")
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def _status(field: str) -> int:
    line = next(line for line in _STATUS.read_text().splitlines() if line.startswith(field))
    return int(line.split()[1]) * 1024


def machine() -> dict[str, Any]:
    """What the figures depend on: cores, versions, and how busy the machine is already."""
    from importlib.metadata import PackageNotFoundError, version

    versions = {"python": sys.version.split()[0]}
    for package in ("unabases", "jax", "numpy", "scikit-learn", "torch"):
        try:
            versions[package] = version(package)
        except PackageNotFoundError:
            continue
    return {"cores": os.cpu_count(), "load": os.getloadavg()[0], "matmul_gflops": matmul_rate() / 1e9, **versions}
