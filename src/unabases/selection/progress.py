"""A progress bar for searches: trials done and the best so far."""

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn


class SearchProgress:
    """A bar that says how many trials are done and the best value, called `what`; silent when not enabled."""

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
        """Some trials more, and the best value of all."""
        said = "" if best is None else f"{self._what} {best:.5g}"
        self._bar.update(self._task, advance=count, description=said)
