from tests.paper.catalogue import trials
from unabases.datasets import GAP_SETS
from unabases.paper.methods import LUNA, LUNA_PAPER, METHODS


def test_the_gap_table_has_the_papers_size_and_one_method_more():
    found = trials("uci-gap")
    assert len(found) == 10 * 6 * 10
    assert {trial.dataset for trial in found} == set(GAP_SETS)
    assert {trial.method for trial in found} == {label for label, method in METHODS.items() if method.printed} | {LUNA}
    assert {trial.settings["where"] for trial in found if trial.method == LUNA_PAPER} == {"data"}
    assert {trial.settings["where"] for trial in found if trial.method == LUNA} == {"between"}
    search = found[-1].needs["search"].settings
    assert (search["n_random"], search["n_trials"], search["rule"]) == (10, 50, "diverse-within-error")
    assert search["validation"] == 0.2
