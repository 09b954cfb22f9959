"""`unabases doctor`: what is installed, what it runs on, and whether it works."""

import importlib
import os
import platform
import tempfile
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

import typer
from rich.table import Table

from unabases import __version__
from unabases.cli.console import PlainConsole, busy
from unabases.cli.json_output import Json, print_json

__all__ = ["Finding", "doctor", "examine"]

EXTRAS = {  # of pyproject.toml, with what each needs at run time
    "parquet": ("pyarrow",),
    "onnx": ("onnx", "onnxruntime", "pillow"),
    "dask": ("dask", "distributed"),
    "botorch": ("botorch",),
    "accuracy": ("statsmodels", "ngboost", "catboost"),
}
NEEDED = ("jax", "equinox", "optax", "numpy", "scipy", "scikit-learn", "pandas", "safetensors", "matplotlib", "jinja2")
_MODULES = {"scikit-learn": "sklearn", "pillow": "PIL"}


class Finding(NamedTuple):
    """What one look found; a problem says what to do, and is empty if all is well."""

    what: str
    found: str
    problem: str = ""


def doctor(as_json: Json = False) -> None:
    """Say what is installed and what it runs on, and whether it works; exit with code 1 if something is broken."""
    with busy("looking around"):
        findings = examine()
    broken = [finding for finding in findings if finding.problem]
    if as_json:
        print_json({"ok": not broken, "findings": [finding._asdict() for finding in findings]})
    else:
        console, table = PlainConsole(), Table(box=None, show_header=False)
        table.add_column("", no_wrap=True)
        table.add_column("", overflow="fold")
        for finding in findings:
            table.add_row(finding.what, f"{finding.found}\n→ {finding.problem}" if finding.problem else finding.found)
        console.print(table)
        console.print("something is broken, see the arrows" if broken else "everything works")
    if broken:
        raise typer.Exit(1)


def examine() -> list[Finding]:
    """Look at versions, extras, devices, cores, the compilation cache and the data directory.

    Returns
    -------
    list of Finding
        One for each thing looked at.
    """
    found = [
        Finding("unabases", __version__),
        Finding("Python", f"{platform.python_version()} on {platform.platform()}"),
        *map(_package, NEEDED),
    ]
    found += [_extra(name, packages) for name, packages in EXTRAS.items()]
    looks: dict[str, Callable[[], Finding]] = {
        "devices": _devices,
        "cores": _cores,
        "compiled programs": _cache,
        "data directory": _data,
    }
    for what, look in looks.items():
        try:
            found.append(look())
        except Exception as error:  # whatever it is, the doctor tells it and goes on
            found.append(Finding(what, "cannot be used", f"{type(error).__name__}: {error}"))
    return found


def _package(name: str) -> Finding:
    """A package that must be there and can be imported."""
    try:
        importlib.import_module(_MODULES.get(name, name))
        return Finding(name, metadata.version(name))
    except Exception as error:  # a broken package can fail in any way
        return Finding(name, "cannot be imported", f"{error}; install it again: pip install --force-reinstall {name}")


def _extra(extra: str, packages: tuple[str, ...]) -> Finding:
    """Packages that may be absent; they are not imported, which takes long."""
    absent, versions = [], []
    for name in packages:
        try:
            versions.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            absent.append(name)
    said = ", ".join(versions)
    if absent:
        said += (", " if said else "") + f"without {', '.join(absent)}: pip install 'unabases[{extra}]'"
    return Finding(f"extra {extra}", said)


def _devices() -> Finding:
    from unabases.training.compilation import find_devices

    found = find_devices()
    said = f"{', '.join(found.names)} ({found.backend})"
    return Finding("devices", said, "" if found.works else "it computes 0 + 1 + 2 + 3 wrongly; install JAX again")


def _cores() -> Finding:
    from unabases.training.cores import usable_cores

    return Finding("cores", f"{usable_cores()} of {os.cpu_count()} may be used by this process")


def _cache() -> Finding:
    from unabases.training.compilation import VARIABLE, use_compilation_cache

    directory = use_compilation_cache()
    if directory is None:
        return Finding("compiled programs", f"not kept; set {VARIABLE} to a directory to keep them")
    files = [path for path in directory.rglob("*") if path.is_file()] if directory.is_dir() else []
    size = sum(path.stat().st_size for path in files) / 1e6
    advice = f"set {VARIABLE} to a directory that can be written to, or to off"
    return Finding(
        "compiled programs", f"{directory}: {len(files)} files, {size:.0f} MB", _unwritable(directory, advice)
    )


def _data() -> Finding:
    from unabases.datasets import data_dir
    from unabases.datasets.files import state
    from unabases.datasets.registry import names

    directory = data_dir()
    states = {name: state(name) for name in names()}
    present = sum(value == "present" for value in states.values())
    damaged = [name for name, value in states.items() if value not in ("present", "missing")]
    advice = f"fetch again: unabases data fetch {' '.join(damaged)}" if damaged else ""
    return Finding("data directory", f"{directory}: {present} of {len(states)} data sets present", advice)


def _unwritable(directory: Path, advice: str) -> str:
    """Empty if a file can be written there."""
    try:
        with tempfile.TemporaryFile(dir=directory):
            return ""
    except OSError as error:
        return f"{error}; {advice}"
