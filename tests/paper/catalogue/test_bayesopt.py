from tests.paper.catalogue import trials
from unabases.paper.bayesopt import PEERS
from unabases.paper.methods import METHODS
from unabases.paper.report.paper_values import paper_table


def test_searches_have_the_papers_counts_surrogates_and_problems():
    found = trials("bayesopt")
    printed = paper_table(4)
    regressors = {METHODS[label].regressor for label in printed.methods}
    assert {trial.regressor for trial in found if trial.method not in PEERS} == regressors
    assert {trial.method for trial in found if not trial.regressor} == set(PEERS)
    assert {trial.dataset for trial in found} == set(printed.datasets)
    assert len(found) == 12 * (10 + 10 + 3 + 3)
    assert {trial.settings["evaluations"] for trial in found} == {None}  # as many as the problem says
    assert {trial.dataset for trial in trials("bayesopt", "quick")} == {"branin"}  # which needs no files
