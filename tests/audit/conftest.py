"""People of whom a model has seen only the men, and an audit of it."""

import numpy as np
import pandas as pd
import pytest

from unabases import GaussianProcess, TableModel, audit
from unabases.audit import AuditSettings

REGRESSOR = {"restarts": 0, "sigma2": 0.01}


def people(n, seed, women=0.5):
    """Women's inputs lie elsewhere; gender itself is not an input."""
    rng = np.random.default_rng(seed)
    woman = rng.random(n) < women
    frame = pd.DataFrame(
        {
            "a": rng.normal(size=n) + 3.0 * woman,
            "b": rng.normal(size=n),
            "gender": np.where(woman, "f", "m"),
            "region": rng.choice(["north", "south", "<east> & $x$"], n),
        }
    )
    frame["age"] = np.sin(frame["a"]) + 0.5 * frame["b"] + 0.1 * rng.normal(size=n)
    return frame


def fitted(frame, seed=0, **options):
    options = {"keep": ["gender", "region"], "holdout": 0.5, "random_state": seed, **options}
    return TableModel.fit(frame, "age", regressor=GaussianProcess(**REGRESSOR), **options)


@pytest.fixture(scope="session")
def men_only():
    return fitted(people(500, seed=0, women=0.0))


@pytest.fixture(scope="session")
def found(men_only):
    return audit(
        men_only,
        people(400, seed=1),
        ["gender", "region", "b"],
        settings=AuditSettings(n_permutations=500, max_error=0.1),
    )
