"""What a command says when something is wrong with what it was given."""

import contextlib
from collections.abc import Iterator

import typer


@contextlib.contextmanager
def clear_errors() -> Iterator[None]:
    """Turn an error about files, values or missing extras into its message and exit code 1."""
    from unabases.regressors import DivergedError

    try:
        yield
    except (ValueError, OSError, ImportError, DivergedError, TypeError) as error:
        typer.echo(f"Error: {error}", err=True)
        raise typer.Exit(1) from error


def split_names(text: str | None) -> list[str]:
    """Names from `a,b`."""
    return [name.strip() for name in (text or "").split(",") if name.strip()]
