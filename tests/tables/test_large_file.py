"""A file read in pieces gives the model that the table in memory would, as far as both see the same rows."""

import copy

import numpy as np
import pytest

from tests.tables.conftest import make_homes
from unabases import LUNA, GaussianProcess
from unabases.datasets.row_sample import hash_rows
from unabases.tables.large_file import fit_file, is_large

pytest.importorskip("pyarrow")


def small_luna():
    return LUNA(hidden_layer_sizes=(10, 10), n_heads=2, sigma2=100.0, max_steps=100, random_state=0)


@pytest.fixture(scope="module")
def homes():
    homes = make_homes(5000)
    homes.loc[4321, "heating"] = "coal"  # one of its kind
    homes["street"] = "Elm"
    return homes


@pytest.fixture(scope="module")
def path(homes, tmp_path_factory):
    path = tmp_path_factory.mktemp("large") / "homes.parquet"
    homes.to_parquet(path)
    return path


@pytest.fixture(scope="module")
def model(path):
    return fit_file(
        path, "price", regressor=small_luna(), sample_rows=500, rows=700, holdout=0.01, drop=["street"], keep=["age"]
    )


def test_all_rows_are_trained_on_but_those_held_out(model, homes):
    held = np.argsort(hash_rows(0, 5000))[:50]
    assert model.training.n == model.regressor.rows_seen == 4950
    assert sorted(model.held_out.y) == sorted(homes["price"].iloc[held])


def test_the_last_layer_is_that_of_all_training_rows(model, homes):
    """The oracle is `refit`, given the encoded rows at once."""
    rest = np.sort(np.argsort(hash_rows(0, 5000))[50:])
    encoded, y, _ = model.schema.encode_training(homes.iloc[rest].reset_index(drop=True))
    few = encoded.take(np.arange(20))
    streamed, whole = model.regressor, copy.deepcopy(model.regressor).refit(encoded, y)
    np.testing.assert_allclose(streamed.predict(few, return_std=True), whole.predict(few, return_std=True), rtol=1e-5)


def test_columns_are_those_of_the_whole_file(model):
    assert model.schema.find("heating").levels == ("coal", "gas", "oil", "wood")
    assert model.schema.find("street") is None
    assert [column.name for column in model.schema.kept] == ["age"]
    assert model.training.profile("heating").shares["gas"] == pytest.approx(1 / 3, abs=0.05)
    assert model.held_out.scores["rmse"] < 30


def test_a_csv_file_gives_the_same_model(model, path, homes):
    csv = path.with_suffix(".csv")
    homes.to_csv(csv, index=False)
    again = fit_file(
        csv, "price", regressor=small_luna(), sample_rows=500, rows=999, holdout=0.01, drop=["street"], keep=["age"]
    )
    np.testing.assert_allclose(model.held_out.mean, again.held_out.mean, rtol=1e-4)


def test_a_fit_that_was_stopped_goes_on_where_it_was(model, path, monkeypatch):
    monkeypatch.setattr("unabases.regressors.networks.streamed._OFTEN", 0.0)
    options = {"sample_rows": 500, "rows": 700, "holdout": 0.01, "drop": ["street"], "keep": ["age"]}
    kept = []

    def stop(partly):
        kept.append(copy.deepcopy(partly))
        if len(kept) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fit_file(path, "price", regressor=small_luna(), on_part=stop, **options)
    assert 1900 < kept[-1].rows_seen <= 2100
    monkeypatch.setattr(LUNA, "fit", None)  # nothing is trained again
    again = fit_file(path, "price", regressor=small_luna(), resumed=kept[-1], **options)
    assert again.training.n == 4950
    np.testing.assert_allclose(again.held_out.mean, model.held_out.mean, rtol=1e-9)


def test_a_small_file_suits_every_regressor(path, homes, tmp_path):
    small = tmp_path / "few.csv"
    homes.head(60).to_csv(small, index=False)
    model = fit_file(small, "price", regressor=GaussianProcess(restarts=0))
    assert (model.training.n, len(model.held_out.y)) == (48, 12)
    with pytest.raises(ValueError, match="GaussianProcess needs all of them in memory; choose `UNA`"):
        fit_file(path, "price", regressor=GaussianProcess(), sample_rows=500)


def test_a_constant_target_is_told(homes, tmp_path):
    same = tmp_path / "same.csv"
    homes.head(60).assign(price=3.0).to_csv(same, index=False)
    with pytest.warns(UserWarning, match=r"the target 'price' of .*same\.csv is 3 in all rows"):
        fit_file(same, "price", regressor=GaussianProcess(restarts=0))


def test_a_wrong_name_is_refused_before_the_file_is_read(path):
    with pytest.raises(ValueError, match="no column 'cost'; its columns are rooms"):
        fit_file(path, "cost")


def test_a_file_is_large_by_its_size(path, monkeypatch):
    assert not is_large(path)
    monkeypatch.setattr("unabases.tables.large_file._LARGE", 10)
    assert is_large(path)
    assert not is_large(path.with_name("absent.csv"))


def test_weights_of_rows_reach_the_last_layer_of_all_rows(homes, tmp_path):
    """The oracle is `refit`, given the encoded rows and weights at once; one piece has no row that counts."""
    weight = np.where(np.arange(5000) < 700, 0, 1 + np.arange(5000) % 3)
    path = tmp_path / "weighted.parquet"
    homes.assign(count=weight).to_parquet(path)
    rules = {"sample_rows": 500, "rows": 700, "holdout": 0.01, "drop": ["street"]}
    model = fit_file(path, "price", weight="count", regressor=small_luna(), **rules)
    rest = np.sort(np.argsort(hash_rows(0, 5000))[50:])
    assert model.training.n == weight[rest].sum()
    rest = rest[weight[rest] > 0]
    encoded, y, _ = model.schema.encode_training(homes.iloc[rest].reset_index(drop=True))
    few = encoded.take(np.arange(20))
    streamed = model.regressor
    whole = copy.deepcopy(streamed).refit(encoded, y, sample_weight=weight[rest])
    np.testing.assert_allclose(streamed.predict(few, return_std=True), whole.predict(few, return_std=True), rtol=1e-5)
