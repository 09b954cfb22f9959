"""Choosing cells, planning, and telling what is done."""

import io
from dataclasses import replace

import pytest
from rich.console import Console

from tests.paper.cheap import cheap_experiment, runs
from unabases.paper.catalogue import EXPERIMENTS, LOCKED_EXPERIMENTS
from unabases.paper.halves import LOCKED
from unabases.paper.plan import expand
from unabases.paper.reproduce import Cells, check_cells, possible, reproduce, status
from unabases.paper.store import ResultStore


@pytest.fixture
def log(tmp_path):
    return tmp_path / "log"


@pytest.fixture
def store(tmp_path):
    return ResultStore(tmp_path / "results.sqlite")


def quiet():
    return Console(file=io.StringIO(), width=140)


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


def test_what_was_run_on_a_locked_half_stays_on_record(store, log):
    for value in (1, 2):
        locked = replace(cheap_experiment(log, version=value, labels=("a",)), half="locked")
        finished = reproduce(
            ["cheap"], "tiny", store, cells=Cells(seeds=[0]), jobs=1, console=quiet(), experiments={"cheap": locked}
        )
        assert finished.rows == 1
    assert [one.settings["version"] for one in store.rows("cheap")] == [2]
    assert [one.settings["version"] for one in store.rows("cheap/earlier")] == [1]
    with pytest.raises(ValueError, match="every run of cheap stays on record"):
        reproduce(["cheap"], "tiny", store, fresh=True, jobs=1, console=quiet(), experiments={"cheap": locked})
    assert len(store.rows("cheap")) == 1


def test_all_experiments_leave_out_the_locked_ones():
    assert not set(EXPERIMENTS) & set(LOCKED_EXPERIMENTS)
    assert all(experiment.half != LOCKED for experiment in EXPERIMENTS.values())
    assert all(experiment.half == LOCKED for experiment in LOCKED_EXPERIMENTS.values())
    assert {one.experiment.name for one in status(None, "tiny")} == {*EXPERIMENTS, *LOCKED_EXPERIMENTS}


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


def test_columns_without_a_gap_are_not_part_of_an_experiment(data_directory):
    names = {group[0].dataset for group in possible(EXPERIMENTS["honesty"], "paper")}
    assert "yacht-gap-4" in names
    assert not names & {"yacht-gap-0", "yacht-tail-0", "energy-gap-4"}
    planned = {one.experiment.name: one.total for one in status(None, "paper")}
    assert (
        planned["honesty"]
        == len(possible(EXPERIMENTS["honesty"], "paper"))
        < len(expand(EXPERIMENTS["honesty"], "paper"))
    )
