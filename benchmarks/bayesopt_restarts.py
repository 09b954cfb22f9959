"""Ten whole searches of Hartmann6 with LUNA: together on all cores of one process, and one after the other."""

from benchmarks import row, seconds
from unabases.bayesopt.problems import hartmann6_task
from unabases.paper.bayesopt import run_searches


def run(quick: bool) -> list[dict]:
    task = hartmann6_task()
    seeds, evaluations = (range(2), 20) if quick else (range(10), task.steps)
    run_searches(task, ["LUNA"], range(2), evaluations)  # compiles every number of rows
    together = seconds(lambda: run_searches(task, ["LUNA"], seeds, evaluations))
    in_turn = seconds(lambda: run_searches(task, ["LUNA"], seeds, evaluations, threads=1))
    what = f"{len(seeds)} searches of {evaluations} evaluations"
    return [row(what, together, in_turn, ratio=in_turn / together)]
