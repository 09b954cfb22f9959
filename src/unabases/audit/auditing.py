"""The `audit` function: from a model and rows to an `AuditResult`."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from unabases.audit.epistemic import check_unsure, leave_one_out_std, predict_epistemic
from unabases.audit.groups import Scored, find_groups
from unabases.audit.result import AuditResult, defer_table, risk_curve
from unabases.audit.scoring import ScoredTable, score_arrays, score_table
from unabases.audit.settings import AuditSettings
from unabases.audit.unfamiliar_rows import conformal_p_values, judge_rows
from unabases.datasets.column_values import kind_of
from unabases.datasets.encoder import refuse_unknown
from unabases.datasets.schema import Column
from unabases.tables import TableModel

__all__ = ["Reference", "audit", "columns_to_audit"]

By = Sequence[str] | Mapping[str, ArrayLike] | pd.DataFrame


class Reference(NamedTuple):
    """Rows with which to compare the audited ones, if a regressor is audited without its table.

    Examples
    --------
    >>> Reference(np.zeros((2, 1)), by={"site": ["A", "B"]}).trained_on
    False
    """

    X: Any
    """Inputs, as an array or table."""
    by: Mapping[str, ArrayLike] | pd.DataFrame | None = None
    """Their columns to audit by, if these are not in X."""
    trained_on: bool = False
    """True if the regressor was trained on these rows; `leave_one_out_std` then corrects their stds."""


def audit(
    model: Any,
    X: Any,
    by: By | None = None,
    *,
    y: ArrayLike | None = None,
    reference: Any = None,
    level: float = 0.05,
    settings: AuditSettings | None = None,
    random_state: int | None = 0,
    on_rows: Callable[[int], None] | None = None,
    source: str = "the table",
) -> AuditResult:
    """Find the rows, values and pairs of values that a model's training data has too little of.

    The audited rows are compared with reference rows: rows like the training data that the model was not trained on.
    If the audited rows come from the same source as those, the chance of naming any group wrongly is at most `level`.

    Parameters
    ----------
    model : TableModel or regressor
        A `TableModel`, which brings its own reference rows, or a fitted regressor with one output.
    X : DataFrame, iterable of DataFrame, or array
        The rows to audit. For a `TableModel`, a table, or an iterable of pieces of one, which is read once and never
        held whole. For a regressor, a table or an array.
    by : sequence of str, mapping or DataFrame, optional
        The columns to look at: names of columns of X, or, for a regressor, the columns themselves. By default all
        columns that a `TableModel` knows, or all of a table.
    y : array, optional
        Outcomes, if a regressor is audited. A `TableModel` finds them in the table.
    reference : array, DataFrame or Reference, optional
        For a regressor: rows like its training data that it was not trained on. Use `Reference` to give their columns
        separately, or to use training rows.
    level : float
        The chance of a false alarm: of naming any group if there is nothing to find. Intervals hold with probability
        1 − `level`, each on its own.
    settings : AuditSettings, optional
        The finer choices: number of ranges, pairs, permutations, sample size, and a mean absolute error to aim for.
    random_state : int, optional
        Seed for the permutations and the sample.
    on_rows : callable, optional
        Called with the number of rows just scored.
    source : str
        What errors call the table.

    Returns
    -------
    AuditResult
        Tables of what was found, with methods to draw them and to write a page.

    See Also
    --------
    find_groups : What is compared, and how.
    explain : Why the model is unsure about one row.

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
    settings = settings or AuditSettings()
    rng = np.random.default_rng(random_state)
    if isinstance(model, TableModel):
        if reference is not None or y is not None:
            raise ValueError(
                "a TableModel brings its own reference rows and finds outcomes in the table; leave out `reference` and "
                "`y`, or audit `model.regressor` with arrays."
            )
        names, scored = _score_pieces(model, X, by, settings.most_rows, rng, on_rows, source)
        known = Scored(model.held_out.epistemic_std, model.held_out.columns)
        method, target = type(model.regressor).__name__, model.schema.target
    else:
        names, scored, known = _score_regressor(model, X, by, y, reference)
        method, target = type(model).__name__, "y"
    check_unsure(known.std)
    new = scored.sample
    found = find_groups(new, known, names, level=level, settings=settings, rng=rng)
    verdict = judge_rows(scored.counts, level)
    top = scored.least_familiar.copy()
    top.insert(2, "relative", top["epistemic_std"] / known.std.mean() - 1)
    top.insert(3, "p", conformal_p_values(top["epistemic_std"].to_numpy(), known.std))
    top.insert(4, "named", top["epistemic_std"] > verdict.threshold)
    return AuditResult(
        target=target,
        method=method,
        level=level,
        rows=scored.rows,
        sampled=len(new.std),
        empty=scored.empty,
        overall=found.overall,
        columns=found.columns,
        values=found.values,
        pairs=found.pairs,
        least_familiar=top,
        named_rows=verdict.named,
        row_threshold=verdict.threshold,
        beyond=verdict.beyond,
        deferred=found.deferred,
        defer_above=found.defer_above,
        defer_share=settings.defer_share,
        group_stds=found.stds,
        std=new.std,
        reference_std=known.std,
        risk=None if new.error is None else risk_curve(new.std, new.error),
        deferral=None if new.error is None else defer_table(new.std, new.error, settings.max_error),
        unknown_levels=scored.unknown_levels,
    )


