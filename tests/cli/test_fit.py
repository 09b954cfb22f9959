"""`unabases fit`, as a user types it."""

import json

import numpy as np
import pandas as pd
import pytest

from tests.cli.conftest import QUICK, RUN, run
from tests.tables.conftest import make_homes
from unabases import load
from unabases.cli.fit import make_regressor
from unabases.cli.main import app


def test_fit_writes_a_model_and_a_picture_and_says_how_good_it_is(place):
    said = (place / "fit.txt").read_text()
    for word in ("30 rows held out", "RMSE", "inside the 90 % interval", "calibration error", "m.una", "m.png"):
        assert word in said
    model = load(place / "m.una")
    assert model.training.n == 120
    assert f"{model.held_out.scores['rmse']:.4g}" in said
    assert (place / "m.png").read_bytes().startswith(b"\x89PNG")


def test_fit_for_programs(place, tmp_path):
    given = ["fit", place / "train.csv", "--target", "price", "--out", tmp_path / "m.una", *QUICK, "--json"]
    told = json.loads(RUN.invoke(app, list(map(str, given))).stdout)
    assert told["scores"] == pytest.approx(load(place / "m.una").held_out.scores)
    assert (told["rows_trained_on"], told["rows_held_out"], told["constant"]) == (120, 30, [])
    assert told["inputs"]["heating"] == "category"


def test_a_column_of_weights(place, tmp_path):
    table = make_homes(150)
    table.assign(count=(table["rooms"] > 3) + 1).to_csv(tmp_path / "t.csv", index=False)
    given = ["fit", tmp_path / "t.csv", "--target", "price", "--out", tmp_path / "m.una", *QUICK, "--weight"]
    run(*given, "count")
    model, once = load(tmp_path / "m.una"), load(place / "m.una")
    assert model.schema == once.schema
    assert not (model.predict(table)["mean"] == once.predict(table)["mean"]).all()
    assert "no column 'counts'; its columns are" in run(*given, "counts", "--overwrite", code=1)


def test_it_says_which_inputs_are_seen_on_a_logarithm(tmp_path):
    rng = np.random.default_rng(0)
    sizes = pd.DataFrame(np.exp(rng.standard_normal((120, 2))), columns=["area", "people"])
    sizes.assign(price=sizes["area"] ** 1.5 / sizes["people"]).to_csv(tmp_path / "t.csv", index=False)
    fast = [f"--set={given}" for given in ("max_steps=50", "n_folds=2", "n_slabs=0", "hidden_layer_sizes=8,")]
    said = run("fit", tmp_path / "t.csv", "--target", "price", "--out", tmp_path / "m.una", *fast)
    assert "seen on a logarithm: area, people" in said
    assert "seen on a logarithm" not in run(
        "fit", tmp_path / "t.csv", "--target", "price", "--out", tmp_path / "p.una", *fast, "--set", "inputs=identity"
    )


def test_features_have_settings_of_their_own_which_can_be_changed():
    plain, own = (make_regressor("LUNA", ["lam=3"], 7, 5000, features) for features in (False, True))
    assert (plain.hidden_layer_sizes, own.hidden_layer_sizes) == ((50, 40), (50,))
    assert (own.lam, own.random_state, own.standardize) == (3, 7, "common")


def test_parquet_tables_and_drops(place, tmp_path):
    make_homes(60).assign(note=[f"n{i}" for i in range(60)], floor=1.0).to_parquet(tmp_path / "t.parquet")
    out = ["--target", "price", "--out", tmp_path / "m.una", *QUICK]
    with_note = ["--target", "price", "--out", tmp_path / "note.una", *QUICK]
    said = run("fit", tmp_path / "t.parquet", *with_note)
    assert "'note' of" in said
    assert "Nothing is learned from it" in said
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
    assert "inputs: 2 numbers, 2 categories, 1 date" in said
    run("predict", tmp_path / "m.una", tmp_path / "t.csv", "--out", tmp_path / "p.csv")
    noise = pd.read_csv(tmp_path / "p.csv")["noise_std"]
    assert noise[::4].min() > 2 * noise.drop(noise.index[::4]).max()


def test_text_of_users_is_never_interpreted(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    target, levels = r"[/red]$\frac{$", ["[/bold]", "[red]", "\x1b[31m", ":smile:"]
    homes = make_homes(40).rename(columns={"price": target}).drop(columns="garden")
    homes["heating"] = [levels[i % 4] for i in range(40)]
    homes.to_csv("t.csv", index=False)
    said = run("fit", "t.csv", "--target", target, "--out", "m.una", *QUICK)
    assert f"GaussianProcess of {target}" in said
    assert f"std of {target} itself" in said
    homes["heating"] = homes["heating"].replace("[red]", "[/nothing]")
    homes.to_csv("new.csv", index=False)
    said = run("predict", "m.una", "new.csv", "--out", "p[red].csv")
    assert "column 'heating' has values that the model has never seen" in said
    assert "'[/nothing]' (10)" in said
    assert "p[red].csv" in said
    run("audit", "m.una", "new.csv", "--by", "heating", "--out", "a.html")
    page = (tmp_path / "a.html").read_text()
    assert "[/nothing] (10)" in page
    assert target in page
    said = run("explain", "m.una", "t.csv", "--row", "3")
    assert f"\n{target} = " in said
    assert r"\x1b[31m" in said
    assert "\x1b" not in said


def test_wrong_cells_can_be_missing_and_constant_targets_are_told(tmp_path):
    homes = make_homes(40).astype({"age": str})
    homes.loc[[3, 4], "age"] = "unknown"
    homes.to_csv(tmp_path / "t.csv", index=False)
    out = ["--target", "price", "--out", tmp_path / "m.una", *QUICK]
    run("fit", tmp_path / "t.csv", *out, "--number", "age", "--missing", "impute")
    assert load(tmp_path / "m.una").schema.find("age").lenient
    run("predict", tmp_path / "m.una", tmp_path / "t.csv", "--out", tmp_path / "p.csv")
    make_homes(40).assign(price=7).to_csv(tmp_path / "t.csv", index=False)
    assert "Warning: the target 'price'" in run("fit", tmp_path / "t.csv", *out)


def test_an_unknown_parameter_is_told_of_the_model_that_is_made():
    with pytest.raises(ValueError, match="LUNA has no parameter 'n_trees'"):
        make_regressor(None, ["n_trees=20"], 0, 100, features=True)
    assert make_regressor(None, ["n_heads=20"], 0, 100).n_heads == 20


def test_features_and_another_method_contradict_each_other():
    with pytest.raises(ValueError, match="`--features` makes a LUNA, but `--method` is 'UNA'; leave one"):
        make_regressor("UNA", [], 0, 100, features=True)
