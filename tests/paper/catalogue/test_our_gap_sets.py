from tests.paper.catalogue import trials
from unabases.paper.methods import LUNA_DEFAULTS, UNA


def test_our_models_have_the_papers_splits_with_nothing_set_and_find_the_noise_themselves():
    found = trials("our-gap-sets", "paper")
    assert {trial.method for trial in found} == {LUNA_DEFAULTS, UNA}
    assert {(trial.dataset, trial.split) for trial in found} == {
        (trial.dataset, trial.split) for trial in trials("uci-gap", "paper")
    }
    assert all(not trial.settings and not trial.needs for trial in found)
