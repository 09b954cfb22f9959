"""The command `unabases`."""

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from unabases import __version__
from unabases.cli import data as data_commands
from unabases.cli import report as report_command
from unabases.cli.audit import audit
from unabases.cli.console import PlainConsole, busy, show_all_text, tell, wrong_option
from unabases.cli.doctor import doctor
from unabases.cli.embed import embed
from unabases.cli.errors import LARGEST_SEED, clear_errors
from unabases.cli.explain import explain
from unabases.cli.fit import fit
from unabases.cli.flags import flag
from unabases.cli.json_output import Json, print_json
from unabases.cli.outputs import Output, Overwrite, begins_with, check_outputs, has_columns, is_picture
from unabases.cli.predict import predict
from unabases.cli.reproduce import reproduce

app = typer.Typer(
    help="Deep Bayesian regression that knows where it has no data.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.add_typer(data_commands.app, name="data")
for command in (fit, predict, audit, explain, embed, report_command.report, reproduce):
    app.command()(clear_errors()(command))  # also of what a command imports before it begins
app.command()(doctor)


def _print_version(wanted: bool) -> bool:
    """Print the version and stop, if that is what was asked for."""
    if wanted:
        typer.echo(__version__)
        raise typer.Exit
    return wanted


@app.callback()
def main(
    show_version: Annotated[
        bool,
        flag("--version", callback=_print_version, is_eager=True, help="Print the version and exit."),
    ] = False,
) -> None:
    """Deep Bayesian regression that knows where it has no data."""
    show_all_text()


@app.command()
def version() -> None:
    """Print the version."""
    typer.echo(__version__)


@app.command()
@clear_errors()
def demo(
    out: Annotated[Path, typer.Option(help="Directory for the pictures.")] = Path("demo"),
    seed: Annotated[int, typer.Option(help="Seed of the data and of the models.", min=0, max=LARGEST_SEED)] = 0,
    overwrite: Overwrite = False,
    as_json: Json = False,
) -> None:
    """Compare an ordinary neural linear model, LUNA, UNA and a Gaussian process on data with a gap."""
    with busy("starting"):
        from unabases.paper import fan, run_demo
        from unabases.paper.report.figures import demo_figure, fan_figure
        from unabases.plotting import save_figure

    pictures = [out / "cubic-gap.png", out / "fan.png"]
    outputs = [Output(picture, "the picture", is_picture) for picture in pictures]
    check_outputs(outputs, [], overwrite=overwrite, make_directories=True)
    console = PlainConsole(stderr=as_json)
    data, grid, results = run_demo(random_state=seed, console=console)
    with busy("drawing the first picture") as say:
        save_figure(pictures[0], demo_figure(data, grid, results))
        say("training UNA with other seeds for the second picture")
        save_figure(pictures[1], fan_figure(fan.fit_fan(seed)))
    if as_json:
        print_json({"scores": {result.method: result.scores for result in results}, "pictures": pictures})
        return
    table = Table(
        title="y = x³ + noise of std 3, no data for −2 < x < 2",
        caption="default settings, true noise variance given",
    )
    table.add_column("method")
    for name in results[0].scores:
        table.add_column(name, justify="right")
    for result in results:
        cells = [f"{100 * v:+.0f} %" if name == "EURC" else f"{v:.2f}" for name, v in result.scores.items()]
        table.add_row(result.method, *cells)
    console.print(table)
    console.print(f"Pictures: {', '.join(map(str, pictures))}")


@app.command()
@clear_errors()
def compare(
    out: Annotated[Path, typer.Option(help="Directory for the picture and the tables.")] = Path("comparison"),
    seeds: Annotated[int, typer.Option(help="Number of seeds; each has its own data.", min=1)] = 10,
    settings: Annotated[
        str,
        typer.Option(
            help="defaults: the package's; paper: the paper's, except where those do not train; as-printed: the "
            "paper's without exception."
        ),
    ] = "defaults",
    method: Annotated[
        list[str] | None,
        typer.Option(help='Only this method, by its label, such as "NLM, MAP". Repeat the option for more.'),
    ] = None,
    jobs: Annotated[int, typer.Option(help="Processes to run at once.", min=1)] = 1,
    store: Annotated[
        Path | None, typer.Option(help="Keep the fits in this file, and reuse those that it already has.")
    ] = None,
    overwrite: Overwrite = False,
    as_json: Json = False,
) -> None:
    """Fit every regressor to data with a gap and show which of them notice it."""
    with busy("starting"):
        from unabases.paper import compare as run_comparison
        from unabases.paper import summarise
        from unabases.paper.report.figures import comparison_figure
        from unabases.paper.report.markdown import as_markdown
        from unabases.paper.runner import RunError
        from unabases.paper.store import ResultStore, StoreError
        from unabases.plotting import save_figure
        from unabases.storage import write_whole

    console, picture, rows, page = (
        PlainConsole(stderr=as_json),
        out / "cubic-gap-all.png",
        out / "rows.csv",
        out / "table.md",
    )
    outputs = (
        Output(picture, "the picture", is_picture),
        Output(rows, "the rows", has_columns("method", "seed", "eurc")),
        Output(page, "the table", begins_with(b"| method |")),
    )
    check_outputs(outputs, [store] if store else [], overwrite=overwrite, make_directories=True)
    try:
        kept = None if store is None else ResultStore(store)
        result = run_comparison(range(seeds), settings, method, store=kept, jobs=jobs, console=console)
    except ValueError as error:
        raise wrong_option(error) from error
    except (StoreError, RunError) as error:
        tell(f"Stopped: {error}")
        raise typer.Exit(1) from error
    summary = summarise(result.rows)
    out.mkdir(parents=True, exist_ok=True)
    write_whole(rows, result.rows.to_csv(index=False).encode())
    write_whole(page, as_markdown(summary).encode())
    save_figure(picture, comparison_figure(result), dpi=110)
    if as_json:
        print_json({"fits": result.rows.to_dict("records"), "picture": picture, "rows": rows, "table": page})
        return
    table = Table(
        title=f"Cubic Gap, settings: {settings}, seeds: {seeds}, mean ± std", caption="true noise variance given"
    )
    shown = summary.drop(columns="the paper")
    for name in shown:
        first = name == "method"
        table.add_column(name, justify="left" if first else "right", no_wrap=first, overflow="fold")
    for line in shown.itertuples(index=False):
        table.add_row(*map(str, line))
    console.print(table)
    console.print(f"Picture: {picture}; one line per fit: {rows}")
