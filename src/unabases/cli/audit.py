"""`unabases audit`: which parts of a table the training data lacks."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn

from unabases.cli.errors import clear_errors, split_names
from unabases.cli.predict import load_table_model

TOO_UNFAMILIAR = 3  # exit code


def audit(
    model: Annotated[Path, typer.Argument(help="Model that `unabases fit` wrote.")],
    table: Annotated[Path, typer.Argument(help="Table with the model's columns, CSV or Parquet.")],
    by: Annotated[str | None, typer.Option(help="Columns to look at: a,b; by default all that it knows.")] = None,
    out: Annotated[Path, typer.Option(help="Page to write; a CSV file of the same name comes with it.")] = Path(
        "audit.html"
    ),
    level: Annotated[float, typer.Option(help="Probability of naming anything where there is nothing.")] = 0.05,
    bins: Annotated[int, typer.Option(help="Ranges into which a column of numbers is cut.", min=2)] = 5,
    pairs: Annotated[bool | None, typer.Option(help="Whether to look at pairs of columns.")] = None,
    max_error: Annotated[float | None, typer.Option(help="Wanted mean absolute error: what share to defer?")] = None,
    fail_above: Annotated[
        float | None,
        typer.Option(help="Exit with code 3 if something named is this many per cent less certain than training."),
    ] = None,
    separator: Annotated[str, typer.Option(help="Between the columns of a CSV file.")] = ",",
    seed: Annotated[int, typer.Option(help="Seed of the permutations.")] = 0,
) -> None:
    """Ask which rows and values of a table are under-represented in a model's training data."""
    from unabases.audit import audit as run_audit
    from unabases.audit.result import change_text
    from unabases.audit.run import columns_to_audit
    from unabases.datasets.reading import read_names
    from unabases.tables.streaming import chunks_for

    with clear_errors():
        loaded = load_table_model(model)
        names = columns_to_audit(loaded, read_names(table, separator=separator), split_names(by) if by else None)
        _, chunks = chunks_for(loaded, table, also=names, separator=separator)
        with Progress(TextColumn("{task.completed} rows"), BarColumn(), transient=True) as bar:
            task = bar.add_task("", total=None)
            result = run_audit(
                loaded,
                chunks,
                names,
                level=level,
                bins=bins,
                pairs=pairs,
                max_error=max_error,
                random_state=seed,
                on_rows=lambda n: bar.update(task, advance=n),
            )
        page = result.to_html(out)
        lines = result.to_csv(out.with_suffix(".csv"))
    console = Console(soft_wrap=True, highlight=False)
    console.print(result.summary(), markup=False)
    if result.deferral is not None and max_error is not None:
        wanted = result.deferral.iloc[-1]
        share = f"{100 * wanted['deferred']:.0f} %"
        console.print(f"defer {share} of these rows for a mean absolute error of {max_error:g}")
    console.print(f"page: {page}; every value: {lines}", markup=False)
    if fail_above is not None and 100 * result.largest > fail_above:
        found = change_text(result.largest)
        typer.echo(f"epistemic std is {found} relative to training in what is named: above {fail_above:g} %", err=True)
        raise typer.Exit(TOO_UNFAMILIAR)
