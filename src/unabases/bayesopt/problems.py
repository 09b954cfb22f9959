"""Problems to compare searches on: a space, a function, its least value, and the number of evaluations."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from unabases.datasets import branin, hartmann6
from unabases.datasets.problems import Problem
from unabases.selection.space import Space

__all__ = ["Task", "branin_task", "hartmann6_task"]


class Task(NamedTuple):
    """A function to minimise, and the budget of a search.

    Parameters
    ----------
    name : str
        Name of the problem.
    space : Space
        Parameters of the function.
    function : callable
        Takes a point as a dictionary, returns a number.
    minimum : float
        The least value.
    steps : int
        Evaluations in all.
    n_initial : int
        Evaluations before a surrogate is used.
    unit : str
        Unit of the values.
    """

    name: str
    space: Space
    function: Callable[[dict[str, Any]], float]
    minimum: float
    steps: int
    n_initial: int
    unit: str = ""

    def regret(self, value: float) -> float:
        """How far a value is above the minimum."""
        return value - self.minimum


def branin_task() -> Task:
    """Branin: two inputs and three minima; 50 evaluations, of which 5 come before the surrogate.

    Examples
    --------
    >>> task = branin_task()
    >>> round(task.regret(task.function({"x1": 3.14159, "x2": 2.275})), 4)
    0.0
    """
    return _from_problem(branin, steps=50, n_initial=5)


def hartmann6_task() -> Task:
    """Hartmann6: six inputs; 200 evaluations, of which 10 come before the surrogate."""
    return _from_problem(hartmann6, steps=200, n_initial=10)


def _from_problem(problem: Problem, *, steps: int, n_initial: int) -> Task:
    names = [f"x{i + 1}" for i in range(problem.d)]

    def function(point: dict[str, Any]) -> float:
        return float(problem(np.array([point[name] for name in names])))

    space = Space({name: tuple(ends) for name, ends in zip(names, problem.bounds.tolist(), strict=True)})
    return Task(problem.name, space, function, problem.minimum, steps, n_initial)
