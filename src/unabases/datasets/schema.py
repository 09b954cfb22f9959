"""The columns of a table that has a target: which are inputs, which are kept aside, and how they become numbers."""

from collections.abc import Sequence
from typing import Any, NamedTuple, TypedDict

import numpy as np
import pandas as pd
from jaxtyping import Float

from unabases.datasets.column_values import LINE, as_numbers, name_row, numbers_or_missing, warn_of_far_values
from unabases.datasets.encoder import (
    Column,
    Encoded,
    Encoder,
    check_missing,
    learn_encoder,
    refuse_duplicates,
    refuse_no_frame,
    refuse_unknown,
)
from unabases.datasets.user_text import how_many

__all__ = ["Column", "ColumnRules", "Encoded", "Schema", "TrainingRows", "count_rows", "learn_schema"]


_NO_TARGET = (
    "It is the target, and only numbers are predicted: no model here classifies. Turn yes and no into 1 and 0, and "
    "dates into days."
)


class ColumnRules(TypedDict, total=False):
    """Options that say which columns are inputs and how they are read: the keywords of `learn_schema`."""

    drop: Sequence[str]
    keep: Sequence[str]
    categories: Sequence[str]
    numbers: Sequence[str]
    missing: str
    max_levels: int


class TrainingRows(NamedTuple):
    """The usable rows of a table that has a target."""

    encoded: Encoded
    y: Float[np.ndarray, " n"]
    frame: pd.DataFrame
    """The same rows as they were given."""


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

    @property
    def encoder(self) -> Encoder:
        """What turns the inputs into numbers."""
        return Encoder(self.inputs, self.missing)

    def check_names(self, names: Sequence[str], source: str) -> None:
        """Refuse a table that lacks an input, and suggest which of its columns was meant."""
        self.encoder.check_names(names, source)

    def encode(self, frame: pd.DataFrame, source: str = "the table") -> Encoded:
        """Turn rows into the numbers that the regressor takes, as `Encoder.encode` does."""
        return self.encoder.encode(frame, source)

    def encode_training(self, frame: pd.DataFrame, source: str = "the table") -> TrainingRows:
        """Turn rows into inputs and targets; leave out those with missing values if `missing` is `"drop"`."""
        y = _read_target(frame, self.target, source)
        present = y.notna().to_numpy()
        if not present.all() and self.missing != "drop":
            raise ValueError(
                f"the target {self.target!r} of {source} is missing in {how_many(int((~present).sum()), 'row')}, first "
                f"in {name_row(y.index, int(present.argmin()))}. A target cannot be filled; leave such rows out with "
                'missing="drop".'
            )
        frame = pd.DataFrame(frame[present])
        encoded = self.encode(frame, source)
        rows = pd.DataFrame(frame[encoded.usable])
        return TrainingRows(encoded, y.to_numpy()[present][encoded.usable], rows)


def learn_schema(
    frame: pd.DataFrame,
    target: str,
    *,
    drop: Sequence[str] = (),
    keep: Sequence[str] = (),
    categories: Sequence[str] = (),
    numbers: Sequence[str] = (),
    missing: str = "refuse",
    max_levels: int = 50,
    source: str = "the table",
) -> Schema:
    """Learn the types, levels and medians of a training table's columns; refuse what cannot be an input.

    How columns become numbers is said at `learn_encoder`.

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
    numbers : sequence of str
        Columns of numbers in which other text, such as "unknown", counts as missing, now and in later tables. A column
        that is mostly numbers is refused unless it is named here or in `categories`, or is a pandas category.
    missing : {"refuse", "drop", "impute"}
        What to do with missing values, now and in later tables. `"refuse"` raises an error. `"drop"` leaves such rows
        out, and learns levels and medians from the others. `"impute"` fills numbers with their median and adds a
        column `name=missing` of zeros and ones, if training rows lack some; categories get a level `missing`, which
        comes last.
    max_levels : int
        The levels of a category that have a number of their own, at most; all others share one.
    source : str
        What errors call the table.

    Returns
    -------
    Schema
        The columns and what was learned about them.
    """
    check_missing(missing)
    names = [str(name) for name in frame.columns]
    refuse_duplicates(names, source)
    frame = frame.set_axis(names, axis="columns")
    refuse_unknown((target, *drop, *keep, *categories, *numbers), names, source)
    if target in (*drop, *keep, *categories, *numbers):
        raise ValueError(f"{target!r} is the target, so it cannot be in `drop`, `keep`, `categories` or `numbers` too.")
    if both := sorted(set(categories) & set(numbers)):
        raise ValueError(f"{both[0]!r} is in `categories` and in `numbers`; choose one.")
    inputs = [name for name in names if name not in (target, *drop, *keep)]
    if not inputs:
        raise ValueError(f"{source} has no inputs besides the target {target!r}.")
    if len(frame) == 0:
        raise ValueError(f"{source} has no rows.")
    if _read_target(frame, target, source).isna().all():
        raise ValueError(f"the target {target!r} of {source} has no values at all; choose a column that has some.")
    frame = frame.assign(**{name: numbers_or_missing(pd.Series(frame[name])) for name in numbers})
    if missing == "drop":
        whole = frame.dropna(subset=[*inputs, target])
        if len(whole) == 0:
            empty = [name for name in inputs if pd.Series(frame[name]).isna().all()]
            why = f": column {empty[0]!r} has no values at all; leave it out" if empty else ""
            raise ValueError(f"{source} has no rows without missing values{why}.")
        frame = whole
    rules = {"categories": categories, "numbers": numbers, "source": source}
    encoder = learn_encoder(pd.DataFrame(frame[inputs]), missing=missing, max_levels=max_levels, **rules)
    kept = learn_encoder(pd.DataFrame(frame[list(keep)]), max_levels=None, **rules)
    for column in (*(column for column in encoder.inputs if column.kind != "category"), Column(target, "number")):
        warn_of_far_values(column.read(frame, source), pd.Series(frame[column.name]), column.kind, source)
    return Schema(encoder.inputs, target, missing, kept.inputs)


def count_rows(frame: Any) -> pd.DataFrame:
    """Return the table with names of columns as text and rows counted from 0, unless the index knows their lines."""
    refuse_no_frame(frame, "the table")
    frame = frame.set_axis([str(name) for name in frame.columns], axis="columns")
    return frame if frame.index.name == LINE and frame.index.is_unique else frame.reset_index(drop=True)


def _read_target(frame: pd.DataFrame, target: str, source: str) -> pd.Series:
    """The targets as float64, with NaN for missing ones."""
    return as_numbers(pd.Series(frame[target]), source, _NO_TARGET)
