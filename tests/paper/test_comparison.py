"""The comparison of all regressors runs through the runner of the experiments."""

import numpy as np
import pytest

from unabases import NeuralLinear
from unabases.datasets import cubic_gap
from unabases.paper.comparison import LABELS, SETTINGS, compare, comparison_experiment, run_demo, summarise
from unabases.paper.methods import ANCHORED, GP, LUNA, LUNA_PAPER, METHODS, NLM_MAP, UNA, paper_methods
from unabases.paper.plan import expand
from unabases.paper.store import ResultStore
from unabases.paper.synthetic_scores import SCORES, gap_scores


def test_every_regressor_is_compared_and_the_label_says_which_luna():
    for settings in SETTINGS:
        experiment = comparison_experiment(2, settings)
        own = {"UNA"} if settings == "defaults" else set()
        assert {method.regressor for method in experiment.methods} == {one.regressor for one in paper_methods()} | own
        lunas = [method for method in experiment.methods if method.regressor == "LUNA"]
        assert [one.label for one in lunas] == [LUNA if settings == "defaults" else LUNA_PAPER]
        assert [one.settings.get("where") for one in lunas] == [None if settings == "defaults" else "data"]
        assert len(expand(experiment, settings)) == 2 * (len(LABELS) - 1 + len(own))


def test_settings_are_defaults_the_papers_or_as_printed():
    found = {name: comparison_experiment(1, name, [ANCHORED]).methods[0].settings for name in SETTINGS}
    assert found["defaults"] == {}
    assert (found["paper"]["n_members"], found["as-printed"]["n_members"]) == (5, 5)
    sngp = {name: comparison_experiment(1, name, ["SNGP"]).methods[0].settings for name in SETTINGS}
    assert (sngp["paper"]["optimizer"], sngp["as-printed"]["optimizer"]) == ("adam", "sgd")


def test_a_comparison_is_the_fits_that_it_says(tmp_path):
    store = ResultStore(tmp_path / "results.sqlite")
    found = compare([2, 3], methods=[NLM_MAP, GP], store=store, max_steps=40)
    assert list(zip(found.rows["method"], found.rows["seed"], strict=True)) == [
        (label, seed) for label in (NLM_MAP, GP) for seed in (2, 3)
    ]
    data = cubic_gap(random_state=2)
    model = NeuralLinear(max_steps=40, sigma2=data.sigma2, random_state=2).fit(data.X_train, data.y_train)
    for name, value in gap_scores(model, data).items():
        assert found.rows.loc[0, name] == pytest.approx(value, rel=1e-6)
    np.testing.assert_allclose(found.curves[NLM_MAP].std, model.predict_dist(found.grid).std, rtol=1e-5)
    assert np.array_equal(found.data.y_train, data.y_train)
    finished = [row.provenance["finished_at"] for row in store.rows()]
    again = compare([2, 3], methods=[NLM_MAP, GP], store=store, max_steps=40)
    assert [row.provenance["finished_at"] for row in store.rows()] == finished  # nothing was fitted again
    assert again.rows.equals(found.rows)


def test_a_fit_that_fails_is_counted_and_leaves_a_place_empty():
    found = compare([0], methods=[NLM_MAP], learning_rate=-1.0)
    assert "learning_rate" in found.rows.loc[0, "failed"]
    assert found.curves == {}
    (line,) = summarise(found.rows).to_dict("records")
    assert line["failed"] == "1 of 1"
    assert line["the paper"] == METHODS[NLM_MAP].in_gap
    assert set(SCORES.values()) <= set(line)


def test_unknown_names_list_the_known_ones():
    with pytest.raises(ValueError, match="unknown settings 'magic'; known ones are defaults, paper, as-printed"):
        comparison_experiment(1, "magic")
    with pytest.raises(ValueError, match="unknown method oracle; known ones are Bootstrap ensemble; "):
        comparison_experiment(1, methods=["oracle"])
    with pytest.raises(ValueError, match="unknown method Random search"):
        comparison_experiment(1, methods=["Random search"])


def test_four_models_are_scored_on_the_data_of_the_seed():
    found = run_demo(random_state=3, max_steps=50)
    assert [result.method for result in found.results] == [NLM_MAP, LUNA, UNA, GP]
    assert np.array_equal(found.data.X_train, cubic_gap(random_state=3).X_train)
    for result in found.results:
        assert result.curve.mean.shape == (len(found.grid),)
        assert set(result.scores) == {"RMSE", "log-lik.", "epistemic std, data", "epistemic std, gap", "EURC"}
    assert found.results[3].scores["EURC"] > 1
