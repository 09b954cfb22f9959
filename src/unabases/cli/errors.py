"""Clear error messages for wrong files and values."""

import contextlib
from collections.abc import Iterator

import typer


@contextlib.contextmanager
def clear_errors() -> Iterator[None]:
    """Show errors about files, values or missing extras as a message, without a traceback, and exit with code 1."""
    from unabases.regressors import DivergedError

    try:
        yield
    except (ValueError, OSError, ImportError, DivergedError, TypeError) as error:
        typer.echo(f"Error: {error}", err=True)
        raise typer.Exit(1) from error


def split_names(text: str | None) -> list[str]:
    """Split `a,b` into names."""
    return [name.strip() for name in (text or "").split(",") if name.strip()]
