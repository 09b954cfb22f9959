"""`unabases data`, as a user types it."""

import pytest
from typer.testing import CliRunner

from unabases.cli.main import app
from unabases.datasets.registry import entry, names

RUN = CliRunner(env={"COLUMNS": "160"})


def test_list_shows_every_set_and_its_state(tmp_path):
    (tmp_path / "uci").mkdir()
    (tmp_path / "uci" / "yacht.csv").write_text("edited")
    result = RUN.invoke(app, ["data", "list", "--directory", str(tmp_path)])
    assert result.exit_code == 0, result.output
    lines = {line.split()[0]: line for line in result.output.splitlines() if line.split()}
    assert set(names()) <= set(lines)
    assert "damaged" in lines["yacht"]
    assert all(word in lines["concrete"] for word in ("1030", "8 + 1", "missing", "CC BY 4.0"))
    assert "academic research only" in lines["faces"]
    assert str(tmp_path) in result.output


def test_list_of_real_data(data_directory):
    result = RUN.invoke(app, ["data", "list"])
    assert result.output.count("present") >= 11


def test_path_follows_option_then_environment(tmp_path, monkeypatch):
    monkeypatch.setenv("UNABASES_DATA_DIR", str(tmp_path / "named"))
    assert RUN.invoke(app, ["data", "path"]).output.strip() == str(tmp_path / "named")
    option = RUN.invoke(app, ["data", "path", "--directory", str(tmp_path / "option")])
    assert option.output.strip() == str(tmp_path / "option")


def test_fetch_from_a_mirror(data_directory, tmp_path):
    mirror = data_directory.as_uri()
    result = RUN.invoke(app, ["data", "fetch", "yacht", "gap_splits", "--directory", str(tmp_path), "--mirror", mirror])
    assert result.exit_code == 0, result.output
    assert result.output.split() == [str(tmp_path / "uci" / name) for name in ("yacht.csv", "gap_splits.npz")]
    (file,) = entry("yacht").files
    assert (tmp_path / file.path).read_bytes() == (data_directory / file.path).read_bytes()


def test_fetch_says_what_failed_and_goes_on(tmp_path):
    options = ["--directory", str(tmp_path), "--mirror", (tmp_path / "nothing").as_uri()]
    result = RUN.invoke(app, ["data", "fetch", "yacht", "faces", *options])
    assert result.exit_code == 1
    for name in ("yacht.csv", "wiki_faces.npz"):
        assert f"Put it at {tmp_path}" in result.output
        assert name in result.output


@pytest.mark.parametrize("arguments", [["fetch", "iris"], ["fetch"]])
def test_fetch_needs_known_names(arguments):
    result = RUN.invoke(app, ["data", *arguments])
    assert result.exit_code == 2
    assert "iris" in result.output or "NAME" in result.output
