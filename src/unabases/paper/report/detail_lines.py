"""What a table with a line for each method or setting is made of."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import pandas as pd

from unabases.paper.report.rows import range_of, summary_of
from unabases.paper.report.scores import number
from unabases.paper.store import Row

__all__ = ["DetailTable", "DetailTableSpec", "Line"]


class Line:
    """One line of a table: `numbers` for a file, `words` for a reader.

    Parameters
    ----------
    rows
        What the line is about.
    numbers, words
        What to begin with; `words` is `numbers` as text if it is not given.
    """

    def __init__(self, rows: Sequence[Row], numbers: dict[str, Any], words: dict[str, str] | None = None):
        self.rows, self.numbers = rows, dict(numbers)
        self.words = {name: str(value) for name, value in numbers.items()} if words is None else dict(words)

    def add_mean(self, score: str, title: str, percent: bool = False, key: str = "") -> None:
        """Add mean, std and count of a score."""
        found, key = summary_of(self.rows, score), key or score
        self.numbers |= {f"{key}_mean": found.mean, f"{key}_std": found.std, f"{key}_n": found.n}
        self.words[title] = found.text(percent)

    def add_range(self, score: str, title: str, form: Callable[[float], str] = number, unit: str = "") -> None:
        """Add median, least and most of a score, if some row has it."""
        found = range_of(self.rows, score)
        if found is not None:
            self.numbers |= {f"{score}_{name}": value for name, value in found._asdict().items()}
            self.words[f"{title}: median (least to most)"] = found.text(form, unit)


class DetailTableSpec(NamedTuple):
    """A table: name in files and links, heading, experiment, how its lines are made, and what to say about them."""

    name: str
    title: str
    experiment: str
    lines: Callable[[Sequence[Row]], list[Line]]
    note: str = ""


class DetailTable(NamedTuple):
    """A filled table; `frame` has numbers and `shown` the same as text."""

    spec: DetailTableSpec
    about: str
    frame: pd.DataFrame
    shown: pd.DataFrame
