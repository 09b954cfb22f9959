"""Which code a number depends on: a hash over the modules that a trial runs, found through their imports.

A trial names the modules that it starts from: that of its function and that of its regressor. What they import from
this package, and what that imports, is hashed too, without comments, docstrings and layout. So a changed solver makes
the trials of neural linear models new and leaves those of ensembles alone, and a changed sentence makes nothing new.

A name imported from a package leads to the module that defines it, not to all of the package. The search ends (`_ENDS`)
at lists of everything, because the trial itself names what it picks from a list and its settings are part of its spec;
where files are read, because their contents are checked; and where results are kept. Versions of Python and of other
packages are kept beside a result, not in its key.
"""

import ast
import functools
import hashlib
import importlib.util
from collections.abc import Iterable
from pathlib import Path

_PACKAGE = "unabases"
_OURS = ("methods", "plan", "presets", "spec", "store", "trials")
_ENDS = frozenset(
    {"unabases", "unabases.datasets.files", "unabases.regressors.listing", *(f"unabases.paper.{n}" for n in _OURS)}
)


def code_version(modules: Iterable[str]) -> str:
    """Sixteen hexadecimal digits that change when code changes that these modules run.

    Examples
    --------
    >>> reached(["unabases.datasets.uci_tables"])
    ['unabases.datasets.uci_tables']
    >>> len(code_version(["unabases.datasets.uci_tables"]))
    16
    """
    return _version(frozenset(modules))


def reached(modules: Iterable[str]) -> list[str]:
    """These modules and all that they import from this package, directly or not, in alphabetical order."""
    found: set[str] = set()
    waiting = list(modules)
    while waiting:
        name = waiting.pop()
        if name in found or name in _ENDS:
            continue
        found.add(name)
        waiting += _imports(name)
    return sorted(found)


def imports_of(source: str) -> list[str]:
    """Modules of this package that some code imports names from."""
    names = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and _is_ours(node.module):
            names += [_home(node.module, alias.name) for alias in node.names]
    return [name for name in names if _is_ours(name)]


def essence(source: str) -> str:
    """Code as it runs: no comments, no docstrings, one layout."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            kept = [part for part in node.body if not _is_text(part)]
            node.body = kept or ([] if isinstance(node, ast.Module) else [ast.Pass()])
    return ast.unparse(tree)


@functools.cache
def _version(modules: frozenset[str]) -> str:
    digest = hashlib.sha256()
    for name in reached(modules):
        digest.update(f"{name}\n{_essence(name)}\n".encode())
    return digest.hexdigest()[:16]


@functools.cache
def _imports(name: str) -> tuple[str, ...]:
    return tuple(imports_of(_source(name)))


@functools.cache
def _essence(name: str) -> str:
    return essence(_source(name))


@functools.cache
def _home(module: str, name: str) -> str:
    """The module that defines a name which `module` offers."""
    if _path(f"{module}.{name}") is not None:
        return f"{module}.{name}"
    path = _path(module)
    if path is None or path.name != "__init__.py":
        return module
    stub = path.with_suffix(".pyi")  # of a package that imports its names when they are used
    for node in ast.parse((stub if stub.exists() else path).read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom) and node.module and name in {a.asname or a.name for a in node.names}:
            return node.module if node.module == module else _home(node.module, name)
    return module


def _is_ours(name: str) -> bool:
    return name.split(".")[0] == _PACKAGE


def _is_text(node: ast.stmt) -> bool:
    """A string that stands alone: a docstring, or one under an attribute."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


@functools.cache
def _path(name: str) -> Path | None:
    """The file of a module; None for what is no module, such as a function that a module defines."""
    try:
        found = importlib.util.find_spec(name)
    except (ModuleNotFoundError, ValueError):
        return None
    return None if found is None or not found.origin else Path(found.origin)


def _source(name: str) -> str:
    path = _path(name)
    if path is None:
        raise ModuleNotFoundError(f"there is no module {name!r} whose code could be hashed.")
    return path.read_text(encoding="utf-8")
