"""Regressors on the Cubic Gap data: what each knows in the gap. Behind `unabases compare` and `unabases demo`."""

import contextlib
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from rich.console import Console

from unabases.datasets import SyntheticGap, cubic_gap
from unabases.paper import methods as m
from unabases.paper.plan import expand, key_of
from unabases.paper.presets import preset_settings
from unabases.paper.progress import LiveProgress
from unabases.paper.runner import run
from unabases.paper.spec import Experiment, Extent, Method
from unabases.paper.store import ResultStore, Row
from unabases.paper.synthetic_scores import GRID, SCORES
from unabases.predictive import AbstractPredictive, Normal

SETTINGS = ("defaults", "paper", "as-printed")
_LIKE_GOLD, _OTHERS = (m.ANCHORED, m.LAPLACE), (m.BOOTSTRAP, m.VANILLA, m.DROPOUT, m.MEAN_FIELD, m.SNGP, m.RFF_SNGP)
LABELS = (m.GP, m.HMC, m.UNA, m.LUNA, *_LIKE_GOLD, m.NLM_MAP, m.NLM_MLE, m.NLM_MARGINAL, *_OTHERS)
"""The gold standards come first. UNA is compared with its own settings only: the paper has none for it."""


class Comparison(NamedTuple):
    """A line for each method and seed, and what a picture of the first seed shows."""

    rows: pd.DataFrame
    data: SyntheticGap
    grid: np.ndarray
    curves: dict[str, AbstractPredictive]


class DemoResult(NamedTuple):
    """One method of the demonstration: its curve over the grid, and its scores by their headings."""

    method: str
    curve: AbstractPredictive
    scores: dict[str, float]


class Demo(NamedTuple):
    """The data, a grid over and beyond it, and one result per method."""

    data: SyntheticGap
    grid: np.ndarray
    results: list[DemoResult]


def comparison_experiment(
    n_seeds: int, settings: str = "defaults", methods: Sequence[str] | None = None, **parameters: Any
) -> Experiment:
    """The comparison as an experiment whose only profile is named after the settings.

    Parameters
    ----------
    n_seeds
        How many seeds, each with its own data.
    settings
        `"defaults"`, `"paper"` (ours where the paper's do not train) or `"as-printed"`.
    methods
        Labels of `unabases.paper.methods`. By default every regressor, with LUNA as in the package for `"defaults"` and
        as in the paper otherwise.
    parameters
        Parameters of every method that has them; they win.
    """
    if settings not in SETTINGS:
        raise ValueError(f"unknown settings {settings!r}; known ones are {', '.join(SETTINGS)}.")
    known = [label for label, method in m.METHODS.items() if method.regressor]
    if methods is None:
        others = [m.LUNA_PAPER if label == m.LUNA else label for label in LABELS if label != m.UNA]
        methods = LABELS if settings == "defaults" else others
    elif unknown := [label for label in methods if label not in known]:
        raise ValueError(f"unknown method {'; '.join(unknown)}; known ones are {'; '.join(known)}.")
    return Experiment(
        name="compare",
        title="Every regressor on the Cubic Gap data",
        question="Which regressors know that there is no data in the middle?",
        shows="the table and the picture of `unabases compare`",
        function="unabases.paper.synthetic_scores:scores_and_curves",
        data="cubic-gap",
        datasets=("cubic-gap",),
        methods=tuple(Method(label, m.METHODS[label].regressor, _settings(label, settings)) for label in methods),
        extents={settings: Extent(splits=n_seeds, parameters=parameters)},
    )


def compare(
    seeds: Sequence[int] = range(10),
    settings: str = "defaults",
    methods: Sequence[str] | None = None,
    *,
    store: ResultStore | None = None,
    jobs: int = 1,
    console: Console | None = None,
    **parameters: Any,
) -> Comparison:
    """Fit every method to the data of each seed, with the true noise given, and score it on and off the gap.

    Parameters
    ----------
    seeds
        Seeds of the data and of the models.
    settings, methods, parameters
        As for `comparison_experiment`.
    store
        Where to keep the fits; those it has already are not made again. A temporary file by default.
    jobs
        Processes at once; with 1, everything runs in this one.
    console
        Where to show progress; nowhere by default.
    """
    experiment = comparison_experiment(max(seeds) + 1, settings, methods, **parameters)
    groups = [group for group in expand(experiment, settings) if group[0].seed in seeds]
    with contextlib.ExitStack() as stack:
        if store is None:
            store = ResultStore(Path(stack.enter_context(tempfile.TemporaryDirectory())) / "results.sqlite")
        store.set_plan(experiment.name, settings, [key_of(trial) for (trial,) in groups])
        console = console or Console(quiet=True, force_terminal=False)
        progress = stack.enter_context(LiveProgress([experiment], settings, groups, store, console, jobs=jobs))
        if run(groups, store, jobs=jobs, watcher=progress).interrupted:
            raise KeyboardInterrupt
        rows = store.rows(experiment.name, settings)
    first = [row for row in rows if row.seed == seeds[0] and not row.failed]
    curves: dict[str, AbstractPredictive] = {
        row.method: Normal(*(row.curves[name] for name in ("mean", "epistemic", "noise"))) for row in first
    }
    return Comparison(pd.DataFrame(map(_line, rows)), cubic_gap(random_state=seeds[0]), GRID, curves)


def run_demo(random_state: int = 0, **more: Any) -> Demo:
    """Fit an ordinary neural linear model, LUNA, UNA and a Gaussian process, and score each on and off the gap.

    Parameters
    ----------
    random_state
        Seed of the data and of the models.
    more
        Options of `compare`, and parameters of every model that has them.
    """
    found = compare([random_state], methods=(m.NLM_MAP, m.LUNA, m.UNA, m.GP), **more)
    lines = {line["method"]: line for line in found.rows.to_dict("records")}
    results = [
        DemoResult(name, curve, {title: lines[name][score] for score, title in SCORES.items()})
        for name, curve in found.curves.items()
    ]
    return Demo(found.data, found.grid, results)


def summarise(rows: pd.DataFrame) -> pd.DataFrame:
    """Mean and standard deviation over seeds, one line per method in the order given, and what the paper says."""
    table = []
    for label, part in rows.groupby("method", sort=False):
        line: dict[str, Any] = {"method": label}
        for column in SCORES:
            line[column] = f"{part[column].mean():.2f} ± {part[column].std(ddof=0):.2f}"
        line["least EURC"] = f"{100 * part['eurc'].min():+.0f} %"
        line["eurc"] = f"{100 * part['eurc'].mean():+.0f} ± {100 * part['eurc'].std(ddof=0):.0f} %"
        failed = int(np.sum(part["failed"].to_numpy() != ""))
        line["failed"] = f"{failed} of {len(part)}" if failed else "none"
        line["the paper"] = m.METHODS[str(label)].in_gap
        table.append(line)
    return pd.DataFrame(table).rename(columns=SCORES)


def _settings(label: str, settings: str) -> dict[str, Any]:
    if settings == "defaults":
        return dict(m.METHODS[label].settings)
    return preset_settings("cubic-gap", label, as_printed=settings == "as-printed")


def _line(row: Row) -> dict[str, Any]:
    scores = {name: row.scores.get(name, np.nan) for name in (*SCORES, "fit_seconds")}
    said = "; ".join(row.provenance.get("warnings", ()))
    return {"method": row.method, "seed": row.seed, **scores, "warnings": said, "failed": row.failed}
