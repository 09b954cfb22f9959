"""The audit itself: from a model and rows to an `AuditResult`."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from unabases.audit.grouping import typed
from unabases.audit.groups import Scored, find_groups
from unabases.audit.prediction import leave_one_out_std, predict_epistemic
from unabases.audit.result import AuditResult, defer_table, risk_curve
from unabases.audit.rows import RowCounts, conformal_p_values, judge_rows
from unabases.audit.streaming import Streamed, beside, score_table
from unabases.tables import TableModel

__all__ = ["audit", "columns_to_audit"]

_MANY_COLUMNS = 12  # above which pairs are left out, unless asked for
_SHOWN = 20  # rows

By = Sequence[str] | Mapping[str, ArrayLike] | pd.DataFrame


def audit(
    model: Any,
    X: Any,
    by: By | None = None,
    *,
    y: ArrayLike | None = None,
    reference: Any = None,
    reference_by: Mapping[str, ArrayLike] | pd.DataFrame | None = None,
    training: Any = None,
    level: float = 0.05,
    bins: int = 5,
    pairs: bool | None = None,
    least_rows: int = 10,
    most_rows: int = 50_000,
    n_permutations: int = 2000,
    max_error: float | None = None,
    random_state: int | None = 0,
    on_rows: Callable[[int], None] | None = None,
) -> AuditResult:
    """Ask which rows, values and pairs of values of a table are under-represented in a model's training data.

    Where audited rows are drawn as the training data was, anything is named with probability at most `level`:
    see `unabases.audit.groups`, which also says what is compared.

    Parameters
    ----------
    model
        A `TableModel`, which brings its reference rows, or any fitted regressor with one output.
    X
        A table; for a `TableModel` also an iterable of parts of one, which is read once and never held whole. For a
        regressor also an array.
    by
        Names of columns of X, or columns of their own (a mapping or DataFrame with as many rows); by default, all
        columns that a `TableModel` knows.
    y
        Outcomes, if a regressor is audited; a `TableModel` finds them in the table.
    reference, reference_by
        For a regressor: rows like its training data on which it was not trained, and their columns if X is an array.
    training
        Instead of `reference`, the rows that it was trained on: their stds are corrected by `leave_one_out_std`.
    level, bins, least_rows, n_permutations
        As in `find_groups`.
    pairs
        Whether to look at pairs of columns; by default if there are at most 12 columns.
    most_rows
        Tests and curves are made of at most so many rows, drawn at random; a longer table still counts as a whole in
        what is said about single rows.
    max_error
        A wanted mean absolute error, for which the share to defer is found.
    random_state
        Seed of the permutations and of the sample.
    on_rows
        Called with the number of rows that were just scored.

    Examples
    --------
    >>> from unabases import GaussianProcess
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(300, 2))
    >>> model = GaussianProcess(restarts=0).fit(X[:150], X[:150].sum(axis=1))
    >>> moved = np.where(np.arange(150) < 50, 2.0, 0.0)
    >>> found = audit(model, X[150:] + moved[:, None], {"site": np.where(moved > 0, "B", "A")}, reference=X[150:])
    >>> found.columns["value"].tolist()
    ['B']
    """
    if not 0 < level < 1:
        raise ValueError(f"`level` must lie between 0 and 1, got {level!r}.")
    rng = np.random.default_rng(random_state)
    if isinstance(model, TableModel):
        if any(value is not None for value in (reference, reference_by, training, y)):
            raise ValueError(
                "a TableModel brings its own reference rows and finds outcomes in the table; leave out `reference`, "
                "`reference_by`, `training` and `y`, or audit `model.regressor` with arrays."
            )
        names, streamed = _stream(model, X, by, most_rows, rng, on_rows)
        known = Scored(model.held_out.epistemic_std, model.held_out.columns)
        method, target = type(model.regressor).__name__, model.schema.target
    else:
        names, streamed, known = _score(model, X, by, y, reference, reference_by, training)
        method, target = type(model).__name__, "y"
    new = streamed.sample
    found = find_groups(
        new,
        known,
        names,
        level=level,
        bins=bins,
        pairs=len(names) <= _MANY_COLUMNS if pairs is None else pairs,
        least_rows=least_rows,
        n_permutations=n_permutations,
        rng=rng,
    )
    verdict = judge_rows(streamed.counts, level)
    top = streamed.least_familiar.copy()
    top.insert(2, "relative", top["epistemic_std"] / known.std.mean() - 1)
    top.insert(3, "p", conformal_p_values(top["epistemic_std"].to_numpy(), known.std))
    top.insert(4, "named", top["epistemic_std"] > verdict.threshold)
    return AuditResult(
        target=target,
        method=method,
        level=level,
        rows=streamed.rows,
        sampled=len(new.std),
        empty=streamed.empty,
        overall=found.overall,
        columns=found.columns,
        values=found.values,
        pairs=found.pairs,
        least_familiar=top,
        named_rows=verdict.named,
        row_threshold=verdict.threshold,
        std=new.std,
        reference_std=known.std,
        risk=None if new.error is None else risk_curve(new.std, new.error),
        deferral=None if new.error is None else defer_table(new.std, new.error, max_error),
        unknown_levels=streamed.unknown_levels,
    )


def columns_to_audit(model: TableModel, names: Sequence[str], by: Sequence[str] | None) -> list[str]:
    """The columns asked for, or all that the model knows; refuses those that the table lacks."""
    wanted = [column.name for column in (*model.schema.inputs, *model.schema.kept)] if by is None else list(by)
    if lacking := [name for name in wanted if name not in names and by is not None]:
        raise ValueError(f"there is no column {lacking[0]!r} to audit by; the table has {', '.join(map(str, names))}.")
    if model.schema.target in wanted:
        raise ValueError(
            f"{model.schema.target!r} is the target: the model cannot know it, so there is nothing to audit by it."
        )
    return [name for name in dict.fromkeys(wanted) if name in names]


def _stream(
    model: TableModel, X: Any, by: By | None, most: int, rng: np.random.Generator, on_rows: Callable[[int], None] | None
) -> tuple[list[str], Streamed]:
    if isinstance(by, Mapping | pd.DataFrame | str):
        raise ValueError("`by` must be a list of names of columns of the table.")
    chunks: Iterable[pd.DataFrame] = [X.reset_index(drop=True)] if isinstance(X, pd.DataFrame) else X
    iterator = iter(chunks)
    first = next(iterator, None)
    if first is None:
        raise ValueError("there are no rows to audit.")
    names = columns_to_audit(model, [str(name) for name in first.columns], by)  # pyright: ignore[reportArgumentType]

    def all_of_them() -> Iterable[pd.DataFrame]:
        yield first
        yield from iterator

    return names, score_table(model, all_of_them(), names, most=most, show=_SHOWN, rng=rng, on_rows=on_rows)


def _score(
    model: Any, X: Any, by: By | None, y: Any, reference: Any, reference_by: Any, training: Any
) -> tuple[list[str], Streamed, Scored]:
    """The same for a regressor and arrays that fit in memory."""
    if (reference is None) == (training is None):
        raise ValueError(
            "give one of `reference` (rows like the training data that the model was not trained on) and `training`."
        )
    mean, std = predict_epistemic(model, X)
    own = _columns_of(X, by, len(std), "X")
    apart = reference if training is None else training
    reference_std = predict_epistemic(model, apart)[1] if training is None else leave_one_out_std(model, training)
    of_reference = None
    if reference_by is not None or isinstance(apart, pd.DataFrame):
        wanted = reference_by if reference_by is not None else [n for n in own if n in apart.columns]
        of_reference = _columns_of(apart, wanted, len(reference_std), "reference")
    error = None if y is None else np.abs(np.asarray(y, dtype=np.float64) - mean)
    counts = RowCounts(reference_std)
    counts.add(std)
    order = np.argsort(-std, kind="stable")[:_SHOWN]
    top = pd.DataFrame({"row": order, "mean": mean[order], "epistemic_std": std[order]})
    top = beside(top, own.iloc[order].reset_index(drop=True))
    streamed = Streamed(Scored(std, own, error), len(std), 0, counts, top, {})
    return list(own), streamed, Scored(reference_std, of_reference)


def _columns_of(X: Any, by: By | None, n: int, name: str) -> pd.DataFrame:
    """Columns to audit by, typed."""
    if by is None:
        by = list(X.columns) if isinstance(X, pd.DataFrame) else {}
    if not isinstance(by, Mapping | pd.DataFrame):
        if not isinstance(X, pd.DataFrame):
            raise ValueError(f"`by` has names, but `{name}` is no table; give the columns themselves, as a mapping.")
        if lacking := [column for column in by if column not in X.columns]:
            raise ValueError(f"`{name}` has no column {lacking[0]!r}; it has {', '.join(map(str, X.columns))}.")
        given: Any = X[list(by)]
    else:
        given = by
    columns = {str(key): pd.Series(np.asarray(value)) for key, value in given.items()}
    for key, column in columns.items():
        if len(column) != n:
            raise ValueError(f"column {key!r} has {len(column)} rows but `{name}` has {n}.")
    return pd.DataFrame({key: typed(column) for key, column in columns.items()}, index=range(n))
