"""Tables of accuracy hold the numbers of their rows."""

import pytest

from tests.paper.report.synthetic import accuracy_rows
from unabases.paper.report.detail_tables import all_detail_tables
from unabases.paper.report.rows import gather


def table(rows, name):
    return next(found for found in all_detail_tables(gather(rows)) if found.spec.name == name)


def test_methods_come_by_their_mean_rank_and_stand_beside_the_best_others():
    frame = table(accuracy_rows(), "accuracy").frame
    assert frame["method"].tolist() == ["UNA", "GP", "Boosting (scikit-learn)", "Bayesian ridge (scikit-learn)"]
    assert frame["crps_rank"].tolist() == frame["rmse_rank"].tolist() == [1, 2, 3, 4]
    first = frame.iloc[0]
    assert first["tables"] == 5  # `step` is a function
    assert first["rmse_share"] == pytest.approx(1 / 1.1)
    assert first["log_likelihood_gain"] == pytest.approx(0.1)
    assert first["rmse_ratio"] == pytest.approx(1.2)
    assert first["coverage_90"] == pytest.approx(0.9)


def test_every_set_has_its_scores():
    shown = table(accuracy_rows(), "accuracy-sets").shown.set_index(["data set", "method"])
    assert shown.loc[("yacht", "GP"), "RMSE"] == "1.10 ± 0.05"
    assert shown.loc[("step", "GP"), "RMSE / truth's"] == "1.30 ± 0.00"


def test_targets_have_a_verdict_each():
    shown = table(accuracy_rows(), "accuracy-targets").shown
    assert set(shown["here"]) == {"meets it"}


def test_the_tables_of_a_half_appear_when_it_was_run():
    assert not any(found.spec.name.startswith("accuracy") for found in all_detail_tables(gather([])))
    assert not any(found.spec.experiment == "accuracy-locked" for found in all_detail_tables(gather(accuracy_rows())))
    assert len(table(accuracy_rows(experiment="accuracy-locked"), "accuracy-locked").frame) == 4
