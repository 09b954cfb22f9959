"""Tables as text."""

from typing import TYPE_CHECKING

import pandas as pd

if TYPE_CHECKING:
    from rich.table import Table


def as_markdown(frame: pd.DataFrame) -> str:
    r"""A table as Markdown; bars inside cells are escaped and lines broken by a tag.

    Examples
    --------
    >>> print(as_markdown(pd.DataFrame({"a": [1], "b": ["x|y"]})), end="")
    | a | b |
    | --- | --- |
    | 1 | x\|y |
    """
    lines = [list(frame), ["---"] * frame.shape[1], *frame.astype(str).to_numpy().tolist()]
    return "\n".join(f"| {' | '.join(map(_in_cell, line))} |" for line in lines) + "\n"


def as_rich(frame: pd.DataFrame, title: str = "", caption: str = "") -> "Table":
    """A table for the terminal; the first column keeps its words together, the others stand right."""
    from rich.markup import escape
    from rich.table import Table

    table = Table(title=title or None, caption=caption or None)
    for place, name in enumerate(frame):
        table.add_column(escape(str(name)), justify="right" if place else "left", no_wrap=place == 0)
    for line in frame.astype(str).to_numpy().tolist():
        table.add_row(*map(escape, line))
    return table


def _in_cell(text: object) -> str:
    return str(text).replace("|", "\\|").replace("\n", "<br>")
