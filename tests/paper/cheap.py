"""Trials that cost nothing: they sleep, say in a file that they were run, and give their seed."""

import os
import time
from pathlib import Path

from unabases.paper.spec import Experiment, Extent, Method
from unabases.paper.trials import Outcome


def count(trial, rows, given):
    settings = trial.settings
    with open(settings["log"], "a", encoding="utf-8") as file:
        file.write(f"{trial.method} {trial.seed} {os.getpid()}\n")
    time.sleep(settings.get("sleep", 0.0))
    if trial.seed in settings.get("fail", ()):
        raise ValueError(f"seed {trial.seed} does not work")
    return Outcome({"value": trial.seed / 4, "needed": sum(row.scores["value"] for row in given.values())})


def cheap_experiment(log, seeds=4, labels=("a", "b"), name="cheap", **settings):
    return Experiment(
        name=name,
        title="Cheap trials",
        question="Does the runner run?",
        shows="nothing",
        function="tests.paper.cheap:count",
        data="cubic-gap",
        datasets=("toy",),
        methods=tuple(Method(label, settings={"log": str(log), **settings}) for label in labels),
        extents={"tiny": Extent(splits=seeds), "paper": Extent(splits=seeds)},
        headline="value",
    )


def runs(log):
    """What the trials wrote: (method, seed, process) of each that began."""
    path = Path(log)
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [(method, int(seed), int(process)) for method, seed, process in map(str.split, lines)]
