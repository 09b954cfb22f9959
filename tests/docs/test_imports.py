"""Imports point one way: the tables in docs/architecture.md say which, and these tests read them."""

import ast
import functools
import re
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.docs.pages import ROOT

SOURCE = ROOT / "src" / "unabases"
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
NOT_EXACT = {"paper", "cli"}  # may import everything above; the table does not list their folders either
TOP = {"audit", "regressors", "runtime", "saving", "tables"}  # what `unabases/__init__.py` may import
BARE = {"numpy", "scipy", "jaxtyping"}  # all that `linear` and `predictive` may import from elsewhere,
FOR_TABLES = ("predictive/base.py", "pandas")  # but for a prediction's `to_frame`


def table(header: str) -> dict[str, str]:
    """First and last cell of each line of the table on the page that has this header."""
    body = PAGE.partition(header + "\n")[2].partition("\n\n")[0]
    lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in body.splitlines()[1:]]
    return {cells[0].strip("`/"): cells[-1] for cells in lines}


def names_in(cell: str) -> set[str]:
    return set(re.findall(r"`([\w/]+)`", cell))


def may_import() -> dict[str, set[str]]:
    """What each package may import, by the first table, from top to bottom."""
    found: dict[str, set[str]] = {}
    for room, cell in table("| package | what is in it | may import |").items():
        found[room] = set(found) if cell == "everything above" else names_in(cell)
    return found


ALLOWED = may_import()
ONLY_IN = {name: names_in(cell) for name, cell in table("| dependency | imported only in |").items()}


@functools.cache
def imported(path: Path) -> frozenset[str]:
    """Dotted names that a file imports anywhere; `from unabases import x` counts as `unabases.x`."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively; name the package in full"
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return frozenset(names)


def room_of(parts: Sequence[str]) -> str | None:
    """The innermost package of the table that a path in the package belongs to; `lazy` belongs to none."""
    paths = ["/".join(parts[:length]) for length in range(len(parts), 0, -1)]
    return next((path for path in paths if path in ALLOWED), None)


def rooms_of(names: frozenset[str]) -> set[str]:
    found = {room_of(name.split(".")[1:]) for name in names if name.startswith("unabases.")}
    return {room for room in found if room is not None}


def files(room: str) -> list[Path]:
    below = sorted(path for path in (SOURCE / room).rglob("*") if path.suffix in (".py", ".pyi"))
    return [path for path in below if room_of(path.relative_to(SOURCE).parts) == room]


def test_the_table_lists_the_packages_on_disk():
    packages = {path.parent.relative_to(SOURCE).as_posix() for path in SOURCE.rglob("__init__.py")} - {"."}
    assert set(ALLOWED) == {name for name in packages if "/" not in name or name.split("/")[0] not in NOT_EXACT}


@pytest.mark.parametrize("room", ALLOWED)
def test_the_table_allows_only_packages_above(room):
    order = list(ALLOWED)
    assert ALLOWED[room] <= set(order[: order.index(room)])


def test_only_the_command_line_may_import_the_paper():
    assert [room for room in ALLOWED if "paper" in ALLOWED[room]] == ["cli"]


@pytest.mark.parametrize("room", ALLOWED)
def test_a_package_imports_what_the_table_says(room):
    for path in files(room):
        assert rooms_of(imported(path)) <= ALLOWED[room] | {room}, path
    if room not in NOT_EXACT:
        assert set().union(*(rooms_of(imported(path)) for path in files(room))) - {room} == ALLOWED[room]


def test_the_package_itself_names_only_the_top():
    assert rooms_of(imported(SOURCE / "__init__.pyi")) == TOP


def test_the_table_of_dependencies_was_found():
    assert {"jax", "sklearn", "matplotlib", "typer"} <= set(ONLY_IN)
    assert all(rooms and rooms <= set(ALLOWED) for rooms in ONLY_IN.values())


@pytest.mark.parametrize("dependency", ONLY_IN)
def test_a_dependency_is_used_where_the_table_says(dependency):
    for room in ONLY_IN[dependency]:
        assert any(uses(path, dependency) for path in files(room)), room


@pytest.mark.parametrize("dependency", ONLY_IN)
def test_a_dependency_stays_where_the_table_says(dependency):
    for room in set(ALLOWED) - ONLY_IN[dependency]:
        for path in files(room):
            assert not uses(path, dependency), path


def uses(path: Path, dependency: str) -> bool:
    return dependency in {name.split(".")[0] for name in imported(path)}


@pytest.mark.parametrize("room", ["linear", "predictive"])
def test_the_core_knows_only_arrays(room):
    for path in files(room):
        others = {name.split(".")[0] for name in imported(path)} - set(sys.stdlib_module_names)
        where, pandas = FOR_TABLES
        assert others - {pandas if path == SOURCE / where else ""} <= BARE | {"unabases"}, path


@pytest.mark.parametrize("path", sorted(SOURCE.rglob("__init__.py")), ids=lambda path: path.parent.name)
def test_package_files_compute_nothing(path):
    docstring, *rest = ast.parse(path.read_text(encoding="utf-8")).body
    assert isinstance(docstring, ast.Expr)
    assert all(isinstance(node, ast.Import | ast.ImportFrom | ast.Assign) or is_lazy(node) for node in rest)


def is_lazy(node: ast.AST) -> bool:
    return ast.unparse(node) == "lazy_package(__name__, __file__)"
