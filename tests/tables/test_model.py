import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from tests.tables.conftest import make_homes
from unabases import UNA, GaussianProcess, TableModel, load, save
from unabases.metrics import rmse, score
from unabases.predictive import Normal
from unabases.tables import default_regressor, feature_regressor


def test_rows_are_trained_on_or_held_out_never_both(homes, model):
    assert model.training.n + len(model.held_out.y) == len(homes)
    trained, held = model.training.rows, model.held_out.columns
    assert len(trained) == 96
    both = pd.concat([trained, held])
    assert not both.duplicated().any()
    assert set(model.held_out.y) < set(homes["price"])


def test_held_out_scores_are_those_of_its_predictions(homes, model):
    held = model.held_out
    again = model.predict_dist(held.columns.assign(price=0.0))
    assert_allclose(again.mean, held.mean)
    assert_allclose(again.epistemic_std, held.epistemic_std)
    assert held.scores["rmse"] == pytest.approx(rmse(Normal(held.mean, held.epistemic_std, held.noise_std), held.y))
    assert held.scores["rmse"] < 15 < np.std(held.y)


def test_predictions_are_those_of_the_regressor(homes, model):
    table = model.predict(homes, level=0.8)
    d = model.regressor.predict_dist(homes.drop(columns="price"))
    assert_array_equal(table["mean"], d.mean)
    assert_array_equal(table["lower"], d.interval(0.8)[0])
    assert model.predict_dist(homes.tail(3)).to_frame().index.tolist() == homes.index[-3:].tolist()
    assert not table["unknown"].any()


def test_a_saved_model_is_the_same_model(homes, model, tmp_path):
    save(model, tmp_path / "m.una")
    again = load(tmp_path / "m.una")
    assert isinstance(again, TableModel)
    pd.testing.assert_frame_equal(again.predict(homes), model.predict(homes))
    assert again.schema == model.schema
    pd.testing.assert_frame_equal(again.training.rows, model.training.rows)
    pd.testing.assert_frame_equal(again.held_out.columns, model.held_out.columns)
    assert again.held_out.scores == model.held_out.scores
    for a, b in zip(again.training.profiles, model.training.profiles, strict=True):
        assert (a.name, a.shares) == (b.name, b.shares)
        assert_array_equal(a.quantiles, b.quantiles)
    assert repr(again) == repr(model)


def test_a_model_can_be_told_to_keep_no_rows(homes, tmp_path):
    model = TableModel.fit(homes, "price", regressor=GaussianProcess(restarts=0), keep_rows=0, random_state=0)
    assert model.training.rows is None
    assert model.held_out.columns is None
    save(model, tmp_path / "m.una")
    assert load(tmp_path / "m.una").training.rows is None
    content = (tmp_path / "m.una").read_bytes()
    secret = homes["age"].to_numpy()
    inner = secret[(secret > secret.min()) & (secret < secret.max())]
    exact = {inner.tobytes()[i : i + 8] for i in range(0, inner.nbytes, 8)}
    listed = [value for value in exact if value in content]
    assert len(listed) < len(exact) / 4  # quantiles may be values that occur; rows are not there


def test_rows_without_a_prediction_are_empty(homes):
    frame = homes.astype({"rooms": float})
    frame.loc[3, "rooms"] = np.nan
    model = TableModel.fit(
        frame, "price", regressor=GaussianProcess(restarts=0), missing="drop", keep=["garden"], random_state=0
    )
    table = model.predict(frame.head(6))
    assert table["mean"].isna().tolist() == [False] * 3 + [True] + [False] * 2
    with pytest.raises(ValueError, match="has 1 row with missing values"):
        model.predict_dist(frame.head(6))
    assert model.training.n + len(model.held_out.y) == len(frame) - 1


@pytest.mark.parametrize(
    ("change", "options", "message"),
    [
        (lambda f: f.head(10), {}, "has 10 usable rows; at least 20 are needed"),
        (lambda f: f.head(1), {}, "has 1 usable row; at least 20 are needed"),
        (lambda f: f, {"holdout": 1.5}, "`holdout` must be a share"),
        (lambda f: f.assign(price=f["price"].where(f.index != 4)), {}, "'price' .* is missing in 1 row, .* row 5"),
        (lambda f: f.assign(price="dear"), {}, "'price' of the table must hold numbers.* no model here classifies"),
        (lambda f: f.assign(price=np.nan), {"missing": "drop"}, "'price' of the table has no values at all"),
        (lambda f: f.to_numpy(), {}, "must be a pandas DataFrame, whose columns have names; got a ndarray"),
    ],
)  # fmt: skip
def test_what_cannot_be_fitted_is_refused(homes, change, options, message):
    with pytest.raises(ValueError, match=message):
        TableModel.fit(change(homes), "price", regressor=GaussianProcess(restarts=0), **options)


def test_a_class_in_place_of_a_regressor_is_refused_with_what_to_write(homes):
    with pytest.raises(TypeError, match=r"is the class GaussianProcess; .*: regressor=GaussianProcess\(\)\."):
        TableModel.fit(homes, "price", regressor=GaussianProcess)


def test_by_default_a_table_is_learned_by_the_recommended_regressor():
    made = default_regressor(random_state=3)
    assert type(made) is UNA
    assert made.get_params() == UNA(random_state=3).get_params()


