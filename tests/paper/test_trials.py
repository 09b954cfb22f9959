"""What a trial computes, beside the same computed by hand."""

import numpy as np
import pytest

from unabases import GaussianProcess, NeuralLinear
from unabases.datasets import cubic_gap, squiggle_gap
from unabases.metrics import log_likelihood, rmse, score
from unabases.paper import real_data, synthetic
from unabases.paper.data import Rows, load_rows
from unabases.paper.results import Row
from unabases.paper.scoring import gap_scores
from unabases.paper.spec import Trial
from unabases.paper.trials import make_model, plain, run_group

SMALL = {"hidden_layer_sizes": (50, 20), "max_steps": 40}


def make_trial(function, seed=0, regressor="NeuralLinear", data="cubic-gap", settings=SMALL, **more):
    return Trial("toy", f"unabases.paper.{function}", data, data, 0, "NLM", seed, regressor, settings, **more)


def given_row(**parts):
    return Row("search", "cubic-gap", 0, "NLM", 0, {}, "", "", {}, {}, 0.0, {})._replace(**parts)


@pytest.fixture(scope="module")
def model():
    data = cubic_gap()
    return NeuralLinear(**SMALL, sigma2=9.0, random_state=0).fit(data.X_train, data.y_train)


def test_a_trial_is_the_fit_that_its_spec_says(model):
    (row,) = run_group((make_trial("synthetic:cubic_gap"),), [{}])
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
    group = tuple(make_trial("synthetic:restart", seed, together=(0, 1)) for seed in (0, 1))
    first, again = run_group(group, [{}, {}]), run_group(group, [{}, {}])
    assert [row.scores["eurc"] for row in first] == [row.scores["eurc"] for row in again]
    assert first[0].scores["eurc"] != first[1].scores["eurc"]
    assert first[0].scores["rmse"] == pytest.approx(gap_scores(model, cubic_gap())["rmse"], rel=0.2)
    assert np.shape(first[1].curves["prior_samples"]) == (5, len(first[1].curves["grid"]))


def test_one_restart_that_fails_leaves_the_others_alone():
    group = tuple(
        make_trial("synthetic:restart", seed, settings={**SMALL, "gamma": gamma})
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
    made = make_model(make_trial("synthetic:cubic_gap", seed=7), load_rows("cubic-gap", "", 0), given)
    assert (made.gamma, made.sigma2, made.random_state, made.max_steps) == (3.0, 4.0, 7, 40)


def test_a_search_is_stored_with_its_choice_and_all_its_trials():
    settings = {"parameters": SMALL, "space": {"gamma": (0.1, 1.0)}, "rule": "likely", "n_random": 3, "n_trials": 0}
    trial = make_trial("search:choose_parameters", settings={**settings, "restarts": 1}, alone=True)
    (row,) = run_group((trial,), [{}])
    assert row.failed == ""
    assert len(row.curves["gamma"]) == 3
    best = row.curves["chosen"]
    assert best == int(np.argmax(row.curves["log_likelihood"]))
    assert row.settings["chosen"] == {"gamma": row.curves["gamma"][best]}
    assert row.scores["log_likelihood"] == pytest.approx(row.curves["log_likelihood"][best])


def test_the_noise_is_that_of_residuals():
    (row,) = run_group((make_trial("noise:settle_noise", alone=True, regressor=""),), [{}])
    data = cubic_gap()
    alone = NeuralLinear(**SMALL, random_state=0).fit(data.X_train, data.y_train)
    assert row.scores["sigma2"] == pytest.approx(alone.sigma2_, rel=1e-5)


def test_real_data_scores_are_those_of_the_metrics():
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, (60, 2))
    y = X[:, 0] + 0.1 * rng.standard_normal(60)
    rows = Rows(X[:30], y[:30], X[:30], y[:30], X[30:45], y[30:45], X[45:] + 3, y[45:])
    fitted = GaussianProcess(restarts=0, random_state=0).fit(rows.X_train, rows.y_train)
    trial = make_trial("real_data:gap_split", regressor="GaussianProcess", data="gap")
    found = real_data.gap_split(trial, rows, fitted)
    test, gap = score(fitted, rows.X_test, rows.y_test, rows.X_gap), score(fitted, rows.X_gap, rows.y_gap)
    names = {"coverage_90": "interval_coverage", "calibration_error": "calibration_rms"}
    for name in ("rmse", "mae", "log_likelihood", "crps", "epistemic", "coverage_90", "calibration_error"):
        assert found.scores[name] == pytest.approx(test[names.get(name, name)])
        assert found.scores[f"{name}_gap"] == pytest.approx(gap[names.get(name, name)])
    assert found.scores["eurc"] == pytest.approx(test["eurc"])
    assert found.scores["eurc"] > 1
    assert set(found.curves) == {"calibration", "calibration_gap"}
    assert len(found.curves["calibration"]["observed"]) == len(found.curves["calibration"]["expected"])
    standard = real_data.standard_split(trial, rows, fitted)
    assert standard.scores["crps"] == found.scores["crps"]
    assert "eurc" not in standard.scores


