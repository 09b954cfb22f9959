"""`unabases reproduce`: list the paper's experiments and run them."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from unabases.cli.console import PlainConsole, tell, wrong_option
from unabases.cli.flags import flag

_MOST_SEEDS = 10_000


def reproduce(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[NAME]...", help="Experiments to run. Without a name, all of them are listed."),
    ] = None,
    every: Annotated[
        bool, flag("--all", help="Run every experiment on the paper; accuracy and honesty have to be named.")
    ] = False,
    profile: Annotated[str, typer.Option(help="How much of each to run: tiny, quick or paper.")] = "quick",
    methods: Annotated[
        list[str] | None,
        typer.Option(help='Only this method, by its label, such as "NLM, MAP". Repeat the option for more.'),
    ] = None,
    datasets: Annotated[list[str] | None, typer.Option(help="Only this data set. Repeat the option for more.")] = None,
    seeds: Annotated[str | None, typer.Option(help="Only these seeds or splits, such as 0-4,7.")] = None,
    jobs: Annotated[
        int | None, typer.Option(help="Trials to run at once; one per core, or worker, by default.", min=1)
    ] = None,
    scheduler: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Run on this Dask cluster, such as tcp://10.0.0.1:8786.")
    ] = None,
    resume: Annotated[
        bool,
        flag("--resume/--fresh", help="Keep the results that are there, or run everything again."),
    ] = True,
    retry_failed: Annotated[bool, flag("--retry-failed", help="Run failed trials again.")] = False,
    store: Annotated[
        Path | None, typer.Option(help="File for the results. By default results.sqlite in reproduction/.")
    ] = None,
) -> None:
    """Run the paper's experiments.

    Every result is stored as soon as it is there: run the same command again to continue a run that was stopped.
    """
    from unabases.paper.catalogue import PAPER_EXPERIMENTS
    from unabases.paper.reproduce import Cells
    from unabases.paper.reproduce import reproduce as run_experiments
    from unabases.paper.runner import RunError
    from unabases.paper.store import DEFAULT_STORE, ResultStore, StoreError

    store = store or DEFAULT_STORE
    console = PlainConsole(width=None if PlainConsole().is_terminal else 140)
    try:
        if not names and not every:
            _list(console, store)
            return
        cells = Cells(methods or None, datasets or None, _numbers(seeds))
        with _cluster(scheduler) as client:
            finished = run_experiments(
                list(PAPER_EXPERIMENTS) if every else names or [],
                profile,
                ResultStore(store),
                cells=cells,
                jobs=jobs or (client and max(1, len(client.nthreads()))),
                executor=client and client.get_executor(pure=False),
                fresh=not resume,
                retry_failed=retry_failed,
                console=console,
            )
    except ValueError as error:
        raise wrong_option(error) from error
    except (StoreError, RunError) as error:
        tell(f"Stopped: {error}")
        raise typer.Exit(1) from error
    for row in finished.failed:
        why = row.failed.splitlines()[0]
        tell(f"Failed: {row.experiment}, {row.method}, {row.dataset}, seed {row.seed}: {why}")
    if finished.interrupted:
        said = f"Stopped after {finished.rows} trials. They are stored in {store}; run the same command to continue."
        tell(said)
        raise typer.Exit(130)
    typer.echo(f"{finished.rows} trials were run. The results are in {store}.")
    if finished.left_out:
        tell(f"Left out because their data is missing: {', '.join(finished.left_out)}.")
    if finished.failed or finished.left_out:
        raise typer.Exit(1)


@contextlib.contextmanager
def _cluster(address: str | None) -> Iterator[Any]:
    """A client of the Dask cluster at an address; None without one."""
    if address is None:
        yield None
        return
    try:
        from distributed import Client  # pyright: ignore[reportMissingImports]
    except ImportError:
        raise ValueError("`--scheduler` needs Dask: pip install 'unabases[dask]'.") from None
    try:
        client = Client(address, timeout="10s")
    except (OSError, ValueError) as error:
        raise ValueError(f"no Dask scheduler answers at {address!r}: {error}") from error
    with client:
        yield client


def _list(console: PlainConsole, store: Path) -> None:
    """List the experiments, and how much of each is done in every profile."""
    from unabases.paper.reproduce import status
    from unabases.paper.spec import PROFILES
    from unabases.paper.store import ResultStore

    opened = ResultStore(store) if store.exists() else None
    table = Table(box=None)
    for column in ("name", "shows", *PROFILES):
        table.add_column(column, no_wrap=column != "shows", justify="right" if column in PROFILES else "left")
    for line in zip(*(status(opened, profile) for profile in PROFILES), strict=True):
        cells = [f"{one.done} of {one.total}" + (f", {one.failed} failed" if one.failed else "") for one in line]
        table.add_row(line[0].experiment.name, line[0].experiment.shows, *cells)
    console.print(table)
    for profile, meaning in PROFILES.items():
        console.print(f"{profile}: {meaning}")


def _numbers(text: str | None) -> list[int] | None:
    """Numbers and ranges, such as 0-4,7."""
    if text is None:
        return None
    found: list[int] = []
    try:
        for part in text.split(","):
            low, _, high = part.partition("-")
            wanted = range(int(low), int(high or low) + 1)
            if not 0 < len(wanted) <= _MOST_SEEDS:
                raise ValueError
            found += wanted
    except (ValueError, OverflowError):
        raise ValueError(
            f"`--seeds` takes whole numbers and ranges, such as 0-4,7, of at most {_MOST_SEEDS:,}; got {text!r}."
        ) from None
    return found
