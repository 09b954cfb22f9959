"""Share work out among the workers of a Dask cluster. Dask is not imported: whoever has a client has it."""

from collections.abc import Callable, Sequence
from typing import Any

__all__ = ["check_client", "hold", "share_out", "tasks_at_once"]


def check_client(client: Any) -> Any:
    """A client of Dask, or None for this process alone; anything else is refused."""
    if client is not None and not all(hasattr(client, name) for name in ("submit", "gather", "nthreads")):
        raise TypeError(
            "`client` must be a client of Dask, such as `dask.distributed.Client()`, or None; "
            f"got {type(client).__name__}."
        )
    return client


def hold(client: Any, value: Any) -> Any:
    """Something for many calls to use: it goes to the cluster once, and again to a worker that replaces one."""
    return value if client is None else client.submit(_same, value, pure=False)


def share_out(client: Any, work: Callable[..., Sequence[Any]], items: Sequence[Any], *given: Any) -> list[Any]:
    """Call `work(items, *given)`, which gives one result for each item; every worker of a cluster has a share of them.

    Parameters
    ----------
    client
        A client of Dask, or None to do all of it here.
    work
        A function of items and whatever else is given. What it makes of an item must not depend on the others.
    items
        What to share out.
    *given
        The rest of the arguments, also from `hold`.

    Returns
    -------
    list
        The results, in the order of the items.
    """
    if client is None:
        return list(work(items, *given))
    workers = list(client.nthreads())[: len(items)] or [None]  # none yet: the cluster may still grow
    futures = [
        client.submit(
            work,
            items[place :: len(workers)],
            *given,
            pure=False,
            workers=None if address is None else [address],
            allow_other_workers=address is not None,  # one that dies is replaced
        )
        for place, address in enumerate(workers)
    ]
    try:
        shares = client.gather(futures)
    except BaseException:
        client.cancel(futures)
        raise
    found: list[Any] = [None] * len(items)
    for place, share in enumerate(shares):
        found[place :: len(workers)] = share
    return found


def tasks_at_once(client: Any) -> int:
    """How many calls the workers of a cluster can make at once; at least 1."""
    return max(1, sum(client.nthreads().values()))


def _same(value: Any) -> Any:
    return value
