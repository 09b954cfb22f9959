"""Which trials an experiment makes, and under which keys."""

from dataclasses import replace

import pytest

from unabases.paper.spec import Experiment, Extent, Method, Search, expand, find_experiments, key_of

SEARCH = Search({"gamma": (0.1, 1.0)})
BASE = Experiment(
    name="toy",
    title="Toy",
    question="?",
    shows="nothing",
    function="unabases.paper.real_data:gap_split",
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
    needed = {trial.method: dict(trial.needs) for trial in trials() if (trial.dataset, trial.split) == ("boston-rm", 1)}
    assert needed["NLM, MAP"]["noise"] == needed["GP"]["noise"]
    assert "search" not in needed["GP"]


def test_a_search_is_made_on_the_first_split_or_on_each():
    assert {dict(trial.needs)["search"].split for trial in trials() if trial.needs[1:]} == {0}
    assert {dict(trial.needs)["search"].split for trial in trials(BASE, "paper") if trial.needs[1:]} == {0, 1, 2}
    search = dict(trials()[1].needs)["search"]
    assert dict(search.needs)["noise"].split == 0
    assert (search.settings["n_random"], search.settings["n_trials"]) == (2, 1)
    few = replace(BASE, methods=(replace(BASE.methods[0], search=replace(SEARCH, most=2)),))
    assert [dict(trials(few)[0].needs)["search"].settings[name] for name in ("n_random", "n_trials")] == [2, 0]


def test_restarts_of_neural_linear_models_are_one_batch():
    methods = (Method("NLM", "NeuralLinear"), Method("Vanilla", "VanillaEnsemble"))
    experiment = replace(BASE, methods=methods, together=True, extents={"tiny": Extent(seeds=3)})
    sizes = [(group[0].method, len(group), group[0].together) for group in expand(experiment, "tiny")][:4]
    assert sizes == [("NLM", 3, (0, 1, 2)), *[("Vanilla", 1, ())] * 3]


def test_a_data_set_may_have_another_number_of_restarts():
    experiment = replace(BASE, extents={"tiny": Extent(seeds=3, seeds_on={"boston-rm": 1}, methods=("NLM, MAP",))})
    cells = [(trial.dataset, trial.seed) for trial in trials(experiment)]
    assert cells == [*(("yacht-froude", seed) for seed in (0, 1, 2)), ("boston-rm", 0)]


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
        {"function": "unabases.paper.real_data:standard_split"},
        {"function": "unabases.paper.synthetic:restart"},
    ],
    ids=lambda change: next(iter(change)),
)
def test_a_changed_spec_has_another_key(change):
    trial = trials()[0]
    assert key_of(replace(trial, **change)) != key_of(trial)


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
    assert all("search" not in dict(trial.needs) for trial in trials(replace(BASE, extents=extents)))


def test_what_is_unknown_is_told_with_what_is_known():
    with pytest.raises(ValueError, match=r"no profile 'huge'; it has tiny, paper"):
        expand(BASE, "huge")
    with pytest.raises(ValueError, match=r"unknown experiment nothing; known ones are toy"):
        find_experiments(["nothing"], {"toy": BASE})
    with pytest.raises(TypeError, match="so that it can be hashed"):
        key_of(replace(trials()[0], settings={"features": object()}))


def test_chosen_parameters_take_the_place_of_a_search():
    chosen = {"yacht-froude": {"NLM, MAP": {"gamma": 7.0}}}
    experiment = replace(BASE, extents={"tiny": replace(BASE.extents["tiny"], chosen=chosen)})
    before, after = trials(), trials(experiment)
    assert "search" in dict(before[0].needs)
    assert "search" not in dict(after[0].needs)
    assert after[0].settings == {**before[0].settings, "gamma": 7.0}
    other = [place for place, trial in enumerate(before) if trial.dataset == "boston-rm"]
    assert [key_of(before[place]) for place in other] == [key_of(after[place]) for place in other]
