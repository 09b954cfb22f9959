"""Command lines that cannot be answered: each ends with a sentence, at once, and leaves the folder as it was."""

import os
import re
import shutil

import pytest

from tests.cli.conftest import RUN, place  # noqa: F401
from unabases.cli.main import app

FIT, PREDICT = ["fit", "t.csv", "--target", "price"], ["predict", "m.una", "t.csv"]
AUDIT, EXPLAIN = ["audit", "m.una", "t.csv"], ["explain", "m.una", "t.csv"]
USAGE = 2  # how typer ends where an option itself is wrong

COMMANDS = [
    (["fit"], "Missing argument"),
    (["fit", "t.csv"], "Missing option"),
    (["fit", "none.csv", "--target", "price"], "there is no file none.csv"),
    (["fit", "dir", "--target", "price"], "dir"),
    (["fit", "t.csv", "--target", ""], "column"),
    (["fit", "t.csv", "--target", "heating"], "heating"),
    ([*FIT, "--method", "Oracle"], "unknown method 'Oracle'"),
    ([*FIT, "--method", ""], "unknown method"),
    ([*FIT, "--set", "lam"], "`--set` takes name=value"),
    ([*FIT, "--set", "lamb=3"], "no parameter 'lamb'"),
    ([*FIT, "--set", "max_steps=0"], "max_steps"),
    ([*FIT, "--set", "max_steps=many"], "max_steps"),
    ([*FIT, "--set", "sigma2=-1"], "sigma2"),
    ([*FIT, "--set", "hidden_layer_sizes=(0,)"], "hidden"),
    ([*FIT, "--holdout", "1.5"], "holdout"),
    ([*FIT, "--holdout", "-0.1"], "holdout"),
    ([*FIT, "--holdout", "0.999"], "holdout"),
    ([*FIT, "--holdout", "nan"], "holdout"),
    ([*FIT, "--holdout", "half"], "holdout"),
    ([*FIT, "--seed", "-1"], "--seed"),
    ([*FIT, "--seed", "1.5"], "--seed"),
    ([*FIT, "--max-levels", "0"], "--max-levels"),
    ([*FIT, "--missing", "guess"], "missing"),
    ([*FIT, "--drop", "planet"], "planet"),
    ([*FIT, "--drop", "price"], "price"),
    ([*FIT, "--keep", "planet"], "planet"),
    ([*FIT, "--category", "planet"], "planet"),
    ([*FIT, "--number", "planet"], "planet"),
    ([*FIT, "--separator", ""], "separator"),
    ([*FIT, "--separator", ";"], "price"),
    ([*FIT, "--drop", " price"], "price"),
    ([*FIT, "--set", "max_steps=" + "(" * 5000], "max_steps"),
    (["fit", "blanks.csv", "--target", "price"], "no column 'price'.*' price' looks like it"),
    (["fit", "sheet.csv", "--target", "price"], "begins with 'sep=', a note for spreadsheets"),
    (["fit", "comma.csv", "--target", "price"], "It looks like numbers, which are written as 1234.5"),
    ([*FIT, "--bounds", "high"], "bounds"),
    ([*FIT, "--bounds", "3,1"], "bounds|lower"),
    ([*FIT, "--speed", "high"], "No such option"),
    (["fit", "long.csv", "--target", "price"], "too large to compute with"),
    (["fit", "days.csv", "--target", "price"], "mostly dates, but line 9 has '2026-02-30'"),
    (["predict"], "Missing argument"),
    (["predict", "pipe.una", "t.csv"], "pipe.una is not a file"),
    (["predict", "m.una", "pipe.una"], "no ordinary file"),
    ([*PREDICT, "--out", "pipe.una"], "no ordinary file"),
    (["predict", "none.una", "t.csv"], "there is no file none.una"),
    (["predict", "t.csv", "t.csv"], "text file, not a model"),
    (["predict", "m.una", "m.una"], "m.una"),
    (["predict", "m.una", "none.csv"], "there is no file none.csv"),
    (["predict", "m.una", "other.csv"], "other.csv|column"),
    ([*PREDICT, "--level", "0"], "level"),
    ([*PREDICT, "--level", "1"], "level"),
    ([*PREDICT, "--level", "90"], "level"),
    ([*PREDICT, "--level", "nan"], "level"),
    ([*PREDICT, "--defer-share", "-0.1"], "share"),
    ([*PREDICT, "--defer-share", "2"], "share"),
    ([*PREDICT, "--max-error", "-1"], "error"),
    ([*PREDICT, "--max-error", "nan"], "error"),
    ([*PREDICT, "--max-error", "1", "--defer-share", "0.1"], "give either"),
    ([*PREDICT, "--keep", "planet"], "planet"),
    ([*PREDICT, "--keep", "mean"], "mean"),
    (["audit"], "Missing argument"),
    (["audit", "none.una", "t.csv"], "there is no file none.una"),
    ([*AUDIT, "--by", "planet"], "no column 'planet'"),
    ([*AUDIT, "--by", "price"], "'price' is the target"),
    ([*AUDIT, "--out", "dir"], "directory"),
    ([*AUDIT, "--fail-above", "nan"], "--fail-above"),
    ([*AUDIT, "--max-error", "-1"], "max-error"),
    ([*AUDIT, "--level", "nan"], "level"),
    ([*EXPLAIN, "--row", "-1"], "row"),
    ([*EXPLAIN, "--row", "9999"], "no row 9999"),
    ([*EXPLAIN, "--row", "first"], "row"),
    (["embed", "nowhere", "--model", "m.una"], "there is no file or folder"),
    (["reproduce", "cubic-gap", "--seeds", "all"], "--seeds"),
    (["reproduce", "cubic-gap", "--seeds", "0-999999999999"], "--seeds"),
    (["reproduce", "cubic-gap", "--seeds", "4-0"], "--seeds"),
    (["reproduce", "cubic-gap", "--jobs", "0"], "--jobs"),
    (["report", "--out", "other"], "tables holds files of something else than a report"),
    (["data", "path", "--directory", "~nobody-has-this-name"], "home directory"),
    (["data", "list", "--directory", "~nobody-has-this-name"], "home directory"),
    (["report", "--store", "t.csv"], "t.csv"),
    (["data", "fetch", "planets"], "planets"),
    (["forecast"], "No such command"),
]


