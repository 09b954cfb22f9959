from typing import Annotated

import typer
from typer.testing import CliRunner

from unabases.cli.flags import flag

app = typer.Typer(add_completion=False)


@app.command()
def say(loud: Annotated[bool, flag("--loud", help="Say it loudly.")] = False) -> None:
    typer.echo("HELLO" if loud else "hello")


def test_a_flag_takes_no_value_and_its_help_names_none():
    shown = CliRunner().invoke(app, ["--help"]).output
    (line,) = (line for line in shown.splitlines() if "--loud" in line)  # some versions of typer say it of --help
    assert "bool" not in line.lower()
    assert [CliRunner().invoke(app, words).output for words in ([], ["--loud"])] == ["hello\n", "HELLO\n"]
    assert CliRunner().invoke(app, ["--loud", "very"]).exit_code == 2
