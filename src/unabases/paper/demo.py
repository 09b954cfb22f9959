"""The main point in small: three models on data with a gap, and what each knows inside it."""

from typing import Any, NamedTuple

import numpy as np

from unabases.datasets import SyntheticGap
from unabases.paper.comparison import compare
from unabases.paper.methods import GP, LUNA, NLM_MAP
from unabases.paper.synthetic_scores import SCORES
from unabases.predictive import AbstractPredictive


class DemoResult(NamedTuple):
    """One method on the Cubic Gap data."""

    method: str
    curve: AbstractPredictive  # at `grid`
    scores: dict[str, float]


class Demo(NamedTuple):
    """The data, a grid over and beyond it, and one result per method."""

    data: SyntheticGap
    grid: np.ndarray
    results: list[DemoResult]


def run_demo(random_state: int = 0, **more: Any) -> Demo:
    """Fit an ordinary neural linear model, LUNA and a Gaussian process, and score each on and off the gap.

    Parameters
    ----------
    random_state
        Seed of the data and of the models.
    more
        Options of `unabases.paper.compare`, and parameters of every model that has them.
    """
    found = compare([random_state], methods=(NLM_MAP, LUNA, GP), **more)
    scores = {line["method"]: {SCORES[name]: line[name] for name in SCORES} for line in found.rows.to_dict("records")}
    return Demo(found.data, found.grid, [DemoResult(name, curve, scores[name]) for name, curve in found.curves.items()])
