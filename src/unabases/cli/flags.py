"""Options that are given or not, and take no value."""

from functools import partial

import typer

__all__ = ["flag"]

flag = partial(typer.Option, metavar="")  # typer would show <bool> after the name
