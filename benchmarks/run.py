"""Run the benchmarks: a table for each, and all numbers in bench-results/bench.json.

    python -m benchmarks.run [names ...] [--quick]
    python -m benchmarks.page > docs/benchmarks.md

Without names all of them run; the file keeps the latest run of each, and the page is made of it. `--quick` is to see
that they work, not to quote.
"""

import argparse
import importlib
import importlib.metadata
import json
import os
import platform
import sys
import time
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

NAMES = (
    "luna_step",
    "sweep",
    "conditioning",
    "predict",
    "first_fit",
    "many_rows",
    "chunked_fit",
    "penalty_points",
    "ensemble",
    "dropout_passes",
    "hmc",
    "peers",
    "choosing",
    "search",
    "search_choice",
    "printed_settings",
    "bayesopt_step",
    "bayesopt_restarts",
    "bayesopt_settings",
    "audit_power",
    "faces_epoch",
    "faces",
    "faces_coordinates",
    "faces_audit",
)
OUT = Path("bench-results/bench.json")


def main() -> int:
    """Run what was asked for; 1 if something could not be run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="name", help=f"any of {', '.join(NAMES)}; all by default")
    parser.add_argument("--quick", action="store_true", help="smaller and fewer: to see that they work")
    options = parser.parse_args()
    if unknown := set(options.names) - set(NAMES):
        parser.error(f"unknown {', '.join(sorted(unknown))}; known are {', '.join(NAMES)}.")
    os.environ.setdefault("UNABASES_COMPILATION_CACHE", "off")  # so that compilation times are true ones
    console = Console(width=None if sys.stdout.isatty() else 140)
    results, failed = {}, False
    for name in options.names or NAMES:
        module = importlib.import_module(f"benchmarks.{name}")
        try:
            with console.status(f"{name} …"):
                rows = module.run(options.quick)
        except ImportError as error:
            console.print(f"{name}: {error}")
            failed = True
            continue
        results[name] = {"rows": rows, "quick": options.quick, "machine": machine(), "when": time.strftime("%Y-%m-%d")}
        console.print(as_table(f"{name}: {module.__doc__.splitlines()[0]}", rows))
        OUT.parent.mkdir(exist_ok=True)
        OUT.write_text(json.dumps({**stored(), **results}, indent=1))  # the latest run of each benchmark
    return int(failed)


def stored() -> dict:
    """Results of earlier runs."""
    return json.loads(OUT.read_text()) if OUT.exists() else {}


def as_table(title: str, rows: list[dict]) -> Table:
    table = Table(title=title, title_justify="left")
    for column in ("what", "ours", "theirs", "ratio", "target"):
        table.add_column(column, justify="left" if column == "what" else "right", overflow="fold")
    for line in rows:
        ratio = "" if line["ratio"] is None else f"{line['ratio']:.2f}×"
        target = line["target"] or ""
        if target:
            target += {True: " [green]met[/]", False: " [red]missed[/]"}[line["met"]]
        table.add_row(
            line["what"], with_unit(line["ours"], line["unit"]), with_unit(line["theirs"], line["unit"]), ratio, target
        )
    return table


def with_unit(value: Any, unit: str) -> str:
    """A number to three digits, seconds in a fitting unit; text and nothing as they are."""
    if value is None or isinstance(value, str):
        return value or ""
    if unit == "s":
        value, unit = next(((value * s, u) for s, u in ((1, "s"), (1e3, "ms")) if value * s >= 1), (value * 1e6, "µs"))
    return f"{value:.3g} {unit}" if abs(value) < 1000 else f"{value:.0f} {unit}"


def machine() -> dict:
    """What the numbers were measured on."""
    versions = {}
    for package in ("jax", "numpy", "scikit-learn", "torch"):
        try:
            versions[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            versions[package] = None
    return {"cpus": os.cpu_count(), "platform": platform.machine(), "python": platform.python_version(), **versions}


if __name__ == "__main__":
    sys.exit(main())
