"""Which rows are shown, and statistics over them."""

import math

import pytest

from tests.paper.report.synthetic import gap_rows, row
from unabases.paper.catalogue import EXPERIMENTS
from unabases.paper.report.rows import (
    Summary,
    by_method,
    gather,
    mean_ranks,
    range_of,
    set_means,
    summarise,
    summary_of,
)


def test_the_profile_with_the_most_rows_is_shown_and_tiny_only_alone():
    quick, paper = gap_rows(n=2), gap_rows(n=2, profile="paper")
    assert gather([*quick, *paper]).profiles == {"uci-gap": "paper"}
    assert gather([*quick, *paper[:5]]).profiles == {"uci-gap": "quick"}
    assert gather([*quick, *paper], "quick").profiles == {"uci-gap": "quick"}
    tiny = gap_rows(n=3, profile="tiny")
    assert gather([*tiny, *paper[:5]]).profiles == {"uci-gap": "paper"}
    assert {one.profile for one in gather([*tiny, *paper[:5]]).of("uci-gap")} == {"paper"}
    assert gather(tiny).profiles == {"uci-gap": "tiny"}


def test_each_method_shows_its_fullest_profile_and_the_text_names_those_that_differ():
    quick = [row(method=name, split=k) for name in ("GP", "BNN, HMC") for k in range(2)]
    paper = [row(method="GP", split=k, profile="paper") for k in range(5)]
    found = gather([*quick, *paper, row(method="BNN, HMC", profile="paper")])
    assert [(one.method, one.profile) for one in found.of("uci-gap")] == [("BNN, HMC", "quick")] * 2 + [
        ("GP", "paper")
    ] * 5
    assert found.about("uci-gap") == "profile paper (quick: BNN, HMC), 7 trials, 5 splits"
    assert (found.profiles_of("uci-gap", "GP"), found.profiles_of("uci-gap", "LUNA")) == ({"paper"}, set())


def test_each_data_set_of_a_method_shows_its_fullest_profile():
    quick = [row(dataset=name, method="GP", split=k) for name in ("yacht-froude", "boston-rm") for k in range(2)]
    found = gather([*quick, *(row(dataset="boston-rm", method="GP", split=k, profile="paper") for k in range(2))])
    assert {(one.dataset, one.profile) for one in found.of("uci-gap")} == {
        ("yacht-froude", "quick"),
        ("boston-rm", "paper"),
    }
    assert found.profiles_of("uci-gap", "GP") == {"quick", "paper"}
    assert found.about("uci-gap") == "profile paper (quick: GP (yacht-froude)), 4 trials, 2 splits"


def test_many_cells_of_another_profile_are_counted_instead_of_named():
    names = ("yacht-froude", "boston-rm", "boston-lstat", "boston-ptratio", "concrete-super")
    quick = [row(dataset=name, method=who) for name in names for who in ("GP", "NLM, MAP")]
    found = gather([*quick, *(row(dataset=names[0], method="GP", split=k, profile="paper") for k in range(20))])
    assert found.about("uci-gap") == "profile paper (9 of 10 cells quick), 29 trials, 20 splits"


def test_a_small_profile_that_leaves_nothing_out_says_so():
    assert gather([row("map-prior", "cubic-gap", "GP")]).about("map-prior").startswith("profile quick, the same as")
    assert "the same" not in gather([row("uci-gap", "boston-rm", "GP")]).about("uci-gap")


def test_a_method_of_a_half_shows_one_profile():
    quick = [row("accuracy", name, "GP") for name in ("boston", "kin8nm-1000")]
    assert gather([*quick, row("accuracy", "kin8nm", "GP", profile="paper")]).of("accuracy") == tuple(quick)


def test_each_number_of_features_shows_its_fullest_profile():
    some = [row("transfer", "squiggle-gap", "SNGP", settings={"n_features": k}) for k in (5, 10)]
    full = row("transfer", "squiggle-gap", "SNGP", settings={"n_features": 5}, profile="paper")
    shown = gather([*some, full]).of("transfer")
    assert [(one.settings["n_features"], one.profile) for one in shown] == [(10, "quick"), (5, "paper")]


def test_a_summary_has_the_population_std_and_counts_what_is_not_finite():
    found = summarise([1.0, 2.0, 6.0, math.nan, math.inf], failed=1)
    assert found == Summary(3.0, pytest.approx(math.sqrt(14 / 3)), 3, 3)


def test_a_summary_as_text_counts_failures():
    assert Summary(1.16, 0.42, 3).text() == "1.16 ± 0.42"
    assert Summary(0.5, 0.1, 3, 1).text(percent=True) == "+50.0 ± 10.0 % (1 failed)"
    assert Summary(math.nan, math.nan, 0, 2).text() == "failed (2)"
    assert Summary(math.nan, math.nan, 0).text() == "not run"
    assert Summary(0.43, math.nan, 1).text() == "0.43 (one run)"


def test_a_range_is_the_median_and_the_ends_of_rows_that_have_the_score():
    rows = [row(scores={"a": value}) for value in (3.0, 1.0, 2.0, 9.0)] + [row(failed="no", scores={"a": 0.0}), row()]
    assert range_of(rows, "a") == (2.5, 1.0, 9.0)
    assert range_of(rows, "a").text(unit=" s") == "2.50 s (1.00 to 9.00)"
    assert range_of(rows, "b") is None


def test_rows_come_by_method_in_the_order_of_the_tables_and_a_score_by_data_set():
    rows = [
        row(method=name, dataset=d, scores={"a": x})
        for name, d, x in (("LUNA", "u", 1.0), ("GP", "u", 2.0), ("GP", "v", 4.0))
    ]
    assert list(by_method(rows)) == ["GP", "LUNA"]
    assert summary_of(by_method(rows)["GP"], "a").mean == 3.0
    assert summary_of(by_method(rows)["GP"], "a", "v").mean == 4.0


def test_ranks_are_means_over_data_sets_of_means_over_splits():
    values = {("u", "GP"): (1.0, 3.0), ("u", "LUNA"): (1.9, 1.9), ("v", "GP"): (1.0,), ("v", "LUNA"): (1.0,)}
    rows = [
        row(dataset=d, method=name, split=k, scores={"crps": x, "log_likelihood": x})
        for (d, name), part in values.items()
        for k, x in enumerate(part)
    ]
    assert set_means(by_method(rows)["GP"], "crps") == {"u": 2.0, "v": 1.0}
    assert mean_ranks(rows, "crps") == {"GP": 1.75, "LUNA": 1.25}
    assert mean_ranks(rows, "log_likelihood") == {"GP": 1.25, "LUNA": 1.75}


def test_what_was_not_run_is_named_with_its_command():
    results = gather(gap_rows(n=1))
    assert "uci-gap" not in results.missing()
    assert set(results.missing()) | {"uci-gap"} == set(EXPERIMENTS)
    assert results.about("faces") == "not run yet: unabases reproduce faces"
    assert results.about("uci-gap") == "profile quick, 60 trials"
