"""The experiments themselves: complete, runnable specs with the paper's counts."""

import pytest

from unabases.datasets import GAP_SETS
from unabases.paper.catalogue import EXPERIMENTS
from unabases.paper.comparison import VARIANTS
from unabases.paper.data import Rows, load_rows
from unabases.paper.report.paper_values import paper_table
from unabases.paper.reproduce import with_needs
from unabases.paper.results import Row
from unabases.paper.spec import PROFILES, expand, key_of
from unabases.paper.trials import find_function, make_model

CELLS = [(name, profile) for name in EXPERIMENTS for profile in PROFILES]


def trials(name, profile="paper"):
    return [trial for group in expand(EXPERIMENTS[name], profile) for trial in group]


@pytest.mark.parametrize(("name", "profile"), CELLS)
def test_every_trial_has_a_key_a_function_and_a_model_that_can_be_made(name, profile):
    found = trials(name, profile)
    assert found
    assert len({key_of(trial) for trial in found}) == len(found)
    empty = Rows(*[load_rows("cubic-gap", "", 0).X_train, load_rows("cubic-gap", "", 0).y_train] * 3)
    noise = Row("noise", "", 0, "", 0, {}, "", "", {"sigma2": 1.0}, {}, 0.0, {})
    for trial in with_needs([(trial,) for trial in found]):
        assert callable(find_function(trial))
        if not trial.alone:
            make_model(trial, empty, {"noise": noise})


def test_the_gap_table_has_the_papers_size_and_one_method_more():
    found = trials("uci-gap")
    assert len(found) == 10 * 6 * 10
    assert {trial.dataset for trial in found} == set(GAP_SETS)
    labels = {variant[0] for variant in VARIANTS} | {"LUNA, between"}
    assert {trial.method for trial in found} <= labels
    assert {trial.settings["where"] for trial in found if trial.method == "LUNA"} == {"data"}
    assert {trial.settings["where"] for trial in found if trial.method == "LUNA, between"} == {"between"}
    search = dict(found[-1].needs)["search"].settings
    assert (search["n_random"], search["n_trials"], search["rule"]) == (10, 50, "diverse-within-error")


def test_the_standard_tables_have_twenty_splits_of_six_sets():
    found = trials("uci-standard")
    assert len(found) == 9 * 6 * 20
    assert len({trial.dataset for trial in found}) == 6


def test_all_methods_and_the_default_luna_are_in_the_figure_of_the_cubic_gap():
    assert {trial.method for trial in trials("cubic-gap")} == {*(variant[0] for variant in VARIANTS), "LUNA, between"}


def test_consistency_is_over_twenty_restarts_of_one_data_set():
    for profile in ("quick", "paper"):
        found = trials("consistency", profile)
        assert {trial.split for trial in found} == {0}
        assert {trial.seed for trial in found} == set(range(20))


def test_transfer_varies_the_features_and_shows_the_data():
    found = trials("transfer")
    assert {trial.method for trial in found} == {"data", "LUNA", "LUNA, between", "NLM, MAP", "SNGP"}
    for trial in found:
        assert trial.method == "data" or trial.settings["hidden_layer_sizes"][-1] == trial.notes["n_features"]


def test_searches_have_the_papers_counts_and_its_names_of_methods_and_problems():
    found = trials("bayesopt")
    printed = paper_table(4)
    assert {trial.method for trial in found} == {*printed.methods, "Random search", "Optuna TPE", "Optuna GP"}
    assert {trial.dataset for trial in found} == set(printed.datasets)
    assert len(found) == 12 * (10 + 10 + 3 + 3)
    assert {trial.settings["evaluations"] for trial in found} == {None}  # as many as the problem says
    assert {trial.dataset for trial in trials("bayesopt", "quick")} == {"branin"}  # which needs no files


def test_figures_of_restarts_are_named_as_the_report_expects():
    assert {trial.dataset for trial in trials("restarts", "tiny")} == {
        "regularisation",
        "width",
        "depth",
        "marginal-0.1",
        "marginal-1",
        "luna",
    }
