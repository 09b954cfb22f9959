"""`unabases audit`: find what the training data lacks."""

import math
from pathlib import Path
from typing import Annotated

import typer

from unabases.cli.console import PlainConsole, busy, counting_rows, tell
from unabases.cli.errors import LARGEST_SEED, split_names
from unabases.cli.flags import flag
from unabases.cli.json_output import Json, print_json
from unabases.cli.outputs import KeepFormulas, Output, Overwrite, begins_with, beside, check_outputs, has_columns
from unabases.cli.predict import load_table_model

TOO_UNFAMILIAR = 3  # exit code


def audit(
    model: Annotated[Path, typer.Argument(help="Model file written by `unabases fit`.")],
    table: Annotated[Path, typer.Argument(help="Table with the model's columns, CSV or Parquet.")],
    by: Annotated[
        str | None, typer.Option(help="Columns to look at, such as a,b. Default: all columns that the model knows.")
    ] = None,
    out: Annotated[Path, typer.Option(help="HTML page to write; a CSV file of the same name comes with it.")] = Path(
        "audit.html"
    ),
    level: Annotated[float, typer.Option(help="Largest chance of naming any group wrongly.")] = 0.05,
    bins: Annotated[int, typer.Option(help="Number of ranges into which a numeric column is cut.", min=2)] = 5,
    pairs: Annotated[
        bool | None,
        flag(help="Look at pairs of columns too. Default: if there are at most 12 columns."),
    ] = None,
    max_error: Annotated[
        float | None, typer.Option(help="A mean absolute error to aim for; says what share of rows to defer for it.")
    ] = None,
    fail_above: Annotated[
        float | None,
        typer.Option(help="Exit with code 3 if the epistemic std of anything named is this many % above training."),
    ] = None,
    keep_formulas: KeepFormulas = False,
    separator: Annotated[str, typer.Option(help="Separator of the columns of a CSV file.")] = ",",
    seed: Annotated[int, typer.Option(help="Seed for the permutations.", min=0, max=LARGEST_SEED)] = 0,
    overwrite: Overwrite = False,
    as_json: Json = False,
) -> None:
    """Find the rows and values of a table that a model's training data has too little of."""
    from unabases.audit import AuditSettings
    from unabases.audit import audit as run_audit
    from unabases.audit.auditing import columns_to_audit
    from unabases.audit.page import MARK
    from unabases.audit.result import EARLIER_FIELDS
    from unabases.audit.words import change_text
    from unabases.datasets.reading import read_names
    from unabases.tables.streaming import pieces_for

    if fail_above is not None and math.isnan(fail_above):
        raise ValueError("`--fail-above` must be a number of percent; got nan, which nothing is above.")
    lines = beside(out, ".csv")
    outputs = (
        Output(out, "the page", begins_with(MARK.encode()), endings=(".html", ".htm")),
        Output(lines, "the table of values", has_columns(*EARLIER_FIELDS)),
    )
    check_outputs(outputs, [model, table], overwrite=overwrite)
    loaded = load_table_model(model)
    names = columns_to_audit(
        loaded, read_names(table, separator=separator), split_names(by) if by else None, str(table)
    )
    chunks = pieces_for(loaded, table, also=names, separator=separator).chunks
    with counting_rows() as on_rows:
        result = run_audit(
            loaded,
            chunks,
            names,
            level=level,
            settings=AuditSettings(bins=bins, pairs=pairs, max_error=max_error),
            random_state=seed,
            on_rows=on_rows,
            source=str(table),
        )
    with busy("writing the page"):
        result.to_html(out)
        result.to_csv(lines, keep_formulas=keep_formulas)
    if as_json:
        print_json({**result.to_dict(), "page": out, "lines": lines})
    else:
        console = PlainConsole(soft_wrap=True)
        console.print(result.summary())
        if result.deferral is not None and max_error is not None:
            wanted = result.deferral.iloc[-1]
            share = f"{100 * wanted['deferred']:.0f} %"
            console.print(f"defer {share} of these rows for a mean absolute error of {max_error:g}")
        console.print(f"page: {out}; every value: {lines}")
    if fail_above is not None and 100 * result.largest > fail_above:
        found = change_text(result.largest)
        tell(f"the largest epistemic std named is {found} relative to training: above {fail_above:g} %")
        raise typer.Exit(TOO_UNFAMILIAR)
