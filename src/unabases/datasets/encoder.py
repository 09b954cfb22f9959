"""How the columns of a table become numbers: the one set of rules for types, categories, dates and missing values.

`load_table`, `TableModel` and every regressor that is given a table use it, so they make the same matrix from it.
"""

import difflib
import unicodedata
import warnings
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float

from unabases.datasets.column_values import (
    Kind,
    are_dates,
    as_days,
    as_label,
    as_labels,
    as_numbers,
    kind_of,
    mostly_dates,
    mostly_numbers,
    name_cells,
    name_row,
    numbers_or_missing,
    written_otherwise,
)
from unabases.datasets.csv_text import likely_separator, separator_hint
from unabases.datasets.user_text import how_many

__all__ = [
    "Column",
    "Encoded",
    "Encoder",
    "check_missing",
    "columns_from",
    "describe_columns",
    "encoder_from",
    "learn_encoder",
    "name_some",
    "refuse_duplicates",
    "refuse_no_frame",
    "refuse_unknown",
]

_NAMED = 20  # columns that a message names
_ROWS_OF_NAMES = 20  # of which no two have the same text, so that they are names
MISSING_LEVEL = "missing"  # the level that stands for a missing value
OTHER_LEVELS = "(others)"  # the level that stands for all that have none of their own
_TRUTH = ({"1": "True", "0": "False"}, {"True": "1", "False": "0"})  # what is the same where nothing else occurs
_LEAVE_OUT = "Correct it, or leave the column out with `drop`."
_READERS = {"number": as_numbers, "date": as_days, "category": as_labels}


class Column(NamedTuple):
    """One column as the training table had it."""

    name: str
    kind: Kind
    levels: tuple[str, ...] = ()
    """The levels of a category, in order; `(others)` stands for all further ones, if there are too many."""
    fill: float = 0.0
    """The median of a number or date, which replaces missing values if they are imputed."""
    indicator: bool = False
    """Whether a further number says that the value of a number or date is missing."""
    lenient: bool = False
    """Whether text in a column of numbers counts as missing, instead of being refused."""

    @property
    def encoded_names(self) -> list[str]:
        """Names of the numbers that this column becomes: its own name, or `column=level` for each level."""
        if self.kind == "category":
            return [f"{self.name}={level}" for level in self.levels]
        return [self.name, f"{self.name}={MISSING_LEVEL}"] if self.indicator else [self.name]

    @property
    def was_missing(self) -> bool:
        """Whether training rows lacked it, and the model could learn what this means."""
        return self.indicator or MISSING_LEVEL in self.levels

    def encode_missing(self) -> list[float]:
        """The numbers of a missing value that is imputed."""
        if self.kind == "category":
            return [float(level == MISSING_LEVEL) for level in self.levels]
        return [self.fill, 1.0] if self.indicator else [self.fill]

    def read(self, frame: pd.DataFrame, source: str = "the table") -> pd.Series:
        """Take this column from a table, as float64 or as text; dates become days since 1970.

        In a category of truth values the numbers 1 and 0 are the same levels, and the other way round.
        """
        values = pd.Series(frame[self.name])
        read = _READERS[self.kind](numbers_or_missing(values) if self.lenient else values, source)
        levels = {*self.levels} - {MISSING_LEVEL}
        same = next((same for same in _TRUTH if levels and levels <= {*same.values()}), None)
        return read if same is None else read.replace(same)


class Encoded(NamedTuple):
    """Rows as numbers, with a note of what was unusual about them.

    Every regressor takes one in place of a table, and learns its columns from it.
    """

    X: Float[np.ndarray, "n d"]
    """The usable rows."""
    usable: Bool[np.ndarray, " rows"]
    """False for rows that were left out because a value is missing."""
    unknown: Bool[np.ndarray, " n"]
    """True for usable rows with a category that training did not have."""
    unknown_levels: dict[str, Counter]
    """Those categories by column, with how often each occurs."""
    absent: Bool[np.ndarray, "n columns"]
    """True where a value of a usable row was missing and has been filled in."""
    encoder: "Encoder"
    """What made the numbers."""

    def take(self, rows: np.ndarray) -> "Encoded":
        """Some of the usable rows, by their places."""
        used = np.ones(len(rows), dtype=bool)
        return self._replace(X=self.X[rows], usable=used, unknown=self.unknown[rows], absent=self.absent[rows])


