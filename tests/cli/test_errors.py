"""What is wrong with files and values is told in a sentence."""

import errno
import gzip
import os
import subprocess
import sys
import warnings

import pytest
import typer

from tests.cli.conftest import QUICK, run
from tests.tables.conftest import make_homes
from unabases.cli.errors import clear_errors, in_options, split_names


def test_names_are_split_at_commas():
    assert split_names(" a, b,,") == ["a", "b"]
    assert split_names(None) == []
    assert split_names('"a,b", c') == ["a,b", "c"]
    assert split_names('" a "') == [" a "]
    assert split_names("a\rb") == ["a b"]


def test_messages_speak_of_options_where_python_speaks_of_parameters(tmp_path):
    homes = make_homes(30).astype({"rooms": float})
    homes.loc[3, "rooms"] = None
    homes.to_csv(tmp_path / "t.csv", index=False)
    said = " ".join(run("fit", tmp_path / "t.csv", "--target", "price", *QUICK, code=1).split())
    assert "or choose --missing drop (rows with missing values are left out) or --missing impute (medians" in said
    assert "=" not in said
    homes.assign(rooms=["many" if i == 4 else str(i) for i in range(30)]).to_csv(tmp_path / "t.csv", index=False)
    said = " ".join(run("fit", tmp_path / "t.csv", "--target", "price", *QUICK, code=1).split())
    assert "with --number rooms, or levels of a category like all others in this column, with --category rooms." in said


def test_text_of_users_is_no_option():
    said = "column '`drop` it' and `gamma` and `max_levels` = 50"
    assert in_options(said) == "column '`--drop` it' and `gamma` and `--max-levels` = 50"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["fit", "none.csv", "--target", "price"], "there is no file none.csv"),
        (["fit", "{}/train.csv", "--target", "cost"], "no column 'cost'; its columns are rooms, heating"),
        (["fit", "{}/train.csv", "--target", "heating"], "It is the target, and only numbers are predicted"),
        (["fit", "{}/train.csv", "--target", "price", "--method", "Oracle"], "unknown method 'Oracle'"),
        (["fit", "{}/train.csv", "--target", "price", "--set", "lamb=3"], "UNA has no parameter 'lamb'"),
        (["fit", "{}/train.csv", "--target", "price", "--set", "lam"], "`--set` takes name=value"),
        (["fit", "{}/train.csv", "--target", "price", "--features", *QUICK], "`--features` makes a LUNA"),
        (["fit", "{}/train.csv", "--target", "price", "--out", "{}/no/m.una"], "there is no directory"),
        (["predict", "{}/train.csv", "{}/new.csv"], "train.csv is a text file, not a model"),
        (["predict", "{}/m.una", "{}/none.csv"], "there is no file"),
        (["predict", "{}/m.una", "{}/new.csv", "--max-error", "1", "--defer-share", "0.1"], "give either"),
        (["audit", "{}/m.una", "{}/new.csv", "--by", "planet"], "new.csv has no column 'planet'; its columns are"),
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


def changed(lines, change):
    """The lines of a table, with all rows but the header changed."""
    return "\n".join([lines[0], *map(change, lines[1:])]).encode()


