"""Tables by method or setting hold the numbers of their rows, also as text."""

import math

import numpy as np
import pytest

from tests.paper.report.synthetic import (
    PAPER_METHODS,
    bayesopt_rows,
    consistency_rows,
    cubic_rows,
    faces_rows,
    gap_rows,
    prior_rows,
    restart_rows,
    row,
    standard_rows,
    transfer_rows,
)
from unabases.paper.methods import LUNA, LUNA_PAPER
from unabases.paper.report.detail_tables import all_detail_tables
from unabases.paper.report.rows import gather


def table(results, name):
    return next(found for found in all_detail_tables(results) if found.spec.name == name)


def test_consistency_counts_restarts_above_a_hundred_per_cent():
    rows = [*consistency_rows(n=20), row("consistency", "cubic-gap", LUNA_PAPER, 0, 20, failed="DivergedError: NaN")]
    frame = table(gather(rows), "consistency").frame.set_index("method")
    mle = np.linspace(0.1, 5.0, 20)
    assert frame.loc["NLM, MLE", "above_100_percent"] == (mle > 1).sum()
    assert frame.loc["NLM, MLE", "eurc_median"] == pytest.approx(np.median(mle))
    assert tuple(frame.loc[LUNA_PAPER, ["above_100_percent", "restarts", "failed"]]) == (20, 21, 1)


def test_restarts_are_listed_by_figure_and_setting():
    shown = table(gather(restart_rows(n=5)), "restarts").shown
    first = shown.iloc[0]
    assert (first["figure"], first["setting"]) == ("regularisation", "γ = 0")
    assert first["EURC above +100 %"] == "3 of 5"  # 1.2, 1.8, 2.4 of 0, 0.6, ...


def test_cost_is_the_median_and_relative_to_a_plain_model():
    frame = table(gather(gap_rows()), "cost").frame.set_index("method")
    assert frame.loc["NLM, MAP", "fit_seconds_median"] == pytest.approx(8.0)
    assert frame.loc[LUNA_PAPER, "times_nlm"] == pytest.approx(18.0 / 8.0)
    assert list(frame.index) == [*PAPER_METHODS, LUNA]


def test_calibration_is_averaged_over_sets_and_splits():
    results = gather([*gap_rows(), *standard_rows()])
    frame = table(results, "calibration-gap").frame.set_index("method")
    assert frame.loc["GP", "coverage_90_gap_mean"] == pytest.approx(0.8)
    assert "coverage_90_gap_mean" not in table(results, "calibration-standard").frame


def test_an_experiment_without_rows_gives_an_empty_table_that_says_what_to_run():
    for found in all_detail_tables(gather([])):
        assert found.shown.empty
        assert found.about == f"not run yet: unabases reproduce {found.spec.experiment}"


def test_an_even_number_of_values_has_the_mean_of_the_middle_two():
    frame = table(gather(consistency_rows(n=4)), "consistency").frame.set_index("method")
    assert frame.loc["NLM, MAP", "eurc_median"] == pytest.approx(0.3)
    assert math.isclose(frame.loc["NLM, MAP", "eurc_least"], -0.2)


def test_searches_have_median_regret_and_time_a_line_a_problem_and_method():
    rows = bayesopt_rows()
    found = table(gather([*rows, rows[0]._replace(seed=10, failed="no", scores={})]), "searches")
    shown = found.shown.set_index(["problem", "method"])
    assert shown.loc[("branin", "LUNA"), "searches"] == "11 (1 failed)"
    assert shown.loc[("branin", "LUNA"), "regret: median (least to most)"] == "0.015 (0.010 to 0.021)"
    took = shown["seconds per evaluation: median (least to most)"]
    assert (took["svm", "NLM, MAP"], took["svm", "Random search"]) == ("0.40 (0.40 to 0.40)", "0.00 (0.00 to 0.00)")
    assert shown.loc[("svm", "NLM, MAP"), "processor seconds per search"] == "7.00"
    assert shown.loc[("branin", "NLM, MAP"), "the paper, mean ± std"] == "0.01 ± 0.01"
    frame = found.frame.set_index(["dataset", "method"])
    assert frame.loc[("svm", "Random search"), "regret_median"] == pytest.approx(3 * 1.2 * 1.12)


def test_faces_stand_beside_what_the_paper_says_of_luna():
    found = table(gather(faces_rows()), "faces")
    frame = found.frame.set_index(["dataset", "method"])
    assert frame.loc[("faces-men", "LUNA"), "rise_gap_mean"] == pytest.approx(0.3)
    assert frame.loc[("faces-men", "LUNA"), "rise_gap_paper"] == 1.68
    assert math.isnan(frame.loc[("faces-men", "NLM, MAP"), "rise_gap_paper"])
    shown = found.shown.set_index(["data set", "method"])
    assert shown.loc[("faces-men", "LUNA"), "error, people like the training data"] == "8.30 ± 0.00 (paper 10.22)"
    assert (
        shown.loc[("faces-ages", "LUNA"), "change of epistemic std, people missing from it"]
        == "+2.0 ± 5.0 % (paper +27.0 %)"
    )
    assert shown.loc[("faces-ages", "LUNA"), "error, people missing from it"] == "10.50 ± 0.00"


def test_transfer_has_a_line_for_each_number_of_features():
    frame = table(gather(transfer_rows()), "transfer").frame.set_index("n_features")
    assert list(frame.index) == [5, 10, 20, 50, 100]
    assert frame.loc[20, "LUNA (paper) log_likelihood_mean"] == pytest.approx(-3.0 + 0.1 * np.log(20) + 0.05)
    assert frame.loc[20, "SNGP rmse_mean"] == 8.0


def test_cubic_gap_says_what_the_paper_says():
    shown = table(gather(cubic_rows()), "cubic-gap").shown.set_index("method")
    assert shown.loc["GP", "the paper"] == "gold standard"
    assert shown.loc["GP", "RMSE"] == "3.10 ± 0.00"


def test_the_prior_of_map_is_given_before_and_after_the_data():
    frame = table(gather(prior_rows()), "map-prior").frame.set_index("method")
    assert frame.loc["NLM, MAP, γ = 10", "prior_variation_gap_mean"] == pytest.approx(1.5)
    assert frame.loc["NLM, MAP, γ = 10", "seeds"] == 2
