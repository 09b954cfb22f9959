from tests.paper.catalogue import trials
from unabases.paper.catalogue.luna_strength import STRENGTHS
from unabases.paper.catalogue.profiles import CHOSEN


def test_only_the_strength_differs_and_the_penalty_is_the_searched_one():
    found = trials("luna-strength", "quick")
    assert {trial.settings["lam"] for trial in found} == set(STRENGTHS)
    for dataset in {trial.dataset for trial in found}:
        own = [trial for trial in found if trial.dataset == dataset]
        others = {str({k: v for k, v in sorted(trial.settings.items()) if k != "lam"}) for trial in own}
        assert len(others) == 1
        assert own[0].settings["gamma"] == CHOSEN["gap-search"][dataset]["LUNA (paper)"]["gamma"]
