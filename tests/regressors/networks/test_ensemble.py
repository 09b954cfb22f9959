"""What all ensembles share: members that are trained together and do not know it."""

from numpy.testing import assert_array_equal

from tests.regressors.linear_network import LINEAR, X, Y
from unabases import VanillaEnsemble


def test_members_do_not_depend_on_how_many_there_are_beside_them():
    few, more = (VanillaEnsemble(n_members=n, **{**LINEAR, "max_steps": 20}).fit(X, Y) for n in (2, 2))
    assert_array_equal(few.networks_.W, more.networks_.W)
    assert few.history_.shape == (20, 3)
