"""`unabases report`: turn stored results into a page, figures and tables."""

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from unabases.cli.console import PlainConsole, busy, tell, wrong_option
from unabases.cli.outputs import Output, Overwrite, begins_with, check_outputs, is_rows_file


def report(
    store: Annotated[
        list[Path] | None,
        typer.Option(
            help="Results to show: a file written by `unabases reproduce` or by `--rows`. Repeat it for several files. "
            "[default: the results of `unabases reproduce`]"
        ),
    ] = None,
    out: Annotated[Path, typer.Option(help="Directory for report.html, figures/ and tables/.")] = Path(
        "reproduction/report"
    ),
    profile: Annotated[
        str | None,
        typer.Option(help="Show only this profile. [default: for each experiment, the profile with the most results]"),
    ] = None,
    markdown: Annotated[
        Path | None, typer.Option(help="Also write the tables and claims as Markdown to this file.")
    ] = None,
    rows_file: Annotated[
        Path | None,
        typer.Option(
            "--rows",
            help="Also write the rows that are shown, with the curves that figures draw, and every run of a locked "
            "half to this .jsonl.gz file.",
        ),
    ] = None,
    overwrite: Overwrite = False,
) -> None:
    """Write one HTML page of all stored results beside the paper's numbers, with figures and tables."""
    with busy("starting"):
        from unabases.paper.report.claims import all_claims
        from unabases.paper.report.files import write_report
        from unabases.paper.report.markdown import TITLE
        from unabases.paper.report.page import TITLE as PAGE_TITLE
        from unabases.paper.report.rows import command, gather
        from unabases.paper.rows_file import rows_of, worth_keeping, write_rows
        from unabases.paper.store import DEFAULT_STORE, StoreError

    console, stores = PlainConsole(), store or [DEFAULT_STORE]
    outputs = [Output(out / "report.html", "the page", begins_with(PAGE_TITLE.partition(",")[0].encode()))]
    if markdown is not None:
        outputs.append(Output(markdown, "the Markdown page", begins_with(TITLE.encode())))
    if rows_file is not None:
        outputs.append(Output(rows_file, "the file of rows", is_rows_file))
    check_outputs(outputs, stores, overwrite=overwrite, make_directories=True)
    if not overwrite and not outputs[0].path.exists():
        _refuse_other_folders(out)
    for path in store or ():
        if not path.is_file():
            raise ValueError(f"there is no file {path}; expected results of `unabases reproduce`, or of `--rows`.")
    try:
        with busy("reading the results"):
            rows = rows_of(stores)
    except StoreError as error:
        tell(error)
        raise typer.Exit(1) from error
    if profile is not None and rows and profile not in (known := {row.profile for row in rows}):
        names = " and ".join(map(str, stores))
        raise wrong_option(
            f"there are no results of profile {profile!r} in {names}; there are results of {', '.join(sorted(known))}."
        )
    with busy("judging the results") as say:
        results = gather(rows, profile)
        written = write_report(results, out, markdown, lambda n, total: say(f"drawing figures: {n} of {total}"))
    if rows_file is not None:
        rows_file.parent.mkdir(parents=True, exist_ok=True)
        shown = (row for part in results.rows.values() for row in part)
        write_rows(rows_file, worth_keeping(shown, rows))
    table = Table("claim", "here", "results", title="The paper's claims")
    for claim in all_claims(results):
        table.add_row(claim.name, claim.verdict, claim.about)
    console.print(table)
    if missing := results.missing():
        console.print(f"not run yet: {', '.join(missing)}; for example: {command(missing[0])}", soft_wrap=True)
    drawn = {path.stem for path in written.figures}  # each as PNG and as PDF
    counts = f"{len(drawn)} figures, {len(written.tables)} tables beside it"
    console.print(f"page: {written.page}; {counts}", soft_wrap=True)
    if markdown is not None:
        console.print(f"tables as Markdown: {markdown}", soft_wrap=True)
    if rows_file is not None:
        console.print(f"rows: {rows_file}", soft_wrap=True)


def _refuse_other_folders(out: Path) -> None:
    """Refuse a directory that holds no report but folders of a report's names, whose files could be replaced."""
    for folder in (out / "figures", out / "tables"):
        if folder.is_dir() and any(folder.iterdir()):
            raise ValueError(
                f"{folder} holds files of something else than a report, which could be replaced. Choose another "
                "directory with --out, or allow it with --overwrite."
            )
