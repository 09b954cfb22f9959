"""Packages whose public names are imported when they are first used, so that `import unabases` costs nothing."""

import ast
import importlib
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

__all__ = ["lazy_package"]


class _LazyPackage(ModuleType):
    """A package that imports a public name when somebody asks for it."""

    _homes: dict[str, str]  # public name -> module that defines it

    def __getattr__(self, name: str) -> Any:
        home = self._homes.get(name)
        if home is None:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        value = getattr(importlib.import_module(home), name)
        setattr(self, name, value)
        return value

    def __setattr__(self, name: str, value: Any) -> None:
        if isinstance(value, ModuleType) and name in self._homes:  # Python binds a package below by its name:
            value = getattr(value, name)  # `unabases.audit` stays the function, also after `import unabases.audit`
        super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self._homes})


def lazy_package(name: str, file: str) -> None:
    """Make a package import its public names when they are first used.

    The names and where they come from are read from the stub `__init__.pyi` beside the package's `__init__.py`, so
    type checkers and editors see the same names.

    Parameters
    ----------
    name : str
        The package's `__name__`.
    file : str
        Its `__file__`.

    Examples
    --------
    >>> import unabases
    >>> "UNA" in dir(unabases)
    True
    """
    stub = Path(file).with_suffix(".pyi").read_text(encoding="utf-8")
    imports = [node for node in ast.parse(stub).body if isinstance(node, ast.ImportFrom)]
    package: Any = sys.modules[name]
    package._homes = {alias.name: str(node.module) for node in imports for alias in node.names}
    package.__all__ = sorted({*package._homes, *(["__version__"] if hasattr(package, "__version__") else [])})
    package.__class__ = _LazyPackage
