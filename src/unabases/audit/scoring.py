"""Score the rows of an audit, piece by piece: a random sample of them, counts, and the least familiar ones."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from jaxtyping import Float

from unabases.audit.groups import Scored
from unabases.audit.unfamiliar_rows import RowCounts
from unabases.datasets.column_values import kind_of, show_days
from unabases.datasets.schema import Column
from unabases.tables import TableModel

__all__ = ["ScoredTable", "score_arrays", "score_table"]

SHOWN = 20  # least familiar rows
# What is known about each row, under names that no column of a table has.
_KEY, _ROW, _MEAN, _STD, _ERROR, _UNKNOWN = (f"\0{name}" for name in ("key", "row", "mean", "std", "error", "unknown"))


class ScoredTable(NamedTuple):
    """What an audit keeps of the rows it scored."""

    sample: Scored
    """All rows, or a random sample of them."""
    rows: int
    empty: int
    """Rows with missing values, which the model leaves out."""
    counts: RowCounts
    least_familiar: pd.DataFrame
    """`row`, `mean` and `epistemic_std` of the least familiar rows, and the columns audited by."""
    unknown_levels: dict[str, Counter]


def score_table(
    model: TableModel,
    chunks: Iterable[pd.DataFrame],
    by: Sequence[str],
    *,
    most: int,
    rng: np.random.Generator,
    source: str = "the table",
    on_rows: Callable[[int], None] | None = None,
) -> ScoredTable:
    """Score pieces of a table, keeping a random sample of at most `most` rows and the least familiar ones."""
    counts = RowCounts(model.held_out.epistemic_std)
    sample: pd.DataFrame | None = None
    top: pd.DataFrame | None = None
    columns: list[Column] | None = None
    unknown: dict[str, Counter] = {}
    rows = empty = 0
    for chunk in chunks:
        encoded = model.encode(chunk, source)
        for name, levels in encoded.unknown_levels.items():
            unknown.setdefault(name, Counter()).update(levels)
        usable: Any = chunk[encoded.usable]
        places = rows + np.flatnonzero(encoded.usable)
        rows, empty = rows + len(chunk), empty + len(chunk) - len(usable)
        if on_rows is not None:
            on_rows(len(chunk))
        if len(usable) == 0:
            continue
        d = model.regressor.predict_dist(encoded)
        counts.add(d.epistemic_std)
        y = model.targets(usable, source)
        error = np.full(len(usable), np.nan) if y is None else np.abs(y - d.mean)
        facts = {_KEY: rng.random(len(usable)), _ROW: places, _MEAN: d.mean, _STD: d.epistemic_std}
        scored = pd.DataFrame({**facts, _ERROR: error, _UNKNOWN: encoded.unknown}, index=usable.index)
        if columns is None:  # as the model knows them, or as the first piece looks
            columns = [model.schema.find(name) or Column(name, kind_of(pd.Series(usable[name]))) for name in by]
        for column in columns:
            scored[column.name] = column.read(usable, source)
        top = _keep(top, scored, SHOWN, _STD, largest=True)
        sample = _keep(sample, scored, most, _KEY, largest=False)
    if sample is None or top is None:
        raise ValueError(f"{source} has no rows that the model can predict, out of {rows}.")
    error, own = sample[_ERROR].to_numpy(), pd.DataFrame(sample[list(by)])
    known = None if np.isnan(error).all() else error
    dates = frozenset(column.name for column in columns or () if column.kind == "date")
    scored = Scored(sample[_STD].to_numpy(), own, known, sample[_UNKNOWN].to_numpy(dtype=bool), dates)
    facts = pd.DataFrame({"row": top[_ROW], "mean": top[_MEAN], "epistemic_std": top[_STD]})
    return ScoredTable(scored, rows, empty, counts, _beside(facts, pd.DataFrame(top[list(by)]), dates), unknown)


def score_arrays(mean: Float[np.ndarray, " n"], scored: Scored, reference_std: Float[np.ndarray, " m"]) -> ScoredTable:
    """Summarise rows that fit in memory and are scored already."""
    counts = RowCounts(reference_std)
    counts.add(scored.std)
    order = np.argsort(-scored.std, kind="stable")[:SHOWN]
    top = pd.DataFrame({"row": order, "mean": mean[order], "epistemic_std": scored.std[order]})
    if scored.columns is not None:
        top = _beside(top, scored.columns.iloc[order].reset_index(drop=True), scored.dates)
    return ScoredTable(scored, len(scored.std), 0, counts, top, {})


def _beside(facts: pd.DataFrame, columns: pd.DataFrame, dates: frozenset[str]) -> pd.DataFrame:
    """Put columns of a table to the right of what is known about its rows, renamed where a name is taken."""
    columns = columns.assign(**{name: show_days(pd.Series(columns[name])) for name in dates})
    return facts.join(columns.rename(columns={name: f"{name} (column)" for name in columns if name in facts}))


def _keep(kept: pd.DataFrame | None, more: pd.DataFrame, most: int, key: str, largest: bool) -> pd.DataFrame:
    """Keep the `most` rows that come first by a column, of those kept so far and some more."""
    if kept is not None and len(kept) >= most:
        bound = kept[key].min() if largest else kept[key].max()
        more = pd.DataFrame(more[more[key] > bound] if largest else more[more[key] < bound])
    joined = more if kept is None else pd.concat([kept, more], ignore_index=True)
    if largest or len(joined) > most:
        joined = joined.sort_values(key, ascending=not largest, ignore_index=True).head(most)
    return joined.reset_index(drop=True)
