from tests.paper.catalogue import trials
from unabases.paper.methods import LUNA, LUNA_PAPER


def test_both_lunas_are_searched_in_the_papers_profile_and_chosen_in_the_quick_one():
    assert [(trial.method, set(trial.needs)) for trial in trials("luna-heads")] == [
        (LUNA_PAPER, {"search"}),
        (LUNA, {"search"}),
    ]
    assert all(not trial.needs and "lam" in trial.settings for trial in trials("luna-heads", "quick"))
