"""A real cluster of two processes, shared by all tests here: searches and reproductions find what one process finds."""

import functools
import os
import pickle
import re
import sys

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from typer.testing import CliRunner

from tests.selection.cases import LUNA_FAST, SMALL, X, Y
from unabases import GaussianProcess
from unabases.bayesopt import BayesOpt
from unabases.cli.main import app
from unabases.paper.store import ResultStore
from unabases.selection import LUNASearch

distributed = pytest.importorskip("distributed")
RUN = CliRunner()


@pytest.fixture(scope="module")
def client():
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def has_reproduced():
    return "unabases.paper.trials" in sys.modules


def bowl(point):
    """(x − 1)², where it can be evaluated."""
    if point["x"] < -1:
        raise ArithmeticError
    return (point["x"] - 1) ** 2


def test_a_search_on_a_cluster_finds_what_it_finds_here(client):
    """Some trials diverge; the same ones in both places."""
    settings = {**SMALL, "n_random": 4, "n_trials": 0, "batch": 4, "space": {"learning_rate": [1e-2, 1e30]}}
    here = LUNASearch(LUNA_FAST, **settings).fit(X, Y)
    there = clone(LUNASearch(LUNA_FAST, client=client, **settings)).fit(X, Y)
    assert there.client is client
    assert set(there.results_["state"]) == {"complete", "fail"}
    pd.testing.assert_frame_equal(there.results_.drop(columns="seconds"), here.results_.drop(columns="seconds"))
    np.testing.assert_allclose(there.predict(X), here.predict(X), rtol=1e-6)
    assert pickle.loads(pickle.dumps(there)).client is None


def dies_once(mark, here, step, losses):
    """Ends the worker in the middle of training, if none has ended yet."""
    if os.getpid() == here or mark.exists():
        return
    mark.touch()
    os._exit(1)


def test_a_search_outlives_a_worker_that_dies_in_training(client, tmp_path):
    settings = {**SMALL, "n_random": 2, "n_trials": 0, "batch": 2}
    mortal = clone(LUNA_FAST).set_params(callback=functools.partial(dies_once, tmp_path / "died", os.getpid()))
    there = LUNASearch(mortal, client=client, **settings).fit(X, Y)
    assert (tmp_path / "died").exists()
    here = LUNASearch(LUNA_FAST, **settings).fit(X, Y)
    pd.testing.assert_frame_equal(there.results_.drop(columns="seconds"), here.results_.drop(columns="seconds"))


def test_a_study_asks_for_as_many_points_as_there_are_threads(client):
    pending = []
    study = BayesOpt({"x": (-2.0, 2.0)}, surrogate=GaussianProcess(restarts=0), n_initial=4, random_state=0)
    study.minimize(bowl, n=12, client=client, catch=ArithmeticError, callback=lambda s: pending.append(len(s.pending_)))
    assert len(study.history_) == 12
    assert set(pending) <= {0, 1}  # what is told is no longer pending; the other thread is at work
    assert 1 in pending  # how often depends on which evaluation happens to be faster
    assert study.pending_ == []
    assert (study.history_["state"] == "failed").any()
    assert study.best_.value < 0.01


def test_the_command_reproduces_on_a_cluster(client, tmp_path):
    tables = []
    for where in (["--scheduler", client.scheduler.address], ["--jobs", "1"]):
        path = tmp_path / f"{len(tables)}.sqlite"
        command = ["reproduce", "map-prior", "--profile", "tiny", "--store", str(path), *where]
        result = RUN.invoke(app, command)
        assert result.exit_code == 0, result.output
        assert "4 trials were run" in result.output
        tables.append(ResultStore(path).frame("map-prior", "tiny"))
    assert any(client.run(has_reproduced).values())
    scores = [name for name in tables[0] if name.startswith("prior_")]
    pd.testing.assert_frame_equal(tables[0][scores], tables[1][scores])


def test_an_address_where_nobody_answers_is_an_error_in_words(tmp_path):
    command = ["reproduce", "map-prior", "--scheduler", "nonsense://", "--store", str(tmp_path / "results.sqlite")]
    result = RUN.invoke(app, command)
    assert result.exit_code == 2
    assert "no Dask scheduler answers" in " ".join(re.sub(r"[│╭╮╰╯─]", " ", result.output).split())
