"""Importances against total effects that are known, for arrays, tables and wrapped models."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from sklearn.linear_model import LinearRegression

from unabases import Conformal, GapCalibrated, GaussianProcess
from unabases.selection import importances

RNG = np.random.default_rng(0)
X = RNG.standard_normal((150, 3)) * [1.0, 10.0, 0.1]
EXACT = {"restarts": 0, "sigma2": 1e-4}


def test_a_linear_function_has_the_shares_of_its_variance():
    y = 2 * X[:, 0] + 0.1 * X[:, 1] + 0 * X[:, 2]
    found = importances(GaussianProcess(**EXACT).fit(X, y))
    wanted = np.array([(2 * X[:, 0].std()) ** 2, (0.1 * X[:, 1].std()) ** 2, 0])
    assert_allclose(found, wanted / wanted.sum(), atol=0.03)
    assert found.sum() == pytest.approx(1)


def test_inputs_that_only_act_together_share_what_they_do():
    y = X[:, 0] * X[:, 1] / 10
    found = importances(GaussianProcess(**EXACT).fit(X, y))
    assert_allclose(found, [0.5, 0.5, 0], atol=0.1)


def test_a_column_of_a_table_counts_once_whatever_numbers_it_becomes():
    table = pd.DataFrame({"kind": RNG.choice(["a", "b", "c"], 150), "size": X[:, 0], "other": X[:, 2]})
    table.loc[::10, "other"] = np.nan
    y = table["kind"].map({"a": 0.0, "b": 4.0, "c": 8.0}) + table["size"]
    found = importances(GaussianProcess(**EXACT).fit(table, y))
    assert found.shape == (3,)
    assert found[0] > found[1] > 10 * found[2]


def test_several_outputs_count_in_their_spread():
    y = np.column_stack([X[:, 0], 1e6 * X[:, 1]])
    assert_allclose(importances(GaussianProcess(**EXACT).fit(X, y)), [0.5, 0.5, 0], atol=0.1)


@pytest.mark.parametrize("wrap", [Conformal, lambda model: GapCalibrated(model, n_slabs=1)])
def test_a_wrapped_model_is_asked_itself(wrap):
    found = importances(wrap(GaussianProcess(**EXACT)).fit(X, X[:, 0]))
    assert found[0] > 0.99


def test_what_cannot_be_said_is_refused_and_nothing_moves_is_equal():
    with pytest.raises(TypeError, match="regressor of unabases; got LinearRegression"):
        importances(LinearRegression().fit(X, X[:, 0]))
    with pytest.raises(ValueError, match="standardize=False"):
        importances(GaussianProcess(standardize=False, **EXACT).fit(X, X[:, 0]))
    assert_allclose(importances(GaussianProcess(**EXACT).fit(X, np.zeros(150))), 1 / 3)
