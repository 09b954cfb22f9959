"""Which trials an experiment makes, and under which keys."""

from dataclasses import replace

import pytest

from unabases.paper.plan import expand, key_of, with_needs
from unabases.paper.spec import Experiment, Extent, Method, Search

SEARCH = Search({"gamma": (0.1, 1.0)})
BASE = Experiment(
    name="toy",
    title="Toy",
    question="?",
    shows="nothing",
    function="unabases.paper.uci_scores:gap_split",
    data="gap",
    datasets=("yacht-froude", "boston-rm"),
    methods=(
        Method("NLM, MAP", "NeuralLinear", {"hidden_layer_sizes": (5, 3)}, SEARCH),
        Method("GP", "GaussianProcess", only=("boston-rm",)),
    ),
    extents={
        "tiny": Extent(splits=2, parameters={"max_steps": 10, "n_members": 2}, n_random=2, n_trials=1),
        "paper": Extent(splits=3, each_split=True),
    },
    noise=True,
)


def trials(experiment=BASE, profile="tiny"):
    return [trial for group in expand(experiment, profile) for trial in group]


def test_there_is_a_trial_for_each_data_set_method_and_split():
    cells = [(trial.dataset, trial.method, trial.split, trial.seed) for trial in trials()]
    assert cells == [
        *(("yacht-froude", "NLM, MAP", split, split) for split in (0, 1)),
        *(("boston-rm", "NLM, MAP", split, split) for split in (0, 1)),
        *(("boston-rm", "GP", split, split) for split in (0, 1)),
    ]


def test_a_profile_changes_parameters_of_methods_that_have_them():
    nlm, gp = trials()[0], trials()[-1]
    assert nlm.settings == {"hidden_layer_sizes": (5, 3), "max_steps": 10}
    assert gp.settings == {}


def test_noise_comes_first_and_is_shared_by_the_methods_of_a_split():
    needed = {trial.method: trial.needs for trial in trials() if (trial.dataset, trial.split) == ("boston-rm", 1)}
    assert needed["NLM, MAP"]["noise"] == needed["GP"]["noise"]
    assert "search" not in needed["GP"]


def test_a_search_is_made_on_the_first_split_or_on_each():
    assert {trial.needs["search"].split for trial in trials() if "search" in trial.needs} == {0}
    assert {trial.needs["search"].split for trial in trials(BASE, "paper") if "search" in trial.needs} == {0, 1, 2}
    search = trials()[1].needs["search"]
    assert search.needs["noise"].split == 0
    assert (search.settings["n_random"], search.settings["n_trials"]) == (2, 1)
    few = replace(BASE, methods=(replace(BASE.methods[0], search=replace(SEARCH, most=2)),))
    assert [trials(few)[0].needs["search"].settings[name] for name in ("n_random", "n_trials")] == [2, 0]


def test_restarts_of_neural_linear_models_are_one_batch():
    methods = (Method("NLM", "NeuralLinear"), Method("Vanilla", "VanillaEnsemble"))
    experiment = replace(BASE, methods=methods, together=True, extents={"tiny": Extent(seeds=3)})
    sizes = [(group[0].method, len(group), group[0].together) for group in expand(experiment, "tiny")][:4]
    assert sizes == [("NLM", 3, (0, 1, 2)), *[("Vanilla", 1, ())] * 3]


def test_a_data_set_may_have_another_number_of_restarts():
    experiment = replace(BASE, extents={"tiny": Extent(seeds=3, seeds_on={"boston-rm": 1}, methods=("NLM, MAP",))})
    cells = [(trial.dataset, trial.seed) for trial in trials(experiment)]
    assert cells == [*(("yacht-froude", seed) for seed in (0, 1, 2)), ("boston-rm", 0)]


def test_a_data_set_may_have_another_number_of_splits():
    extents = {"tiny": replace(BASE.extents["tiny"], splits_on={"boston-rm": 1})}
    found = [(trial.dataset, trial.split) for trial in trials(replace(BASE, extents=extents))]
    assert sorted(set(found)) == [("boston-rm", 0), ("yacht-froude", 0), ("yacht-froude", 1)]


@pytest.mark.parametrize(
    ("half", "cells"),
    [("development", [("yacht", 0), ("yacht", 2)]), ("locked", [("unheard of", 0), ("unheard of", 1), ("yacht", 1)])],
)
def test_an_experiment_runs_the_splits_of_its_half(half, cells):
    extents = {"tiny": Extent(splits=3, splits_on={"unheard of": 2})}
    own = replace(BASE, half=half, datasets=("yacht", "unheard of"), extents=extents)
    assert sorted({(trial.dataset, trial.split) for trial in trials(own)}) == cells


