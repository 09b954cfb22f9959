"""Partitions on the workers of a cluster teach a model what they would one after the other, here."""

import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tests.regressors.networks.test_streamed import TEST, make, rows
from unabases import LUNA, UNA
from unabases.datasets import chunks_of
from unabases.regressors.networks.on_dask import is_dask, predict_on_dask, sample_on_dask, statistics_on_dask

dask = pytest.importorskip("dask")
dd = pytest.importorskip("dask.dataframe")
pytest.importorskip("dask.array")
distributed = pytest.importorskip("distributed")

SAMPLE = 200


def load(place: int, marker: str) -> pd.DataFrame:
    """A partition of 250 rows; reading the last one kills the worker, the first time."""
    if place == 3 and not Path(marker).exists():
        Path(marker).touch()
        os._exit(1)
    X, y = rows()
    return pd.DataFrame({"x": X[:, 0], "y": y}).iloc[250 * place : 250 * place + 250]


def table(marker: str):
    parts = [dask.delayed(load)(place, marker) for place in range(4)]
    return dd.from_delayed(parts, meta={"x": float, "y": float}, verify_meta=False)


@pytest.fixture(scope="module")
def known(tmp_path_factory):
    """A marker that is there: nobody dies."""
    path = tmp_path_factory.mktemp("dask") / "marker"
    path.touch()
    return str(path)


@pytest.fixture(scope="module")
def local():
    frame = pd.DataFrame({"x": rows()[0][:, 0], "y": rows()[1]})
    return make(UNA).fit_stream(chunks_of(frame, "y", rows=250), sample_rows=SAMPLE)


def same(found, model):
    for mine, other in zip(found, model._statistics(), strict=True):
        assert mine.n == other.n == 1000
        for name in ("G", "b", "yy"):
            wanted = getattr(other, name)
            np.testing.assert_allclose(getattr(mine, name), wanted, rtol=1e-9, atol=1e-9 * np.abs(wanted).max())


def test_the_sample_is_that_of_the_rows_in_order(known):
    frame = table(known)
    with dask.config.set(scheduler="synchronous"):
        found = sample_on_dask(frame[["x"]], frame["y"], SAMPLE)
    X, y = rows()
    assert found.X["x"].tolist() == X[found.numbers, 0].tolist()
    assert found.y.tolist() == y[found.numbers].tolist()
    assert (len(found.numbers), found.seen) == (SAMPLE, 1000)


def test_partitions_with_weights_are_rows_that_count_so_often(local, known):
    frame = table(known)
    X, y = rows()
    weight = 1.0 + np.arange(1000) % 3
    weights = dask.array.from_array(weight, chunks=250)
    with dask.config.set(scheduler="synchronous"):
        sample = sample_on_dask(frame[["x"]], frame["y"], SAMPLE, weight=weights)
        found = statistics_on_dask(local, frame[["x"]], frame["y"], weights)
    assert sample.weight.tolist() == weight[sample.numbers].tolist()
    for mine, other in zip(found, local.statistics_of(pd.DataFrame({"x": X[:, 0]}), y, weight), strict=True):
        assert mine.n == other.n == weight.sum()
        np.testing.assert_allclose(mine.G, other.G, rtol=1e-9, atol=1e-9 * np.abs(other.G).max())
    with pytest.raises(TypeError, match="`sample_weight` must be a Dask collection"):
        statistics_on_dask(local, frame[["x"]], frame["y"], weight)


def test_two_processes_find_what_one_finds_even_if_one_is_killed(local, tmp_path):
    frame = table(str(tmp_path / "marker"))
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster),
    ):
        same(statistics_on_dask(local, frame[["x"]], frame["y"]), local)
        assert (tmp_path / "marker").exists()  # a worker has died
        mean, std = dask.compute(*local.predict(frame[["x"]], return_std=True))
    wanted = local.predict(pd.DataFrame({"x": rows()[0][:, 0]}), return_std=True)
    np.testing.assert_allclose([mean, std], wanted, rtol=1e-6)


def test_fit_takes_tables_of_dask(known, monkeypatch):
    X, y = rows()
    local = make(LUNA).fit_stream(chunks_of(pd.DataFrame({"x": X[:, 0], "y": y}), "y", rows=250), sample_rows=SAMPLE)
    monkeypatch.setattr("unabases.regressors.networks.streamed.SAMPLE", SAMPLE)
    frame = table(known)
    with dask.config.set(scheduler="synchronous"):
        model = make(LUNA).fit(frame[["x"]], frame["y"])
        same(model._statistics(), local)
        wanted = local.predict(frame[["x"]].compute(), return_std=True)
        np.testing.assert_allclose(model.predict(frame[["x"]]).compute(), wanted[0], rtol=1e-6)


def test_arrays_of_dask_do_as_well():
    array = pytest.importorskip("dask.array")
    X, y = (array.from_array(part, chunks=250) for part in rows())
    model = make(LUNA).fit(*rows())
    with dask.config.set(scheduler="synchronous"):
        assert np.array_equal(make(LUNA).fit(X, y).predict(TEST), model.predict(TEST))  # all rows are in the sample
        mean, std = predict_on_dask(model, X, return_std=True)
        assert is_dask(mean)
        np.testing.assert_allclose(dask.compute(mean, std), model.predict(rows()[0], return_std=True), rtol=1e-6)


def test_rows_and_targets_must_be_partitioned_alike(known, local):
    frame = table(known)
    with pytest.raises(ValueError, match="4 partitions but `y` has 1"):
        statistics_on_dask(local, frame[["x"]], frame["y"].repartition(npartitions=1))
    with pytest.raises(TypeError, match="must be a Dask collection"):
        sample_on_dask(frame[["x"]], np.zeros(1000), SAMPLE)
