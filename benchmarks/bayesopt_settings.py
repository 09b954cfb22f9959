"""Searches of Branin with LUNA, as they are by default, without the warp of bad values, and with fits that start warm.

Seeds 100 to 109. Settings of LUNA and of the search were chosen with others, so the first line tests them.
"""

import statistics
from typing import Any

from benchmarks import row
from unabases.bayesopt import BayesOpt, default_surrogate
from unabases.bayesopt.problems import Task, branin_task

NEAR, OFTEN = 0.05, 0.9
KINDS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {  # of the study, of the surrogate
    "default": ({}, {}),
    "warp=False": ({"warp": False}, {}),
    "warm_start=True": ({}, {"warm_start": True}),
    "warm_start=True, steps=100": ({}, {"warm_start": True, "steps": 100}),
}


def run(quick: bool) -> list[dict]:
    task, seeds, rows = branin_task(), range(100, 102 if quick else 110), []
    for what, (of_study, of_surrogate) in KINDS.items():
        regrets = [regret(task, 12 if quick else task.steps, seed, of_study, of_surrogate) for seed in seeds]
        near = sum(one <= NEAR for one in regrets)
        target = {"target": f"≥ {OFTEN:.0%} of them", "met": near >= OFTEN * len(regrets)} if what == "default" else {}
        ours = f"{near} of {len(regrets)} end at most {NEAR} above the minimum"
        theirs = f"regret: median {statistics.median(regrets):.2g}, worst {max(regrets):.2g}"
        rows.append(row(what, ours, theirs) | target)
    return rows


def regret(task: Task, evaluations: int, seed: int, of_study: dict[str, Any], of_surrogate: dict[str, Any]) -> float:
    """How far the best value of a search is above the minimum."""
    surrogate = default_surrogate(**of_surrogate)
    study = BayesOpt(task.space, surrogate=surrogate, n_initial=task.n_initial, random_state=seed, **of_study)
    return task.regret(study.minimize(task.function, n=evaluations).value)
