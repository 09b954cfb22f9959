import sys

import numpy as np
import pytest

from unabases import all_regressors
from unabases.bayesopt import Space
from unabases.bayesopt.problems import Task, branin_task
from unabases.paper.bayesopt import SURROGATES, run_search, run_searches
from unabases.paper.catalogue.bayesopt import EXPERIMENT
from unabases.paper.methods import GP, LUNA, NLM_MAP, OPTUNA_GP, OPTUNA_TPE, RANDOM_SEARCH, find_method
from unabases.paper.plan import expand
from unabases.paper.presets import preset_settings
from unabases.paper.trials import run_group

BOWL = Task("bowl", Space(x=(-1.0, 1.0)), lambda point: (point["x"] - 0.5) ** 2 - 2.0, -2.0, steps=8, n_initial=3)


@pytest.mark.parametrize("method", [GP, RANDOM_SEARCH, OPTUNA_TPE])
def test_a_row_has_the_regret_after_every_evaluation(method):
    row = run_search(BOWL, method, seed=0)
    regret = row.curves["regret"]
    assert len(regret) == len(row.curves["seconds"]) == 8
    assert np.all(np.diff(regret) <= 0)
    assert row.scores["regret"] == regret[-1] == row.scores["best"] + 2.0 >= 0
    assert run_search(BOWL, method, seed=0).curves["regret"] == regret
    assert run_search(BOWL, method, seed=1).curves["regret"] != regret


def test_searches_come_in_the_order_asked_for_and_are_reported():
    done = []
    rows = run_searches(BOWL, [RANDOM_SEARCH, GP], seeds=[3, 4], evaluations=5, on_done=done.append)
    assert [(row.method, row.seed) for row in rows] == [(m, s) for m in (RANDOM_SEARCH, GP) for s in (3, 4)]
    assert sorted(done) == sorted(rows)
    alone = run_search(BOWL, GP, seed=4, evaluations=5)
    assert rows[3].curves["regret"] == alone.curves["regret"]  # side by side changes nothing


def test_unknown_names_list_the_known_ones():
    with pytest.raises(ValueError, match="unknown problem 'x'; known ones are branin, hartmann6, svm, logistic"):
        run_searches("x")
    with pytest.raises(ValueError, match="unknown method 'x'; known ones are LUNA, GP"):
        run_searches(BOWL, ["x"])
    with pytest.raises(ValueError, match="unknown method 'x'"):
        run_search(BOWL, "x", seed=0)


def test_every_surrogate_can_be_made_with_the_papers_architecture():
    assert len(SURROGATES) == 9
    surrogates = [all_regressors()[find_method(x).regressor](**preset_settings("bayesopt", x)) for x in SURROGATES]
    assert all(getattr(model, "hidden_layer_sizes", (50, 50, 50)) == (50, 50, 50) for model in surrogates)
    assert surrogates[0].n_heads == 50


def test_a_trial_is_the_search_that_its_spec_says():
    groups = {group[0].method: group for group in expand(EXPERIMENT, "tiny")}
    assert all(trial.alone for group in groups.values() for trial in group)
    for method, more in ((RANDOM_SEARCH, {}), (NLM_MAP, {"max_steps": 20})):
        (row,) = run_group(groups[method], [{}])
        assert row.failed == ""
        alone = run_search(branin_task(), method, seed=0, evaluations=8, **more)
        np.testing.assert_allclose(row.curves["regret"], alone.curves["regret"], rtol=1e-6)
        assert len(row.curves["seconds"]) == 8
        assert row.scores["regret"] == pytest.approx(alone.scores["regret"])
        assert row.scores["best"] == pytest.approx(row.scores["regret"] + branin_task().minimum, rel=1e-6)
        assert (row.settings["evaluations"], row.settings["n_initial"]) == (8, 5)
    assert row.settings["hidden_layer_sizes"] == [50, 50, 50]
    assert row.settings["learning_rate"] == 0.01  # defaults are written too


def test_a_search_that_needs_an_absent_package_fails_alone(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    (trial,) = next(group for group in expand(EXPERIMENT, "paper") if group[0].method == OPTUNA_GP)
    (row,) = run_group((trial,), [{}])
    assert "Optuna's GP sampler needs PyTorch" in row.failed


@pytest.mark.slow
def test_luna_finds_a_minimum_of_branin_where_chance_does_not():
    rows = run_searches(branin_task(), [LUNA, RANDOM_SEARCH], seeds=range(2))
    regret = {
        method: [row.scores["regret"] for row in rows if row.method == method] for method in (LUNA, RANDOM_SEARCH)
    }
    assert max(regret[LUNA]) < 0.2 < min(regret[RANDOM_SEARCH])
