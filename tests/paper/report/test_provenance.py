"""How the numbers came about."""

from tests.paper.report.synthetic import row
from unabases.paper.report.provenance import costs, failures, locked_runs, machines, runs, settings, warnings_given
from unabases.paper.report.rows import gather


def test_trials_of_one_machine_are_one_line_whatever_time_they_took():
    rows = [row(split=i, provenance={"machine": "m", "cpu_seconds": i, "finished_at": f"day {i}"}) for i in range(3)]
    found = machines(gather(rows))
    assert found["trials"].tolist() == ["3"]
    assert found["versions and machine"].tolist() == ["machine m"]


def test_settings_are_values_or_ranges():
    rows = [row(settings={"lam": 0.1 * k, "gamma": 1, "kind": "ab"[k % 2]}) for k in range(1, 7)]
    (said,) = settings(gather(rows))["settings"]
    assert said == 'lam = 0.1 to 0.6 (6 values); gamma = 1; kind = "b" or "a"'


def test_every_run_of_a_locked_half_is_listed_with_its_code_and_cells():
    old, new = ({"code": code, "finished_at": day} for code, day in (("aa", "day 1"), ("bb", "day 2")))
    rows = [
        row("accuracy-locked/earlier", "iris", "GP", 0, provenance=old),
        *(row("accuracy-locked", name, "GP", split, provenance=new) for name, split in (("iris", 0), ("yacht", 1))),
        row("accuracy", "yacht", "GP", 0, provenance=new),
    ]
    found = locked_runs(gather(rows))
    assert found[["experiment", "code", "cells", "finished"]].to_numpy().tolist() == [
        ["accuracy-locked/earlier", "aa", "iris: 0", "day 1"],
        ["accuracy-locked", "bb", "iris: 0; yacht: 1", "day 2"],
    ]
    assert locked_runs(gather([])).empty


def test_failures_and_warnings_are_counted_and_cut_short():
    warned = {"warnings": ["x" * 400]}
    rows = [row(failed="DivergedError: NaN", split=k, provenance=warned) for k in range(2)]
    (failure,) = failures(gather(rows)).to_dict("records")
    assert (failure["times"], failure["message"], failure["data sets"]) == ("2", "DivergedError: NaN", "yacht-froude")
    (warning,) = warnings_given(gather(rows)).to_dict("records")
    assert warning["trials"] == "2"
    assert warning["warning"] == "x" * 300 + " …"


def test_runs_list_every_profile_and_say_which_is_shown():
    rows = [*(row(split=k) for k in range(2)), row(profile="paper", seconds=300.0)]
    shown = runs(gather(rows)).set_index("profile")
    assert shown["shown"].to_dict() == {"quick": "yes", "paper": "no"}
    assert shown.loc["paper", "time of all trials"] == "5 min"


def test_a_profile_of_which_some_methods_are_shown_is_shown_in_part():
    rows = [*(row(method="GP", split=k) for k in range(2)), row(method="SNGP"), row(method="GP", profile="paper")]
    rows += [row(method="SNGP", split=k, profile="paper") for k in range(2)]
    assert runs(gather(rows))["shown"].tolist() == ["in part", "in part"]


def test_times_are_listed_by_share_and_small_ones_together():
    spent = {"GP": (1.0, 1.0), "SNGP": (90.0, 307.0), "MC dropout": (0.5, 0.5)}
    rows = [
        row(method=m, split=k, provenance={"cpu_seconds": s}) for m, own in spent.items() for k, s in enumerate(own)
    ]
    found = costs(gather(rows)).drop(columns="profile").to_numpy().tolist()
    assert found == [
        ["uci-gap", "SNGP", "2", "7 min", "198.50 s", "99 %"],
        ["all others", "", "4", "3.00 s", "0.75 s", "1 %"],
    ]
    assert costs(gather([row()])).empty
