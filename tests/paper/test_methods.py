"""The registry: labels, their regressors, and their order."""

import pytest

from unabases import all_regressors
from unabases.paper.methods import (
    BOOSTING,
    GP,
    LUNA,
    LUNA_PAPER,
    METHODS,
    NLM_MAP,
    NLM_MLE,
    OUTSIDE,
    RANDOM_SEARCH,
    UNA,
    find_method,
    ordered,
    paper_methods,
)
from unabases.paper.rivals import RIVALS


def test_every_regressor_has_a_label_and_every_setting_is_a_parameter():
    named = [method for method in METHODS.values() if method.regressor]
    assert {method.regressor for method in named} == set(all_regressors())
    for method in named:
        all_regressors()[method.regressor](**method.settings)
        if method.search is not None:
            assert set(method.search.space) <= set(all_regressors()[method.regressor]().get_params())


def test_the_papers_regressors_are_all_but_the_packages_own():
    own = {method.regressor for method in METHODS.values() if method.regressor and not method.of_paper}
    assert own == {METHODS[UNA].regressor}
    assert {method.regressor for method in paper_methods()} == set(all_regressors()) - own
    assert not {RANDOM_SEARCH, BOOSTING} & {method.label for method in paper_methods()}


def test_methods_of_other_packages_are_found_and_come_last():
    assert find_method(BOOSTING).settings == {"model": "boosting"}
    assert {method.settings["model"] for method in OUTSIDE.values()} == set(RIVALS)
    assert ordered([BOOSTING, LUNA]) == [LUNA, BOOSTING]
    assert not set(OUTSIDE) & set(METHODS)


def test_looks_differ_without_colour():
    assert len({method.marker for method in METHODS.values()}) == len(METHODS)
    assert len({method.colour for method in METHODS.values()}) == len(METHODS)


def test_labels_say_which_luna_it_is():
    luna = all_regressors()["LUNA"]
    assert luna(**find_method(LUNA_PAPER).settings).get_params() == luna.as_in_paper().get_params()
    assert luna(**find_method(LUNA).settings).get_params() == luna().get_params()
    assert [label for label, method in METHODS.items() if method.printed == "LUNA"] == [LUNA_PAPER]


def test_a_variant_is_drawn_as_the_method_that_it_varies():
    assert find_method(f"{NLM_MAP}, γ = 10").label == NLM_MAP
    assert find_method(f"{LUNA}, 50 units, 200 heads").label == LUNA
    assert find_method(LUNA_PAPER).label == LUNA_PAPER
    with pytest.raises(ValueError, match="unknown method 'Oracle'; known ones are Bootstrap ensemble; "):
        find_method("Oracle")


def test_labels_come_in_the_order_of_the_tables():
    given = ["dice", LUNA, RANDOM_SEARCH, f"{NLM_MAP}, 50 units", LUNA_PAPER, NLM_MLE, NLM_MAP, GP, LUNA]
    in_order = [NLM_MAP, f"{NLM_MAP}, 50 units", NLM_MLE, GP, LUNA_PAPER, LUNA, RANDOM_SEARCH, "dice"]
    assert ordered(given) == in_order
