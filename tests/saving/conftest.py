"""Three small fitted models, trained once; tests that change one work on a copy."""

import copy
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest

from unabases import LUNA, NeuralLinear
from unabases.regressors import AbstractRegressor
from unabases.saving import save

SMALL: dict[str, Any] = {"hidden_layer_sizes": (8, 4), "max_steps": 50, "sigma2": 0.01, "random_state": 0}


class Fitted(NamedTuple):
    model: Any
    X: Any
    y: Any
    query: Any


@pytest.fixture(scope="session")
def luna() -> Fitted:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 2))
    y = np.sin(X[:, 0]) + 0.1 * rng.normal(size=40)
    return Fitted(LUNA(n_heads=4, **SMALL).fit(X, y), X, y, 3 * rng.normal(size=(30, 2)))


@pytest.fixture(scope="session")
def named() -> Fitted:
    """Two outputs, and columns with names."""
    rng = np.random.default_rng(1)
    X = pd.DataFrame(rng.normal(size=(40, 2)), columns=["größe", "age"])
    y = np.c_[X["age"] ** 2, X["größe"]] + 0.1 * rng.normal(size=(40, 2))
    return Fitted(NeuralLinear(**SMALL).fit(X, y), X, y, 3 * X[:20])


@pytest.fixture(scope="session")
def updated(luna: Fitted) -> Fitted:
    model = copy.deepcopy(luna.model).update(luna.query, np.cos(luna.query[:, 0]))
    return luna._replace(model=model)


@pytest.fixture
def path(tmp_path, luna):
    """A file with the LUNA model."""
    save(luna.model, tmp_path / "model.una")
    return tmp_path / "model.una"


def changed(model: AbstractRegressor, **parameters: Any) -> Any:
    """The same fitted model with other parameters."""
    return copy.deepcopy(model).set_params(**parameters)


def assert_same_predictions(a: Any, b: Any, X: Any) -> None:
    """Equal to the last bit."""
    p, q = a.predict_dist(X, covariance=True), b.predict_dist(X, covariance=True)
    for name in ("mean", "epistemic_std", "noise_std", "covariance"):
        np.testing.assert_array_equal(getattr(p, name), getattr(q, name), err_msg=name)
