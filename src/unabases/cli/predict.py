"""`unabases predict`: predict every row of a table."""

import math
from pathlib import Path
from typing import Annotated, Any

import typer

from unabases.cli.console import PlainConsole, counting_rows
from unabases.cli.errors import split_names
from unabases.cli.json_output import Json, print_json
from unabases.cli.outputs import KeepFormulas, Output, Overwrite, check_outputs, has_columns
from unabases.datasets.user_text import how_many


def predict(
    model: Annotated[Path, typer.Argument(help="Model file written by `unabases fit`.")],
    table: Annotated[Path, typer.Argument(help="Table with the model's columns, CSV or Parquet.")],
    out: Annotated[Path, typer.Option(help="File to write, CSV or Parquet.")] = Path("predictions.csv"),
    level: Annotated[float, typer.Option(help="Probability of the interval.")] = 0.9,
    defer_share: Annotated[
        float | None, typer.Option(help="Largest share of rows like the training data to defer. Default: 0.1.")
    ] = None,
    max_error: Annotated[
        float | None, typer.Option(help="Defer enough rows to keep the mean absolute error of the others below this.")
    ] = None,
    keep: Annotated[str | None, typer.Option(help="Columns to copy from the table, such as a,b.")] = None,
    keep_formulas: KeepFormulas = False,
    separator: Annotated[str, typer.Option(help="Separator of the columns of a CSV file.")] = ",",
    overwrite: Overwrite = False,
    as_json: Json = False,
) -> None:
    """Predict every row of a table: mean, epistemic and noise std, interval, and whether to ask a person."""
    from unabases.audit import DeferralPolicy
    from unabases.datasets.writing import check_ending
    from unabases.tables.streaming import WRITTEN, predict_file

    predictions = Output(out, "the predictions", has_columns(*WRITTEN))
    check_outputs([predictions], [model, table], overwrite=overwrite)
    check_ending(out)
    loaded = load_table_model(model)
    share = 0.1 if defer_share is None and max_error is None else defer_share
    policy = DeferralPolicy.of(loaded, share=share, max_error=max_error)
    with counting_rows() as on_rows:
        done = predict_file(
            loaded,
            table,
            out,
            level=level,
            threshold=policy.threshold,
            keep=split_names(keep),
            keep_formulas=keep_formulas,
            separator=separator,
            on_rows=on_rows,
        )
    if as_json:
        rule = {"threshold": policy.threshold, "statement": policy.statement}
        print_json({"predictions": out, **rule, **done._asdict()})
        return
    console = PlainConsole(soft_wrap=True)
    console.print(f"{how_many(done.rows, 'row')}, {done.deferred} deferred: {out}")
    if math.isfinite(policy.threshold):
        console.print(f"rows with an epistemic std above {policy.threshold:.4g} are deferred: {policy.statement}")
    else:
        console.print(f"no row is deferred for its epistemic std: {policy.statement}")
    if done.empty:
        console.print(f"without a prediction, since values are missing: {how_many(done.empty, 'row')}")
    for name, levels in done.unknown_levels.items():
        listed = ", ".join(f"{value!r} ({n})" for value, n in levels.most_common(5))
        console.print(
            f"column {name!r} has values that the model has never seen, and their rows are deferred: {listed}"
        )
    if done.ignored:
        console.print(f"columns that the model does not use: {', '.join(done.ignored[:10])}")


def load_table_model(path: Path) -> Any:
    """Load a `TableModel`, or raise an error that says how to make one."""
    from unabases.saving import load
    from unabases.tables import TableModel

    loaded = load(path)
    if not isinstance(loaded, TableModel):
        raise ValueError(
            f"{path} holds a {type(loaded).__name__} without the table it was trained on; this command needs a model "
            "made with `unabases fit`, or with `TableModel.fit` and `save`."
        )
    return loaded
