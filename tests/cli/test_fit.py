"""`unabases fit`, as a user types it."""

import pandas as pd

from tests.cli.conftest import QUICK, run
from tests.tables.conftest import make_homes
from unabases import load
from unabases.cli.fit import make_regressor


def test_fit_writes_a_model_and_a_picture_and_says_how_good_it_is(place):
    said = (place / "fit.txt").read_text()
    for word in ("30 rows held out", "RMSE", "inside the 90 % interval", "calibration error", "m.una", "m.png"):
        assert word in said
    model = load(place / "m.una")
    assert model.training.n == 120
    assert f"{model.held_out.scores['rmse']:.4g}" in said
    assert (place / "m.png").read_bytes().startswith(b"\x89PNG")


def test_features_have_settings_of_their_own_which_can_be_changed():
    plain, own = (make_regressor("LUNA", ["lam=3"], 7, 5000, features) for features in (False, True))
    assert (plain.hidden_layer_sizes, own.hidden_layer_sizes) == ((50, 20), (50,))
    assert (own.lam, own.random_state, own.standardize) == (3, 7, "common")


def test_parquet_tables_and_drops(place, tmp_path):
    make_homes(60).assign(note=[f"n{i}" for i in range(60)], floor=1.0).to_parquet(tmp_path / "t.parquet")
    out = ["--target", "price", "--out", tmp_path / "m.una", *QUICK]
    assert "'note' of" in run("fit", tmp_path / "t.parquet", *out, code=1)
    options = ["--drop", "note", "--keep", "garden", "--category", "rooms", "--no-rows"]
    assert "the model learns nothing from it: floor" in run("fit", tmp_path / "t.parquet", *out, *options, "--stream")
    model = load(tmp_path / "m.una")
    assert model.schema.find("rooms").kind == "category"
    assert model.training.rows is None
    run("predict", tmp_path / "m.una", tmp_path / "t.parquet", "--out", tmp_path / "p.parquet")
    assert len(pd.read_parquet(tmp_path / "p.parquet")) == 60
    said = run("explain", tmp_path / "m.una", tmp_path / "t.parquet", "--row", "1")
    assert "stores no training rows" in said
    make_homes(1).assign(floor=2.0, rooms=99).to_csv(tmp_path / "high.csv", index=False)
    said = run("explain", tmp_path / "m.una", tmp_path / "high.csv", "--row", "1")
    assert "beyond all" in said
    assert "never seen" in said


def test_dates_and_missing_values_of_a_text_file(tmp_path):
    days = pd.Timestamp(2026, 1, 1) + pd.to_timedelta(range(80), unit="D")
    homes = make_homes(80).astype({"rooms": float}).assign(sold=days.strftime("%Y-%m-%d"))
    homes.loc[::4, "rooms"] = None
    homes.to_csv(tmp_path / "t.csv", index=False)
    said = run(
        "fit", tmp_path / "t.csv", "--target", "price", "--out", tmp_path / "m.una", "--missing", "impute", *QUICK
    )
    assert "inputs: 2 numbers, 2 categories, 1 dates" in said
    run("predict", tmp_path / "m.una", tmp_path / "t.csv", "--out", tmp_path / "p.csv")
    noise = pd.read_csv(tmp_path / "p.csv")["noise_std"]
    assert noise[::4].min() > 2 * noise.drop(noise.index[::4]).max()