class Encoder(NamedTuple):
    """The inputs of a model by name and type: all that is needed to turn rows of a table into numbers.

    Columns are found by name, in any order; other columns are ignored. A value of the wrong type is refused, and the
    error names its row. A category that training did not have is 0 in every level of its column, and is counted; where
    levels share a number since there were too many, it is one of these.

    See Also
    --------
    learn_encoder : Make one from a training table.

    Examples
    --------
    >>> homes = pd.DataFrame({"rooms": [3, None, 5], "heating": ["oil", "gas", "oil"]})
    >>> encoder = learn_encoder(homes, missing="impute")
    >>> encoder.columns
    ('rooms', 'rooms=missing', 'heating=gas', 'heating=oil')
    >>> encoder.encode(pd.DataFrame({"heating": ["gas", "coal"], "rooms": [None, 4]})).X.tolist()
    [[4.0, 1.0, 1.0, 0.0], [4.0, 0.0, 0.0, 0.0]]
    """

    inputs: tuple[Column, ...]
    missing: str = "refuse"

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the numbers that the regressor is given."""
        return tuple(name for column in self.inputs for name in column.encoded_names)

    @property
    def numeric(self) -> bool:
        """Whether all inputs are numbers."""
        return all(column.kind == "number" for column in self.inputs)

    def check_names(self, names: Sequence[str], source: str) -> None:
        """Refuse a table that lacks an input, and suggest which of its columns was meant."""
        there = set(names)
        lacking = [column.name for column in self.inputs if column.name not in there]
        if not lacking:
            return
        own = {column.name for column in self.inputs}
        others = [name for name in names if name not in own]
        hints = []
        for name in lacking[:5]:
            if alike := _alike(name, others):
                hints.append(f"{name!a} (is it now called {alike[0]!a}?)")  # by their codes, since they look the same
                continue
            near = difflib.get_close_matches(name, others, n=1)
            hints.append(f"{name!r} (is it now called {near[0]!r}?)" if near else repr(name))
        more = f" and {len(lacking) - 5} more" if len(lacking) > 5 else ""
        raise ValueError(
            f"{source} lacks {len(lacking)} of the {len(self.inputs)} input columns: {', '.join(hints)}{more}. "
            f"It has {name_some(names)}.{likely_separator(names)}"
        )

    def encode(self, frame: Any, source: str = "the table") -> Encoded:
        """Turn rows into the numbers that the regressor takes.

        Parameters
        ----------
        frame : DataFrame
            A table with at least the inputs. Errors name rows by its index.
        source : str
            What errors call the table.

        Returns
        -------
        Encoded
            The matrix of the usable rows, which rows these are, and which have unknown categories.
        """
        refuse_no_frame(frame, source)
        names = [str(name) for name in frame.columns]
        self.check_names(names, source)
        own = {column.name for column in self.inputs}
        refuse_duplicates([name for name in names if name in own], source)
        if names != list(frame.columns):  # some are no text
            frame = frame.set_axis(names, axis="columns")
        values = {column.name: column.read(frame, source) for column in self.inputs}
        absent = pd.DataFrame({name: column.isna() for name, column in values.items()}, index=frame.index)
        incomplete = np.asarray(absent.to_numpy().any(axis=1), dtype=bool)
        if incomplete.any() and self.missing == "refuse":
            raise ValueError(_missing_values(absent, source))
        usable = ~incomplete if self.missing == "drop" else np.ones(len(frame), dtype=bool)
        n = int(usable.sum())
        X, unknown, levels = np.zeros((n, len(self.columns))), np.zeros(n, dtype=bool), {}
        place = 0
        for column in self.inputs:
            cells: Any = values[column.name][usable]
            width = len(column.encoded_names)
            if column.kind != "category":
                X[:, place] = cells.fillna(column.fill).to_numpy(dtype=np.float64)
                if column.indicator:
                    X[:, place + 1] = cells.isna().to_numpy()
                place += width
                continue
            labels = cells.where(cells.notna(), MISSING_LEVEL)
            places = {as_label(level): i for i, level in enumerate(column.levels)}
            codes = np.array([places.get(label, places.get(OTHER_LEVELS, -1)) for label in labels], dtype=np.int64)
            if MISSING_LEVEL not in places:
                codes[cells.isna()] = -1
            known = codes >= 0
            X[np.flatnonzero(known), place + codes[known]] = 1.0
            if not known.all():
                unknown |= ~known
                levels[column.name] = Counter(labels[~known].tolist())
            place += width
        return Encoded(X, usable, unknown, levels, absent.to_numpy(dtype=bool)[usable], self)

    def hide(self, X: Float[np.ndarray, "n d"], place: int) -> Float[np.ndarray, "n d"]:
        """The same rows, encoded, as if the values of one input were missing."""
        start = sum(len(column.encoded_names) for column in self.inputs[:place])
        column = self.inputs[place]
        hidden = X.copy()
        hidden[:, start : start + len(column.encoded_names)] = column.encode_missing()
        return hidden


def learn_encoder(
    frame: pd.DataFrame,
    *,
    categories: Sequence[str] = (),
    numbers: Sequence[str] = (),
    missing: str = "refuse",
    max_levels: int | None = 50,
    source: str = "the table",
) -> Encoder:
    """Learn the types, levels and medians of a table whose columns are all inputs; refuse what cannot be one.

    Numbers stay numbers, and dates become days since 1970. Text, categories and booleans become one column of zeros and
    ones for each level, in sorted order, or in the order of a pandas category. `True`, `true` and `TRUE` are the same
    level, and so are 1 and 1.0.

    Parameters
    ----------
    frame : DataFrame
        The inputs of the training rows.
    categories : sequence of str
        Numeric columns to treat as categories, such as codes of regions.
    numbers : sequence of str
        Columns of numbers in which other text, such as "unknown", counts as missing, now and in later tables. A column
        that is mostly numbers is refused unless it is named here or in `categories`, or is a pandas category.
    missing : {"refuse", "drop", "impute"}
        What to do with missing values, now and in later tables: as in `learn_schema`.
    max_levels : int or None
        The levels of a category that have a number of their own, at most. If there are more, the most common ones have,
        and all others share one, with a warning. None for any number.
    source : str
        What errors call the table.

    Returns
    -------
    Encoder
        The columns and what was learned about them.
    """
    names = [str(name) for name in frame.columns]
    refuse_duplicates(names, source)
    frame = frame.set_axis(names, axis="columns")
    learned = []
    for name in names:
        column = pd.Series(frame[name])
        if name in numbers:
            column = numbers_or_missing(column)
        if len(column) and column.isna().all():
            learned.append(_learn_nothing(name, missing, source))
        elif name in numbers:
            learned.append(_learn_number(column, "number", missing, source)._replace(lenient=True))
        else:
            learned.append(_learn(column, name in categories, missing, max_levels, source))
    return Encoder(tuple(learned), missing)


def refuse_no_frame(frame: Any, source: str) -> None:
    """Refuse what is no DataFrame."""
    if not isinstance(frame, pd.DataFrame):
        raise ValueError(
            f"{source} must be a pandas DataFrame, whose columns have names; got a {type(frame).__name__}."
        )


def refuse_duplicates(names: Sequence[str], source: str) -> None:
    """Refuse a table in which several columns have the same name."""
    if twice := sorted(name for name, count in Counter(names).items() if count > 1):
        raise ValueError(f"{source} has several columns called {', '.join(twice)}; rename them.")


def refuse_unknown(wanted: Sequence[str], names: Sequence[str], source: str) -> None:
    """Refuse a name that no column has; suggest one that looks the same or is written nearly so."""
    for name in wanted:
        if name in names:
            continue
        hint = separator_hint(names)
        if alike := _alike(name, names):
            hint = f" {alike[0]!a} looks like it; give the name as the table has it."
        elif near := difflib.get_close_matches(name, names, n=1):
            hint = f" Do you mean {near[0]!r}?"
        raise ValueError(f"{source} has no column {name!r}; its columns are {name_some(names)}.{hint}")


def name_some(names: Sequence[Any]) -> str:
    """Columns, for a message: the first twenty, and whether there are more.

    Examples
    --------
    >>> name_some(["a", "b"]), name_some(range(100))[-9:]
    ('a, b', '18, 19, …')
    """
    return ", ".join([*map(str, names[:_NAMED]), *(["…"] if len(names) > _NAMED else [])])


def _alike(name: str, names: Sequence[str]) -> list[str]:
    """Names that look like this one, but are others."""
    form = _seen_form(name)
    return [other for other in names if other != name and _seen_form(other) == form]


def _seen_form(name: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def _learn_nothing(name: str, missing: str, source: str) -> Column:
    """A column without values: its only level is that there is none."""
    said = f"column {name!r} of {source} has no values at all"
    if missing != "impute":
        raise ValueError(f"{said}; leave it out.")
    warnings.warn(f"{said}, so nothing is learned from it.", stacklevel=3)
    return Column(name, "category", (MISSING_LEVEL,))


def describe_columns(columns: Sequence[Column]) -> list[dict[str, Any]]:
    """Columns as values that JSON can hold."""
    return [column._asdict() | {"levels": list(column.levels)} for column in columns]


def columns_from(described: Sequence[dict[str, Any]]) -> tuple[Column, ...]:
    """The columns that `describe_columns` described, also by an earlier version, which knew fewer facts."""
    columns = tuple(Column(**{**item, "levels": tuple(item["levels"])}) for item in described)
    for column in columns:
        named = type(column.name) is str and all(type(level) is str for level in column.levels)
        typed = column.kind in _READERS and type(column.fill) is float and type(column.indicator) is bool
        if not (named and typed and np.isfinite(column.fill) and len(set(column.levels)) == len(column.levels)):
            raise ValueError(f"{column} is not a column that a table can have")
    if len({column.name for column in columns}) < len(columns):
        raise ValueError("several columns have the same name")
    return columns


def encoder_from(described: dict[str, Any]) -> Encoder:
    """The encoder that a file describes by its columns, and what it does with missing values."""
    return Encoder(columns_from(described["inputs"]), check_missing(described["missing"]))


def check_missing(missing: Any) -> str:
    """The name of what to do with missing values, or an error that lists the known ones."""
    if missing not in ("refuse", "drop", "impute"):
        raise ValueError(f'`missing` must be "refuse", "drop" or "impute", got {missing!r}.')
    return missing


def _learn(column: pd.Series, category: bool, missing: str, max_levels: int | None, source: str) -> Column:
    name, kind = str(column.name), "category" if category else kind_of(column)
    if kind != "category":
        return _learn_number(column, kind, missing, source)
    present = as_labels(column, source, _LEAVE_OUT).dropna()
    if max_levels is not None and not category and len(present):  # without a limit, any text may be a level
        if are_dates(column):
            return _learn_number(column, "date", missing, source)
        if (wrong := mostly_dates(column)) is not None:
            raise ValueError(
                f"column {name!r} of {source} is mostly dates, but {name_cells(column, wrong)}. Dates are written with "
                "the year first, such as 2026-11-17; correct these cells, leave them empty, or say that all are levels "
                f"of a category, with categories=[{name!r}] (`--category`)."
            )
    other = None if category or max_levels is None else mostly_numbers(column)
    if other is not None:
        raise ValueError(
            f"column {name!r} of {source} is mostly numbers, but {name_cells(column, other)}. Correct these cells, or "
            f"say what they are: missing values, with numbers=[{name!r}] (`--number`), or levels of a category like "
            f'all others in this column, with categories=[{name!r}] (`--category`) or .astype("category").'
        )
    declared = column.dtype.categories if isinstance(column.dtype, pd.CategoricalDtype) else None
    looks = written_otherwise(present) if declared is None and not category and max_levels is not None else None
    levels = sorted(set(present)) if declared is None else list(dict.fromkeys(map(as_label, declared)))
    if max_levels is not None:
        names = declared is None and not category and present.nunique() == len(present) >= _ROWS_OF_NAMES
        if looks is not None and len(levels) > max_levels:
            raise ValueError(
                f"column {name!r} of {source} has {len(levels)} levels, such as {', '.join(levels[:3])}: more than "
                f"`max_levels` = {max_levels}. It looks like {looks}. Turn it into numbers, or leave it out."
            )
        if len(levels) > max_levels or (names and looks is None):
            levels = _most_common(levels, present, max_levels, f"column {name!r} of {source}")
    if missing == "impute" and len(present) < len(column) and MISSING_LEVEL not in levels:
        levels.append(MISSING_LEVEL)
    if looks is not None:
        warnings.warn(
            f"column {name!r} of {source} looks like {looks}, but has {levels[0]!r}: each text is a level of a "
            f"category. Write them so, or say that they are levels, with categories=[{name!r}] (`--category`) or "
            '.astype("category").',
            stacklevel=2,
        )
    return Column(name, "category", tuple(levels))


def _most_common(levels: list[str], present: pd.Series, most: int, column: str) -> list[str]:
    """At most so many levels that occur more than once, in their order, and one that stands for all others."""
    counts = Counter(present.tolist())
    kept = {level for level, n in counts.most_common(most) if n > 1}
    some = f"{column} has {len(levels)} levels, such as {', '.join(levels[:3])}"
    if kept:
        said = (
            f"{some}: more than `max_levels` = {most}. The {len(kept)} most common ones have a number of their own, "
            "all others share one. Leave the column out if it holds names, or raise `max_levels`."
        )
    else:
        said = (
            f"{some}, and none of them twice. It looks like a name, or a number with a sign or unit. Nothing is "
            "learned from it; leave it out, or turn it into numbers."
        )
    warnings.warn(said, stacklevel=3)
    return [level for level in levels if level in kept] + [OTHER_LEVELS]


def _learn_number(column: pd.Series, kind: Kind, missing: str, source: str) -> Column:
    values = _READERS[kind](column, source, _LEAVE_OUT)
    indicator = missing == "impute" and bool(values.isna().any())
    return Column(str(column.name), kind, fill=float(values.median()), indicator=indicator)


def _missing_values(absent: pd.DataFrame, source: str) -> str:
    counts = ", ".join(f"{name} {int(n)}" for name, n in absent.sum().items() if n)
    rows = np.flatnonzero(absent.to_numpy().any(axis=1))
    first = name_row(absent.index, int(rows[0]))
    return (
        f"{source} has missing values in {how_many(len(rows), 'row')}, first in {first} ({counts}). Fill them in, "
        'or choose missing="drop" (rows with missing values are left out) or missing="impute" (medians, and a level '
        f'"{MISSING_LEVEL}" for categories) when the table is loaded or the model is fitted.'
    )
