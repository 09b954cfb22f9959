"""Choosing, planning and telling what is done; and the command."""

import io
import re
from dataclasses import replace

import pytest
from rich.console import Console
from typer.testing import CliRunner

from tests.paper.cheap import cheap_experiment, runs
from unabases.cli.main import app
from unabases.datasets.directory import DATA_DIR_VARIABLE
from unabases.datasets.files import OFFLINE_VARIABLE
from unabases.paper.catalogue import EXPERIMENTS
from unabases.paper.progress import LiveProgress, Scoreboard, TimeLeft
from unabases.paper.reproduce import Cells, check_cells, reproduce, status
from unabases.paper.results import ResultStore, Row
from unabases.paper.spec import expand

RUN = CliRunner()


@pytest.fixture
def log(tmp_path):
    return tmp_path / "log"


@pytest.fixture
def store(tmp_path):
    return ResultStore(tmp_path / "results.sqlite")


def quiet():
    return Console(file=io.StringIO(), width=140)


def row(method="a", seed=0, dataset="toy", failed="", seconds=1.0, **scores):
    return Row("cheap", dataset, seed, method, seed, {}, "tiny", failed, scores, {}, seconds, {})


def test_cells_choose_what_is_run_and_the_plan_is_whole(store, log):
    experiments = {"cheap": cheap_experiment(log)}
    cells = Cells(methods=["a"], seeds=[1, 2])
    finished = reproduce(["cheap"], "tiny", store, cells=cells, jobs=1, console=quiet(), experiments=experiments)
    assert finished.rows == 2
    assert [(one.total, one.done, one.failed) for one in status(store, "tiny", experiments)] == [(8, 2, 0)]
    assert [one.seed for one in store.rows("cheap", "tiny")] == [1, 2]


def test_changed_settings_leave_no_old_row_in_the_table(store, log):
    for value in (1, 2):
        experiments = {"cheap": cheap_experiment(log, version=value)}
        reproduce(
            ["cheap"], "tiny", store, cells=Cells(seeds=[value]), jobs=1, console=quiet(), experiments=experiments
        )
    assert {one.settings["version"] for one in store.rows("cheap")} == {2}
    assert len(store.rows("cheap")) == 2


def test_fresh_runs_again_what_was_done(store, log):
    experiments = {"cheap": cheap_experiment(log)}
    for fresh in (False, False, True):
        reproduce(["cheap"], "tiny", store, jobs=1, fresh=fresh, console=quiet(), experiments=experiments)
    assert len(runs(log)) == 16


def test_names_that_are_not_known_are_told_with_those_that_are(log):
    experiments = [cheap_experiment(log)]
    for cells, said in (
        (Cells(methods=["oracle"]), "unknown method oracle; known here are a; b"),
        (Cells(datasets=["mars"]), "unknown data set mars; known here are toy"),
        (Cells(seeds=[9]), "unknown seed 9; known here are 0; 1; 2; 3"),
    ):
        with pytest.raises(ValueError, match=said):
            check_cells(experiments, "tiny", cells)
    with pytest.raises(ValueError, match="known ones are tiny, quick, paper"):
        check_cells(experiments, "huge", Cells())


def test_a_terminal_sees_the_table_fill_and_another_place_sees_nothing(log):
    experiment = cheap_experiment(log)
    trials = [trial for group in expand(experiment, "tiny") for trial in group]
    for terminal in (True, False):
        out = io.StringIO()
        console = Console(file=out, force_terminal=terminal, width=120)
        with LiveProgress({"cheap": experiment}, trials, trials, [], 2, console) as progress:
            progress.began((trials[0],))
            progress.ended(row(value=0.5))
            progress.ended(row(seed=1, value=1.5))
            progress._live.refresh()
        said = out.getvalue()
        assert ("2 of 8 trials, about 3 s left" in said) is terminal
        assert ("1.00 ± 0.50 (2)" in said) is terminal
        assert bool(said) is terminal


def test_time_left_is_guessed_from_the_likest(log):
    a, b = (group[0] for group in expand(cheap_experiment(log, seeds=1), "tiny"))
    assert TimeLeft().guess([a, b]) == 10.0
    left = TimeLeft([row("a", seconds=2.0), row("a", seconds=4.0, dataset="mars"), row("x", seconds=9.0, failed="no")])
    assert left.guess([a]) == 2.0
    assert left.guess([a, b], jobs=2) == (2.0 + 3.0) / 2


def test_a_scoreboard_counts_what_failed(log):
    board = Scoreboard(cheap_experiment(log), [row(value=1.0), row(failed="no")])
    out = quiet()
    out.print(board.table(["toy"]))
    assert re.search(r"a +1\.00 ± 0\.00 \(1\) 1 failed", out.file.getvalue())


# ------------------------------------------------------------------------------------------------------- the command


def test_without_names_the_experiments_are_listed_and_no_file_is_made(tmp_path):
    path = tmp_path / "results.sqlite"
    result = RUN.invoke(app, ["reproduce", "--store", str(path)])
    assert result.exit_code == 0, result.output
    for name in EXPERIMENTS:
        assert name in result.output
    assert "0 of 600" in result.output
    assert not path.exists()


def test_an_experiment_runs_from_the_command_and_resumes(tmp_path):
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
    assert "left out for lack of data: yacht-froude" in result.output
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


def test_a_method_whose_package_is_absent_is_named_and_the_others_go_on(store, log):
    experiment = cheap_experiment(log, seeds=1)
    needy = replace(experiment.methods[0], requires=("no_such_package",))
    experiments = {"cheap": replace(experiment, methods=(needy, experiment.methods[1]))}
    console = quiet()
    finished = reproduce(["cheap"], "tiny", store, jobs=1, console=console, experiments=experiments)
    assert "cheap: a is left out. It needs no_such_package: pip install no_such_package." in console.file.getvalue()
    assert (finished.rows, finished.failed, finished.left_out) == (1, (), ())
    console = quiet()
    cells = Cells(methods=["b"])
    reproduce(["cheap"], "tiny", store, cells=cells, jobs=1, console=console, experiments=experiments)
    assert "left out" not in console.file.getvalue()


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
