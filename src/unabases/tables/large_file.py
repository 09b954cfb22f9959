"""Train a model on a file that may be larger than memory."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Unpack

import numpy as np
import pandas as pd

from unabases.datasets.chunks import ROWS, WeightedChunk
from unabases.datasets.encoder import refuse_unknown
from unabases.datasets.reading import is_parquet, parquet_rows, read_names, read_pieces
from unabases.datasets.row_sample import RowSample, hash_rows
from unabases.datasets.schema import ColumnRules, Schema, learn_schema
from unabases.datasets.user_text import how_many
from unabases.regressors import AbstractRegressor
from unabases.regressors.networks.streamed import SAMPLE, AbstractStreamed
from unabases.regressors.shared.base import check_count
from unabases.regressors.shared.weights import as_keyword, part_of
from unabases.tables.model import (
    LEAST_ROWS,
    MOST_HELD_OUT,
    TableModel,
    check_holdout,
    default_regressor,
    held_out_count,
    refuse_class,
    refuse_two_roles,
    remember,
    warn_if_constant,
)
from unabases.tables.row_weights import take_weights
from unabases.training import rows_progress

__all__ = ["fit_file", "is_large"]

_LARGE = 2**26  # bytes of a file that is read in pieces


def is_large(path: Path) -> bool:
    """Tell whether a file is better read in pieces: from 64 MB on."""
    return path.exists() and path.stat().st_size > _LARGE


def fit_file(
    path: Path,
    target: str,
    *,
    weight: str | None = None,
    regressor: AbstractRegressor | Any = None,
    holdout: float = 0.2,
    keep_rows: int = 1000,
    random_state: int = 0,
    separator: str = ",",
    sample_rows: int = SAMPLE,
    rows: int = ROWS,
    resumed: AbstractStreamed | None = None,
    on_part: Callable[[AbstractStreamed], None] | None = None,
    **rules: Unpack[ColumnRules],
) -> TableModel:
    """Train a model on a CSV or Parquet file of any length, in bounded memory.

    The file is read twice. The first time, a random sample of rows is drawn, with a row of every level and of every
    column that lacks a value. Columns, features and variances are learned from the sample. The second time, the last
    layers are conditioned on all rows but those held out. Which rows these are follows from a hash of their numbers.
    `UNA` needs no second time if the sample has its `layer_rows`.

    Parameters
    ----------
    path : Path
        The file.
    target : str
        Name of the numeric column to predict.
    weight : str, optional
        Name of a column that says how often each row counts, as in `TableModel.fit`. Which rows are drawn or held out
        does not depend on it, and `training.n` is the sum of weights if not all rows fit into the sample.
    regressor : AbstractRegressor, optional
        An unfitted regressor that has `fit_stream`, such as `UNA`, the default, or `LUNA`.
    holdout : float
        Share of the rows to hold out from training; at most 2000 rows are.
    keep_rows : int
        How many training rows the model may store, as in `TableModel.fit`.
    random_state : int
        Which sample to draw.
    separator : str
        What separates the columns of a CSV file.
    sample_rows : int
        Rows of the sample.
    rows : int
        Rows to read at a time.
    resumed : AbstractStreamed, optional
        The model that `on_part` was given in an earlier run of the same fit, which was stopped: it goes on from there.
    on_part : callable, optional
        Called about once a minute while the last layers learn, with the model as far as it got: to save it.
    **rules
        How to read the columns, as in `TableModel.fit`.

    Returns
    -------
    TableModel
        The fitted model.

    See Also
    --------
    TableModel.fit : The same for a table in memory.
    """
    model = default_regressor(random_state) if regressor is None else refuse_class(regressor)
    check_count("keep_rows", keep_rows, least=0)
    check_holdout(holdout)
    refuse_two_roles(weight, target, rules)
    names = [name for name in read_names(path, separator=separator) if name not in rules.get("drop", ())]
    refuse_unknown([target], names, str(path))
    text = rules.get("categories", ())
    sample = RowSample(MOST_HELD_OUT + check_count("sample_rows", sample_rows), random_state)
    in_all = parquet_rows(path) if is_parquet(path) else None
    with rows_progress("reading rows", in_all, enabled=bool(getattr(model, "verbose", False))) as on_rows:
        for piece in read_pieces(path, columns=names, text=text, separator=separator, rows=rows):
            sample.add(piece.rows)
            on_rows(len(piece.rows))
    found = sample.result()
    table = take_weights(found.X.reset_index(drop=True), weight, str(path))
    schema = learn_schema(table.frame, target, source=str(path), **{**rules, "drop": ()})
    usable = schema.encode_training(table.frame, str(path))
    if len(usable.y) < LEAST_ROWS:
        raise ValueError(f"{path} has {how_many(len(usable.y), 'usable row')}; at least {LEAST_ROWS} are needed.")
    warn_if_constant(usable.y, target, str(path))
    cutoff = np.sort(found.hashes)[held_out_count(found.seen, holdout) - 1]
    held_out = found.hashes[usable.frame.index.to_numpy()] <= cutoff
    apart, rest = np.flatnonzero(held_out), np.random.default_rng(random_state).permutation(np.flatnonzero(~held_out))
    if len(apart) < 2:
        raise ValueError(f"{path} has {how_many(len(apart), 'usable row')} to hold out; raise `holdout`.")
    n = len(rest)
    counted = as_keyword(part_of(table.of(usable.frame), rest))
    if found.seen == len(found.numbers) or (isinstance(model, AbstractStreamed) and model.is_enough(found)):
        model.fit(usable.encoded.take(rest), usable.y[rest], **counted)
    elif isinstance(model, AbstractStreamed):
        model = resumed or model.fit(usable.encoded.take(rest), usable.y[rest], **counted)
        chunks = _training_chunks(path, schema, weight, separator, rows, cutoff, random_state)
        model.refit_stream(chunks, found.seen, resume=resumed is not None, on_part=on_part)
        n = model.rows_seen
    else:
        raise ValueError(
            f"{path} has {found.seen} rows, and {type(model).__name__} needs all of them in memory; choose `UNA` or "
            "`LUNA`, which learn from a sample and then from all rows, or give it a part of the table."
        )
    training, judged = remember(model, schema, usable, apart, rest, keep_rows, part_of(table.of(usable.frame), apart))
    return TableModel(model, schema, training._replace(n=n), judged)


def _training_chunks(
    path: Path, schema: Schema, weight: str | None, separator: str, rows: int, cutoff: np.uint64, seed: int
) -> Iterator[WeightedChunk]:
    """The rows that are not held out, as numbers."""
    columns = [*(column.name for column in schema.inputs), schema.target, *([weight] if weight else [])]
    first = 0
    for frame, _ in read_pieces(path, columns=columns, text=schema.text_columns, separator=separator, rows=rows):
        trained_on = hash_rows(first, len(frame), seed) > cutoff
        first += len(frame)
        part = pd.DataFrame(frame[trained_on if weight is None else trained_on & (frame[weight] != 0).to_numpy()])
        if part.empty:
            continue
        table = take_weights(part, weight, str(path))
        encoded, y, there = schema.encode_training(table.frame, str(path))
        if len(y):
            yield WeightedChunk(encoded, y, table.of(there))
