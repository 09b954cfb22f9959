"""Processes that are killed with SIGKILL at random moments after their work has begun."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

from tests.saving.kept import answers
from unabases import load
from unabases.bayesopt import BayesOpt

_FIT = """
import itertools, sys
import numpy as np
from unabases import NeuralLinear, save

X = np.linspace(-1, 1, 200)[:, None] * [1.0, 2.0]
for i in itertools.count():
    print(i, flush=True)  # before the fit, so that it can be killed in it
    save(NeuralLinear(hidden_layer_sizes=(8,), max_steps=30, sigma2=0.01, random_state=i).fit(X, X[:, 0]), sys.argv[1])
"""
_SEARCH = """
import sys
from pathlib import Path
from unabases import GaussianProcess
from unabases.bayesopt import BayesOpt, Space

path = Path(sys.argv[1])
study = BayesOpt.load(path) if path.exists() else BayesOpt(
    Space(x=(0.0, 1.0), c=["a", "b"]), surrogate=GaussianProcess(restarts=0), n_initial=10_000, random_state=0,
    autosave=path,
)
i = len(study.history_)
while True:
    study.tell(study.ask(), float(i))
    print(i, flush=True)  # after it was told
    i += 1
"""


class Killed(NamedTuple):
    """How often a process was killed, and what was wrong afterwards."""

    kills: int
    wrong: list[str]


def kill_fits(folder: Path, rng: random.Random, *, kills: int, end: float) -> Killed:
    """Kill a process that fits and saves over one file again and again: the file is always a whole model."""
    path, wrong, done = folder / "model.una", [], 0
    while done < kills and time.monotonic() < end:
        _run_and_kill(_FIT, path, rng, most=1.5)
        done += 1
        if path.exists():
            try:
                answers(load(path))
            except Exception as error:
                wrong.append(f"after kill {done}: {type(error).__name__}: {error}")
    return Killed(done, wrong)


def kill_searches(folder: Path, rng: random.Random, *, kills: int, end: float) -> Killed:
    """Kill a Bayesian optimisation that saves itself: nothing that was told is lost or doubled."""
    path, wrong, done, told = folder / "study.una", [], 0, 0
    while done < kills and time.monotonic() < end:
        said = _run_and_kill(_SEARCH, path, rng, most=1.0)
        done += 1
        values = list(BayesOpt.load(path).history_["value"])
        if values != [float(i) for i in range(len(values))] or len(values) < max([told, *(i + 1 for i in said)]):
            wrong.append(f"after kill {done}: {len(values)} values, {told} before, and then {said[-1:]} was said")
        told = len(values)
    return Killed(done, wrong)


def _run_and_kill(script: str, path: Path, rng: random.Random, most: float) -> list[int]:
    """Start a script, wait until it has begun and a random time more, kill it; the numbers that it printed."""
    process = subprocess.Popen(
        [sys.executable, "-c", script, str(path)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "JAX_PLATFORMS": "cpu"},
    )
    assert process.stdout is not None
    first = process.stdout.readline()
    time.sleep(rng.uniform(0.0, most))
    os.kill(process.pid, signal.SIGKILL)
    rest = process.stdout.read().splitlines()
    process.wait()
    return [int(line) for line in [first.strip(), *rest] if line.strip().isdigit()]
