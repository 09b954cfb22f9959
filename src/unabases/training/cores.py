"""How many cores this process may use, which can be fewer than the machine has."""

import contextlib
import math
import os
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from threadpoolctl import ThreadpoolController

from unabases.training.devices import on_this_device

__all__ = ["on_all_cores", "one_thread_each", "usable_cores"]

Item = TypeVar("Item")
Result = TypeVar("Result")

_LIMIT = Path("/sys/fs/cgroup/cpu.max")  # what a container may use, in Linux: "150000 100000" means 1.5 cores


def usable_cores(limit: Path = _LIMIT) -> int:
    """Count the cores that this process may use: by its affinity, and by the limit of its container.

    Parameters
    ----------
    limit : Path
        Where Linux keeps the limit of a container; other systems have no such file.

    Returns
    -------
    int
        At least 1. A share of a core counts as a whole one.

    Examples
    --------
    >>> 1 <= usable_cores() <= os.cpu_count()
    True
    """
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        quota, period = limit.read_text(encoding="ascii").split()
        allowed = min(allowed, math.ceil(int(quota) / int(period)))
    except (OSError, ValueError):  # no container, no limit ("max"), or another system
        pass
    return max(1, allowed)


def on_all_cores(function: Callable[[Item], Result], items: Iterable[Item], *, worthwhile: bool = True) -> list[Result]:
    """Apply a function to every item, in as many threads as there are cores.

    Each item has one thread for its linear algebra, so what comes out does not depend on the number of cores, and the
    device that this thread has chosen. It helps where most of the time goes into products of matrices, during which
    Python lets other threads run.

    Parameters
    ----------
    function : callable
        A function of one item that does not change what the others use.
    items : iterable
        What it is applied to.
    worthwhile : bool
        False to stay in this thread, for work that takes less time than threads take to start.

    Returns
    -------
    list
        The results, in the order of the items.

    Examples
    --------
    >>> on_all_cores(lambda x: x**2, [1, 2, 3])
    [1, 4, 9]
    """
    with one_thread_each:
        if not worthwhile:
            return [function(item) for item in items]
        with ThreadPoolExecutor(usable_cores()) as pool:
            return list(pool.map(on_this_device(function), items))


class _OneThreadEach(contextlib.ContextDecorator):
    """While anybody is inside, linear algebra has no threads of its own."""

    def __init__(self) -> None:
        self._lock, self._inside = threading.Lock(), 0
        self._libraries: Any = None  # to look for them takes a while
        self._limited: Any = None

    def __enter__(self) -> None:
        with self._lock:
            if self._inside == 0:
                self._libraries = self._libraries or ThreadpoolController()
                self._limited = self._libraries.limit(limits=1, user_api="blas")
            self._inside += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._inside -= 1
            if self._inside == 0:
                self._limited.restore_original_limits()


one_thread_each = _OneThreadEach()
"""For `with`, or as a decorator: linear algebra in one thread for each thread of Python.

Matrices of a few hundred rows gain nothing from more threads. On a busy machine these wait for each other, and waiting
costs as much processor time as work: a fit of 1,000 rows was seen to take fifteen times as long.
"""
