"""Processes that are killed with SIGKILL at random moments after their work has begun.

They are forked from a server that has imported all that they need but has not used JAX, so that a kill costs little
beyond the work itself. Each says so when it has written its first file: it is not killed while it still compiles.
"""

import contextlib
import itertools
import multiprocessing
import random
import signal
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from tests.paper.cheap import cheap_experiment, runs
from tests.saving.kept import answers
from unabases import GaussianProcess, NeuralLinear, load, save
from unabases.bayesopt import BayesOpt, Space
from unabases.paper.plan import expand, key_of
from unabases.paper.runner import run
from unabases.paper.store import ResultStore
from unabases.regressors.networks import streamed
from unabases.saving.partial import PartialFit
from unabases.tables.large_file import fit_file

_PROCESSES = multiprocessing.get_context("forkserver")
_PROCESSES.set_forkserver_preload([__name__])
_BRIEF: dict[str, Any] = {"hidden_layer_sizes": (8,), "max_steps": 30, "sigma2": 0.01}


class Killed(NamedTuple):
    """How often a process was killed, and what was wrong afterwards."""

    kills: int
    wrong: list[str]


class _Run(NamedTuple):
    """What a process said, and whether it was killed before its end."""

    said: list[int]
    killed: bool


def kill_fits(folder: Path, rng: random.Random, *, kills: int, end: float) -> Killed:
    """Kill a process that fits and saves over one file again and again: the file is always a whole model."""
    path, wrong, done = folder / "model.una", [], 0
    while done < kills and time.monotonic() < end:
        _run_and_kill(_fit, path, rng, most=0.5)
        done += 1
        try:
            answers(load(path))
        except Exception as error:
            wrong.append(f"after kill {done}: {type(error).__name__}: {error}")
    return Killed(done, wrong)


def _fit(path: Path, say: Connection) -> None:
    X = np.linspace(-1, 1, 200)[:, None] * [1.0, 2.0]
    for i in itertools.count():
        save(NeuralLinear(**_BRIEF, random_state=i).fit(X, X[:, 0]), path)
        say.send(i)


def kill_searches(folder: Path, rng: random.Random, *, kills: int, end: float) -> Killed:
    """Kill a Bayesian optimisation that saves itself: nothing that was told is lost or doubled."""
    path, wrong, done, told = folder / "study.una", [], 0, 0
    while done < kills and time.monotonic() < end:
        said, _ = _run_and_kill(_search, path, rng, most=0.5)
        done += 1
        values = list(BayesOpt.load(path).history_["value"])
        if values != [float(i) for i in range(len(values))] or len(values) < max([told, *(i + 1 for i in said)]):
            wrong.append(f"after kill {done}: {len(values)} values, {told} before, and then {said[-1:]} was said")
        told = len(values)
    return Killed(done, wrong)


def _search(path: Path, say: Connection) -> None:
    new = {"surrogate": GaussianProcess(restarts=0), "n_initial": 100_000, "random_state": 0, "autosave": path}
    study = BayesOpt.load(path) if path.exists() else BayesOpt(Space(x=(0.0, 1.0), c=["a", "b"]), **new)
    for i in itertools.count(len(study.history_)):
        study.tell(study.ask(), float(i))
        say.send(i)


def kill_reproductions(folder: Path, rng: random.Random, *, kills: int, end: float) -> Killed:
    """Kill a run of 4,000 trials: each kill costs the one trial under way, and every result is there once."""
    path, wrong, done = folder / "results.sqlite", [], 0
    keys = [key_of(trial) for group in _trials(path) for trial in group]
    stored = 0
    while done < kills and stored < len(keys) and time.monotonic() < end:
        _run_and_kill(_reproduce, path, rng, most=0.5)
        done += 1
        before, stored = stored, len(keys) - len(ResultStore(path).missing(keys))
        begun = len(runs(path.with_suffix(".log")))
        if stored < before or not 0 <= begun - stored <= done:
            wrong.append(f"after kill {done}: {begun} trials were begun, {stored} are stored, and {before} were before")
    return Killed(done, wrong)


def _reproduce(path: Path, say: Connection) -> None:
    store = ResultStore(path)
    say.send(0)
    run(_trials(path), store, jobs=1)


def _trials(path: Path) -> Any:
    return expand(cheap_experiment(path.with_suffix(".log"), seeds=2000, sleep=0.02), "tiny")


def kill_chunked_fits(folder: Path, rng: random.Random, *, kills: int, end: float) -> Killed:
    """Kill a fit that reads its table in pieces: continued, it becomes the model that it would have been."""
    path, wrong, done = folder / "chunked.una", [], 0
    values = np.random.default_rng(0).uniform(-1, 1, (6000, 2))
    pd.DataFrame({"a": values[:, 0], "b": values[:, 1], "y": values @ [1.0, 2.0]}).to_csv(
        path.with_suffix(".csv"), index=False
    )
    new = pd.DataFrame({"a": [0.5, 3.0], "b": [0.1, -3.0]})

    def finish() -> np.ndarray:
        _run_and_kill(_fit_in_pieces, path, rng, most=None)
        d = load(path).predict_dist(new)
        path.unlink()
        return np.concatenate([d.mean, d.epistemic_std])

    expected = finish()
    while done < kills and time.monotonic() < end:
        for _ in range(min(kills - done, rng.randint(1, 4))):
            done += _run_and_kill(_fit_slowly, path, rng, most=0.5).killed
            path.unlink(missing_ok=True)  # it may have come to its end
        found = finish()
        if not np.allclose(found, expected, rtol=1e-6):
            wrong.append(f"after kill {done}: the model predicts {found}, and without kills {expected}")
        if left := list(folder.glob("*.part")):
            wrong.append(f"after kill {done}: {left} are left over")
    return Killed(done, wrong)


def _fit_slowly(path: Path, say: Connection) -> None:
    _fit_in_pieces(path, say, pause=0.05)


def _fit_in_pieces(path: Path, say: Connection, pause: float = 0.0) -> None:
    streamed._OFTEN = 0.0  # of this process: keep every part
    table = path.with_suffix(".csv")
    partial = PartialFit(path, table)

    def keep(model: Any) -> None:
        partial.keep(model)
        say.send(1)
        time.sleep(pause)

    regressor = NeuralLinear(**_BRIEF, random_state=0)
    known = {"resumed": partial.load(), "on_part": keep}
    save(fit_file(table, "y", regressor=regressor, rows=100, sample_rows=200, **known), path)
    partial.remove()


def _run_and_kill(work: Callable[[Path, Connection], None], path: Path, rng: random.Random, most: float | None) -> _Run:
    """Start a process, wait until it has begun and a random time more, and kill it; without `most` let it end."""
    ours, theirs = _PROCESSES.Pipe(duplex=False)
    process = _PROCESSES.Process(target=work, args=(path, theirs))
    process.start()
    theirs.close()
    said = []
    with contextlib.suppress(EOFError, OSError):  # the end, or a number that was cut off
        said.append(ours.recv())
        if most is not None:
            time.sleep(rng.uniform(0.0, most))
            process.kill()
        while True:
            said.append(ours.recv())
    process.join()
    if process.exitcode not in (0, -signal.SIGKILL):
        raise RuntimeError(f"{work.__name__} ended with {process.exitcode}")
    return _Run(said, killed=process.exitcode != 0)
