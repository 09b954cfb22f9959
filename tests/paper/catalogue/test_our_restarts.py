from tests.paper.catalogue import trials
from unabases.paper.methods import LUNA_DEFAULTS, UNA


def test_our_models_restart_as_often_as_the_papers_with_nothing_set():
    found = trials("our-restarts", "quick")
    assert {trial.method for trial in found} == {LUNA_DEFAULTS, UNA}
    assert {trial.seed for trial in found} == set(range(20))
    assert all(not trial.settings for trial in found)
