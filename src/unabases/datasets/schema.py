"""How a table becomes numbers: the one set of rules for types of columns, categories and missing values.

`load_table` and `TableModel` both use it, so they make the same matrix from the same table.
"""

import difflib
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple, TypedDict

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float

from unabases.datasets.column_values import Kind, as_label, as_labels, as_numbers, kind_of, row_name

__all__ = ["Column", "ColumnRules", "Encoded", "Schema", "TrainingRows", "learn_schema", "refuse_duplicates"]

MISSING_LEVEL = "missing"  # the level that stands for a missing value of a category


class ColumnRules(TypedDict, total=False):
    """Options that say which columns are inputs and how they are read: the keywords of `learn_schema`."""

    drop: Sequence[str]
    keep: Sequence[str]
    categories: Sequence[str]
    missing: str
    max_levels: int


class Column(NamedTuple):
    """One column as the training table had it."""

    name: str
    kind: Kind
    levels: tuple[str, ...] = ()
    """The levels of a category, in order."""
    fill: float = 0.0
    """The median of a number, which replaces missing values if they are imputed."""

    @property
    def encoded_names(self) -> list[str]:
        """Names of the numbers that this column becomes: its own name, or `column=level` for each level."""
        return [self.name] if self.kind == "number" else [f"{self.name}={level}" for level in self.levels]

    def read(self, frame: pd.DataFrame, source: str = "the table") -> pd.Series:
        """Take this column from a table, as float64 or as text."""
        values = pd.Series(frame[self.name])
        return as_labels(values) if self.kind == "category" else as_numbers(values, source)


class Encoded(NamedTuple):
    """Rows as numbers, with a note of what was unusual about them."""

    X: Float[np.ndarray, "n d"]
    """The usable rows."""
    usable: Bool[np.ndarray, " rows"]
    """False for rows that were left out because a value is missing."""
    unknown: Bool[np.ndarray, " n"]
    """True for usable rows with a category that training did not have."""
    unknown_levels: dict[str, Counter]
    """Those categories by column, with how often each occurs."""


class TrainingRows(NamedTuple):
    """The usable rows of a table that has a target."""

    X: Float[np.ndarray, "n d"]
    y: Float[np.ndarray, " n"]
    frame: pd.DataFrame
    """The same rows as they were given."""
    unknown_levels: dict[str, Counter]


