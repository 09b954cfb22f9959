"""Call a function at points: here, one after the other, or on a Dask cluster, several at once."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from functools import partial
from typing import Any

from unabases.selection.workers import tasks_at_once

__all__ = ["evaluated"]

Point = dict[str, Any]


def evaluated(
    f: Callable[[Point], Any], points: Iterable[Point], client: Any = None
) -> Iterator[tuple[Point, Callable[[], Any]]]:
    """Every point, and a function that gives the value there or raises the error of `f`, in the order of arrival.

    The next point is taken from `points` when there is room for it, so that points may depend on earlier values.

    Parameters
    ----------
    f
        The function; it gets a copy of each point.
    points
        Where to call it.
    client
        A client of Dask; None to call `f` here, whenever a value is asked for.
    """
    if client is None:
        for x in points:
            yield x, partial(f, dict(x))
        return
    executor, left = client.get_executor(pure=False), iter(points)
    running: dict[Future, Point] = {}
    try:
        while True:
            while len(running) < tasks_at_once(client) and (x := next(left, None)) is not None:
                running[executor.submit(f, dict(x))] = x
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                yield running.pop(future), future.result
    finally:
        for future in running:
            future.cancel()
