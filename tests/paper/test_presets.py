"""The paper's settings are complete, are parameters, and have their place in the paper."""

import pytest

from unabases import all_regressors
from unabases.bayesopt.defaults import default_surrogate
from unabases.paper.methods import ANCHORED, LUNA, LUNA_PAPER, METHODS, NLM_MAP, RFF_SNGP, paper_methods
from unabases.paper.presets import PRESETS, preset_method, preset_settings

PAIRS = [(experiment, name) for experiment, known in PRESETS.items() for name in known]


@pytest.mark.parametrize(("experiment", "name"), PAIRS)
def test_every_setting_is_a_parameter_with_its_place_in_the_paper(experiment, name):
    preset = PRESETS[experiment][name]
    parameters = set(all_regressors()[name]().get_params())
    assert set(preset.printed) | set(preset.instead) <= parameters
    assert "Appendix" in preset.source
    assert bool(preset.instead) <= bool(preset.why)


def test_all_of_the_papers_regressors_have_settings_for_the_gap_experiments():
    for experiment in ("cubic-gap", "uci-gap", "uci-standard"):
        assert set(PRESETS[experiment]) == {method.regressor for method in paper_methods()}


def test_what_is_printed_can_be_kept_and_what_is_given_wins():
    printed = preset_settings("uci-gap", ANCHORED, as_printed=True)
    assert (printed["optimizer"], printed["learning_rate"], printed["max_steps"]) == ("sgd", 1e-5, 10_000)
    used = preset_method("uci-gap", ANCHORED, n_members=7).settings
    assert (used["optimizer"], used["n_members"], used["prior_variance"]) == ("adam", 7, 1.0)


def test_the_two_lunas_differ_in_where_their_heads_are_pushed_apart_and_in_nothing_else():
    ours, papers = (preset_settings("uci-gap", label) for label in (LUNA, LUNA_PAPER))
    assert (papers.pop("where"), papers.pop("n_points")) == ("data", None)
    assert (ours.pop("where"), ours.pop("n_points")) == ("between", 64)
    assert ours == papers


def test_searches_take_the_default_surrogate_of_the_package():
    made = all_regressors()["LUNA"](**preset_settings("bayesopt", LUNA))
    assert made.get_params() == default_surrogate().get_params()


def test_a_method_has_the_search_of_the_paper_unless_another_is_given():
    assert preset_method("cubic-gap", NLM_MAP).search == METHODS[NLM_MAP].search
    assert preset_method("cubic-gap", RFF_SNGP).search is None


def test_unknown_names_list_the_known_ones():
    with pytest.raises(ValueError, match="cubic-gap"):
        preset_settings("cubic", LUNA)
    with pytest.raises(ValueError, match=r"unknown method 'Oracle'; known ones are .*SNGP"):
        preset_settings("bayesopt", "Oracle")
    with pytest.raises(ValueError, match="no settings of 'BNN, HMC' for bayesopt; there are some for LUNA"):
        preset_settings("bayesopt", "BNN, HMC")
