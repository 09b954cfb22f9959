"""scikit-activeml asks for the row that a regressor of this package knows least about."""

import numpy as np
import pytest

from tests.ecosystem.rows import quick_model

regressor = pytest.importorskip("skactiveml.regressor")


def test_it_labels_the_gap_before_rows_beside_known_ones():
    from skactiveml.pool import ExpectedModelVarianceReduction

    X = np.r_[np.linspace(-2, -1, 10), np.linspace(1, 2, 10), [0.0], [-1.5]][:, None]
    y = np.r_[np.sin(2 * X[:20, 0]), np.nan, np.nan]  # the last two have no label yet
    wrapped = regressor.SklearnNormalRegressor(quick_model(), random_state=0)
    chosen = ExpectedModelVarianceReduction(random_state=0).query(X, y, reg=wrapped)
    assert chosen.tolist() == [20]  # the one in the gap
