"""What all ensembles share: the mean history of members that stop at different steps."""

import numpy as np
from numpy.testing import assert_array_equal

from tests.regressors.linear_network import LINEAR, X, Y
from unabases import VanillaEnsemble
from unabases.regressors.ensemble import _mean_of_running


def test_the_history_is_the_mean_over_members_that_still_train():
    values = np.array([[1.0, 2.0, np.nan, np.nan], [3.0, 4.0, 5.0, np.nan]])
    assert_array_equal(_mean_of_running(values), [2.0, 3.0, 5.0, np.nan])


def test_members_do_not_depend_on_how_many_there_are_beside_them():
    few, more = (VanillaEnsemble(n_members=n, **{**LINEAR, "max_steps": 20}).fit(X, Y) for n in (2, 2))
    assert_array_equal(few.networks_.W, more.networks_.W)
    assert few.history_.shape == (20, 3)
