from tests.paper.catalogue import trials
from unabases import all_regressors
from unabases.paper.halves import DEVELOPMENT, cut_of, drawn_set, half_of
from unabases.paper.methods import GP, LAPLACE_TORCH, LUNA, NEIGHBOURS, NLM_MAP, QUANTILES, UNA, VANILLA, VBLL
from unabases.paper.reproduce import Cells, reproduce
from unabases.paper.spec import PROFILES
from unabases.paper.store import ResultStore


def test_only_the_development_half_is_run():
    for profile in PROFILES:
        assert all(half_of(trial.dataset, trial.split) == DEVELOPMENT for trial in trials("honesty", profile))


def test_the_paper_profile_has_every_open_column_and_three_functions_of_each_open_set():
    cells = {(trial.dataset, trial.split) for trial in trials("honesty")}
    tables = {cut_of(name).table for name, _ in cells if cut_of(name)}
    assert tables == {"boston", "concrete", "energy", "kin8nm", "yacht"}
    columns = {cut_of(name).column for name, _ in cells if name.startswith("boston-tail-")}
    assert columns == {0, 2, 4, 6, 8, 10, 12}
    for drawn in {name for name, _ in cells if drawn_set(name)}:
        assert {split for name, split in cells if name == drawn} == {0, 2, 4}


def test_every_regressor_but_the_slow_one_has_its_defaults():
    found = {trial.method: trial for trial in trials("honesty")}
    assert {NEIGHBOURS, QUANTILES} < set(found)
    own = [trial for trial in found.values() if trial.regressor != "Rival"]
    assert {trial.regressor for trial in own} == set(all_regressors()) - {"HamiltonianBNN"}
    for trial in own:
        defaults = all_regressors()[trial.regressor]().get_params()
        assert trial.settings == {name: defaults[name] for name in trial.settings}


def test_the_quick_profile_has_two_to_three_dozen_cells_of_nine_methods():
    found = trials("honesty", "quick")
    cells = {(trial.dataset, trial.split) for trial in found}
    assert 24 <= len(cells) <= 36
    assert {trial.method for trial in found} == {
        *(UNA, LUNA, NLM_MAP, GP, VANILLA, NEIGHBOURS, QUANTILES, LAPLACE_TORCH, VBLL)
    }
    assert len(found) == 9 * len(cells)


def test_a_smoke_test_runs(tmp_path):
    store = ResultStore(tmp_path / "results.sqlite")
    finished = reproduce(["honesty"], "tiny", store, cells=Cells(datasets=["drawn-rbf-1-long-noisy"]), jobs=1)
    assert (finished.rows, finished.failed) == (3, ())
    rows = {row.method: row for row in store.rows("honesty", "tiny")}
    assert rows[GP].scores["epistemic_ratio_gap"] > 0
    assert rows[GP].curves["exact_std"]
    assert "epistemic_ratio_gap" not in rows[NEIGHBOURS].scores
