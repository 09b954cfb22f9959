from tests.paper.catalogue import trials
from unabases import all_regressors
from unabases.paper.halves import DEVELOPMENT, DEVELOPMENT_SETS, half_of, set_name
from unabases.paper.methods import OUTSIDE
from unabases.paper.reproduce import Cells, reproduce
from unabases.paper.store import ResultStore


def test_only_the_development_half_is_run_on_at_least_five_splits():
    for profile in ("tiny", "quick", "paper"):
        assert all(half_of(trial.dataset, trial.split) == DEVELOPMENT for trial in trials("accuracy", profile))
    found = trials("accuracy")
    assert {trial.dataset for trial in found} == DEVELOPMENT_SETS
    assert {trial.split for trial in found} == {0, 2, 4, 6, 8}


def test_every_method_has_its_defaults():
    found = {trial.method: trial for trial in trials("accuracy")}
    assert set(OUTSIDE) < set(found)
    own = [trial for trial in found.values() if trial.method not in OUTSIDE]
    assert {trial.regressor for trial in own} == set(all_regressors()) - {"HamiltonianBNN"}
    for trial in own:
        defaults = all_regressors()[trial.regressor]().get_params()
        settings = {name: value for name, value in trial.settings.items() if name != "max_rows"}
        assert settings == {name: defaults[name] for name in settings}


def test_the_quick_profile_draws_a_thousand_rows_of_a_large_table():
    names = {trial.dataset for trial in trials("accuracy", "quick")}
    assert "kin8nm-1000" in names
    assert {set_name(name).table for name in names} == DEVELOPMENT_SETS


def test_a_smoke_test_runs(tmp_path):
    store = ResultStore(tmp_path / "results.sqlite")
    finished = reproduce(["accuracy"], "tiny", store, cells=Cells(datasets=["step"]), jobs=1)
    assert (finished.rows, finished.failed) == (2, ())
    frame = store.frame("accuracy", "tiny")
    assert (frame[["rmse_ratio", "crps", "coverage_90", "fit_seconds"]] > 0).all(axis=None)
