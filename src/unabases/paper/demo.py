"""The main job in small: three models on data with a gap, and what each knows inside it."""

from typing import NamedTuple

import numpy as np

from unabases.datasets import SyntheticGap, cubic_gap
from unabases.paper.scoring import GRID, TITLES, gap_scores
from unabases.predictive import AbstractPredictive
from unabases.regressors import LUNA, AbstractRegressor, GaussianProcess, NeuralLinear


class DemoResult(NamedTuple):
    """One method on the Cubic Gap data."""

    method: str
    curve: AbstractPredictive  # at `grid`
    scores: dict[str, float]


def demo_methods(sigma2: float, random_state: int = 0, verbose: bool = True) -> dict[str, AbstractRegressor]:
    """The models that the demonstration compares, with their defaults and the known noise."""
    shared = {"sigma2": sigma2, "random_state": random_state, "verbose": verbose}
    return {
        "NLM (MAP)": NeuralLinear(objective="map", **shared),
        "LUNA": LUNA(**shared),
        "Gaussian process": GaussianProcess(**shared),
    }


def run_demo(
    random_state: int = 0, verbose: bool = True, methods: dict[str, AbstractRegressor] | None = None
) -> tuple[SyntheticGap, np.ndarray, list[DemoResult]]:
    """Fit each method and score it on and off the gap: the data, a grid over both, and a result a method."""
    data = cubic_gap(random_state=random_state)
    results = []
    for name, model in (methods or demo_methods(data.sigma2, random_state, verbose)).items():
        model.fit(data.X_train, data.y_train)
        scores = dict(zip(TITLES, gap_scores(model, data).values(), strict=True))
        results.append(DemoResult(name, model.predict_dist(GRID), scores))
    return data, GRID, results