def test_without_a_kind_of_data_the_function_does_all_and_a_profile_changes_what_the_method_names():
    methods = (Method("NLM", "NeuralLinear", {"rounds": 9}), Method("dice", settings={"rounds": 9}))
    extents = {"tiny": Extent(parameters={"rounds": 2, "max_steps": 10})}
    experiment = replace(BASE, data="", noise=False, datasets=("toy",), methods=methods, extents=extents)
    nlm, dice = trials(experiment)
    assert nlm.alone
    assert dice.alone
    assert nlm.settings == {"rounds": 2, "max_steps": 10}
    assert dice.settings == {"rounds": 2}


def test_keys_tell_all_trials_apart_and_stay_the_same():
    keys = [key_of(trial) for trial in trials()]
    assert len(set(keys)) == len(keys)
    assert keys == [key_of(trial) for trial in trials()]


@pytest.mark.parametrize(
    "change",
    [
        {"settings": {"hidden_layer_sizes": (5, 3), "max_steps": 11}},
        {"seed": 5},
        {"split": 5},
        {"dataset": "boston-lstat"},
        {"method": "NLM"},
        {"together": (0, 1)},
        {"notes": {"n_features": 3}},
        {"regressor": "LUNA"},
        {"function": "unabases.paper.uci_scores:standard_split"},
        {"function": "unabases.paper.synthetic_scores:restart"},
    ],
    ids=lambda change: next(iter(change)),
)
def test_a_changed_spec_has_another_key(change):
    trial = trials()[0]
    assert key_of(replace(trial, **change)) != key_of(trial)


def test_cheaper_parameters_of_a_search_are_those_of_its_trials_alone():
    cheap = replace(BASE.methods[0], search=replace(SEARCH, settings={"max_steps": 3}))
    (found, *_) = trials(replace(BASE, methods=(cheap,)))
    assert found.needs["search"].settings["parameters"]["max_steps"] == 3
    assert found.settings.get("max_steps") != 3


def test_a_changed_search_makes_its_trials_new():
    longer = replace(BASE, extents={"tiny": replace(BASE.extents["tiny"], n_trials=2)})
    before, after = ({t.method: key_of(t) for t in trials(one)} for one in (BASE, longer))
    assert before["GP"] == after["GP"]
    assert before["NLM, MAP"] != after["NLM, MAP"]


def test_a_trial_that_two_profiles_share_has_one_key():
    experiment = replace(BASE, extents={"quick": Extent(splits=1), "paper": Extent(splits=2, each_split=True)})
    quick, paper = ({key_of(trial) for trial in trials(experiment, profile)} for profile in ("quick", "paper"))
    assert quick < paper


def test_a_trial_that_two_experiments_share_has_one_key():
    assert [key_of(t) for t in trials(replace(BASE, name="other"))] == [key_of(t) for t in trials()]


def test_a_profile_may_leave_searches_out():
    extents = {"tiny": replace(BASE.extents["tiny"], searches=())}
    assert all("search" not in trial.needs for trial in trials(replace(BASE, extents=extents)))


def test_a_spec_that_cannot_be_hashed_is_refused():
    with pytest.raises(TypeError, match="so that it can be hashed"):
        key_of(replace(trials()[0], settings={"features": object()}))


def test_what_a_trial_needs_comes_before_it_and_once():
    found = list(with_needs(expand(BASE, "tiny")).items())
    keys = [key for key, _ in found]
    assert len(set(keys)) == len(keys)
    for place, (key, group) in enumerate(found):
        assert key == key_of(group[0])
        assert {key_of(needed) for trial in group for needed in trial.needs.values()} <= set(keys[:place])
    assert {group[0].experiment for _, group in found} == {"noise", "search", "toy"}


def test_chosen_parameters_take_the_place_of_a_search():
    chosen = {"yacht-froude": {"NLM, MAP": {"gamma": 7.0}}}
    experiment = replace(BASE, extents={"tiny": replace(BASE.extents["tiny"], chosen=chosen)})
    before, after = trials(), trials(experiment)
    assert "search" in before[0].needs
    assert "search" not in after[0].needs
    assert after[0].settings == {**before[0].settings, "gamma": 7.0}
    other = [place for place, trial in enumerate(before) if trial.dataset == "boston-rm"]
    assert [key_of(before[place]) for place in other] == [key_of(after[place]) for place in other]