def test_features_train_ten_epochs_and_no_fewer_than_a_few_hundred_steps():
    assert (feature_regressor(21_000).max_steps, feature_regressor(21_000).batch_size) == (210, 1024)
    assert (feature_regressor(500).max_steps, feature_regressor(500).batch_size) == (200, None)
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(60, 5)) * [1, 1, 1, 1, 100], columns=list("abcde"))
    frame["t"] = frame["a"]
    model = TableModel.fit(
        frame, "t", regressor=feature_regressor(60).set_params(max_steps=20, sigma2=0.1), random_state=0
    )
    assert np.unique(model.regressor.x_scale_.spread).size == 1


def test_the_seed_decides_which_rows_are_held_out():
    homes = make_homes(40)
    fit = lambda seed: TableModel.fit(  # noqa: E731
        homes, "price", regressor=GaussianProcess(restarts=0), random_state=seed
    ).held_out.y.tolist()
    assert fit(1) == fit(1) != fit(2)


def test_missing_values_raise_the_noise_and_the_regressor_takes_the_table_itself(homes, tmp_path):
    frame = homes.astype({"rooms": float})
    frame.loc[::4, "rooms"] = np.nan
    model = TableModel.fit(
        frame, "price", regressor=GaussianProcess(restarts=0), missing="impute", drop=["garden"], random_state=0
    )
    table = model.predict(frame)
    lacking = frame["rooms"].isna()
    assert table["noise_std"][lacking].min() > 2 * table["noise_std"][~lacking].max()
    assert_array_equal(model.regressor.predict(frame[["rooms", "heating", "age"]]), table["mean"])
    save(model, tmp_path / "m.una")
    pd.testing.assert_frame_equal(load(tmp_path / "m.una").predict(frame), table)


def test_a_regressor_of_an_earlier_file_that_knows_only_numbers_still_predicts(homes, model):
    encoded = model.schema.encode(homes)
    regressor = GaussianProcess(restarts=0).fit(encoded.X, homes["price"])
    old = TableModel(regressor, model.schema, model.training, model.held_out)
    assert_array_equal(old.predict_dist(homes).mean, regressor.predict(encoded.X))
    assert_array_equal(old.predict(homes)["mean"], regressor.predict(encoded.X))


def test_a_constant_target_is_told_and_too_few_rows_to_train_on_are_refused(homes):
    quick = GaussianProcess(restarts=0, random_state=0)
    with pytest.warns(UserWarning, match="the target 'price' of the table is 3 in all rows"):
        TableModel.fit(homes.head(20).assign(price=3.0), "price", regressor=quick)
    with pytest.raises(ValueError, match=r"`holdout` = 0.999 leaves 0 of 120 rows .* choose at most 0\.91"):
        TableModel.fit(homes, "price", regressor=quick, holdout=0.999)


def test_polars_tables_are_the_same_tables(homes):
    pl = pytest.importorskip("polars")
    table = pl.DataFrame(homes.to_dict("list"))
    made, known = (
        TableModel.fit(frame, "price", regressor=GaussianProcess(restarts=0), random_state=0)
        for frame in (table, homes)
    )
    assert made.schema == known.schema
    found = made.predict(table)
    assert isinstance(found, pl.DataFrame)
    assert found.to_dict(as_series=False) == known.predict(homes).to_dict("list")
    back = made.predict_dist(table)[5:10].to_frame(0.8)
    assert isinstance(back, pl.DataFrame)
    assert back.to_dict(as_series=False) == known.predict_dist(homes)[5:10].to_frame(0.8).to_dict("list")


def test_a_column_of_weights_says_how_often_rows_count(homes):
    """The oracle is the regressor itself, given the same rows and weights."""
    extra = homes.head(10).assign(heating="coal")  # of weight 0: as if they were not there
    weight = np.r_[1.0 + np.arange(len(homes)) % 3, np.zeros(10)]
    table = pd.concat([homes, extra], ignore_index=True).assign(count=weight)
    quick = GaussianProcess(restarts=0)
    model = TableModel.fit(table, "price", weight="count", regressor=quick, random_state=0)
    assert model.schema.find("count") is None
    assert "coal" not in model.schema.find("heating").levels
    rest = np.random.default_rng(0).permutation(len(homes))[len(model.held_out.y) :]
    rows = homes.iloc[rest]
    known = GaussianProcess(restarts=0).fit(rows.drop(columns="price"), rows["price"], sample_weight=weight[rest])
    assert_array_equal(model.predict(homes)["mean"], known.predict(homes.drop(columns="price")))
    apart = np.setdiff1d(np.arange(len(homes)), rest)
    rows = homes.iloc[apart]
    scores = score(known, rows.drop(columns="price"), rows["price"], sample_weight=weight[apart])
    assert model.held_out.scores == pytest.approx(scores)
    once = TableModel.fit(homes, "price", regressor=GaussianProcess(restarts=0), random_state=0)
    assert not np.allclose(model.predict(homes)["mean"], once.predict(homes)["mean"])
    for role, rules in (("the target", {"target": "count"}), ("in `keep`", {"target": "price", "keep": ["count"]})):
        with pytest.raises(ValueError, match=f"'count' holds the weights, so it cannot be {role}"):
            TableModel.fit(table, weight="count", **rules)