class Schema(NamedTuple):
    """The columns of a table by name and type: all that is needed to turn rows into inputs of a regressor.

    Columns are found by name, in any order; other columns are ignored. A value of the wrong type is refused, and the
    error names its row. A category that training did not have is 0 in every level of its column, and is counted.

    See Also
    --------
    learn_schema : Make one from a training table.

    Examples
    --------
    >>> homes = pd.DataFrame({"rooms": [3, 5], "heating": ["oil", "gas"], "price": [210.0, 305.0]})
    >>> schema = learn_schema(homes, "price")
    >>> schema.columns
    ('rooms', 'heating=gas', 'heating=oil')
    >>> encoded = schema.encode(pd.DataFrame({"heating": ["gas", "coal"], "rooms": [4, 4]}))
    >>> encoded.X.tolist(), encoded.unknown.tolist()
    ([[4.0, 1.0, 0.0], [4.0, 0.0, 0.0]], [False, True])
    """

    inputs: tuple[Column, ...]
    target: str
    missing: str = "refuse"
    kept: tuple[Column, ...] = ()
    """Columns kept for audits but not used as inputs."""

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the numbers that the regressor is given."""
        return tuple(name for column in self.inputs for name in column.encoded_names)

    @property
    def text_columns(self) -> list[str]:
        """Names of the categories, which a file must deliver as they are written."""
        return [column.name for column in (*self.inputs, *self.kept) if column.kind == "category"]

    def find(self, name: str) -> Column | None:
        """Look up an input or kept column by name; None if there is none."""
        return next((column for column in (*self.inputs, *self.kept) if column.name == name), None)

    def check_names(self, names: Sequence[str], source: str) -> None:
        """Refuse a table that lacks an input, and suggest which of its columns was meant."""
        lacking = [column.name for column in self.inputs if column.name not in names]
        if not lacking:
            return
        others = [name for name in names if self.find(name) is None]
        hints = []
        for name in lacking[:5]:
            near = difflib.get_close_matches(name, others, n=1)
            hints.append(f"{name!r} (is it now called {near[0]!r}?)" if near else repr(name))
        more = f" and {len(lacking) - 5} more" if len(lacking) > 5 else ""
        raise ValueError(
            f"{source} lacks {len(lacking)} of the {len(self.inputs)} input columns: {', '.join(hints)}{more}. "
            f"It has {', '.join(map(str, names[:20]))}{', …' if len(names) > 20 else ''}."
        )

    def encode(self, frame: pd.DataFrame, source: str = "the table") -> Encoded:
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
        self.check_names([str(name) for name in frame.columns], source)
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
            own: Any = values[column.name][usable]
            if column.kind == "number":
                X[:, place] = own.fillna(column.fill).to_numpy(dtype=np.float64)
                place += 1
                continue
            labels = own.where(own.notna(), MISSING_LEVEL)
            places = {as_label(level): i for i, level in enumerate(column.levels)}
            codes = np.array([places.get(label, -1) for label in labels], dtype=np.int64)
            known = codes >= 0
            X[np.flatnonzero(known), place + codes[known]] = 1.0
            if not known.all():
                unknown |= ~known
                levels[column.name] = Counter(labels[~known].tolist())
            place += len(column.levels)
        return Encoded(X, usable, unknown, levels)

    def encode_training(self, frame: pd.DataFrame, source: str = "the table") -> TrainingRows:
        """Turn rows into inputs and targets; leave out those with missing values if `missing` is `"drop"`."""
        y = as_numbers(pd.Series(frame[self.target]), source)
        present = y.notna().to_numpy()
        if not present.all() and self.missing != "drop":
            raise ValueError(
                f"the target {self.target!r} of {source} is missing in {int((~present).sum())} rows, first in row "
                f'{row_name(y.index[~present][0])}. A target cannot be filled; leave such rows out with missing="drop".'
            )
        frame = pd.DataFrame(frame[present])
        encoded = self.encode(frame, source)
        rows = pd.DataFrame(frame[encoded.usable])
        return TrainingRows(encoded.X, y.to_numpy()[present][encoded.usable], rows, encoded.unknown_levels)


def learn_schema(
    frame: pd.DataFrame,
    target: str,
    *,
    drop: Sequence[str] = (),
    keep: Sequence[str] = (),
    categories: Sequence[str] = (),
    missing: str = "refuse",
    max_levels: int = 50,
    source: str = "the table",
) -> Schema:
    """Learn the types, levels and medians of a training table's columns; refuse what cannot be an input.

    Numbers stay numbers. Text, categories and booleans become one column of zeros and ones for each level, in sorted
    order, or in the order of a pandas category. `True`, `true` and `TRUE` are the same level, and so are 1 and 1.0.

    Parameters
    ----------
    frame : DataFrame
        The training table.
    target : str
        Name of the numeric column to predict.
    drop : sequence of str
        Columns to leave out.
    keep : sequence of str
        Columns kept for audits but not used as inputs.
    categories : sequence of str
        Numeric columns to treat as categories, such as codes of regions.
    missing : {"refuse", "drop", "impute"}
        What to do with missing values, now and in later tables. `"refuse"` raises an error. `"drop"` leaves such rows
        out, and learns levels and medians from the others. `"impute"` fills numbers with their median and gives
        categories a level `missing`, which comes last.
    max_levels : int
        A category with more levels is refused: it is probably a name, a date, or a number written as text.
    source : str
        What errors call the table.

    Returns
    -------
    Schema
        The columns and what was learned about them.
    """
    if missing not in ("refuse", "drop", "impute"):
        raise ValueError(f'`missing` must be "refuse", "drop" or "impute", got {missing!r}.')
    names = [str(name) for name in frame.columns]
    refuse_duplicates(names, source)
    frame = frame.set_axis(names, axis="columns")
    for name in (target, *drop, *keep, *categories):
        if name not in names:
            hint = " Is `separator` right?" if len(names) == 1 else ""
            raise ValueError(f"{source} has no column {name!r}; its columns are {', '.join(names)}.{hint}")
    if target in (*drop, *keep, *categories):
        raise ValueError(f"{target!r} is the target, so it cannot be in `drop`, `keep` or `categories` too.")
    inputs = [name for name in names if name not in (target, *drop, *keep)]
    if not inputs:
        raise ValueError(f"{source} has no inputs besides the target {target!r}.")
    if len(frame) == 0:
        raise ValueError(f"{source} has no rows.")
    for name in (*inputs, *keep):
        if pd.Series(frame[name]).isna().all():
            raise ValueError(f"column {name!r} of {source} has no values at all; leave it out with `drop`.")
    if missing == "drop":
        frame = frame.dropna(subset=[*inputs, target])
        if len(frame) == 0:
            raise ValueError(f"{source} has no rows without missing values.")
    learned = [_learn(pd.Series(frame[name]), name in categories, missing, max_levels, source) for name in inputs]
    kept = [_learn(pd.Series(frame[name]), name in categories, "refuse", None, source) for name in keep]
    return Schema(tuple(learned), target, missing, tuple(kept))


def refuse_duplicates(names: Sequence[str], source: str) -> None:
    """Refuse a table in which several columns have the same name."""
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise ValueError(f"{source} has several columns called {', '.join(twice)}; rename them.")


def _learn(column: pd.Series, category: bool, missing: str, max_levels: int | None, source: str) -> Column:
    name = str(column.name)
    if not category and kind_of(column) == "number":
        return Column(name, "number", fill=float(as_numbers(column, source).median()))
    present = as_labels(column).dropna()
    declared = column.dtype.categories if isinstance(column.dtype, pd.CategoricalDtype) else None
    levels = sorted(set(present)) if declared is None else list(dict.fromkeys(map(as_label, declared)))
    if missing == "impute" and len(present) < len(column) and MISSING_LEVEL not in levels:
        levels.append(MISSING_LEVEL)
    if max_levels is not None and len(levels) > max_levels:
        raise ValueError(
            f"column {name!r} of {source} has {len(levels)} levels, such as {', '.join(levels[:3])}: more than "
            f"`max_levels` = {max_levels}. It looks like a name, a date, or a number written as text. Leave it out "
            "with `drop`, turn it into numbers, or raise `max_levels`."
        )
    return Column(name, "category", tuple(levels))


def _missing_values(absent: pd.DataFrame, source: str) -> str:
    counts = ", ".join(f"{name} {int(n)}" for name, n in absent.sum().items() if n)
    rows = absent.index[np.asarray(absent.to_numpy().any(axis=1), dtype=bool)]
    return (
        f"{source} has missing values in {len(rows)} rows, first in row {row_name(rows[0])} ({counts}). Fill them in, "
        'or choose missing="drop" (rows with missing values are left out) or missing="impute" (medians, and a level '
        f'"{MISSING_LEVEL}" for categories) when the table is loaded or the model is fitted.'
    )
