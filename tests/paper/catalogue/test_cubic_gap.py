from tests.paper.catalogue import trials
from unabases.paper.methods import METHODS


def test_all_methods_with_a_regressor_are_in_the_figure_of_the_cubic_gap():
    assert {trial.method for trial in trials("cubic-gap")} == {
        label for label, method in METHODS.items() if method.regressor
    }
