"""Text is shown as it is, whatever it looks like."""

import io
import sys

import pytest
import typer
from rich.table import Table
from typer.testing import CliRunner

from unabases.cli.console import PlainConsole, busy, counting_rows, show_all_text, tell, wrong_option
from unabases.cli.main import app
from unabases.datasets.user_text import how_many

HOSTILE = ["[/red]", "[bold]loud", ":smile:", "\x1b]0;title\x07", "https://x.y 1.5 'q'", "[link=file:///etc]x[/link]"]


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_is_interpreted_in_text_or_in_tables(text, capsys):
    literally = text.replace("\x1b", r"\x1b").replace("\x07", r"\x07")
    console = PlainConsole(width=200, force_terminal=True)
    table = Table(title=text, caption=text)
    table.add_column(text)
    table.add_row(text)
    console.print(text)
    console.print(table)
    tell(text)
    said = capsys.readouterr()
    assert said.out.count(literally) == 5
    assert said.out.startswith(literally + "\n")
    assert said.err == literally + "\n"


def test_a_wrong_option_is_told_literally():
    error = wrong_option(ValueError("unknown \x1b[31m[/red]"))
    assert isinstance(error, typer.BadParameter)
    assert error.message == r"unknown \x1b[31m[/red]"


def test_a_terminal_shows_what_goes_on_and_what_follows_it_and_a_file_does_not(monkeypatch, capsys):
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    with busy("reading [bold]"):
        pass
    assert "reading" not in capsys.readouterr().err
    monkeypatch.setenv("FORCE_COLOR", "1")  # as on a terminal
    with busy("reading [bold]"):
        pass
    assert "reading [bold]" in capsys.readouterr().err
    with busy("reading") as say:
        say("drawing [bold] 3 of 5")
    said = capsys.readouterr()
    assert "drawing [bold] 3 of 5" in said.err
    assert said.out == ""


def test_text_that_an_encoding_lacks_is_shown_as_codes(monkeypatch):
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding="ascii"))
    show_all_text()
    table = Table("größe")
    table.add_row("日本")
    PlainConsole(width=80).print(table)
    sys.stdout.flush()
    assert b"gr\\xf6\\xdfe" in written.getvalue()
    assert b"\\u65e5\\u672c" in written.getvalue()


def test_what_a_program_reads_has_no_line_of_progress(capsys):
    with counting_rows() as on_rows:
        on_rows(3)
    assert capsys.readouterr() == ("", "")


def test_one_of_something_is_told_as_one():
    told = [how_many(n, "category", "categories") for n in (0, 1, 2)]
    assert told == ["0 categories", "1 category", "2 categories"]
    assert (how_many(1, "row"), how_many(2, "row")) == ("1 row", "2 rows")


@pytest.mark.parametrize("words", [[], ["fit"], ["predict"], ["audit"], ["explain"], ["reproduce"], ["report"]])
def test_no_help_is_cut_short_on_a_terminal_of_eighty_columns(words, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    said = CliRunner().invoke(app, [*words, "--help"], terminal_width=80).output
    assert "Usage" in said
    assert "…" not in said
