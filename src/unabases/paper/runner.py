"""Run trials on all cores and store each as it ends; a run can be stopped and resumed, alone or beside others.

Work goes to an executor (`concurrent.futures`): processes of this machine, this process itself, or one that is given,
such as `client.get_executor()` of a Dask cluster. Results come back to this process, which stores them, so workers can
be killed at any moment.
"""

import contextlib
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from typing import Any, NamedTuple, Protocol, runtime_checkable

from unabases.paper.plan import Trial, TrialGroup, key_of, with_needs
from unabases.paper.store import LEASE, ResultStore, Row, new_owner
from unabases.paper.trials import run_group
from unabases.training.cores import usable_cores

_LOST = (BrokenExecutor, CancelledError)  # what a pool says of workers that died; Dask has exceptions of its own
_POLL = 1.0  # seconds between looks at what another process holds


class RunError(RuntimeError):
    """A run cannot continue; the message says what to do. What was done is stored."""


@runtime_checkable
class Watcher(Protocol):
    """Whoever wants to be told how a run gets on."""

    def began(self, group: TrialGroup) -> None:
        """Some trials were given to a worker."""

    def ended(self, key: str, row: Row) -> None:
        """A trial's row was stored, under this key."""


class Finished(NamedTuple):
    """How a run ended."""

    rows: int
    """Trials that were run."""
    failed: tuple[Row, ...]
    """Those of them that failed."""
    interrupted: bool
    """Whether Ctrl-C ended it."""
    left_out: tuple[str, ...] = ()
    """Data sets that could not be loaded."""


class _Node(NamedTuple):
    """A group, the keys of its trials, and the keys of what they need."""

    group: TrialGroup
    keys: tuple[str, ...]
    needs: tuple[str, ...]


def run(
    groups: Sequence[TrialGroup],
    store: ResultStore,
    *,
    jobs: int | None = None,
    executor: Executor | None = None,
    retry_failed: bool = False,
    watcher: Watcher | None = None,
) -> Finished:
    """Run every trial that has no result yet, after the trials that it needs.

    Parameters
    ----------
    groups
        From `unabases.paper.plan.expand`.
    store
        Where results are, and where new ones go.
    jobs
        Groups at once, each in a process of its own; with 1, everything runs in this process. One per core by default.
    executor
        Where to run instead; it is not shut down.
    retry_failed
        If True, run trials again that failed.
    watcher
        Told of every group that begins and every row that is stored.

    Returns
    -------
    Finished
        How many trials were run, which of them failed, and whether Ctrl-C ended the run.
    """
    jobs = jobs or usable_cores()
    nodes = _nodes(groups)
    todo = _missing(nodes, [key_of(group[0]) for group in groups], store, retry_failed)
    owner = new_owner()
    count, failed, interrupted = 0, [], False
    with _pool(executor, min(jobs, max(1, len(todo)))) as pool, _renewed(store, owner):
        running: dict[Future, _Node] = {}
        try:
            while todo or running:
                for place in _ready(todo, running.values()):
                    if len(running) >= jobs:
                        break
                    if _take(todo[place], store, owner, retry_failed):
                        node = todo.pop(place)
                        running[_submit(pool, node, store, jobs)] = node
                        if watcher is not None:
                            watcher.began(node.group)
                    elif not store.missing(todo[place].keys, or_failed=retry_failed):
                        todo.pop(place)  # another process has done it meanwhile
                if not running:
                    time.sleep(_POLL if todo else 0)
                    continue
                for future in wait(running, timeout=_POLL, return_when=FIRST_COMPLETED).done:
                    node = running.pop(future)
                    for key, row in zip(node.keys, _result(future), strict=True):
                        store.put(key, row)
                        count += 1
                        failed += [row] if row.failed else []
                        if watcher is not None:
                            watcher.ended(key, row)
        except KeyboardInterrupt:
            interrupted = True
            for future in running:
                future.cancel()
    return Finished(count, tuple(failed), interrupted)


def work(
    group: TrialGroup, keys: Sequence[str], given: Sequence[Mapping[str, Row]], notes: Mapping[str, Any]
) -> list[Row]:
    """What a worker does. It refuses to run if its code is not the code that the keys stand for."""
    if [key_of(trial) for trial in group] != list(keys):
        raise RunError(
            "a worker has a different version of unabases from the process that started it, perhaps because the code "
            "changed during the run. Start the run again; stored results stay."
        )
    return run_group(group, given, notes)


# ------------------------------------------------------------------------------------------------------------- graph


