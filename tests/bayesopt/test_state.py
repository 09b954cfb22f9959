import json
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from optuna.distributions import FloatDistribution, IntDistribution
from sklearn.gaussian_process import GaussianProcessRegressor

from unabases import GaussianProcess, NeuralLinear
from unabases.bayesopt import BayesOpt, Space, StudyFileError

SPACE = Space(x=(-2.0, 2.0), n=(1, 50, "log-integer"), kind=["a", ("b", 2), None])
make = partial(BayesOpt, SPACE, n_initial=4, random_state=0)


def value(point):
    return (point["x"] - 1) ** 2 + 0.01 * point["n"] + (point["kind"] is None)


def test_a_study_goes_on_where_it_was(tmp_path):
    path = tmp_path / "study.json"
    whole = make(surrogate=GaussianProcess(restarts=0))
    part = make(surrogate=GaussianProcess(restarts=0))
    for _ in range(6):
        part.tell(x := part.ask(), value(x))
        whole.tell(x := whole.ask(), value(x))
    waiting = part.ask()
    assert whole.ask() == waiting
    part.save(path)
    again = BayesOpt.load(path)
    assert again.space == SPACE
    assert again.pending_ == [waiting]
    assert again.best_ == part.best_
    assert again.autosave is None
    assert again.history_.equals(part.history_)
    for study in (whole, again):
        study.tell(waiting, 0.5)
    assert [again.ask() for _ in range(2)] == [whole.ask() for _ in range(2)]


def test_failures_and_settings_survive(tmp_path):
    path = tmp_path / "study.json"
    model = NeuralLinear("mle", hidden_layer_sizes=(8,), sigma2=1e-4, max_steps=10)
    study = make(surrogate=model, acquisition="lcb", kappa=1.5, warp=False, maximize=True, autosave=path)
    study.tell(study.ask(), 1.5)
    study.fail(study.ask())
    again = BayesOpt.load(path)
    own = again.acquisition, again.kappa, again.warp, again.maximize, again.n_initial
    assert own == ("lcb", 1.5, False, True, 4)
    assert again.surrogate.get_params() == model.get_params()
    assert list(again.history_["state"]) == ["told", "failed"]
    assert again.autosave == path  # it saved itself, and goes on to
    again.tell(again.ask(), 2.5)
    assert len(BayesOpt.load(path).history_) == 3


KILLED = """
import sys
from unabases import GaussianProcess
from unabases.bayesopt import BayesOpt, Space
from pathlib import Path

path, log = Path(sys.argv[1]), open(sys.argv[2], "a", buffering=1)
study = (
    BayesOpt.load(path) if path.exists()
    else BayesOpt(Space(x=(0.0, 1.0), c=["a", "b"]), surrogate=GaussianProcess(restarts=0), n_initial=1000,
                  random_state=0, autosave=path)
)
i = len(study.history_)
while True:
    x = study.ask()
    study.tell(x, float(i))
    print(i, file=log)  # only after it was told
    i += 1
"""


def test_nothing_told_is_lost_by_kill_9(tmp_path):
    path, log = tmp_path / "study.json", tmp_path / "log"
    script = tmp_path / "script.py"
    script.write_text(KILLED)
    told = 0
    for pause in (0.05, 0.17, 0.31):
        process = subprocess.Popen([sys.executable, script, path, log], env={**os.environ, "JAX_PLATFORMS": "cpu"})
        deadline = time.monotonic() + 60
        while (not log.exists() or len(log.read_text().split()) <= told) and time.monotonic() < deadline:
            assert process.poll() is None
            time.sleep(0.01)
        time.sleep(pause)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        said = [int(line) for line in log.read_text().splitlines()]
        study = BayesOpt.load(path)
        values = list(study.history_["value"])
        assert len(said) > told
        assert said == list(range(len(said)))  # each run went on where the one before was
        assert values[: len(said)] == said
        assert len(values) <= len(said) + 1  # told, and killed before it was noted
        assert len(study.pending_) <= 3
        told = len(said)
        if len(values) > told:
            log.write_text("".join(f"{i}\n" for i in range(len(values))))
            told = len(values)


def test_a_failed_write_leaves_the_old_study(tmp_path, monkeypatch):
    path = tmp_path / "study.json"
    study = make(autosave=path)
    study.tell(study.ask(), 1.0)
    before = path.read_bytes()
    monkeypatch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(OSError, match="disk full"):
        study.ask()
    monkeypatch.undo()
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["study.json"]


def test_an_existing_file_is_not_overwritten_by_a_new_study(tmp_path):
    path = tmp_path / "study.json"
    make(autosave=path).ask()
    with pytest.raises(FileExistsError, match=r"BayesOpt\.load"):
        make(autosave=path)


