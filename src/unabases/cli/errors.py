"""Clear messages for wrong files and values, and for warnings."""

import contextlib
import csv
import warnings
from collections.abc import Iterator
from typing import Any

import typer

from unabases.cli.console import tell

LARGEST_SEED = 2**32 - 1  # that NumPy and JAX both take


@contextlib.contextmanager
def clear_errors() -> Iterator[None]:
    """Show warnings, and errors about files, values or missing extras, as a message; an error exits with code 1."""
    from unabases.regressors import DivergedError

    try:
        with warnings.catch_warnings():
            warnings.showwarning = _show_warning
            yield
    except (ValueError, OSError, ImportError, DivergedError, TypeError) as error:
        tell(f"Error: {error}")
        raise typer.Exit(1) from error
    except MemoryError as error:
        tell(f"Error: there is not enough memory for this ({str(error) or 'no details'}); choose smaller settings.")
        raise typer.Exit(1) from error


def split_names(text: str | None) -> list[str]:
    """Split `a,b` into names; a name with a comma stands in quotation marks: `"a,b",c`."""
    if not text:
        return []
    (names,) = csv.reader([text.replace("\n", " ")], skipinitialspace=True)
    return [name.strip() for name in names if name.strip()]


def _show_warning(message: Any, *others: Any, **more: Any) -> None:
    tell(f"Warning: {message}")
