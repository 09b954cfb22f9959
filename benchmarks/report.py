"""What a benchmark hands back, and how it is shown."""

from typing import NamedTuple

from rich.console import Console
from rich.table import Table

Cell = str | float


class Target(NamedTuple):
    """A figure to reach: at least `bound` or, when `at_most`, at most that."""

    what: str
    value: float
    bound: float
    at_most: bool = False
    unit: str = "x"

    @property
    def met(self) -> bool:
        """Whether it was reached."""
        return self.value <= self.bound if self.at_most else self.value >= self.bound


class Report(NamedTuple):
    """One benchmark's table (a dict a row), the targets it answers, and what to know when reading it."""

    title: str
    rows: list[dict[str, Cell]]
    targets: tuple[Target, ...] = ()
    notes: tuple[str, ...] = ()


def show(report: Report, console: Console) -> None:
    """Print a report's table and notes."""
    columns = list(dict.fromkeys(name for row in report.rows for name in row))
    table = Table(title=report.title, title_justify="left")
    for name in columns:
        numeric = any(isinstance(row.get(name), float | int) for row in report.rows)
        table.add_column(name, justify="right" if numeric else "left")
    for row in report.rows:
        table.add_row(*(format_cell(row.get(name, "")) for name in columns))
    console.print(table)
    for note in report.notes:
        console.print(f"  {note}", style="dim", highlight=False)
    console.print()


def show_targets(reports: dict[str, Report], console: Console) -> None:
    """Print all targets in one table."""
    table = Table(title="Targets", title_justify="left")
    for name in ("benchmark", "what", "measured", "target", "met"):
        table.add_column(name, justify="right" if name in ("measured", "target") else "left")
    for name, report in reports.items():
        for target in report.targets:
            sign = "<=" if target.at_most else ">="
            table.add_row(
                name,
                target.what,
                f"{format_cell(target.value)} {target.unit}",
                f"{sign} {format_cell(target.bound)} {target.unit}",
                "[green]yes[/green]" if target.met else "[red]no[/red]",
            )
    console.print(table)


def as_json(report: Report) -> dict:
    """The report as values that JSON can hold."""
    return {
        "title": report.title,
        "rows": report.rows,
        "targets": [{**target._asdict(), "met": bool(target.met)} for target in report.targets],
        "notes": list(report.notes),
    }


def format_cell(value: Cell) -> str:
    """Four significant digits, whole numbers from 1000 on."""
    if isinstance(value, str):
        return value
    return f"{value:,.0f}" if abs(value) >= 1000 or float(value).is_integer() else f"{value:.4g}"
