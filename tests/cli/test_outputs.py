"""No command loses a file: not an input, not another output, and nothing of another kind."""

import os
import shutil

import numpy as np
import pytest

from tests.cli.conftest import QUICK, run
from unabases.cli.outputs import Output, begins_with, check_outputs

FIT = ["fit", "t.csv", "--target", "price", *QUICK]
PREDICT, AUDIT = ["predict", "m.una", "t.csv"], ["audit", "m.una", "t.csv"]
INPUT, BOTH, OTHER = "it is an input", "would both be written to", "exists and is something else than"


@pytest.fixture
def folder(place, tmp_path, monkeypatch):
    """A folder with a table, a model, links to both, and files that are something else; nothing is trained in it."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(place / "train.csv", "t.csv")
    shutil.copy(place / "m.una", "m.una")
    for name, target in (("link.csv", "t.csv"), ("link.una", "m.una")):
        os.symlink(target, name)
    for name, target in (("lost.una", "no/m.una"), ("round.una", "round.una")):
        os.symlink(target, name)
    os.link("t.csv", "hard.csv")
    os.mkdir("dir")
    os.mkfifo("pipe.csv")
    for name in ("photo.png", "notes.csv", "notes.html", "notes.npz", "r.jsonl.gz", "net.onnx"):
        (tmp_path / name).write_bytes(b"\x89PNG of a holiday")
    monkeypatch.setattr("unabases.tables.TableModel.fit", lambda *a, **k: pytest.fail("trained before it checked"))
    return tmp_path


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ([*FIT, "--out", "t.csv"], INPUT),
        ([*FIT, "--out", "./dir/../t.csv"], INPUT),
        ([*FIT, "--out", "link.csv"], INPUT),
        ([*FIT, "--out", "hard.csv"], INPUT),
        (["fit", "link.csv", "--target", "price", "--out", "t.csv"], INPUT),
        ([*FIT, "--out", "t.csv", "--overwrite"], INPUT),
        ([*FIT, "--out", "x.png"], "promises another kind of file"),
        ([*FIT, "--out", "x.csv"], "promises another kind of file"),
        ([*FIT, "--out", "x.onnx", "--overwrite"], "promises another kind of file"),
        ([*FIT, "--out", "x.PNG"], "promises another kind of file"),
        ([*FIT, "--out", "photo.una"], OTHER),
        ([*FIT, "--out", "notes.csv"], OTHER),
        ([*FIT, "--out", "dir"], "it is a directory"),
        ([*FIT, "--out", ""], "it is a directory"),
        ([*FIT, "--out", "/", "--overwrite"], "it is a directory"),
        ([*FIT, "--out", "pipe.csv"], "it is no ordinary file"),
        ([*FIT, "--out", "/dev/null"], "it is no ordinary file"),
        ([*FIT, "--out", "-"], "cannot be written to the standard output"),
        ([*FIT, "--out", "no/m.una"], "there is no directory no"),
        ([*FIT, "--out", "t.csv/m.una"], "there is no directory t.csv"),
        ([*FIT, "--out", "lost.una"], "there is no directory"),
        ([*FIT, "--out", "round.una"], "a link that leads to itself"),
        ([*PREDICT, "--out", "p.xlsx"], "tables are written as CSV"),
        ([*PREDICT, "--out", "p.csv.bz2"], "tables are written as CSV"),
        ([*PREDICT, "--out", "t.csv"], INPUT),
        ([*PREDICT, "--out", "m.una"], INPUT),
        (["predict", "link.una", "t.csv", "--out", "m.una"], INPUT),
        ([*PREDICT, "--out", "notes.csv"], OTHER),
        ([*PREDICT, "--out", "photo.png"], OTHER),
        ([*AUDIT, "--out", "t.html"], INPUT),
        ([*AUDIT, "--out", "m.una"], INPUT),
        ([*AUDIT, "--out", "y.csv"], "promises another kind of file"),
        ([*AUDIT, "--out", "y.pdf"], "promises another kind of file"),
        ([*AUDIT, "--out", "notes.html"], OTHER),
        (["embed", "photo.png", "--model", "net.onnx", "--out", "net.onnx"], INPUT),
        (["embed", "photo.png", "--model", "net.onnx", "--out", "photo.png"], INPUT),
        (["embed", "photo.png", "--model", "net.onnx", "--out", "notes.npz"], OTHER),
        (["compare", "--out", "dir", "--store", "dir/rows.csv"], INPUT),
        (["compare", "--out", "t.csv"], "is a file, not a directory"),
        (["demo", "--out", "t.csv"], "is a file, not a directory"),
        (["report", "--store", "r.jsonl.gz", "--out", "dir", "--rows", "r.jsonl.gz"], INPUT),
        (["report", "--store", "r.jsonl.gz", "--out", "dir", "--markdown", "notes.html"], OTHER),
        (["report", "--store", "r.jsonl.gz", "--out", "dir", "--markdown", "dir/report.html"], BOTH),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_file_that_would_be_lost_is_told_before_any_work(folder, command, message):
    before = contents(folder)
    said = " ".join(run(*command, code=1).split())
    assert message in said
    assert contents(folder) == before
    assert not any((folder / "dir").iterdir())


def test_the_same_kind_is_replaced_and_another_kind_only_if_allowed(folder):
    for out in ("new.csv", "new.csv", "new.csv.gz", "new.parquet", "new.parquet"):
        run(*PREDICT, "--out", out)
    (folder / "empty.csv").touch()
    run(*PREDICT, "--out", "empty.csv")
    run(*PREDICT, "--out", "notes.csv", "--overwrite")
    assert contents(folder)["new.csv"] == contents(folder)["notes.csv"] == contents(folder)["empty.csv"]
    assert OTHER in run(*FIT, "--out", "new.csv", code=1)


def test_features_of_images_are_known_again(tmp_path):
    from unabases.cli.outputs import is_features

    np.savez(tmp_path / "f.npz", names=["a"], features=[[1.0]], settings="{}")
    np.savez(tmp_path / "other.npz", x=[1.0])
    (tmp_path / "f.csv").write_text("image,f0,f1\n")
    assert [is_features(tmp_path / name) for name in ("f.npz", "other.npz", "f.csv")] == [True, False, True]


def test_names_that_differ_only_in_case_are_one_file_on_some_systems(tmp_path):
    outputs = [Output(tmp_path / name, name, begins_with(b"")) for name in ("a.html", "A.HTML")]
    with pytest.raises(ValueError, match=BOTH):
        check_outputs(outputs, [])


def test_a_file_that_is_read_only_is_refused_before_any_work(tmp_path, monkeypatch):
    (tmp_path / "m.una").touch()
    monkeypatch.setattr("unabases.cli.outputs.os.access", lambda path, mode: False)
    with pytest.raises(ValueError, match=r"cannot write the model to .*m\.una: it is read-only"):
        check_outputs([Output(tmp_path / "m.una", "the model", begins_with(b""))], [])