@pytest.fixture
def folder(place, tmp_path, monkeypatch):  # noqa: F811
    monkeypatch.chdir(tmp_path)
    shutil.copy(place / "train.csv", "t.csv")
    shutil.copy(place / "m.una", "m.una")
    (tmp_path / "other.csv").write_text("a,b\n1,2\n3,4\n")
    (tmp_path / "blanks.csv").write_text("rooms, price\n" + "3, 4\n" * 30)
    (tmp_path / "sheet.csv").write_text("sep=,\nrooms,price\n" + "3,4\n" * 30)
    (tmp_path / "comma.csv").write_text("rooms,price\n" + "".join(f'"{i},5",{i}\n' for i in range(60)))
    (tmp_path / "dir").mkdir()
    (tmp_path / "other" / "tables").mkdir(parents=True)
    (tmp_path / "other" / "tables" / "claims.csv").write_text("mine")
    (tmp_path / "long.csv").write_text("a,price\n" + "".join(f"{10**400 + i},{i}\n" for i in range(30)))
    days = [f"2026-0{month}-{day:02d}" for month in (1, 3) for day in range(1, 31)]
    days[7] = "2026-02-30"
    (tmp_path / "days.csv").write_text("day,price\n" + "".join(f"{day},{i}\n" for i, day in enumerate(days)))
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe.una")
    return tmp_path


@pytest.mark.parametrize(
    ("command", "words"), COMMANDS, ids=lambda value: " ".join(value) if isinstance(value, list) else ""
)
def test_commands(folder, command, words):
    before = {path.name for path in folder.iterdir()}
    result = RUN.invoke(app, command)
    said = " ".join(result.output.split())
    assert result.exit_code in (1, USAGE), said
    assert result.exception is None or isinstance(result.exception, SystemExit), repr(result.exception)
    assert re.search(words, said), said
    assert {path.name for path in folder.iterdir()} == before
