"""Tables hold the means, spreads, counts and gaps of the rows they are made of."""

import math
from itertools import pairwise

import numpy as np
import pytest

from tests.paper.report.synthetic import (
    PAPER_METHODS,
    bayesopt_rows,
    consistency_rows,
    faces_rows,
    gap_rows,
    restart_rows,
    row,
    standard_rows,
)
from unabases.paper.report.gathered import gather
from unabases.paper.report.grids import GRIDS, all_grids, make_grid, verdict_counts
from unabases.paper.report.listings import all_listings
from unabases.paper.report.provenance import machines
from unabases.paper.report.tables import as_markdown, as_rich

SPECS = {spec.name: spec for spec in GRIDS}


def listing(results, name):
    return next(found for found in all_listings(results) if found.name == name)


def test_cells_have_the_mean_and_std_of_their_rows():
    grid = make_grid(SPECS["table-2"], gather(gap_rows()))
    luna = PAPER_METHODS.index("LUNA")
    cell = grid.cell("LUNA", ("boston-rm", "gap"))
    assert cell.ours == (pytest.approx(4 + 0.1 * luna), pytest.approx(0.4), 3, 0)
    assert (cell.paper.mean, cell.paper.std) == (3.17, 0.38)
    assert cell.verdict.word == "worse"
    assert grid.cell("LUNA", ("boston-rm", "not gap")).verdict.word == "agrees"
    assert "profile quick" in grid.about
    assert "3 a cell" in grid.about


def test_a_method_that_the_paper_has_not_comes_last_without_a_verdict():
    grid = make_grid(SPECS["table-1"], gather(gap_rows()))
    assert grid.methods == (*PAPER_METHODS, "LUNA, between")
    cell = grid.cell("LUNA, between", ("boston-rm", ""))
    assert (cell.paper, cell.verdict) == (None, None)
    assert grid.theirs(cell) == ""


def test_cells_without_rows_are_named():
    rows = [r for r in gap_rows() if r.method != "SNGP" and (r.method, r.dataset) != ("LUNA", "boston-rm")]
    grid = make_grid(SPECS["table-2"], gather(rows))
    assert grid.missing() == ["SNGP", "LUNA on boston-rm"]
    assert grid.ours(grid.cell("SNGP", ("boston-rm", "gap"))) == "not run"
    assert grid.cell("SNGP", ("boston-rm", "gap")).verdict is None


def test_failed_fits_are_counted_and_do_not_enter_the_mean():
    rows = [r._replace(failed="DivergedError: NaN", scores={}) if r.split == 1 else r for r in gap_rows()]
    grid = make_grid(SPECS["table-1"], gather(rows))
    cell = grid.cell("LUNA", ("yacht-froude", ""))
    assert (cell.ours.n, cell.ours.failed) == (2, 1)
    assert grid.ours(cell).endswith("(1 failed)")
    everything = [r._replace(failed="DivergedError: NaN", scores={}) for r in gap_rows()]
    grid = make_grid(SPECS["table-1"], gather(everything))
    assert grid.ours(grid.cell("LUNA", ("yacht-froude", ""))) == "failed (3)"


def test_counts_of_verdicts_add_up_to_the_papers_cells():
    none = verdict_counts(all_grids(gather([])))
    assert none == {"not run": 522}
    some = verdict_counts(all_grids(gather([*gap_rows(), *standard_rows()])))
    assert sum(some.values()) == 522
    assert some["not run"] == 36  # Bayesian optimisation


def test_the_papers_figures_have_the_digits_that_it_prints():
    grid = make_grid(SPECS["table-4"], gather([]))
    assert grid.theirs(grid.cell("LUNA", ("branin", ""))) == "0.01 ± 0.00"
    assert grid.ours(grid.cell("LUNA", ("branin", ""))) == "not run"


def test_the_frame_of_a_grid_has_numbers_and_reasons():
    frame = make_grid(SPECS["table-3"], gather(gap_rows())).frame().set_index(["method", "dataset", "region"])
    line = frame.loc[("Vanilla ensemble", "boston-rm", "gap")]
    assert line["verdict"] == "not comparable"
    assert line["why"] == "the paper gives none"
    assert line["n"] == 3
    assert np.isnan(line["paper_mean"])


def test_the_profile_with_the_most_rows_is_shown_and_tiny_only_alone():
    quick, paper = gap_rows(n=2), gap_rows(n=2, profile="paper")
    assert gather([*quick, *paper]).profiles == {"uci-gap": "paper"}
    assert gather([*quick, *paper[:5]]).profiles == {"uci-gap": "quick"}
    assert gather([*quick, *paper], "quick").profiles == {"uci-gap": "quick"}
    tiny = gap_rows(n=3, profile="tiny")
    assert gather([*tiny, *paper[:5]]).profiles == {"uci-gap": "paper"}
    assert gather(tiny).profiles == {"uci-gap": "tiny"}


