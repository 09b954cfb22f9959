"""`unabases reproduce`, as a user types it."""

import functools
import re

import pytest
from typer.testing import CliRunner

from unabases.cli.main import app
from unabases.datasets.directory import DATA_DIR_VARIABLE
from unabases.datasets.files import OFFLINE_VARIABLE
from unabases.paper import reproduce
from unabases.paper.catalogue import EXPERIMENTS
from unabases.paper.store import ResultStore

RUN = CliRunner()


def test_without_names_the_experiments_are_listed_and_no_file_is_made(tmp_path):
    path = tmp_path / "results.sqlite"
    result = RUN.invoke(app, ["reproduce", "--store", str(path)])
    assert result.exit_code == 0, result.output
    for name in EXPERIMENTS:
        assert name in result.output
    assert "0 of 600" in result.output
    assert not path.exists()


def test_an_experiment_runs_from_the_command_and_resumes(tmp_path, monkeypatch):
    one = functools.partial(reproduce.status, experiments={"map-prior": EXPERIMENTS["map-prior"]})
    monkeypatch.setattr(reproduce, "status", one)  # the test above lists all experiments, which takes long
    path = tmp_path / "results.sqlite"
    command = ["reproduce", "map-prior", "--profile", "tiny", "--jobs", "1", "--store", str(path)]
    result = RUN.invoke(app, command)
    assert result.exit_code == 0, result.output
    assert "4 trials were run" in result.output
    assert "0 trials were run" in RUN.invoke(app, command).output
    frame = ResultStore(path).frame("map-prior", "tiny")
    assert frame["method"].tolist() == ["NLM, MAP, γ = 0"] * 2 + ["NLM, MAP, γ = 10"] * 2
    assert (frame["prior_variation_gap"] > 0).all()
    assert "4 of 4" in RUN.invoke(app, ["reproduce", "--store", str(path)]).output


def test_a_table_that_is_not_there_is_named_and_the_others_go_on(tmp_path, monkeypatch):
    monkeypatch.setenv(DATA_DIR_VARIABLE, str(tmp_path / "empty"))
    monkeypatch.setenv(OFFLINE_VARIABLE, "1")
    options = ["--profile", "tiny", "--jobs", "1", "--store", str(tmp_path / "results.sqlite")]
    result = RUN.invoke(app, ["reproduce", "uci-gap", "map-prior", *options])
    assert "yacht-froude is left out" in result.output
    assert "uci/yacht.csv" in result.output
    assert "4 trials were run" in result.output
    assert "Left out because their data is missing: yacht-froude" in result.output
    assert result.exit_code == 1


def test_problems_that_need_no_files_are_searched_without_them(tmp_path, monkeypatch):
    monkeypatch.setenv(DATA_DIR_VARIABLE, str(tmp_path / "empty"))
    monkeypatch.setenv(OFFLINE_VARIABLE, "1")
    options = ["--profile", "paper", "--seeds", "0", "--jobs", "1", "--store", str(tmp_path / "results.sqlite")]
    result = RUN.invoke(app, ["reproduce", "bayesopt", "--methods", "Random search", *options])
    assert "svm is left out" in result.output
    assert "logistic is left out" in result.output
    assert "2 trials were run" in result.output
    assert result.exit_code == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["everything"], "known ones are map-prior"),
        (["map-prior", "--profile", "huge"], "known ones are tiny"),
        (["map-prior", "--methods", "oracle"], "NLM, MAP, γ = 0"),
        (["map-prior", "--seeds", "many"], "such as 0-4,7"),
        (["map-prior", "--seeds", "0-40"], "unknown seed 20"),
    ],
)
def test_the_command_refuses_what_it_does_not_know(tmp_path, arguments, said):
    result = RUN.invoke(app, ["reproduce", *arguments, "--store", str(tmp_path / "results.sqlite")])
    assert result.exit_code == 2
    assert said in " ".join(re.sub(r"[│╭╮╰╯─]", " ", result.output).split())


def test_a_file_that_cannot_be_used_is_an_error_in_words(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("something else " * 200)
    result = RUN.invoke(app, ["reproduce", "map-prior", "--store", str(path)])
    assert result.exit_code == 1
    assert "choose another" in result.output
