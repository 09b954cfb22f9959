"""The command `unabases`."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

app = typer.Typer(help="Deep Bayesian regression that knows where it has no data.", no_args_is_help=True)


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
    from unabases.experiments import run_demo
    from unabases.report.demo_figure import save_demo_figure

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
    path = save_demo_figure(out / "cubic-gap.png", data, grid, results)
    console.print(f"picture: {path}")