def columns_to_audit(
    model: TableModel, names: Sequence[str], by: Sequence[str] | None, source: str = "the table"
) -> list[str]:
    """Choose the columns to look at: those asked for, or all that the model knows; refuse what the table lacks."""
    wanted = [column.name for column in (*model.schema.inputs, *model.schema.kept)] if by is None else list(by)
    if by is not None:
        refuse_unknown(wanted, names, source)
    if model.schema.target in wanted:
        raise ValueError(
            f"{model.schema.target!r} is the target. The model does not take it as an input, so choose other columns."
        )
    return [name for name in dict.fromkeys(wanted) if name in names]


def _score_pieces(
    model: TableModel,
    X: Any,
    by: By | None,
    most: int,
    rng: np.random.Generator,
    on_rows: Callable[[int], None] | None,
    source: str,
) -> tuple[list[str], ScoredTable]:
    if isinstance(by, Mapping | pd.DataFrame | str):
        raise ValueError("`by` must be a list of names of columns of the table.")
    chunks: Iterable[pd.DataFrame] = [X.reset_index(drop=True)] if isinstance(X, pd.DataFrame) else X
    iterator = iter(chunks if isinstance(chunks, Iterable) else [chunks])
    first = next(iterator, None)
    if first is None:
        raise ValueError("there are no rows to audit.")
    if not isinstance(first, pd.DataFrame):
        raise ValueError(f"a TableModel audits pandas tables, or pieces of one; got {type(X).__name__}.")
    names = columns_to_audit(model, [str(name) for name in first.columns], by, source)  # pyright: ignore[reportArgumentType]

    def all_of_them() -> Iterable[pd.DataFrame]:
        yield first
        yield from iterator

    return names, score_table(model, all_of_them(), names, most=most, rng=rng, on_rows=on_rows, source=source)


def _score_regressor(
    model: Any, X: Any, by: By | None, y: Any, reference: Any
) -> tuple[list[str], ScoredTable, Scored]:
    if reference is None:
        raise ValueError(
            "a regressor without its table needs `reference`: rows like the training data that it was not trained on, "
            "or `Reference(X, trained_on=True)` with the training rows."
        )
    apart = reference if isinstance(reference, Reference) else Reference(reference)
    mean, std = predict_epistemic(model, X)
    columns, dates = _typed_columns(X, by, len(std), "X")
    known_std = leave_one_out_std(model, apart.X) if apart.trained_on else predict_epistemic(model, apart.X)[1]
    known = None
    if apart.by is not None or isinstance(apart.X, pd.DataFrame):
        wanted = apart.by if apart.by is not None else [name for name in columns if name in apart.X.columns]
        known = _typed_columns(apart.X, wanted, len(known_std), "reference").frame
    error = None if y is None else np.abs(_outcomes(y, len(mean)) - mean)
    scored = score_arrays(mean, Scored(std, columns, error, dates=dates), known_std)
    return list(columns), scored, Scored(known_std, known)


def _outcomes(y: Any, n: int) -> np.ndarray:
    """Take the outcomes, one for each row."""
    y = np.asarray(y, dtype=np.float64)
    if y.shape not in ((n,), (n, 1)):
        raise ValueError(f"`y` must have an outcome for each of the {n} rows of `X`; got an array of shape {y.shape}.")
    return y.reshape(n)


class _Typed(NamedTuple):
    """Columns to audit by, as float64 or text, and which of them are dates."""

    frame: pd.DataFrame
    dates: frozenset[str]


def _typed_columns(X: Any, by: By | None, n: int, name: str) -> _Typed:
    """Take the columns to audit by."""
    if by is None:
        by = list(X.columns) if isinstance(X, pd.DataFrame) else {}
    if not isinstance(by, Mapping | pd.DataFrame):
        if not isinstance(X, pd.DataFrame):
            raise ValueError(f"`by` has names, but `{name}` is not a table; give the columns themselves, as a mapping.")
        if lacking := [column for column in by if column not in X.columns]:
            raise ValueError(f"`{name}` has no column {lacking[0]!r}; it has {', '.join(map(str, X.columns))}.")
        by = pd.DataFrame(X[list(by)])
    columns = {str(key): pd.Series(np.asarray(value)) for key, value in by.items()}
    for key, column in columns.items():
        if len(column) != n:
            raise ValueError(f"column {key!r} has {len(column)} rows but `{name}` has {n}.")
    frame = pd.DataFrame(columns, index=range(n))
    typed = [Column(key, kind_of(column)) for key, column in columns.items()]
    read = pd.DataFrame({column.name: column.read(frame) for column in typed}, index=range(n))
    return _Typed(read, frozenset(column.name for column in typed if column.kind == "date"))
