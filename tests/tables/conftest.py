"""A small table with every kind of column, and a model of it."""

import numpy as np
import pandas as pd
import pytest

from unabases import GaussianProcess, TableModel


def make_homes(n=120, seed=0):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "rooms": rng.integers(1, 8, n),
            "heating": rng.choice(["gas", "oil", "wood"], n),
            "garden": rng.random(n) < 0.5,
            "age": rng.uniform(0, 90, n),
        }
    )
    extra = 20.0 * (frame["heating"] == "gas") + 10.0 * frame["garden"]
    frame["price"] = 50.0 * frame["rooms"] - 0.5 * frame["age"] + extra + 5 * rng.normal(size=n)
    return frame


@pytest.fixture(scope="session")
def homes():
    return make_homes()


@pytest.fixture(scope="session")
def model(homes):
    return TableModel.fit(homes, "price", regressor=GaussianProcess(restarts=0), random_state=0)
