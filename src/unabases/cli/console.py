"""The one way to a terminal: text is shown as it is and never interpreted."""

import contextlib
import io
import sys
from collections.abc import Callable, Iterator
from typing import Any

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn
from rich.text import Text

from unabases.datasets.user_text import printable

__all__ = ["PlainConsole", "busy", "counting_rows", "show_all_text", "tell", "wrong_option"]


class PlainConsole(Console):
    """A console that takes every text literally: no markup, no emoji codes, no control characters.

    Parameters
    ----------
    **options
        Options of `rich.console.Console`.

    Examples
    --------
    >>> PlainConsole(width=40).print("a level called [/red]")
    a level called [/red]
    """

    def __init__(self, **options: Any):
        super().__init__(markup=False, emoji=False, highlight=False, **options)

    def render_str(self, text: str, **options: Any) -> Text:
        """Turn text into what is shown; all of it comes through here, cells of tables too."""
        return super().render_str(printable(text), **options)


def show_all_text() -> None:
    """Let the standard streams show characters that their encoding lacks as codes, instead of failing.

    Files that output is sent to have the encoding of the system, which on Windows lacks most of the world's letters.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


@contextlib.contextmanager
def busy(what: str) -> Iterator[Callable[[str], None]]:
    """Show on a terminal, on the standard error stream, that something goes on.

    Parameters
    ----------
    what : str
        What goes on, such as "reading table.csv".

    Yields
    ------
    callable
        To be called with what goes on from then on.
    """
    with PlainConsole(stderr=True).status(Text(printable(what))) as status:
        yield lambda words: status.update(Text(printable(words)))


@contextlib.contextmanager
def counting_rows() -> Iterator[Callable[[int], None]]:
    """Show on a terminal, on the standard error stream, how many rows are done.

    Yields
    ------
    callable
        To be called with the number of rows just done.
    """
    columns = (TextColumn("{task.completed:,} rows"), BarColumn())
    console = PlainConsole(stderr=True)
    with Progress(*columns, transient=True, console=console, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=None)
        yield lambda rows: bar.update(task, advance=rows)


def tell(text: Any) -> None:
    """Print a message to the standard error stream, taken literally.

    Parameters
    ----------
    text : any
        The message, or an error.
    """
    typer.echo(printable(text), err=True)


def wrong_option(error: Any) -> typer.BadParameter:
    """Turn an error about an option into one that shows how the command is used and exits with code 2.

    Parameters
    ----------
    error : any
        What is wrong: a message, or an error.

    Returns
    -------
    typer.BadParameter
        The error to raise.
    """
    return typer.BadParameter(printable(error))