def _nodes(groups: Sequence[TrialGroup]) -> dict[str, _Node]:
    """All groups and, before them, what they need, by the key of their first trial."""
    return {
        key: _Node(
            group,
            tuple(key_of(trial) for trial in group),
            tuple(dict.fromkeys(key_of(needed) for trial in group for needed in trial.needs.values())),
        )
        for key, group in with_needs(groups).items()
    }


def _missing(
    nodes: Mapping[str, _Node], wanted: Sequence[str], store: ResultStore, retry_failed: bool
) -> dict[str, _Node]:
    """What has to be run, in order: wanted groups without a result, and whatever they need that has none."""
    absent = set(store.missing([key for node in nodes.values() for key in node.keys], or_failed=retry_failed))
    chosen: set[str] = set()
    waiting = list(wanted)
    while waiting:
        place = waiting.pop()
        if place not in chosen and absent.intersection(nodes[place].keys):
            chosen.add(place)
            waiting += nodes[place].needs
    return {place: node for place, node in nodes.items() if place in chosen}


def _ready(todo: Mapping[str, _Node], running: Iterable[_Node]) -> list[str]:
    """Groups that wait for nothing that is still to be run or under way."""
    waited_for = {*todo, *(node.keys[0] for node in running)}
    return [place for place, node in todo.items() if not waited_for.intersection(node.needs)]


def _take(node: _Node, store: ResultStore, owner: str, retry_failed: bool) -> bool:
    """Claim a group, unless another process has it or has meanwhile done it."""
    if not store.claim(node.keys, owner):
        return False
    if store.missing(node.keys, or_failed=retry_failed):
        return True
    store.release(owner, node.keys)
    return False


def _submit(pool: Executor, node: _Node, store: ResultStore, jobs: int) -> Future:
    """Hand a group to a worker; if something it needs has failed, it fails too."""
    given = [{role: _stored(store, needed) for role, needed in trial.needs.items()} for trial in node.group]
    broken = [row for own in given for row in own.values() if row.failed]
    if broken:
        ended: Future = Future()
        ended.set_result([_unable(trial, broken[0]) for trial in node.group])
        return ended
    return pool.submit(work, node.group, node.keys, given, {"jobs": jobs})


def _stored(store: ResultStore, trial: Trial) -> Row:
    row = store.get(key_of(trial))
    if row is None:
        raise RunError(f"the result of {trial} was removed during the run; start the run again.")
    return row


def _unable(trial: Trial, cause: Row) -> Row:
    """The row of a trial whose needs failed."""
    why = f"needs the {cause.experiment} of {cause.method} on {cause.dataset}, which failed: {cause.failed}"
    cell = (trial.experiment, trial.dataset, trial.split, trial.method, trial.seed)
    return Row(*cell, {}, "", why, {}, {}, 0.0, cause.provenance)


def _result(future: Future) -> list[Row]:
    try:
        return future.result()
    except Exception as error:
        if not isinstance(error, _LOST) and type(error).__module__.partition(".")[0] != "distributed":
            raise
        raise RunError(
            "a worker process died, perhaps for lack of memory. What is done is stored. Run the command again, with "
            "fewer `--jobs` if this happens again."
        ) from error


# ----------------------------------------------------------------------------------------------------------- workers


class InlineExecutor(Executor):
    """Runs in the calling process, at once: for one job, for tests, and where processes cannot be started."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future:
        """The finished future of a call. Ctrl-C goes through."""
        future: Future = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


@contextlib.contextmanager
def _pool(executor: Executor | None, jobs: int) -> Iterator[Executor]:
    """The given executor, or one of our own, which is ended together with what is under way."""
    if executor is not None or jobs == 1:
        yield executor or InlineExecutor()
        return
    others = set(multiprocessing.active_children())
    context = multiprocessing.get_context("spawn")  # JAX has threads, which do not survive a fork
    pool = ProcessPoolExecutor(jobs, mp_context=context, initializer=_begin_worker, initargs=(jobs,))
    try:
        yield pool
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in set(multiprocessing.active_children()) - others:
            process.terminate()
            process.join()


def _begin_worker(jobs: int) -> None:
    """Leave Ctrl-C to the parent, share the cores, and end when the parent does."""
    from threadpoolctl import threadpool_limits

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threadpool_limits(max(1, usable_cores() // jobs))
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


@contextlib.contextmanager
def _renewed(store: ResultStore, owner: str) -> Iterator[None]:
    """Keep our claims alive while a run lasts, and give them up at its end."""
    over = threading.Event()

    def renew() -> None:
        while not over.wait(LEASE / 4):
            with contextlib.suppress(RuntimeError):  # the store may be busy; the next time will do
                store.renew(owner)

    thread = threading.Thread(target=renew, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
        store.release(owner)
