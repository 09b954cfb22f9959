"""`unabases data`: list, download and locate data sets."""

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from unabases.cli.console import PlainConsole, busy, tell, wrong_option
from unabases.cli.errors import clear_errors
from unabases.cli.json_output import Json, print_json

app = typer.Typer(help="List, download and locate data sets.", no_args_is_help=True)
Directory = Annotated[
    Path | None, typer.Option(help="Data directory. Default: UNABASES_DATA_DIR, or the platform's cache.")
]


@app.command("list")
@clear_errors()
def list_all(directory: Directory = None, as_json: Json = False) -> None:
    """List the data sets and whether each is present, missing or damaged."""
    from unabases.datasets import data_dir
    from unabases.datasets.files import state
    from unabases.datasets.registry import entry, names

    root = data_dir(directory)
    with busy("checking files"):
        found = [(name, entry(name), state(name, root)) for name in names()]
    if as_json:
        facts = ("rows", "columns", "licence")
        lines = [{"name": n, "state": s, **{fact: getattr(e, fact) for fact in facts}} for n, e, s in found]
        print_json({"directory": root, "sets": lines})
        return
    table = Table(caption=str(root), box=None)
    for column in ("name", "rows", "columns", "state", "licence"):
        table.add_column(column, justify="right" if column == "rows" else "left", no_wrap=column == "name")
    for name, known, is_there in found:
        table.add_row(name, "" if known.rows is None else str(known.rows), known.columns, is_there, known.licence)
    PlainConsole().print(table)


@app.command()
@clear_errors()
def fetch(
    names: Annotated[
        list[str], typer.Argument(metavar="NAME...", help="Names of data sets, see `unabases data list`.")
    ],
    directory: Directory = None,
    mirror: Annotated[
        str | None,
        typer.Option(help="URL of a copy of a data directory, to download from instead of the public sources."),
    ] = None,
) -> None:
    """Download data sets into the data directory and check them."""
    from unabases.datasets import fetch as fetch_files
    from unabases.datasets.registry import entry

    try:
        for name in names:
            entry(name)
    except ValueError as error:
        raise wrong_option(error) from error
    failed = False
    for name in names:
        try:
            for path in fetch_files(name, directory, mirror=mirror):
                typer.echo(str(path))
        except (OSError, ValueError) as error:
            tell(f"{name}: {error}")
            failed = True
    if failed:
        raise typer.Exit(1)


@app.command()
@clear_errors()
def path(directory: Directory = None) -> None:
    """Print the data directory."""
    from unabases.datasets import data_dir

    typer.echo(str(data_dir(directory)))
