"""Rows of any number, scored a piece at a time: a random sample of them, counts, and the least familiar ones."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from unabases.audit.groups import Scored
from unabases.audit.rows import RowCounts
from unabases.datasets.table import is_categorical
from unabases.tables import TableModel, as_labels, as_numbers

__all__ = ["Streamed", "beside", "score_table"]

# Names of what is known about each row, which no column of a table has.
_KEY, _ROW, _MEAN, _STD, _ERROR = (f"\0{name}" for name in ("key", "row", "mean", "std", "error"))


class Streamed(NamedTuple):
    """What an audit keeps of a table."""

    sample: Scored  # all rows, or a random sample of them
    rows: int
    empty: int  # rows with missing values, which the model leaves out
    counts: RowCounts
    least_familiar: pd.DataFrame  # row, mean, epistemic_std and the columns audited by
    unknown_levels: dict[str, Counter]


def score_table(
    model: TableModel,
    chunks: Iterable[pd.DataFrame],
    by: Sequence[str],
    *,
    most: int,
    show: int,
    rng: np.random.Generator,
    source: str = "the table",
    on_rows: Callable[[int], None] | None = None,
) -> Streamed:
    """Score pieces of a table and keep at most `most` rows, drawn with equal probabilities, and `show` at the top."""
    counts = RowCounts(model.held_out.epistemic_std)
    sample: pd.DataFrame | None = None
    top: pd.DataFrame | None = None
    text: dict[str, bool] | None = None
    unknown: dict[str, Counter] = {}
    rows = empty = 0
    for chunk in chunks:
        encoded = model.schema.encode(chunk, source)
        for name, levels in encoded.unknown_levels.items():
            unknown.setdefault(name, Counter()).update(levels)
        usable: Any = chunk[encoded.usable]
        rows, empty = rows + len(chunk), empty + len(chunk) - len(usable)
        if on_rows is not None:
            on_rows(len(chunk))
        if len(usable) == 0:
            continue
        d = model.regressor.predict_dist(encoded.X)
        counts.add(d.epistemic_std)
        y = model.targets(usable, source)
        scored = pd.DataFrame(
            {
                _KEY: rng.random(len(usable)),
                _ROW: np.asarray(usable.index),
                _MEAN: d.mean,
                _STD: d.epistemic_std,
                _ERROR: np.full(len(usable), np.nan) if y is None else np.abs(y - d.mean),
            },
            index=usable.index,
        )
        if text is None:
            text = {name: _is_text(model, pd.Series(usable[name])) for name in by}
        for name in by:
            values = pd.Series(usable[name])
            scored[name] = as_labels(values) if text[name] else as_numbers(values, source)
        top = _keep(top, scored, show, _STD, largest=True)
        sample = _keep(sample, scored, most, _KEY, largest=False)
    if sample is None or top is None:
        raise ValueError(f"{source} has no rows that the model can predict, of {rows} in all.")
    error, columns = sample[_ERROR].to_numpy(), pd.DataFrame(sample[list(by)])
    facts = pd.DataFrame({"row": top[_ROW], "mean": top[_MEAN], "epistemic_std": top[_STD]})
    return Streamed(
        Scored(sample[_STD].to_numpy(), columns, None if np.isnan(error).all() else error),
        rows,
        empty,
        counts,
        beside(facts, pd.DataFrame(top[list(by)])),
        unknown,
    )


def beside(facts: pd.DataFrame, columns: pd.DataFrame) -> pd.DataFrame:
    """What is known about rows and, to the right, columns of their table, renamed where a name is taken."""
    return facts.join(columns.rename(columns={name: f"{name} (column)" for name in columns if name in facts}))


def _is_text(model: TableModel, column: pd.Series) -> bool:
    """Whether a column to audit by holds names: as the model knows it, or as its first piece looks."""
    known = model.schema.find(str(column.name))
    return is_categorical(column) if known is None else known.kind == "category"


def _keep(kept: pd.DataFrame | None, more: pd.DataFrame, most: int, key: str, largest: bool) -> pd.DataFrame:
    """The `most` rows that come first by a column, of those kept so far and some more."""
    if kept is not None and len(kept) >= most:
        bound = kept[key].min() if largest else kept[key].max()
        more = pd.DataFrame(more[more[key] > bound] if largest else more[more[key] < bound])
    joined = more if kept is None else pd.concat([kept, more], ignore_index=True)
    if largest or len(joined) > most:
        joined = joined.sort_values(key, ascending=not largest, ignore_index=True).head(most)
    return joined.reset_index(drop=True)
