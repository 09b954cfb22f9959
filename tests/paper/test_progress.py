"""What a run shows while it lasts."""

import io
import re

import pytest
from rich.console import Console

from tests.paper.cheap import cheap_experiment
from unabases.paper.plan import expand, key_of
from unabases.paper.progress import LiveProgress, Scoreboard, TimeLeft
from unabases.paper.store import ResultStore, Row


@pytest.fixture
def log(tmp_path):
    return tmp_path / "log"


def row(method="a", seed=0, dataset="toy", failed="", seconds=1.0, **scores):
    return Row("cheap", dataset, seed, method, seed, {}, "tiny", failed, scores, {}, seconds, {})


def test_a_terminal_sees_the_table_fill_and_another_place_sees_nothing(log, tmp_path):
    experiment, store = cheap_experiment(log), ResultStore(tmp_path / "results.sqlite")
    groups = expand(experiment, "tiny")
    first, second = (key_of(group[0]) for group in groups[:2])
    for terminal in (True, False):
        out = io.StringIO()
        console = Console(file=out, force_terminal=terminal, width=120)
        with LiveProgress([experiment], "tiny", groups, store, console, jobs=2) as progress:
            progress.began(groups[0])
            progress.ended(first, row(value=0.5))
            progress.ended(second, row(seed=1, value=1.5))
            progress._live.refresh()
        said = out.getvalue()
        assert ("2 of 8 trials, about 3 s left" in said) is terminal
        assert ("1.00 ± 0.50 (2)" in said) is terminal
        assert bool(said) is terminal


def test_time_left_is_guessed_from_the_likest(log):
    a, b = (group[0] for group in expand(cheap_experiment(log, seeds=1), "tiny"))
    assert TimeLeft().guess([a, b]) == 10.0
    left = TimeLeft([row("a", seconds=2.0), row("a", seconds=4.0, dataset="mars"), row("x", seconds=9.0, failed="no")])
    assert left.guess([a]) == 2.0
    assert left.guess([a, b], jobs=2) == (2.0 + 3.0) / 2


def test_a_scoreboard_counts_what_failed(log):
    board = Scoreboard(cheap_experiment(log), [row(value=1.0), row(failed="no")])
    out = Console(file=io.StringIO(), width=140)
    out.print(board.table(["toy"]))
    assert re.search(r"a +1\.00 ± 0\.00 \(1\) 1 failed", out.file.getvalue())
