"""One model used by many threads, and one process that fits many models: right answers, and memory that stays flat."""

import multiprocessing
import os
import threading
import time
import warnings
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from tests.saving.kept import small
from unabases import NeuralLinear, all_regressors

_GROWTH = 0.25  # by which memory may grow after the first third of the time
_ENOUGH = 900  # fits from which on memory is judged: in each third of them programs have been released at least once
_SAID = 20  # fits between two lines of progress
_COLUMNS = (1, 2, 5, 11)  # of which each fit takes one: every number of columns has programs of its own
_PAGE = 4096


class Loaded(NamedTuple):
    """What was done, how much memory it took after a third of it and at its end, and what was wrong."""

    done: int
    bytes_before: int
    bytes_after: int
    wrong: list[str]


def memory() -> int:
    """Bytes of memory that this process holds; 0 where the system does not tell."""
    file = Path("/proc/self/statm")
    return int(file.read_text().split()[1]) * _PAGE if file.exists() else 0


def predict_while_updating(*, seconds: float, readers: int = 8, writers: int = 2) -> Loaded:
    """Threads that predict with one model while others teach it rows and make it forget them.

    Writers take turns, as they have to: `update` changes the model. Readers do not wait, so that each answer has to be
    that of the model as it was before or after some writer's turn, never something between.
    """
    X = np.linspace(-1, 1, 60).reshape(30, 2)
    model = NeuralLinear(hidden_layer_sizes=(8,), max_steps=30, sigma2=0.01, random_state=0).fit(X, X[:, 0])
    more, targets, new = X[:5] + 0.1, X[:5, 0] + 1.0, X[::6] * 2
    before = model.predict_dist(new)
    model.update(more, targets)
    after = model.predict_dist(new)
    model.forget(more, targets)
    valid = [np.concatenate([d.mean, d.epistemic_std]) for d in (before, after)]
    turn, stop, wrong, counts = threading.Lock(), threading.Event(), [], [0] * (readers + writers)

    def read(place: int) -> None:
        while not stop.is_set():
            d = model.predict_dist(new)
            found = np.concatenate([d.mean, d.epistemic_std])
            if not any(np.allclose(found, each, rtol=1e-6, atol=1e-8) for each in valid):
                wrong.append(f"a thread read {found}, which is neither {valid[0]} nor {valid[1]}")
                stop.set()
            counts[place] += 1

    def write(place: int) -> None:
        while not stop.is_set():
            with turn:
                model.update(more, targets)
                model.forget(more, targets)
            counts[place] += 1

    def guarded(work: Any, place: int) -> None:
        try:
            work(place)
        except Exception as error:
            wrong.append(f"{work.__name__}: {type(error).__name__}: {error}")
            stop.set()

    threads = [threading.Thread(target=guarded, args=(read, place)) for place in range(readers)]
    threads += [threading.Thread(target=guarded, args=(write, readers + place)) for place in range(writers)]
    for thread in threads:
        thread.start()
    stop.wait(seconds / 3)
    third = memory()
    stop.wait(2 * seconds / 3)
    stop.set()
    for thread in threads:
        thread.join()
    d = model.predict_dist(new)
    if not np.allclose(np.concatenate([d.mean, d.epistemic_std]), valid[0], rtol=1e-5, atol=1e-7):
        wrong.append("after all that was learned was forgotten, the model is another one")
    return _judge(Loaded(sum(counts), third, memory(), wrong))


def fit_many(*, fits: int, seconds: float, seed: int = 0) -> Loaded:
    """Fit regressors to tables of random shapes, in one process that does nothing else.

    Nearly all the time goes into compiling programs of new shapes, and how fast these run does not matter: they are
    not optimised. Programs are released when there are many, so that memory rises and falls. What it is at most has to
    stay the same.
    """
    flags = os.environ.get("XLA_FLAGS", "")
    os.environ["XLA_FLAGS"] = f"{flags} --xla_backend_optimization_level=0"
    try:
        with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
            return pool.submit(_fit_many, fits, seconds, seed).result()
    finally:
        os.environ["XLA_FLAGS"] = flags


def _fit_many(fits: int, seconds: float, seed: int) -> Loaded:
    rng, end = np.random.default_rng(seed), time.monotonic() + seconds
    names, held, wrong = sorted(all_regressors()), [], []
    while len(held) < fits and time.monotonic() < end:
        name = names[int(rng.integers(len(names)))]
        n, columns = int(rng.integers(2, 65)), int(rng.choice(_COLUMNS))
        X, y = rng.normal(size=(n, columns)), rng.normal(size=n)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                d = small(name).fit(X, y).predict_dist(X[:3])
            if not np.isfinite(d.std).all():
                wrong.append(f"{name} of {X.shape} predicts no numbers")
        except Exception as error:
            wrong.append(f"{name} of {X.shape}: {type(error).__name__}: {error}")
        held.append(memory())
        if len(held) % _SAID == 0:
            print(f"{len(held)} fits: {held[-1] / 2**20:.0f} MB, {max(held[-_SAID:]) / 2**20:.0f} at most", flush=True)
    thirds = np.array_split(held, 3)
    found = Loaded(len(held), max(thirds[1], default=0), max(thirds[2], default=0), wrong)
    return _judge(found) if len(held) >= _ENOUGH else found


def _judge(found: Loaded) -> Loaded:
    if found.bytes_after > (1 + _GROWTH) * found.bytes_before:
        found.wrong.append(f"memory grew from {found.bytes_before / 2**20:.0f} to {found.bytes_after / 2**20:.0f} MB")
    return found