def bad_tables():
    text = make_homes(30).to_csv(index=False)
    lines = text.splitlines()
    packed = gzip.compress(text.encode())
    odd = [line + ",1" if place == 9 else line for place, line in enumerate(lines)]
    return {
        "leading": ("t.csv", changed(lines, "x,{}".format), "line 2 of t.csv has 6 fields, but the header has 5"),
        "trailing": ("t.csv", changed(lines, "{},9".format), "line 2 of t.csv has 6 fields, but the header has 5"),
        "odd": ("t.csv", "\n".join(odd).encode(), "line 10 of t.csv has 6 fields, but the header has 5"),
        "index": ("t.csv", make_homes(30).to_csv().encode(), "column 1 of t.csv has no name; name it, or remove it"),
        "quote": ("t.csv", text.replace(",gas", ',"gas', 1).encode(), "a quotation mark missing or out of place"),
        "cut": ("t.csv.gz", packed[: len(packed) // 2], "t.csv.gz is cut short or damaged"),
        "zip": ("t.zip", b"PK\x03\x04", "t.zip is cut short or damaged"),
        "latin": ("t.csv", text.replace("gas", "gás").encode("latin-1"), "is not UTF-8 (byte 0xe1)"),
        "utf-16": ("t.csv", text.encode("utf-16"), "it looks like UTF-16 text"),
        "header": ("t.csv", lines[0].encode(), "t.csv has a header but no rows"),
        "empty": ("t.csv", b"", "t.csv is empty"),
        "parquet": ("t.parquet", b"PAR1", "t.parquet is not a Parquet file, is cut short or damaged"),
        "large": ("t.csv", text.replace(lines[5].split(",")[3], "1e300").encode(), "line 6 has 1e+300"),
        "text": ("t.csv", text.replace(lines[5].split(",")[3], "unknown").encode(), "line 6 has 'unknown'"),
    }


@pytest.mark.parametrize("kind", bad_tables())
def test_every_command_reads_tables_by_the_same_rules(place, kind, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    name, content, message = bad_tables()[kind]
    (tmp_path / name).write_bytes(content)
    for command in (
        ["fit", name, "--target", "price", *QUICK],
        ["predict", place / "m.una", name],
        ["audit", place / "m.una", name],
        ["explain", place / "m.una", name, "--row", "5"],
    ):
        said = run(*command, code=1)
        assert message in " ".join(said.split())
        assert [path.name for path in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("arguments", [["fit", "t.csv", "--target", "y"], ["audit", "m.una", "t.csv"], ["demo"]])
@pytest.mark.parametrize("seed", [-1, 2**32])
def test_a_seed_that_cannot_be_one_is_refused_at_once(arguments, seed):
    assert "--seed" in run(*arguments, "--seed", seed, code=2)


def test_warnings_are_told_in_a_sentence(capsys):
    with clear_errors():
        warnings.warn("column 'a\x1b' is odd", stacklevel=1)
    assert capsys.readouterr().err == "Warning: column 'a\\x1b' is odd\n"


def test_too_little_memory_is_told(capsys):
    with pytest.raises(typer.Exit), clear_errors():
        raise MemoryError("Unable to allocate 5 TiB")
    assert "not enough memory for this (Unable to allocate 5 TiB)" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="a folder in use cannot be deleted there")
def test_a_folder_that_was_deleted_is_named_as_the_cause(tmp_path, monkeypatch):
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    said = run("fit", "t.csv", "--target", "y", code=1)
    assert "the folder that you are in was deleted" in " ".join(said.split())


def test_a_device_that_is_not_there_is_told_and_other_errors_are_not_hidden(capsys):
    with pytest.raises(typer.Exit), clear_errors():
        raise RuntimeError("JAX found no device that it can use")
    assert capsys.readouterr().err == "Error: JAX found no device that it can use\n"
    with pytest.raises(RuntimeError, match="a mistake of ours"), clear_errors():
        raise RuntimeError("a mistake of ours")
    with pytest.raises(typer.Exit) as wanted, clear_errors():
        raise typer.Exit(3)
    assert wanted.value.exit_code == 3


@pytest.mark.parametrize("number", [errno.EPIPE, errno.EBADF])
def test_output_that_nobody_reads_is_left_to_the_program(number):
    with pytest.raises(OSError, match="nobody"), clear_errors():
        raise OSError(number, "nobody reads")


def test_what_cannot_be_imported_is_told_in_a_sentence(tmp_path):
    code = "import sys; sys.argv[0] = 'unabases'; from unabases.cli.start import run; run()"
    ended = subprocess.run(
        [sys.executable, "-c", code, "demo", "--out", str(tmp_path)],
        env={**os.environ, "MPLBACKEND": "nonsense"},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert ended.returncode == 1
    assert ended.stderr.startswith("Error: ")
    assert "Traceback" not in ended.stderr
