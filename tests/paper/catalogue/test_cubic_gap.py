from tests.paper.catalogue import trials
from unabases.paper.methods import paper_methods


def test_all_methods_of_the_paper_are_in_the_figure_of_the_cubic_gap():
    assert {trial.method for trial in trials("cubic-gap")} == {method.label for method in paper_methods()}
