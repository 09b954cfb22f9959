"""Saving and loading across processes, and through a kill."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from tests.saving.conftest import assert_same_predictions
from unabases.saving import load, save

PREDICT = """
import sys
from pathlib import Path
import numpy as np
import pandas as pd
from unabases.saving import load

directory = Path(sys.argv[1])
for path in directory.glob("*.una"):
    model, query = load(path), np.load(path.with_suffix(".npy"))
    if hasattr(model, "feature_names_in_"):
        query = pd.DataFrame(query, columns=model.feature_names_in_)
    d = model.predict_dist(query, covariance=True)
    np.savez(path.with_suffix(".npz"), mean=d.mean, epistemic_std=d.epistemic_std, covariance=d.covariance)
"""

SAVE_FOREVER = """
import sys
from unabases.saving import load, save

path = sys.argv[1]
models = [load(path), load(sys.argv[2])]
print("ready", flush=True)
while True:
    for model in models:
        save(model, path)
"""

DIE_BEFORE_THE_END = """
import os, signal, sys
from unabases.saving import load, save

model = load(sys.argv[2])
os.fsync = lambda descriptor: os.kill(os.getpid(), signal.SIGKILL)
save(model, sys.argv[1])
"""


def start(script, *arguments, **options):
    return subprocess.Popen([sys.executable, "-c", script, *map(str, arguments)], **options)


def test_predictions_in_another_process_are_equal_to_the_last_bit(luna, named, updated, tmp_path):
    models = {"luna": luna, "named": named, "updated": updated}
    for name, fitted in models.items():
        save(fitted.model, tmp_path / f"{name}.una")
        np.save(tmp_path / f"{name}.npy", np.asarray(fitted.query))
    assert start(PREDICT, tmp_path).wait(timeout=120) == 0
    for name, fitted in models.items():
        d = fitted.model.predict_dist(fitted.query, covariance=True)
        with np.load(tmp_path / f"{name}.npz") as there:
            for part in there:
                np.testing.assert_array_equal(there[part], getattr(d, part), err_msg=f"{name}: {part}")


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no SIGKILL on this system")
def test_a_kill_before_the_new_file_is_whole_leaves_the_old_one(luna, updated, path, tmp_path):
    save(updated.model, tmp_path / "other.una")
    assert start(DIE_BEFORE_THE_END, path, tmp_path / "other.una").wait(timeout=120) == -signal.SIGKILL
    assert len(os.listdir(tmp_path)) == 3  # the unfinished file is still there, under a name of its own
    assert_same_predictions(load(path), luna.model, luna.query)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no SIGKILL on this system")
def test_the_file_is_whole_at_every_moment_and_after_a_kill(luna, updated, path, tmp_path):
    save(updated.model, tmp_path / "other.una")
    means = [fitted.model.predict(luna.query) for fitted in (luna, updated)]
    process = start(SAVE_FOREVER, path, tmp_path / "other.una", stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        seen, end = set(), time.monotonic() + 2
        while time.monotonic() < end:
            mean = load(path).predict(luna.query)
            seen |= {i for i, known in enumerate(means) if np.array_equal(mean, known)}
    finally:
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=60)
    assert seen == {0, 1}
    mean = load(path).predict(luna.query)
    assert any(np.array_equal(mean, known) for known in means)
