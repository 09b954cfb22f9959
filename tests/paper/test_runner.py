"""Runs: resumed, interrupted, killed, shared, and handed to any executor."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest

from tests.docs.pages import ROOT
from tests.paper.cheap import cheap_experiment, runs
from unabases.paper import runner
from unabases.paper.plan import expand, key_of
from unabases.paper.runner import Finished, RunError, run
from unabases.paper.store import ResultStore

SCRIPT = """
    import os
    import sys
    import time
    from pathlib import Path
    from tests.paper.cheap import cheap_experiment
    from unabases.paper.store import ResultStore
    from unabases.paper.runner import run
    from unabases.paper.plan import expand

    if __name__ == "__main__":
        path, log, sleep, jobs, processes = sys.argv[1:]
        groups = expand(cheap_experiment(log, seeds=6, sleep=float(sleep)), "tiny")
        Path(f"{log}.ready-{os.getpid()}").touch()
        while len(list(Path(log).parent.glob("*.ready-*"))) < int(processes):
            time.sleep(0.01)
        run(groups, ResultStore(path), jobs=int(jobs))
"""


@pytest.fixture
def log(tmp_path):
    return tmp_path / "log"


@pytest.fixture
def store(tmp_path):
    return ResultStore(tmp_path / "results.sqlite")


def start(tmp_path, store, log, sleep, jobs, processes=1):
    script = tmp_path / "script.py"
    script.write_text(textwrap.dedent(SCRIPT))
    arguments = [sys.executable, str(script), *map(str, (store.path, log, sleep, jobs, processes))]
    return subprocess.Popen(
        arguments,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])},
        preexec_fn=listen_to_ctrl_c,
    )


def listen_to_ctrl_c():
    """A shell's background jobs ignore Ctrl-C, and so would what they start."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def wait_for(condition, seconds=60.0):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.02)


def keys(groups):
    return [key_of(trial) for group in groups for trial in group]


class Watcher:
    """Notes what happens, and may do something after some rows."""

    def __init__(self, after=None, then=None):
        self.began_with, self.rows, self._after, self._then = [], [], after, then

    def began(self, group):
        self.began_with.append(group)

    def ended(self, key, row):
        self.rows.append(row)
        if len(self.rows) == self._after:
            self._then()


def interrupt():
    raise KeyboardInterrupt


def test_every_trial_is_run_once_and_stored(store, log):
    groups, watcher = expand(cheap_experiment(log), "tiny"), Watcher()
    finished = run(groups, store, jobs=1, watcher=watcher)
    assert finished == Finished(8, (), False)
    assert [row.scores["value"] for row in map(store.get, keys(groups))] == [0.0, 0.25, 0.5, 0.75] * 2
    assert len(watcher.began_with) == len(watcher.rows) == 8
    assert run(groups, store, jobs=1).rows == 0
    assert len(runs(log)) == 8


def test_a_row_says_where_it_comes_from(store, log):
    (group,) = expand(cheap_experiment(log, seeds=1, labels=("a",)), "tiny")
    run([group], store, jobs=1)
    row = store.get(key_of(group[0]))
    assert {"code", "packages", "python", "machine", "finished_at", "warnings", "jobs"} <= set(row.provenance)
    assert row.provenance["packages"]["jax"]
    assert row.settings["log"] == str(log)


def test_a_trial_that_fails_is_kept_with_its_error_and_stops_nothing(store, log):
    groups = expand(cheap_experiment(log, fail=(1,)), "tiny")
    finished = run(groups, store, jobs=1)
    assert finished.rows == 8
    assert {(row.method, row.seed, row.failed) for row in finished.failed} == {
        (label, 1, "ValueError: seed 1 does not work") for label in ("a", "b")
    }
    assert run(groups, store, jobs=1).rows == 0
    assert run(groups, store, jobs=1, retry_failed=True).rows == 2


def needing(log, fail=()):
    """Two trials that need the same third one."""
    (first,), (second,) = expand(cheap_experiment(log, seeds=2, labels=("a",)), "tiny")
    search = replace(first, experiment="search", seed=3, settings={"log": str(log), "fail": fail})
    return [(replace(trial, needs={"search": search}),) for trial in (first, second)]


def test_what_is_needed_is_run_first_once_and_given(store, log):
    groups = needing(log)
    assert run(groups, store, jobs=1).rows == 3
    assert [seed for _, seed, _ in runs(log)] == [3, 0, 1]
    assert [store.get(key).scores["needed"] for key in keys(groups)] == [0.75, 0.75]


