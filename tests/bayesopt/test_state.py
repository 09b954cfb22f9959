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
from unabases.bayesopt import BayesOpt, Space, SpaceExhaustedError, StudyFileError
from unabases.saving import ModelFileError, load
from unabases.saving.container import pack, unpack

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
    assert unpack(path.read_bytes(), "file").content["study"]["space"] == json.loads(FIRST_VERSION)["space"]
    assert BayesOpt.load(path).evaluations_ == study.evaluations_


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
        ("[]", "cannot be read as a study"),
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
    with pytest.raises(StudyFileError, match="99"):
        BayesOpt.load(forged(path, lambda content: content["told"][0][0].__setitem__(0, 99.0)))


def forged(path, edit):
    """The same file with another content and a good checksum."""
    content, arrays = unpack(path.read_bytes(), "file")
    edit(content["study"])
    path.write_bytes(pack(content, arrays))
    return path


def test_an_edited_file_is_refused(tmp_path):
    path = tmp_path / "study"
    study = make()
    study.tell(study.ask(), 1.25)
    study.save(path)
    path.write_bytes(path.read_bytes().replace(b"1.25", b"1.75"))
    with pytest.raises(StudyFileError, match="changed after it was written"):
        BayesOpt.load(path)


@pytest.mark.parametrize(
    ("edit", "says"),
    [
        (lambda study: study.update(asked=-7), "-7 points were asked for, but 1 are told and 1 pending"),
        (lambda study: study.update(asked=10**9), "points were asked for"),
        (lambda study: study.update(dealt=10**9), "cannot have been used up"),
        (lambda study: study.update(seed=-1), "points were asked for"),
        (lambda study: study.update(seed=1.5), "'seed' has to be of type int"),
        (lambda study: study.update(pending=3 * study["pending"]), "pending more than once"),
        (lambda study: study["told"][0].__setitem__(1, "1e999"), "a value has to be a finite number"),
        (lambda study: study["told"][0].__setitem__(1, True), "a value has to be a finite number"),
        (lambda study: study["told"][0][0].append(1.0), "not understood"),
        (lambda study: study["settings"].update(kappa=-1.0), "settings that a study cannot have: `kappa`"),
        (lambda study: study["settings"].update(warp=1), "'warp' has to be of type bool"),
        (lambda study: study["settings"].update(autosave="/etc/passwd"), "autosave is not a setting"),
        (lambda study: study["settings"].update(acquisition=["ei"]), "'acquisition' has to be of type str"),
        (lambda study: study["space"].append(study["space"][0]), "several parameters called 'x'"),
        (lambda study: study["space"][0].update(low="a"), "'low' has to be of type float"),
        (lambda study: study["space"][0].update(low=9.0), "not understood"),
        (lambda study: study.update(surrogate={"class": "os.system", "parameters": {}}), "not a regressor here"),
        (lambda study: study["surrogate"]["parameters"].update(restarts="many"), "`restarts` must be a whole number"),
        (lambda study: study["surrogate"]["parameters"].update(sun=1), "not understood"),
        (lambda study: study.pop("told"), "'told' is missing"),
        (lambda study: study.update(told=7), "'told' has to be of type list"),
        (lambda study: study.update(version=2), "version 2"),
    ],
    ids=lambda part: part if isinstance(part, str) else "",
)
def test_a_file_that_describes_no_study_is_refused_whatever_its_checksum(tmp_path, edit, says):
    path = tmp_path / "study"
    study = make(surrogate=GaussianProcess(restarts=0))
    study.tell(study.ask(), 1.0)
    study.ask()
    study.save(path)
    with pytest.raises(StudyFileError, match=says):
        BayesOpt.load(forged(path, edit))


def test_models_and_studies_are_told_apart(tmp_path):
    path = tmp_path / "study"
    make().save(path)
    with pytest.raises(ModelFileError, match=r"holds a study; read it with `unabases\.bayesopt\.BayesOpt\.load`"):
        load(path)
    path.write_bytes(pack({"class": "LUNA"}, {}))
    with pytest.raises(StudyFileError, match="is not a study"):
        BayesOpt.load(path)


def test_asking_an_exhausted_space_again_leaves_the_study_as_it_is(tmp_path):
    path = tmp_path / "study"
    study = BayesOpt(Space(c=["a", "b"]), surrogate=GaussianProcess(restarts=0), random_state=0, autosave=path)
    study.ask(n=2)
    for _ in range(5):
        with pytest.raises(SpaceExhaustedError):
            study.ask()
    study.tell({"c": "a"}, 1.0)
    assert BayesOpt.load(path).pending_ == study.pending_


def test_places_that_cannot_be_written_are_refused(tmp_path):
    with pytest.raises(StudyFileError, match="no file"):
        BayesOpt.load(tmp_path / "none.json")
    with pytest.raises(StudyFileError, match="no directory"):
        make().save(tmp_path / "a" / "b.json")
    with pytest.raises(StudyFileError, match="is a directory"):
        make().save(Path(tmp_path))


def test_a_directory_is_no_place_to_save_to(tmp_path):
    with pytest.raises(StudyFileError, match="it is a directory; add the name of a file"):
        BayesOpt(Space(x=(0.0, 1.0)), autosave=tmp_path)
