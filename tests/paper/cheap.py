"""Cheap trials for tests: some only sleep and write to a file that they ran, some are fits of a few steps."""

import os
import time
from pathlib import Path

from unabases.paper.plan import Trial
from unabases.paper.spec import Experiment, Extent, Method
from unabases.paper.trials import Outcome

SMALL = {"hidden_layer_sizes": (50, 20), "max_steps": 40}


def make_trial(function, seed=0, regressor="NeuralLinear", data="cubic-gap", settings=SMALL, **more):
    """A trial of a function of `unabases.paper`, such as "noise:settle_noise"."""
    return Trial("toy", f"unabases.paper.{function}", data, data, 0, "NLM", seed, regressor, settings, **more)


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