def test_when_what_is_needed_fails_so_do_those_that_need_it(store, log):
    groups = needing(log, fail=(3,))
    finished = run(groups, store, jobs=1)
    assert [row.failed.startswith("needs the search of a on toy, which failed") for row in finished.failed[1:]] == [
        True
    ] * 2
    assert [seed for _, seed, _ in runs(log)] == [3]


def test_ctrl_c_keeps_what_is_done_and_the_next_run_goes_on(store, log):
    groups = expand(cheap_experiment(log), "tiny")
    finished = run(groups, store, jobs=1, watcher=Watcher(after=3, then=interrupt))
    assert finished.interrupted
    assert len(store.missing(keys(groups))) == 5
    assert run(groups, store, jobs=1) == Finished(5, (), False)
    assert max(Counter((method, seed) for method, seed, _ in runs(log)).values()) == 1


def test_work_goes_to_the_executor_that_is_given_and_no_more_than_jobs_at_once(store, log):
    groups = expand(cheap_experiment(log), "tiny")
    busy, most, three = [0], [0], Event()

    class Counting(ThreadPoolExecutor):
        def submit(self, fn, /, *arguments, **options):
            def wait_for_three():  # however long the third takes to come
                three.wait(60)
                return fn(*arguments, **options)

            busy[0] += 1
            most[0] = max(most[0], busy[0])
            if busy[0] == 3:
                three.set()
            future = super().submit(wait_for_three)
            future.add_done_callback(lambda _: busy.__setitem__(0, busy[0] - 1))
            return future

    with Counting(8) as executor:
        assert run(groups, store, executor=executor, jobs=3).rows == 8
        executor.submit(int)  # it was not shut down
    assert most[0] == 3


def test_a_worker_with_other_sources_is_refused(store, log, monkeypatch):
    (group,) = expand(cheap_experiment(log, seeds=1, labels=("a",)), "tiny")
    with pytest.raises(RunError, match="Start the run again"):
        runner.work(group, ["another key"], [{}], {})
    assert runs(log) == []


@pytest.mark.parametrize("jobs", [1, 2])
def test_after_kill_9_only_what_was_under_way_is_lost(tmp_path, store, log, jobs):
    groups = expand(cheap_experiment(log, seeds=6, sleep=0.3), "tiny")
    process = start(tmp_path, store, log, sleep=0.3, jobs=jobs)
    wait_for(lambda: len(runs(log)) >= 4)
    process.send_signal(signal.SIGKILL)
    process.wait()
    begun = len(runs(log))
    left = store.missing(keys(groups))
    assert begun - jobs <= 12 - len(left) <= begun
    workers = {worker for *_, worker in runs(log)} - {process.pid}
    wait_for(lambda: not any(map(alive, workers)))
    if jobs == 1:
        assert run(groups, store, jobs=1).rows == len(left)  # at once: the claims of the dead do not hold
        again = Counter((method, seed) for method, seed, _ in runs(log))
        assert sum(again.values()) - 12 <= jobs
        assert store.missing(keys(groups)) == []


def alive(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{process}/stat")
    return not stat.exists() or stat.read_text().rsplit(")")[-1].split()[0] != "Z"


def test_two_processes_share_the_work_and_no_trial_is_run_twice(tmp_path, store, log):
    groups = expand(cheap_experiment(log, seeds=6, sleep=0.2), "tiny")
    processes = [start(tmp_path, store, log, sleep=0.2, jobs=1, processes=2) for _ in range(2)]
    assert [process.wait() for process in processes] == [0, 0]
    assert store.missing(keys(groups)) == []
    assert set(Counter((method, seed) for method, seed, _ in runs(log)).values()) == {1}
    assert {worker for *_, worker in runs(log)} == {process.pid for process in processes}


def test_ctrl_c_ends_workers_at_once(tmp_path, store, log):
    process = start(tmp_path, store, log, sleep=30.0, jobs=2)
    wait_for(lambda: len(runs(log)) == 2)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=25) == 0  # a trial sleeps for 30 s
    wait_for(lambda: not any(alive(worker) for *_, worker in runs(log)))
    assert store.claim(["anything", *keys(expand(cheap_experiment(log, seeds=6, sleep=30.0), "tiny"))], "here 1 1")
