"""The command `unabases`."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from unabases.cli import data as data_commands
from unabases.cli import report as report_command
from unabases.cli.audit import audit
from unabases.cli.embed import embed
from unabases.cli.explain import explain
from unabases.cli.fit import fit
from unabases.cli.predict import predict
from unabases.cli.reproduce import reproduce

app = typer.Typer(help="Deep Bayesian regression that knows where it has no data.", no_args_is_help=True)
app.add_typer(data_commands.app, name="data")
for command in (fit, predict, audit, explain, embed):
    app.command()(command)
app.command()(report_command.report)
app.command()(reproduce)


@app.callback()
def main() -> None:
    """Deep Bayesian regression that knows where it has no data."""


@app.command()
def version() -> None:
    """Print the version."""
    from unabases import __version__

    typer.echo(__version__)


@app.command()
def demo(
    out: Annotated[Path, typer.Option(help="Directory for the picture.")] = Path("demo"),
    seed: Annotated[int, typer.Option(help="Seed of the data and of the models.")] = 0,
) -> None:
    """Train an ordinary neural linear model, LUNA and a Gaussian process on data with a gap, and compare."""
    from unabases.paper import run_demo
    from unabases.paper.report.figures import demo_figure
    from unabases.plotting import save_figure

    console = Console()
    data, grid, results = run_demo(random_state=seed)
    table = Table(title="y = x³ + noise of std 3, no data for −2 < x < 2", caption="defaults, σ² = 9 given")
    table.add_column("method")
    for name in results[0].scores:
        table.add_column(name, justify="right")
    for result in results:
        cells = [f"{100 * v:+.0f} %" if name == "EURC" else f"{v:.2f}" for name, v in result.scores.items()]
        table.add_row(result.method, *cells)
    console.print(table)
    path = save_figure(out / "cubic-gap.png", demo_figure(data, grid, results))
    console.print(f"picture: {path}")


@app.command()
def compare(
    out: Annotated[Path, typer.Option(help="Directory for the picture and the table.")] = Path("comparison"),
    seeds: Annotated[int, typer.Option(help="How many seeds, each with its own data.", min=1)] = 10,
    settings: Annotated[
        str, typer.Option(help="defaults, paper (ours where the paper's do not train) or as-printed.")
    ] = "defaults",
    method: Annotated[list[str] | None, typer.Option(help="Only this method; may be given several times.")] = None,
) -> None:
    """Fit every regressor to data with a gap, and tell which of them know about it."""
    from rich.progress import Progress

    from unabases.paper import VARIANTS, make_method, summarise
    from unabases.paper import compare as run_comparison
    from unabases.paper.report.figures import comparison_figure
    from unabases.paper.report.markdown import as_markdown
    from unabases.plotting import save_figure

    labels = method or [variant[0] for variant in VARIANTS]
    try:
        for label in labels:
            make_method(label, settings)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error
    console = Console()
    with Progress(console=console, transient=True) as progress:
        task = progress.add_task(labels[0], total=len(labels) * seeds)
        result = run_comparison(
            range(seeds),
            settings,
            labels,
            on_fit=lambda label, seed: progress.update(task, advance=1, description=f"{label}, seed {seed}"),
        )
    summary = summarise(result.rows)
    table = Table(title=f"Cubic Gap, {settings}, {seeds} seeds: mean ± std", caption="σ² = 9 given")
    shown = summary.drop(columns="the paper")
    for name in shown:
        table.add_column(name, justify="left" if name == "method" else "right", no_wrap=name == "method")
    for line in shown.itertuples(index=False):
        table.add_row(*map(str, line))
    console.print(table)
    out.mkdir(parents=True, exist_ok=True)
    result.rows.to_csv(out / "rows.csv", index=False)
    (out / "table.md").write_text(as_markdown(summary), encoding="utf-8")
    path = save_figure(out / "cubic-gap-all.png", comparison_figure(result), dpi=110)
    console.print(f"picture: {path}; every fit: {out / 'rows.csv'}")
