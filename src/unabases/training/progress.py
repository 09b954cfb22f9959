"""Progress of training, of reading rows and of what comes after, on the standard error stream."""

import contextlib
from collections.abc import Callable, Iterator

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from unabases.training.loop import OnChunk


@contextlib.contextmanager
def training_progress(label: str, total: int, enabled: bool = True) -> Iterator[OnChunk | None]:
    """Show a progress bar that counts steps and shows the loss.

    Parameters
    ----------
    label : str
        What is trained.
    total : int
        Steps in all.
    enabled : bool
        Whether to show anything.

    Yields
    ------
    callable or None
        What to give to `train` as `on_chunk`; None when not `enabled`.
    """
    if not enabled:
        yield None
        return
    columns = (
        TextColumn("{task.description:<24}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("steps  loss {task.fields[loss]}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task(label, total=total, loss="…")
        yield lambda steps, terms: bar.update(task, advance=steps, loss=f"{terms['loss']:.4g}")


@contextlib.contextmanager
def rows_progress(label: str, total: int | None, enabled: bool = True) -> Iterator[Callable[[int], None]]:
    """Show a progress bar that counts rows.

    Parameters
    ----------
    label : str
        What is done with the rows.
    total : int or None
        Rows in all, if that is known.
    enabled : bool
        Whether to show anything.

    Yields
    ------
    callable
        To be called with the number of rows just done.
    """
    columns = (TextColumn("{task.description:<24}"), BarColumn(), MofNCompleteColumn(), TextColumn("rows"))
    with Progress(*columns, TimeRemainingColumn(), console=Console(stderr=True), disable=not enabled) as bar:
        task = bar.add_task(label, total=total)
        yield lambda rows: bar.update(task, advance=rows)


@contextlib.contextmanager
def working(label: str, enabled: bool = True) -> Iterator[None]:
    """Show on a terminal that something goes on that cannot be counted.

    Parameters
    ----------
    label : str
        What is done.
    enabled : bool
        Whether to show anything.
    """
    if not enabled:
        yield
        return
    with Console(stderr=True).status(label):
        yield
