from tests.paper.catalogue import trials
from unabases.paper.methods import METHODS, UNA


def test_all_methods_of_the_paper_are_in_the_figure_of_the_cubic_gap():
    shown = {label for label, method in METHODS.items() if method.regressor} - {UNA}  # which is not the paper's
    assert {trial.method for trial in trials("cubic-gap")} == shown
