from tests.paper.catalogue import trials
from unabases.paper.catalogue.luna_strength import STRENGTHS


def test_only_the_strength_differs_from_the_searched_luna():
    found = trials("cubic-strength", "quick")
    assert {trial.settings["lam"] for trial in found} == set(STRENGTHS)
    searched = next(t for t in trials("cubic-gap", "quick") if t.method == "LUNA (paper)")
    for trial in found:
        assert {**trial.settings, "lam": 0} == {**searched.settings, "lam": 0}
