"""A progress bar for searches: trials done and the best value so far."""

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn


class SearchProgress:
    """A progress bar, used as a context manager; silent unless enabled.

    Parameters
    ----------
    label : str
        What stands before the bar.
    total : int
        Number of trials at the end.
    enabled : bool
        If False, nothing is shown.
    what : str
        Name of the best value.
    """

    def __init__(self, label: str, total: int, enabled: bool, what: str = "best log-likelihood"):
        self._bar = Progress(
            TextColumn(label),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.description}"),
            TimeRemainingColumn(),
            disable=not enabled,
        )
        self._total, self._what = total, what

    def __enter__(self) -> "SearchProgress":
        self._bar.start()
        self._task = self._bar.add_task("", total=self._total)
        return self

    def __exit__(self, *error: object) -> None:
        self._bar.stop()

    def advance(self, count: int, best: float | None) -> None:
        """Count further trials, and show the best value of all."""
        said = "" if best is None else f"{self._what} {best:.5g}"
        self._bar.update(self._task, advance=count, description=said)
