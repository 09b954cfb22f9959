"""Processes that are killed with SIGKILL at random moments after their work has begun."""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from tests.docs.pages import ROOT
from tests.paper.cheap import cheap_experiment, runs
from tests.saving.kept import answers
from unabases import load
from unabases.bayesopt import BayesOpt
from unabases.paper.plan import expand, key_of
from unabases.paper.store import ResultStore

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
_REPRODUCTION = """
import sys
from pathlib import Path
from tests.paper.cheap import cheap_experiment
from unabases.paper.plan import expand
from unabases.paper.runner import run
from unabases.paper.store import ResultStore

path = Path(sys.argv[1])
store = ResultStore(path)
print(0, flush=True)
run(expand(cheap_experiment(path.with_suffix(".log"), seeds=200, sleep=0.02), "tiny"), store, jobs=1)
"""
_CHUNKS = """
import sys, time
from pathlib import Path
from unabases import NeuralLinear, save
from unabases.saving.partial import PartialFit
from unabases.tables.large_file import fit_file

out = Path(sys.argv[1])
table = out.with_suffix(".csv")
partial = PartialFit(out, table)
slow = "slow" in sys.argv

def keep(model):
    partial.keep(model)
    print(1, flush=True)
    time.sleep(0.1 * slow)

regressor = NeuralLinear(hidden_layer_sizes=(8,), max_steps=30, sigma2=0.01, random_state=0)
save(fit_file(table, "y", regressor=regressor, rows=100, sample_rows=200, resumed=partial.load(), on_part=keep), out)
partial.remove()
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


def kill_reproductions(folder: Path, rng: random.Random, *, kills: int, end: float) -> Killed:
    """Kill a run of 400 trials: each kill costs the one trial under way, and every result is there once."""
    path, wrong, done = folder / "results.sqlite", [], 0
    groups = expand(cheap_experiment(path.with_suffix(".log"), seeds=200, sleep=0.02), "tiny")
    keys = [key_of(trial) for group in groups for trial in group]
    stored = 0
    while done < kills and stored < len(keys) and time.monotonic() < end:
        _run_and_kill(_REPRODUCTION, path, rng, most=0.5)
        done += 1
        before, stored = stored, len(keys) - len(ResultStore(path).missing(keys))
        begun = len(runs(path.with_suffix(".log")))
        if stored < before or not 0 <= begun - stored <= done:
            wrong.append(f"after kill {done}: {begun} trials were begun, {stored} are stored, and {before} were before")
    return Killed(done, wrong)


def kill_chunked_fits(folder: Path, rng: random.Random, *, kills: int, end: float) -> Killed:
    """Kill a fit that reads its table in pieces: continued, it becomes the model that it would have been."""
    path, wrong, done = folder / "chunked.una", [], 0
    values = np.random.default_rng(0).uniform(-1, 1, (3000, 2))
    pd.DataFrame({"a": values[:, 0], "b": values[:, 1], "y": values @ [1.0, 2.0]}).to_csv(
        path.with_suffix(".csv"), index=False
    )
    new = pd.DataFrame({"a": [0.5, 3.0], "b": [0.1, -3.0]})

    def finish() -> np.ndarray:
        subprocess.run([sys.executable, "-c", _CHUNKS, str(path)], check=True, stdout=subprocess.DEVNULL)
        d = load(path).predict_dist(new)
        path.unlink()
        return np.concatenate([d.mean, d.epistemic_std])

    expected = finish()
    while done < kills and time.monotonic() < end:
        for _ in range(min(kills - done, rng.randint(1, 4))):
            _run_and_kill(_CHUNKS, path, rng, most=1.0, more=["slow"])
            done += 1
            path.unlink(missing_ok=True)  # it may have come to its end
        found = finish()
        if not np.allclose(found, expected, rtol=1e-6):
            wrong.append(f"after kill {done}: the model predicts {found}, and without kills {expected}")
        if left := list(folder.glob("*.part")):
            wrong.append(f"after kill {done}: {left} are left over")
    return Killed(done, wrong)


def _run_and_kill(script: str, path: Path, rng: random.Random, most: float, more: Sequence[str] = ()) -> list[int]:
    """Start a script, wait until it has begun and a random time more, kill it; the numbers that it printed."""
    process = subprocess.Popen(
        [sys.executable, "-c", script, str(path), *more],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "JAX_PLATFORMS": "cpu", "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])},
    )
    assert process.stdout is not None
    first = process.stdout.readline()
    time.sleep(rng.uniform(0.0, most))
    os.kill(process.pid, signal.SIGKILL)
    rest = process.stdout.read().splitlines()
    process.wait()
    return [int(line) for line in [first.strip(), *rest] if line.strip().isdigit()]
