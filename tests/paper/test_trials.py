"""What a trial is: the fit that its spec says, or the error that stopped it."""

import numpy as np
import pytest

from tests.paper.cheap import SMALL, make_trial
from unabases import NeuralLinear
from unabases.datasets import cubic_gap
from unabases.paper.data import load_rows
from unabases.paper.store import Row
from unabases.paper.synthetic_scores import gap_scores
from unabases.paper.trials import make_model, plain, run_group


def given_row(**parts):
    return Row("search", "cubic-gap", 0, "NLM", 0, {}, "", "", {}, {}, 0.0, {})._replace(**parts)


@pytest.fixture(scope="module")
def model():
    data = cubic_gap()
    return NeuralLinear(**SMALL, sigma2=9.0, random_state=0).fit(data.X_train, data.y_train)


def test_a_trial_is_the_fit_that_its_spec_says(model):
    (row,) = run_group((make_trial("synthetic_scores:cubic_gap"),), [{}])
    assert row.failed == ""
    for name, value in gap_scores(model, cubic_gap()).items():
        assert row.scores[name] == pytest.approx(value, rel=1e-6)
    at = np.array(row.curves["grid"])[:, None]
    assert np.allclose(row.curves["epistemic"], model.predict_dist(at).epistemic_std, rtol=1e-5)
    assert np.allclose(row.curves["X_train"], cubic_gap().X_train[:, 0])
    assert row.settings["sigma2"] == 9.0
    assert row.settings["learning_rate"] == 0.01  # defaults are written too
    assert row.scores["fit_seconds"] > 0


def test_restarts_that_train_together_give_the_same_again_and_differ(model):
    group = tuple(make_trial("synthetic_scores:restart", seed, together=(0, 1)) for seed in (0, 1))
    first, again = run_group(group, [{}, {}]), run_group(group, [{}, {}])
    assert [row.scores["eurc"] for row in first] == [row.scores["eurc"] for row in again]
    assert first[0].scores["eurc"] != first[1].scores["eurc"]
    assert first[0].scores["rmse"] == pytest.approx(gap_scores(model, cubic_gap())["rmse"], rel=0.2)
    assert np.shape(first[1].curves["prior_samples"]) == (5, len(first[1].curves["grid"]))


def test_one_restart_that_fails_leaves_the_others_alone():
    group = tuple(
        make_trial("synthetic_scores:restart", seed, settings={**SMALL, "gamma": gamma})
        for seed, gamma in ((0, -1.0), (1, 1.0))
    )
    bad, good = run_group(group, [{}, {}])
    assert "gamma" in bad.failed
    assert bad.scores == {}
    assert good.failed == ""


def test_a_model_takes_what_the_search_chose_and_the_noise_that_was_settled():
    given = {
        "search": given_row(settings={"chosen": {"gamma": 3.0}}),
        "noise": given_row(scores={"sigma2": 4.0}),
    }
    made = make_model(make_trial("synthetic_scores:cubic_gap", seed=7), load_rows("cubic-gap", "", 0), given)
    assert (made.gamma, made.sigma2, made.random_state, made.max_steps) == (3.0, 4.0, 7, 40)


def test_an_unknown_kind_of_data_is_the_rows_error():
    (row,) = run_group((make_trial("synthetic_scores:cubic_gap", data="quartic"),), [{}])
    assert "known ones are gap, standard, faces, cubic-gap, squiggle-gap" in row.failed


def test_values_become_what_json_holds():
    assert plain({"a": np.array([1.0, 2.0]), "b": (1, None, "x"), "c": np.float32(0.1)}) == {
        "a": [1.0, 2.0],
        "b": [1, None, "x"],
        "c": 0.1,
    }
    assert plain(len) == repr(len)
