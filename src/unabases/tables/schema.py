"""What a model knows about the columns of its table, and how a table becomes numbers."""

import difflib
from collections import Counter
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float
from pandas.api import types

from unabases.datasets.reading import refuse_duplicates
from unabases.datasets.table import MISSING_LEVEL, is_categorical

__all__ = ["Column", "Encoded", "Schema", "as_labels", "as_numbers", "learn_schema"]

Kind = Literal["number", "category"]


class Column(NamedTuple):
    """One column as the training table had it."""

    name: str
    kind: Kind
    levels: tuple[str, ...] = ()  # of a category, in order
    fill: float = 0.0  # of a number: its median


class Encoded(NamedTuple):
    """Rows as numbers, and what was odd about them."""

    X: Float[np.ndarray, "n d"]  # of the usable rows
    usable: Bool[np.ndarray, " rows"]  # False where a value is missing and such rows are left out
    unknown: Bool[np.ndarray, " n"]  # usable rows with a category that the model has never seen
    unknown_levels: dict[str, Counter]  # by column, with how often each came


class Schema(NamedTuple):
    """Columns by name and type; everything that turns a table into the inputs of a regressor.

    Columns are found by their names, in any order, and those that the model does not know are ignored. A value of the
    wrong type is refused with its row. A category that training did not have is 0 in all levels of its column; such
    rows are counted, and should go to a person. What becomes of missing values was decided when the model was made.
    """

    inputs: tuple[Column, ...]
    target: str
    missing: str = "refuse"
    kept: tuple[Column, ...] = ()  # not inputs, but remembered for audits

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the numbers that the regressor is given."""
        names = [_expand(column) for column in self.inputs]
        return tuple(name for part in names for name in part)

    def find(self, name: str) -> Column | None:
        """The column of that name, an input or one that was kept."""
        return next((column for column in (*self.inputs, *self.kept) if column.name == name), None)

    def text(self) -> list[str]:
        """Columns that must be read as they are written."""
        return [column.name for column in (*self.inputs, *self.kept) if column.kind == "category"]

    def check_names(self, names: Sequence[str], source: str) -> None:
        """Refuse a table that lacks an input, and say which of its names may have been meant."""
        lacking = [column.name for column in self.inputs if column.name not in names]
        if not lacking:
            return
        hints = []
        for name in lacking[:5]:
            near = difflib.get_close_matches(name, [other for other in names if self.find(other) is None], n=1)
            hints.append(f"{name!r} (has it become {near[0]!r}?)" if near else repr(name))
        more = f" and {len(lacking) - 5} more" if len(lacking) > 5 else ""
        raise ValueError(
            f"{source} lacks {len(lacking)} of the model's {len(self.inputs)} columns: {', '.join(hints)}{more}. "
            f"It has {', '.join(map(str, names[:20]))}{', …' if len(names) > 20 else ''}."
        )

    def encode(self, frame: pd.DataFrame, source: str = "the table") -> Encoded:
        """Rows as the numbers that the regressor was trained on.

        Parameters
        ----------
        frame
            A table with at least the model's inputs, in any order. Its index is what errors call its rows.
        source
            What errors call the table.
        """
        self.check_names([str(name) for name in frame.columns], source)
        values = {c.name: _values(c, pd.Series(frame[c.name]), source) for c in self.inputs}
        absent = pd.DataFrame({name: column.isna() for name, column in values.items()}, index=frame.index)
        incomplete = np.asarray(absent.to_numpy().any(axis=1), dtype=bool)
        usable = np.ones(len(frame), dtype=bool)
        if incomplete.any():
            if self.missing == "refuse":
                raise ValueError(_missing_values(absent, source))
            if self.missing == "drop":
                usable = ~incomplete
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
            codes = pd.Index(column.levels).get_indexer(pd.Index(labels))
            known = codes >= 0
            X[np.flatnonzero(known), place + codes[known]] = 1.0
            if not known.all():
                unknown |= ~known
                levels[column.name] = Counter(labels[~known].tolist())
            place += len(column.levels)
        return Encoded(X, usable, unknown, levels)


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
    """What a training table says about its columns; refuses what cannot be an input.

    Parameters are those of `TableModel.fit`.
    """
    if missing not in ("refuse", "drop", "impute"):
        raise ValueError(f'`missing` must be "refuse", "drop" or "impute", got {missing!r}.')
    names = [str(name) for name in frame.columns]
    refuse_duplicates(names, source)
    for name in (target, *drop, *keep, *categories):
        if name not in names:
            hint = " Is the separator right?" if len(names) == 1 else ""
            raise ValueError(f"{source} has no column {name!r}; its columns are {', '.join(names)}.{hint}")
    if target in (*drop, *keep, *categories):
        raise ValueError(f"the target {target!r} cannot be dropped, kept or a category as well.")
    inputs = [name for name in names if name not in (target, *drop, *keep)]
    if not inputs:
        raise ValueError(f"{source} has no inputs beside the target {target!r}.")
    learned = [_learn(pd.Series(frame[name]), name in categories, missing, max_levels, source) for name in inputs]
    kept = [_learn(pd.Series(frame[name]), name in categories, "drop", None, source) for name in keep]
    return Schema(tuple(learned), target, missing, tuple(kept))


def as_labels(column: pd.Series) -> pd.Series:
    """Values of a category as text; missing ones stay missing. True and TRUE are one, and so are 1 and 1.0."""
    labels = [_label(value) if present else None for value, present in zip(column, column.notna(), strict=True)]
    return pd.Series(labels, index=column.index, name=column.name, dtype=object)


def as_numbers(column: pd.Series, source: str) -> pd.Series:
    """Values of a number as float64, missing ones as NaN; refuses text and infinity, and says in which row."""
    if types.is_bool_dtype(column.dtype) or isinstance(column.dtype, pd.CategoricalDtype):
        raise _wrong_type(column, column.index[0], source)
    if not types.is_numeric_dtype(column.dtype):
        if not (types.is_object_dtype(column.dtype) or types.is_string_dtype(column.dtype)):
            raise _wrong_type(column, column.index[0], source)
        numbers: Any = pd.to_numeric(column, errors="coerce")
        if (wrong := column.notna() & numbers.isna()).any():
            raise _wrong_type(column, wrong.index[wrong.to_numpy().argmax()], source)
        column = numbers
    if types.is_complex_dtype(column.dtype):
        raise _wrong_type(column, column.index[0], source)
    values = column.astype(np.float64)
    if (infinite := np.isinf(values.to_numpy())).any():
        raise ValueError(f"column {column.name!r} of {source} is infinite in row {_row(values.index[infinite][0])}.")
    return values


def _values(column: Column, values: pd.Series, source: str) -> pd.Series:
    return as_labels(values) if column.kind == "category" else as_numbers(values, source)


def _learn(column: pd.Series, category: bool, missing: str, max_levels: int | None, source: str) -> Column:
    name = str(column.name)
    if column.isna().all():
        raise ValueError(f"column {name!r} of {source} has no value at all; leave it out with `drop`.")
    if not category and not is_categorical(column):
        numbers = as_numbers(column, source)
        return Column(name, "number", fill=float(numbers.median()))
    labels = as_labels(column)
    present = labels.dropna()
    if isinstance(column.dtype, pd.CategoricalDtype):
        levels = [_label(level) for level in column.dtype.categories]
    else:
        levels = sorted(set(present))
    if missing == "impute" and len(present) < len(labels) and MISSING_LEVEL not in levels:
        levels.append(MISSING_LEVEL)
    if max_levels is not None and len(levels) > max_levels:
        raise ValueError(
            f"column {name!r} of {source} has {len(levels)} levels, such as {', '.join(levels[:3])}: more than "
            f"`max_levels` = {max_levels}. It is rather a name, a date or a number written as text: leave it out with "
            "`drop`, turn it into numbers, or raise the limit."
        )
    return Column(name, "category", tuple(levels))


def _expand(column: Column) -> list[str]:
    return [column.name] if column.kind == "number" else [f"{column.name}={level}" for level in column.levels]


def _label(value: Any) -> str:
    if isinstance(value, float | np.floating) and float(value).is_integer():
        return str(int(value))
    text = str(value)
    return text.capitalize() if text.lower() in ("true", "false") else text


def _row(label: Any) -> str:
    """A row as a person counts it: from 1, the header apart."""
    return str(label + 1) if isinstance(label, int | np.integer) else repr(label)


def _wrong_type(column: pd.Series, label: Any, source: str) -> ValueError:
    value: Any = column[label]
    value = value.item() if isinstance(value, np.generic) else value
    return ValueError(
        f"column {column.name!r} of {source} must hold numbers, but row {_row(label)} has {value!r} "
        f"({column.dtype}); correct it, or leave the column out when fitting."
    )


def _missing_values(absent: pd.DataFrame, source: str) -> str:
    counts = ", ".join(f"{name} {int(n)}" for name, n in absent.sum().items() if n)
    rows = absent.index[np.asarray(absent.to_numpy().any(axis=1), dtype=bool)]
    return (
        f"{source} has missing values in {len(rows)} rows, first in row {_row(rows[0])} ({counts}), and the model "
        'refuses them. Fill them in, or fit with missing="drop" (such rows get no prediction) or missing="impute" '
        f'(medians, and a level "{MISSING_LEVEL}" for categories).'
    )
