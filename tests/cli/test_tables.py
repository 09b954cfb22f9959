"""`unabases fit`, `predict`, `audit`, `explain` and `embed`, as a user types them."""

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from tests.tables.conftest import make_homes
from unabases import NeuralLinear, load, save
from unabases.cli.fit import make_regressor
from unabases.cli.main import app

RUN = CliRunner(env={"COLUMNS": "160", "NO_COLOR": "1"})
QUICK = ["--method", "GaussianProcess", "--set", "restarts=0"]


def run(*arguments, code=0):
    result = RUN.invoke(app, [str(argument) for argument in arguments])
    assert result.exit_code == code, result.output
    return result.output


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with a training table, new rows of which some are far away, and a model."""
    place = tmp_path_factory.mktemp("homes")
    make_homes(150).to_csv(place / "train.csv", index=False)
    new = make_homes(120, seed=1)
    far = new.index < 40
    new["rooms"] = new["rooms"] + 15 * far
    new.insert(0, "region", np.where(far, "west", "east"))
    new.to_csv(place / "new.csv", index=False)
    (place / "fit.txt").write_text(
        run("fit", place / "train.csv", "--target", "price", "--out", place / "m.una", *QUICK)
    )
    return place


def test_fit_writes_a_model_and_a_picture_and_says_how_good_it_is(place):
    said = (place / "fit.txt").read_text()
    for word in ("30 rows held out", "RMSE", "inside the 90 % interval", "calibration error", "m.una", "m.png"):
        assert word in said
    model = load(place / "m.una")
    assert model.training.n == 120
    assert f"{model.held_out.scores['rmse']:.4g}" in said
    assert (place / "m.png").read_bytes().startswith(b"\x89PNG")


def test_predict_writes_a_line_for_each_row(place):
    said = run("predict", place / "m.una", place / "new.csv", "--out", place / "p.csv", "--keep", "region")
    table = pd.read_csv(place / "p.csv")
    columns = ["row", "region", "mean", "epistemic_std", "noise_std", "lower", "upper", "defer"]
    assert table.columns.tolist() == columns
    assert (table["defer"][:40] == "yes").mean() > 0.9
    assert (table["defer"][40:] == "yes").mean() < 0.3
    assert "at most 10 % are deferred" in said
    assert "120 rows" in said


def test_predict_can_bound_the_error(place):
    said = run("predict", place / "m.una", place / "new.csv", "--out", place / "q.csv", "--max-error", "40")
    assert "mean absolute error" in said


def test_audit_writes_a_page_and_a_table_and_can_fail(place):
    said = run("audit", place / "m.una", place / "new.csv", "--by", "rooms,heating", "--out", place / "a.html")
    assert "rooms = " in said
    assert "</html>" in (place / "a.html").read_text()
    table = pd.read_csv(place / "a.csv")
    assert {"rooms", "heating"} == set(table["column"].dropna())
    unknown = run("audit", place / "m.una", place / "new.csv", "--by", "region", "--out", place / "r.html")
    assert "region = west" in unknown
    by = ["--by", "rooms", "--out", place / "b.html"]
    run("audit", place / "m.una", place / "new.csv", *by, "--fail-above", "1", code=3)
    assert (place / "b.html").exists()
    run("audit", place / "m.una", place / "new.csv", *by, "--fail-above", "100000")


def test_audit_says_what_to_defer_for_an_error(place):
    said = run(
        "audit", place / "m.una", place / "new.csv", "--by", "heating", "--max-error", "20", "--out", place / "c.html"
    )
    assert "for a mean absolute error of 20" in said


def test_explain_tells_inputs_and_neighbours(place):
    said = run("explain", place / "m.una", place / "new.csv", "--row", "7", "--nearest", "3")
    lines = said.splitlines()
    assert lines[0].startswith("row 7: price = ")
    first = next(i for i, line in enumerate(lines) if "the most unusual first" in line)
    assert lines[first + 2].split()[0] == "rooms"
    below = lines[next(i for i, line in enumerate(lines) if "nearest training rows" in line) + 1].split()
    assert below[:2] == ["distance", "rooms"]  # the input furthest outside first


def test_features_have_settings_of_their_own_which_can_be_changed():
    plain, own = (make_regressor("LUNA", ["lam=3"], 7, 5000, features) for features in (False, True))
    assert (plain.hidden_layer_sizes, own.hidden_layer_sizes) == ((50, 20), (50,))
    assert (own.lam, own.random_state, own.standardize) == (3, 7, "common")


def test_parquet_tables_and_drops(place, tmp_path):
    make_homes(60).assign(note=[f"n{i}" for i in range(60)], floor=1.0).to_parquet(tmp_path / "t.parquet")
    out = ["--target", "price", "--out", tmp_path / "m.una", *QUICK]
    assert "'note' of" in run("fit", tmp_path / "t.parquet", *out, code=1)
    options = ["--drop", "note", "--keep", "garden", "--category", "rooms", "--no-rows"]
    assert "the model learns nothing from it: floor" in run("fit", tmp_path / "t.parquet", *out, *options)
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


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["fit", "none.csv", "--target", "price"], "there is no file none.csv"),
        (["fit", "{}/train.csv", "--target", "cost"], "no column 'cost'; its columns are rooms, heating"),
        (["fit", "{}/train.csv", "--target", "price", "--method", "Oracle"], "unknown method 'Oracle'"),
        (["fit", "{}/train.csv", "--target", "price", "--set", "lamb=3"], "LUNA has no parameter 'lamb'"),
        (["fit", "{}/train.csv", "--target", "price", "--set", "lam"], "`--set` takes name=value"),
        (["fit", "{}/train.csv", "--target", "price", "--features", *QUICK], "`--features` is for LUNA"),
        (["fit", "{}/train.csv", "--target", "price", "--out", "{}/no/m.una"], "there is no directory"),
        (["predict", "{}/train.csv", "{}/new.csv"], "train.csv is a text file, not a model"),
        (["predict", "{}/m.una", "{}/none.csv"], "there is no file"),
        (["predict", "{}/m.una", "{}/new.csv", "--max-error", "1", "--defer-share", "0.1"], "give either"),
        (["audit", "{}/m.una", "{}/new.csv", "--by", "planet"], "no column 'planet' to audit by"),
        (["audit", "{}/m.una", "{}/new.csv", "--by", "price"], "'price' is the target"),
        (["explain", "{}/m.una", "{}/new.csv", "--row", "500"], "has 120 rows, so there is no row 500"),
        (["embed", "{}/nowhere", "--model", "{}/m.una"], "there is no file or folder"),
    ],
)
def test_errors_are_clear_and_without_a_traceback(place, arguments, message, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    said = run(*(argument.replace("{}", str(place)) for argument in arguments), code=1)
    assert message in " ".join(said.split())
    assert "Traceback" not in said
    assert list(tmp_path.iterdir()) == []


def test_a_model_without_its_table_is_told_how_to_make_one(place, tmp_path):
    X = np.linspace(0, 1, 20)[:, None]
    save(NeuralLinear(hidden_layer_sizes=(4,), max_steps=10, sigma2=0.1).fit(X, X[:, 0]), tmp_path / "bare.una")
    said = run("predict", tmp_path / "bare.una", place / "new.csv", code=1)
    assert "holds a NeuralLinear without the table" in " ".join(said.split())
