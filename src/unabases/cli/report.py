"""`unabases report`: stored results as a page, figures and tables."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console


def report(
    store: Annotated[
        list[Path] | None,
        typer.Option(
            help="File of results, or a .jsonl.gz of rows; may be given several times. Without it, the one of "
            "`unabases reproduce`."
        ),
    ] = None,
    out: Annotated[Path, typer.Option(help="Directory for report.html, figures/ and tables/.")] = Path(
        "reproduction/report"
    ),
    profile: Annotated[
        str | None,
        typer.Option(help="Only this profile; without it, of each experiment the one with the most results."),
    ] = None,
    markdown: Annotated[
        Path | None, typer.Option(help="Write the tables as a Markdown page too, for example docs/results.md.")
    ] = None,
    rows_file: Annotated[
        Path | None,
        typer.Option("--rows", help="Write the rows, without curves, as a small .jsonl.gz too, which `--store` reads."),
    ] = None,
) -> None:
    """Turn what has been stored so far into one HTML page beside the paper's numbers, with figures and tables."""
    import pandas as pd

    from unabases.paper.report.claims import all_claims
    from unabases.paper.report.files import write_report
    from unabases.paper.report.gathered import EXPERIMENTS, command, gather
    from unabases.paper.report.tables import as_rich
    from unabases.paper.rows_file import rows_of, write_rows
    from unabases.paper.store import DEFAULT_STORE, StoreError

    console, stores = Console(), store or [DEFAULT_STORE]
    try:
        rows = rows_of(stores)
    except StoreError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(1) from error
    if profile is not None and rows and profile not in (known := {row.profile for row in rows}):
        names = " and ".join(map(str, stores))
        raise typer.BadParameter(f"no results of profile {profile!r} in {names}; known are {', '.join(sorted(known))}.")
    results = gather(rows, profile)
    written = write_report(results, out, markdown)
    claims = [{"claim": claim.name, "here": claim.verdict, "by": claim.about} for claim in all_claims(results)]
    console.print(as_rich(pd.DataFrame(claims), title="The paper's claims"))
    if lacking := [name for name in EXPERIMENTS if not results.of(name)]:
        said = f"not run yet: {', '.join(lacking)}; for example: {command(lacking[0])}"
        console.print(said, highlight=False, soft_wrap=True)
    console.print(
        f"page: {written.page}; {len(written.figures)} figures, {len(written.tables)} tables beside it", soft_wrap=True
    )
    if markdown is not None:
        console.print(f"tables as Markdown: {markdown}", soft_wrap=True)
    if rows_file is not None:
        rows_file.parent.mkdir(parents=True, exist_ok=True)
        write_rows(rows_file, [row for part in results.rows.values() for row in part])
        console.print(f"rows: {rows_file}", soft_wrap=True)
