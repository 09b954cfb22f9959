import json
import re
import tomllib

import pytest

import unabases
from tests.cli.conftest import RUN, run
from tests.docs.pages import ROOT
from unabases.cli import doctor
from unabases.cli.main import app


@pytest.fixture(autouse=True)
def no_data(monkeypatch, tmp_path):
    """Data sets are checked elsewhere, which takes long."""
    monkeypatch.setenv("UNABASES_DATA_DIR", str(tmp_path / "none"))


def test_the_doctor_tells_versions_devices_cores_cache_and_data(tmp_path):
    said = run("doctor")
    for word in (unabases.__version__, "jax", "devices", "cores", "compiled programs", "data directory", "extra onnx"):
        assert word in said
    assert "everything works" in said


def test_the_doctor_for_programs():
    given = json.loads(RUN.invoke(app, ["doctor", "--json"]).stdout)
    assert given["ok"]
    assert {"what": "unabases", "found": unabases.__version__, "problem": ""} in given["findings"]


def test_what_is_broken_is_told_and_ends_with_code_1(monkeypatch):
    def fail():
        raise RuntimeError("no driver")

    monkeypatch.setattr(doctor, "_devices", fail)
    monkeypatch.setattr(doctor, "NEEDED", ("numpy", "no-such-package"))
    said = run("doctor", code=1)
    assert "RuntimeError: no driver" in said
    assert "pip install --force-reinstall no-such-package" in said
    assert "something is broken" in said


def test_a_directory_that_cannot_be_written_to_is_a_problem(tmp_path):
    assert doctor._unwritable(tmp_path, "choose another") == ""
    assert doctor._unwritable(tmp_path / "none", "choose another").endswith("; choose another")


def test_an_extra_that_is_absent_is_no_problem():
    found = doctor._extra("parquet", ("numpy", "no-such-package"))
    assert found.problem == ""
    assert "without no-such-package: pip install 'unabases[parquet]'" in found.found


def test_the_doctor_knows_the_extras_of_the_project():
    """All that serve a user; those for work on the package itself are not looked at."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    named = {extra: {re.match(r"[\w-]+", line)[0] for line in lines} for extra, lines in extras.items()}
    assert set(doctor.EXTRAS) == set(named) - {"dev", "docs", "ecosystem", "bench"}
    for extra, packages in doctor.EXTRAS.items():
        assert named[extra] <= set(packages)