def test_prior_variation_is_that_of_functions_drawn_from_the_prior(model):
    x = np.linspace(-2, 2, 101)
    samples = model.sample_prior(x[:, None], 20_000, random_state=0)
    share = (x + 2) / 4
    bend = samples - ((1 - share) * samples[:, :1] + share * samples[:, -1:])
    assert synthetic.prior_variation(model, -2.0, 2.0) == pytest.approx(np.sqrt(np.mean(bend**2)), rel=0.02)
    spread = np.mean(samples.std(axis=0))
    assert synthetic._prior_std(model, x[:, None]) == pytest.approx(spread, rel=0.02)


def test_straight_functions_have_no_variation_however_far_apart(model):
    class Straight:
        prior_variance_, y_scale_ = 100.0, model.y_scale_

        def feature_matrix(self, X):
            return np.column_stack([5 * X[:, 0], np.ones(len(X))])

    assert synthetic.prior_variation(Straight(), -2.0, 2.0) == pytest.approx(0, abs=1e-9)


def test_transfer_scores_a_last_layer_that_saw_the_gap_and_features_that_did_not():
    (row,) = run_group((make_trial("synthetic:transfer", data="squiggle-gap"),), [{}])
    data = squiggle_gap(random_state=0)
    alone = NeuralLinear(**SMALL, sigma2=9.0, random_state=0).fit(data.X_train, data.y_train)
    before = alone.predict_dist(data.X_test)
    after = alone.refit(data.X_gap_train, data.y_gap_train).predict_dist(data.X_gap_test)
    assert row.scores["rmse"] == pytest.approx(rmse(after, data.y_gap_test), rel=1e-5)
    assert row.scores["log_likelihood"] == pytest.approx(log_likelihood(after, data.y_gap_test), rel=1e-5)
    assert row.scores["rmse_before"] == pytest.approx(rmse(before, data.y_test), rel=1e-5)


def test_data_can_be_a_row_of_its_own():
    (row,) = run_group((make_trial("synthetic:transfer", data="squiggle-gap", regressor="", alone=True),), [{}])
    data = squiggle_gap(random_state=0)
    assert np.allclose(row.curves["X"], np.r_[data.X_train[:, 0], data.X_gap_train[:, 0]], rtol=1e-5)
    assert np.allclose(row.curves["truth"], data.function(np.array(row.curves["grid"])), atol=1e-4)
    assert row.scores == {}


def test_heads_are_those_of_the_model():
    (row,) = run_group((make_trial("synthetic:luna_heads", regressor="LUNA", settings={**SMALL, "n_heads": 3}),), [{}])
    assert np.shape(row.curves["heads"]) == (3, len(row.curves["grid"]))


def test_an_unknown_kind_of_data_is_the_rows_error():
    (row,) = run_group((make_trial("synthetic:cubic_gap", data="quartic"),), [{}])
    assert "known ones are gap, standard, faces, cubic-gap, squiggle-gap" in row.failed


def test_values_become_what_json_holds():
    assert plain({"a": np.array([1.0, 2.0]), "b": (1, None, "x"), "c": np.float32(0.1)}) == {
        "a": [1.0, 2.0],
        "b": [1, None, "x"],
        "c": 0.1,
    }
    assert plain(len) == repr(len)
