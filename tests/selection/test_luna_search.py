"""The search for LUNA takes the most diverse of the likely trials."""

import numpy as np
import pandas as pd
import pytest

from tests.selection.cases import LUNA_FAST, SMALL, X, Y
from unabases.selection import LUNASearch, Space, most_diverse


@pytest.fixture(scope="module")
def searched():
    return LUNASearch(LUNA_FAST, keep=0.5, **SMALL).fit(X, Y)


def test_every_trial_is_in_the_table_and_the_choice_follows_the_rule(searched):
    table = searched.results_
    assert len(table) == 6
    assert (table["state"] == "complete").all()
    assert table["gamma"].between(1e-2, 1e2).all()
    assert table["lam"].between(1e-2, 1e2).all()
    assert set(table["schedule"]) <= {"none", "sqrt", "sigmoid", "tanh"}
    assert searched.best_index_ == most_diverse(table, 0.5)
    for name, value in searched.best_params_.items():
        assert getattr(searched.best_estimator_, name) == value


def test_the_chosen_model_is_fitted_to_all_rows(searched):
    assert searched.best_estimator_.layer_.statistics.n == 60
    assert searched.score(X, Y) > 0.7
    mean, std = searched.predict(X, return_std=True)
    assert mean.shape == std.shape == (60,)
    assert (searched.predict_dist(X).epistemic_std > 0).all()


def test_the_same_seed_gives_the_same_search(searched):
    again = LUNASearch(LUNA_FAST, keep=0.5, **SMALL).fit(X, Y)
    columns = ["gamma", "lam", "schedule", "log_likelihood", "diversity"]
    pd.testing.assert_frame_equal(again.results_[columns], searched.results_[columns])
    assert again.best_params_ == searched.best_params_
    assert np.array_equal(again.predict(X), searched.predict(X))  # the last fit has a seed, too


def test_the_default_space_is_logarithmic():
    assert LUNASearch()._default_space() == Space(
        gamma=(0.01, 100.0, "log"), lam=(0.01, 100.0, "log"), schedule=["none", "sqrt", "sigmoid", "tanh"]
    )


def test_the_description_holds_the_shared_parameters():
    for name in LUNASearch().get_params():
        assert f"\n{name} : " in LUNASearch.__doc__, name
    assert "{" not in LUNASearch.__doc__.replace("{'", "")
