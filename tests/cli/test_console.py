"""Text is shown as it is, whatever it looks like."""

import io
import sys

import pytest
import typer
from rich.table import Table

from unabases.cli.console import PlainConsole, show_all_text, tell, wrong_option

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
