"""The experiments are complete specs that can be run."""

import pytest

from tests.paper.catalogue import trials
from unabases.paper.catalogue import EXPERIMENTS, PAPER_EXPERIMENTS
from unabases.paper.data import Rows, load_rows
from unabases.paper.methods import LUNA, LUNA_PAPER, find_method
from unabases.paper.plan import key_of, with_needs
from unabases.paper.spec import PROFILES
from unabases.paper.store import Row
from unabases.paper.trials import find_function, make_model
from unabases.regressors.luna import AS_IN_PAPER

WITH_DEFAULTS = {
    "accuracy",
    "honesty",
    "our-gap-sets",
    "our-restarts",
    "our-standard-sets",
}  # not the paper's: what a user gets
CELLS = [(name, profile) for name in EXPERIMENTS for profile in PROFILES]


def test_all_runs_what_is_about_the_paper():
    assert set(EXPERIMENTS) - set(PAPER_EXPERIMENTS) == {"accuracy", "honesty"}


@pytest.mark.parametrize(("name", "profile"), CELLS)
def test_every_trial_has_a_key_a_function_and_a_model_that_can_be_made(name, profile):
    found = trials(name, profile)
    assert found
    assert len({key_of(trial) for trial in found}) == len(found)
    empty = Rows(*[load_rows("cubic-gap", "", 0).X_train, load_rows("cubic-gap", "", 0).y_train] * 3)
    noise = Row("noise", "", 0, "", 0, {}, "", "", {"sigma2": 1.0}, {}, 0.0, {})
    for (trial,) in with_needs([(trial,) for trial in found]).values():
        assert callable(find_function(trial))
        if not trial.alone:
            make_model(trial, empty, {"noise": noise})


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_a_label_stands_for_one_regressor_and_says_which_luna_it_is(name):
    if name == "restarts":
        return  # its figures are labelled by a setting
    for trial in trials(name):
        if trial.regressor:
            method = find_method(trial.method)
            assert trial.regressor == method.regressor
            if name not in WITH_DEFAULTS:
                assert trial.settings.get("where") == {LUNA_PAPER: "data", LUNA: "between"}.get(method.label)


@pytest.mark.parametrize(("name", "profile"), CELLS)
def test_what_the_paper_shows_does_not_follow_lunas_defaults(name, profile):
    shortened = EXPERIMENTS[name].extents[profile].parameters  # such as the steps of the profile tiny
    for trial in trials(name, profile):
        if trial.regressor == "LUNA":
            pinned = set(AS_IN_PAPER) & set(trial.settings)
            assert pinned == set(AS_IN_PAPER) & set(shortened if name in WITH_DEFAULTS else AS_IN_PAPER), trial


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_experiment_has_a_title_and_asks_something(name):
    experiment = EXPERIMENTS[name]
    assert experiment.title[0].isupper()
    assert experiment.question.endswith("?")
