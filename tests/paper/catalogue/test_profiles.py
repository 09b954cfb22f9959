from unabases import all_regressors
from unabases.paper.catalogue.profiles import QUICK_SEARCH, tiny


def test_the_tiny_profile_names_parameters_that_regressors_have():
    extent = tiny(splits=2)
    known = {name for regressor in all_regressors().values() for name in regressor().get_params()}
    assert set(extent.parameters) <= known
    assert (extent.splits, extent.n_random, extent.n_trials) == (2, 2, 0)
    assert QUICK_SEARCH["n_random"] + QUICK_SEARCH["n_trials"] == 6
