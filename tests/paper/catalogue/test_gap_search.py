from tests.paper.catalogue import trials
from unabases.paper.methods import LUNA, LUNA_PAPER, NLM_MAP


def test_models_are_searched_on_the_first_split_and_used_on_all():
    found = trials("gap-search")
    assert {trial.method for trial in found} == {NLM_MAP, LUNA_PAPER, LUNA}
    assert {trial.split for trial in found} == set(range(10))
    assert {trial.needs["search"].split for trial in found} == {0}
    assert {trial.needs["noise"].split for trial in found} == set(range(10))
