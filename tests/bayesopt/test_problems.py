"""Problems with a known minimum reach it where the literature says."""

import pytest

from unabases.bayesopt.problems import branin_task, hartmann6_task
from unabases.datasets import branin, hartmann6


@pytest.mark.parametrize(
    ("problem", "make"), [(branin, branin_task), (hartmann6, hartmann6_task)], ids=["branin", "hartmann6"]
)
def test_synthetic_tasks_reach_their_minimum(problem, make):
    task = make()
    assert len(task.space) == problem.d
    for row in problem.minimisers:
        point = task.space.check(dict(zip(task.space.names, row.tolist(), strict=True)))
        assert task.regret(task.function(point)) == pytest.approx(0, abs=1e-6)
    assert (task.steps, task.n_initial) == {"branin": (50, 5), "hartmann6": (200, 10)}[problem.name]