def test_what_json_cannot_hold_is_given_again(tmp_path):
    path = tmp_path / "study.json"
    space = Space(x=(0.0, 1.0), f=[np.sin, np.cos])
    study = BayesOpt(space, surrogate=GaussianProcessRegressor(), n_initial=3, random_state=0)
    study.tell({"x": 0.5, "f": np.cos}, 1.0)
    study.save(path)
    with pytest.raises(StudyFileError, match=r"choice of `f`, .*sin; give the whole space again"):
        BayesOpt.load(path)
    with pytest.raises(StudyFileError, match="GaussianProcessRegressor; give it again"):
        BayesOpt.load(path, space=space)
    with pytest.raises(StudyFileError, match="another space"):
        BayesOpt.load(path, space=Space(x=(0.0, 2.0), f=[np.sin, np.cos]))
    again = BayesOpt.load(path, space=space, surrogate=GaussianProcessRegressor())
    assert again.best_.x == {"x": 0.5, "f": np.cos}


def test_a_space_with_steps_comes_back(tmp_path):
    path = tmp_path / "study.json"
    space = {"x": FloatDistribution(0.1, 0.9, step=0.2), "n": IntDistribution(3, 30, step=9), "m": (1, 9)}
    study = BayesOpt(space, random_state=0)
    study.tell(study.ask(), 1.0)
    study.save(path)
    again = BayesOpt.load(path)
    assert again.space == study.space
    assert again.evaluations_ == study.evaluations_
    assert BayesOpt.load(path, space=space).space == study.space


FIRST_VERSION = """{
 "format": "unabases.bayesopt", "version": 1, "written_by": "0.9", "autosave": false,
 "space": [{"name": "x", "kind": "real", "low": 0.0, "high": 1.0, "log": false},
           {"name": "n", "kind": "integer", "low": 1, "high": 50, "log": true},
           {"name": "c", "kind": "categorical", "choices": ["a", null]}],
 "settings": {"acquisition": "ei", "kappa": 2.0, "warp": true, "n_initial": 6, "maximize": false},
 "surrogate": null, "seed": 7, "asked": 2, "dealt": 2,
 "told": [[[0.25, 3, 1], 2.5]], "pending": [[0.5, 4, 0]]
}"""


def test_a_file_that_was_written_before_steps_can_be_read(tmp_path):
    path = tmp_path / "study.json"
    path.write_text(FIRST_VERSION)
    study = BayesOpt.load(path)
    assert study.space == Space(x=(0.0, 1.0), n=(1, 50, "log-integer"), c=["a", None])
    assert study.best_ == ({"x": 0.25, "n": 3, "c": None}, 2.5)
    assert study.pending_ == [{"x": 0.5, "n": 4, "c": "a"}]
    study.save(path)
    assert json.loads(path.read_text())["space"] == json.loads(FIRST_VERSION)["space"]


def test_values_come_back_to_the_last_bit(tmp_path):
    path = tmp_path / "study.json"
    study = BayesOpt(Space(x=(1e-9, 1.0, "log")), random_state=0)
    for x in (0.1 + 0.2, 1e-9, 1 / 3):
        study.tell({"x": x}, np.float64(x) * np.pi * 1e-300)
    study.save(path)
    assert [tuple(row) for row in BayesOpt.load(path).history_[["x", "value"]].to_numpy()] == [
        tuple(row) for row in study.history_[["x", "value"]].to_numpy()
    ]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("{", "cannot be read as a study"),
        ("[]", "not a study"),
        ('{"format": "something"}', "not a study"),
        ('{"format": "unabases.bayesopt", "version": 9, "written_by": "7.0"}', "version 9 .* unabases 7.0"),
        ('{"format": "unabases.bayesopt", "version": 1}', "not understood"),
    ],
)
def test_a_file_of_another_kind_is_refused(tmp_path, content, says):
    path = tmp_path / "study.json"
    path.write_text(content)
    with pytest.raises(StudyFileError, match=says):
        BayesOpt.load(path)


def test_a_point_outside_the_space_in_a_file_is_refused(tmp_path):
    path = tmp_path / "study.json"
    study = make()
    study.tell(study.ask(), 1.0)
    study.save(path)
    content = json.loads(path.read_text())
    content["told"][0][0][0] = 99.0
    path.write_text(json.dumps(content))
    with pytest.raises(StudyFileError, match="99"):
        BayesOpt.load(path)


def test_places_that_cannot_be_written_are_refused(tmp_path):
    with pytest.raises(StudyFileError, match="no file"):
        BayesOpt.load(tmp_path / "none.json")
    with pytest.raises(StudyFileError, match="no directory"):
        make().save(tmp_path / "a" / "b.json")
    with pytest.raises(StudyFileError, match="is a directory"):
        make().save(Path(tmp_path))
