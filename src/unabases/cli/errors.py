"""Clear messages for wrong files and values, and for warnings."""

import contextlib
import csv
import errno
import os
import re
import shlex
import warnings
from collections.abc import Iterator
from typing import Any

import typer

from unabases.cli.console import tell

LARGEST_SEED = 2**32 - 1  # that NumPy and JAX both take


@contextlib.contextmanager
def clear_errors() -> Iterator[None]:
    """Show warnings, and errors about files, values or missing extras, as a message; an error exits with code 1.

    Every command is in it, with what it imports; as a decorator it can be used as well.
    """
    try:
        with warnings.catch_warnings():
            warnings.showwarning = _show_warning
            yield
    except (ValueError, OSError, ImportError, TypeError) as error:
        if getattr(error, "errno", None) in (errno.EPIPE, errno.EBADF):  # nobody hears it; see `start.run`
            raise
        tell(f"Error: {in_options(_folder_is_gone(error) or str(error))}")
        raise typer.Exit(1) from error
    except RuntimeError as error:
        if not _is_told(error):
            raise
        tell(f"Error: {in_options(str(error))}")
        raise typer.Exit(1) from error
    except MemoryError as error:
        tell(f"Error: there is not enough memory for this ({str(error) or 'no details'}); choose smaller settings.")
        raise typer.Exit(1) from error


def _is_told(error: RuntimeError) -> bool:
    """Whether it is an error to tell: a fit that diverged, or a device that JAX is asked for and that is not there."""
    if isinstance(error, typer.Exit | typer.Abort):
        return False
    from unabases.regressors import DivergedError

    return isinstance(error, DivergedError) or "found no device" in str(error)


def _folder_is_gone(error: Exception) -> str | None:
    """What to say where a path cannot be found since the folder that it starts from was deleted."""
    if isinstance(error, FileNotFoundError) and error.filename is None:
        try:
            os.getcwd()
        except FileNotFoundError:
            return "the folder that you are in was deleted; change to another one, or give whole paths."
    return None


_OPTIONS = {  # of the command line, by the names of parameters
    "missing": "--missing",
    "drop": "--drop",
    "keep": "--keep",
    "categories": "--category",
    "numbers": "--number",
    "max_levels": "--max-levels",
    "holdout": "--holdout",
    "level": "--level",
    "max_error": "--max-error",
    "share": "--defer-share",
    "separator": "--separator",
}


def in_options(message: str) -> str:
    """Write a message with options of the command line where it speaks of parameters in Python.

    Parameters
    ----------
    message : str
        What an error says.

    Examples
    --------
    >>> in_options('Fill them in, or choose missing="drop".')
    'Fill them in, or choose --missing drop.'
    >>> in_options("missing values, with numbers=['age'] (`--number`)")
    'missing values, with --number age'
    """
    message = re.sub(r'\b(missing)="(\w+)"', lambda m: f"{_OPTIONS[m[1]]} {m[2]}", message)
    message = re.sub(
        r"\b(numbers|categories)=\['([^'\]]*)'\] \(`--\w+`\)( or \.astype\(\"category\"\))?",
        lambda m: f"{_OPTIONS[m[1]]} {shlex.quote(m[2])}",
        message,
    )
    return re.sub(r"`(\w+)`", lambda m: f"`{_OPTIONS[m[1]]}`" if m[1] in _OPTIONS else m[0], message)


def split_names(text: str | None) -> list[str]:
    """Split `a,b` into names; one with a comma or with blanks around it stands in quotation marks: `"a,b"," c"`."""
    if not text:
        return []
    (names,) = csv.reader([re.sub(r"[\r\n]", " ", text)], skipinitialspace=True)
    return [name if '"' in text else name.strip() for name in names if name.strip()]


def _show_warning(message: Any, *others: Any, **more: Any) -> None:
    tell(f"Warning: {in_options(str(message))}")