def test_consistency_counts_restarts_above_a_hundred_per_cent():
    rows = [*consistency_rows(n=20), row("consistency", "cubic-gap", "LUNA", 0, 20, failed="DivergedError: NaN")]
    frame = listing(gather(rows), "consistency").frame.set_index("method")
    mle = np.linspace(0.1, 5.0, 20)
    assert frame.loc["NLM, MLE", "above_100_percent"] == (mle > 1).sum()
    assert frame.loc["NLM, MLE", "eurc_median"] == pytest.approx(np.median(mle))
    assert tuple(frame.loc["LUNA", ["above_100_percent", "restarts", "failed"]]) == (20, 21, 1)


def test_restarts_are_listed_by_figure_and_setting():
    shown = listing(gather(restart_rows(n=5)), "restarts").shown
    first = shown.iloc[0]
    assert (first["figure"], first["setting"]) == ("regularisation", "γ = 0")
    assert first["EURC above +100 %"] == "3 of 5"  # 1.2, 1.8, 2.4 of 0, 0.6, ...


def test_cost_is_the_median_and_relative_to_a_plain_model():
    frame = listing(gather(gap_rows()), "cost").frame.set_index("method")
    assert frame.loc["NLM, MAP", "fit_seconds_median"] == pytest.approx(8.0)
    assert frame.loc["LUNA", "times_nlm"] == pytest.approx(18.0 / 8.0)
    assert list(frame.index) == [*PAPER_METHODS, "LUNA, between"]


def test_calibration_is_averaged_over_sets_and_splits():
    results = gather([*gap_rows(), *standard_rows()])
    frame = listing(results, "calibration-gap").frame.set_index("method")
    assert frame.loc["GP", "coverage_90_gap_mean"] == pytest.approx(0.8)
    assert "coverage_90_gap_mean" not in listing(results, "calibration-standard").frame


def test_an_experiment_without_rows_gives_an_empty_table_that_says_what_to_run():
    for found in all_listings(gather([])):
        assert found.shown.empty
        assert found.about == f"not run yet: unabases reproduce {found.experiment}"


def test_tables_as_markdown_and_for_the_terminal():
    shown = make_grid(SPECS["table-1"], gather(gap_rows())).shown()
    lines = as_markdown(shown).splitlines()
    assert len(lines) == 2 + 10
    assert all(one.count("|") == other.count("|") for one, other in pairwise(lines))
    table = as_rich(shown, title="EURC")
    assert (table.row_count, len(table.columns)) == (10, 7)


def test_an_even_number_of_values_has_the_mean_of_the_middle_two():
    frame = listing(gather(consistency_rows(n=4)), "consistency").frame.set_index("method")
    assert frame.loc["NLM, MAP", "eurc_median"] == pytest.approx(0.3)
    assert math.isclose(frame.loc["NLM, MAP", "eurc_least"], -0.2)


def test_searches_have_median_regret_and_time_a_line_a_problem_and_method():
    rows = bayesopt_rows()
    found = listing(gather([*rows, rows[0]._replace(seed=10, failed="no", scores={})]), "searches")
    shown = found.shown.set_index(["problem", "method"])
    assert shown.loc[("branin", "LUNA"), "searches"] == "11 (1 failed)"
    assert shown.loc[("branin", "LUNA"), "regret: median (least to most)"] == "0.015 (0.010 to 0.021)"
    took = shown["seconds per evaluation: median (least to most)"]
    assert (took["svm", "NLM, MAP"], took["svm", "Random search"]) == ("0.40 (0.40 to 0.40)", "0.00 (0.00 to 0.00)")
    assert shown.loc[("svm", "NLM, MAP"), "processor seconds a search"] == "7.00"
    assert shown.loc[("branin", "NLM, MAP"), "the paper, mean ± std"] == "0.01 ± 0.01"
    frame = found.frame.set_index(["dataset", "method"])
    assert frame.loc[("svm", "Random search"), "regret_median"] == pytest.approx(3 * 1.2 * 1.12)


def test_faces_stand_beside_what_the_paper_says_of_luna():
    found = listing(gather(faces_rows()), "faces")
    frame = found.frame.set_index(["dataset", "method"])
    assert frame.loc[("faces-men", "LUNA"), "rise_gap_mean"] == pytest.approx(0.3)
    assert frame.loc[("faces-men", "LUNA"), "rise_gap_paper"] == 1.68
    assert math.isnan(frame.loc[("faces-men", "NLM, MAP"), "rise_gap_paper"])
    shown = found.shown.set_index(["data set", "method"])
    assert shown.loc[("faces-men", "LUNA"), "error, people like the training data"] == "8.30 ± 0.00 (paper 10.22)"
    assert shown.loc[("faces-ages", "LUNA"), "epistemic std beside training, lacked"] == "+2.0 ± 5.0 % (paper +27.0 %)"
    assert shown.loc[("faces-ages", "LUNA"), "error, people that it lacks"] == "10.50 ± 0.00"


def test_trials_of_one_machine_are_one_line_whatever_time_they_took():
    rows = [row(split=i, provenance={"machine": "m", "cpu_seconds": i, "finished_at": f"day {i}"}) for i in range(3)]
    found = machines(gather(rows))
    assert found["trials"].tolist() == ["3"]
    assert found["versions and machine"].tolist() == ["machine m"]
