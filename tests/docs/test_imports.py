"""Imports point one way: what docs/architecture.md says, kept true."""

import ast
import re
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from tests.docs.pages import ROOT

SOURCE = ROOT / "src" / "unabases"
ALLOWED = {
    "linear": set(),
    "predictive": set(),
    "features": set(),
    "objectives": {"features"},
    "training": {"features", "objectives"},
    "metrics": {"predictive"},
    "storage": set(),
    "datasets": {"storage"},
    "regressors": {"linear", "predictive", "features", "objectives", "training"},
    "tables": {"predictive", "metrics", "storage", "datasets", "regressors"},
    "saving": {"storage", "regressors", "tables"},
    "selection": {"predictive", "metrics", "regressors"},
    "audit": {"predictive", "metrics", "storage", "datasets", "regressors", "tables"},
    "bayesopt": {"linear", "predictive", "training", "storage", "datasets", "regressors", "saving", "selection"},
    "paper": {
        "linear",
        "predictive",
        "metrics",
        "storage",
        "datasets",
        "regressors",
        "tables",
        "saving",
        "selection",
        "audit",
        "bayesopt",
    },
}
ALLOWED["cli"] = set(ALLOWED)
TOP = {"audit", "regressors", "saving", "tables"}  # what `unabases/__init__.py` may import

ARRAYS = {"linear", "predictive", "metrics", "datasets"}  # rooms that know arrays but no JAX
ONLY_IN = {
    "matplotlib": {"audit", "paper"},
    "typer": {"cli"},
    "optax": {"training", "regressors"},
    "sklearn": {"regressors", "saving", "audit", "selection", "bayesopt", "paper", "cli"},
    "jax": set(ALLOWED) - ARRAYS,
    "equinox": set(ALLOWED) - ARRAYS,
    "pandas": set(ALLOWED) - {"linear", "predictive"},
}
BARE = {"numpy", "scipy", "jaxtyping"}  # all that `linear` and `predictive` may know of other packages


def imported(path: Path) -> set[str]:
    """Dotted names that a file imports anywhere; `from unabases import x` counts as `unabases.x`."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively; name the package in full"
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def rooms_of(names: set[str]) -> set[str]:
    return {name.split(".")[1] for name in names if name.startswith("unabases.") and not name.endswith("__version__")}


def files(room: str) -> list[Path]:
    return sorted((SOURCE / room).rglob("*.py"))


def test_every_room_is_in_the_table():
    assert {path.parent.name for path in SOURCE.glob("*/__init__.py")} == set(ALLOWED)


def test_the_table_has_no_circles():
    assert set(TopologicalSorter(ALLOWED).static_order()) == set(ALLOWED)


def test_the_page_lists_rooms_above_those_that_import_them():
    page = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    order = re.findall(r"^\| `(\w+)/` \|", page, re.MULTILINE)
    assert set(order) == set(ALLOWED)
    for place, room in enumerate(order):
        assert ALLOWED[room] <= set(order[:place]), room


@pytest.mark.parametrize("room", ALLOWED)
def test_a_room_imports_only_what_it_may(room):
    for path in files(room):
        assert rooms_of(imported(path)) <= ALLOWED[room] | {room}, path


def test_the_package_itself_names_only_the_top():
    assert rooms_of(imported(SOURCE / "__init__.py")) <= TOP


@pytest.mark.parametrize("package", ONLY_IN)
def test_a_package_stays_in_its_rooms(package):
    for room in set(ALLOWED) - ONLY_IN[package]:
        for path in files(room):
            assert package not in {name.split(".")[0] for name in imported(path)}, path


@pytest.mark.parametrize("room", ["linear", "predictive"])
def test_the_core_knows_only_arrays(room):
    for path in files(room):
        others = {name.split(".")[0] for name in imported(path)} - set(sys.stdlib_module_names)
        assert others <= BARE | {"unabases"}, path


@pytest.mark.parametrize("path", sorted(SOURCE.rglob("__init__.py")), ids=lambda path: path.parent.name)
def test_package_files_compute_nothing(path):
    docstring, *rest = ast.parse(path.read_text(encoding="utf-8")).body
    assert isinstance(docstring, ast.Expr)
    assert all(isinstance(node, ast.Import | ast.ImportFrom | ast.Assign) for node in rest)
