"""What a run shows while it lasts: how much is done, how long the rest will take, and the table so far."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from unabases.paper.plan import Trial, TrialGroup, key_of, with_needs
from unabases.paper.spec import Experiment
from unabases.paper.store import ResultStore, Row

_FIRST_GUESS = 5.0  # seconds for a trial before any was timed


class TimeLeft:
    """Guesses how long trials will take from similar ones that have ended.

    Parameters
    ----------
    rows
        Results of earlier runs.
    """

    def __init__(self, rows: Iterable[Row] = ()):
        self._seen: dict[tuple[str, ...], list[float]] = defaultdict(list)
        for row in rows:
            self.add(row)

    def add(self, row: Row) -> None:
        """Learn from a trial that has ended well."""
        if not row.failed:
            for name in _kinds(row):
                self._seen[name].append(row.seconds)

    def guess(self, trials: Iterable[Trial], jobs: int = 1) -> float:
        """Seconds for all of these, from trials of the same method and data, else of the method, else of any."""
        return sum(map(self._guess, trials)) / jobs

    def _guess(self, trial: Trial) -> float:
        return next((float(np.mean(self._seen[name])) for name in _kinds(trial) if name in self._seen), _FIRST_GUESS)


def _kinds(what: Row | Trial) -> tuple[tuple[str, ...], ...]:
    """What a trial is like, from the most to the least similar."""
    return (what.experiment, what.method, what.dataset), (what.experiment, what.method), ()


class Scoreboard:
    """The headline score of each method on each data set: mean ± std over the trials so far."""

    def __init__(self, experiment: Experiment, rows: Iterable[Row] = ()):
        self.experiment = experiment
        self._values: dict[tuple[str, str], list[float]] = defaultdict(list)
        self._failed: dict[tuple[str, str], int] = defaultdict(int)
        for row in rows:
            self.add(row)

    def add(self, row: Row) -> None:
        """One more trial."""
        cell = (_line(row.method, row.settings), row.dataset)
        if row.failed:
            self._failed[cell] += 1
        elif self.experiment.headline in row.scores:
            self._values[cell].append(row.scores[self.experiment.headline])

    def table(self, datasets: Sequence[str]) -> Table:
        """One line per method, one column per data set."""
        headline = self.experiment.headline.replace("_", " ")
        title = f"{self.experiment.title}: {headline}"
        table = Table(title=title, title_justify="left", box=None, min_width=len(title))
        table.add_column("method", no_wrap=True)
        for dataset in datasets:
            table.add_column(dataset, justify="right")
        lines = dict.fromkeys(_line(method.label, method.notes) for method in self.experiment.methods)
        for line in lines:
            cells = [self._cell(line, dataset) for dataset in datasets]
            if any(cells):
                table.add_row(line, *cells)
        return table

    def _cell(self, line: str, dataset: str) -> str:
        values = self._values.get((line, dataset), [])
        percent = self.experiment.headline == "eurc"
        said = _mean_and_std(np.array(values) * (100 if percent else 1), percent) if values else ""
        failed = self._failed.get((line, dataset), 0)
        return f"{said} {failed} failed".strip() if failed else said


class LiveProgress:
    """Shows in a terminal how a run gets on; elsewhere it stays silent. A watcher for `unabases.paper.runner.run`.

    Parameters
    ----------
    experiments, profile
        The experiments that are run, and the profile.
    groups
        The trials that were asked for.
    store
        Where results are: trials that have one are counted as done.
    console
        Where to draw.
    jobs
        Trials at once.
    retry_failed
        If True, failed trials count as still to be run.
    """

    def __init__(
        self,
        experiments: Sequence[Experiment],
        profile: str,
        groups: Sequence[TrialGroup],
        store: ResultStore,
        console: Console,
        *,
        jobs: int = 1,
        retry_failed: bool = False,
    ):
        planned = {key_of(trial): trial for group in with_needs(groups).values() for trial in group}
        self._todo = {key: planned[key] for key in store.missing(planned, or_failed=retry_failed)}
        self._total = len(self._todo)
        done = {experiment.name: store.rows(experiment.name, profile) for experiment in experiments}
        self._left = TimeLeft(row for rows in done.values() for row in rows)
        self._boards = {experiment.name: Scoreboard(experiment, done[experiment.name]) for experiment in experiments}
        self._datasets = {
            name: list(dict.fromkeys(group[0].dataset for group in groups if group[0].experiment == name))
            for name in done
        }
        self._jobs = jobs
        self._running: set[str] = set()
        self._shown = ""
        self._failed = 0
        self._live = Live(console=console, get_renderable=self._draw, refresh_per_second=2, transient=True)
        self._enabled = console.is_terminal

    def __enter__(self) -> "LiveProgress":
        if self._enabled:
            self._live.start()
        return self

    def __exit__(self, *error: object) -> None:
        if self._enabled:
            self._live.stop()

    def began(self, group: TrialGroup) -> None:
        """Some trials were given to a worker."""
        self._running.add(_name(group[0]))

    def ended(self, key: str, row: Row) -> None:
        """A trial's row was stored."""
        self._running.discard(_name(row))
        self._todo.pop(key, None)
        self._left.add(row)
        self._failed += bool(row.failed)
        if row.experiment in self._boards:
            self._boards[row.experiment].add(row)
            self._shown = row.experiment

    def tables(self) -> list[Table]:
        """The tables as they stand."""
        return [board.table(self._datasets[name]) for name, board in self._boards.items() if self._datasets[name]]

    def _draw(self) -> Any:
        done = self._total - len(self._todo)
        left = self._left.guess(self._todo.values(), self._jobs)
        line = Table.grid(padding=(0, 1))
        failed = f", {self._failed} failed" if self._failed else ""
        line.add_row(
            ProgressBar(total=max(1, self._total), completed=done, width=40),
            f"{done} of {self._total} trials{failed}, about {as_time(left)} left",
        )
        under_way = Text("; ".join(sorted(self._running)), style="dim", overflow="ellipsis", no_wrap=True)
        shown = [self._boards[self._shown].table(self._datasets[self._shown])] if self._shown else []
        return Group(*shown, line, under_way)


def as_time(seconds: float | int) -> str:
    """Seconds as a person says them.

    Examples
    --------
    >>> as_time(42), as_time(170), as_time(9000)
    ('42 s', '3 min', '2.5 h')
    """
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def _mean_and_std(values: np.ndarray, percent: bool) -> str:
    form = "{:+.0f}" if percent else "{:.2f}"
    mean, std = form.format(np.mean(values)), form.format(np.std(values)).lstrip("+")
    return f"{mean} ± {std} % ({len(values)})" if percent else f"{mean} ± {std} ({len(values)})"


def _line(method: str, notes: Mapping[str, Any]) -> str:
    """The name of a line: the method, and how many features it has where that varies."""
    return f"{method}, {notes['n_features']} features" if "n_features" in notes else method


def _name(what: Row | Trial) -> str:
    return f"{what.experiment}: {what.method} on {what.dataset}, split {what.split}"
