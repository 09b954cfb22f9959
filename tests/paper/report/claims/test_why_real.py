"""Reasons on real data and in searches are decided by the rows, whichever way these point."""

from functools import partial

import numpy as np
import pytest
from scipy.optimize import minimize

from tests.paper.report.synthetic import around, gap_rows, row, standard_rows
from unabases.datasets import hartmann6
from unabases.paper.methods import GP, LUNA, LUNA_PAPER, NLM_MAP, VANILLA
from unabases.paper.report.claims import why_real as why
from unabases.paper.report.claims.uci import Place
from unabases.paper.report.paper_values import paper_table
from unabases.paper.report.rows import gather


def printed(method, rows):
    """The same rows, with the EURC that the paper prints for a method."""
    cells = paper_table(1).cells
    told = {d: around(cells[method, d, ""].mean, cells[method, d, ""].std) for d in paper_table(1).datasets}
    return [
        one._replace(scores=one.scores | {"eurc": told[one.dataset][one.split]}) if one.method == method else one
        for one in rows
    ]


def test_the_gaussian_process_shows_that_training_is_not_all_only_if_it_differs():
    other = "So rows, noise or the settings of methods differ too."
    apart = why.why_vanilla(gather(gap_rows()))
    assert other in apart
    assert "Members and steps are fewer in the profile quick. The Gaussian process, which has neither" in apart
    alike = why.why_vanilla(gather(printed(GP, gap_rows())))
    assert "agrees with its printed EURC on 6 of 6 sets" in alike
    assert other not in alike
    long = why.why_vanilla(gather(gap_rows(profile="paper")))
    assert "fewer" not in long
    assert "--profile paper" not in long


def test_the_count_of_vanilla_ensembles_is_told_by_means_and_by_spreads():
    same = why.why_vanilla(gather(printed(VANILLA, gap_rows())))
    assert same.startswith("EURC differs from the printed one on no set, of 6. With the means here")
    assert "the count is 5 of 6, with the printed means and the spreads here 5 of 6." in same
    wide = [
        one._replace(scores=one.scores | {"eurc": 9.0 * one.split}) if one.method == VANILLA else one
        for one in gap_rows()
    ]
    assert "the count is 6 of 6, with the printed means and the spreads here 0 of 6." in why.why_vanilla(gather(wide))


def test_sets_on_which_luna_differs_are_named():
    assert "differs from the printed one on no set, of 6" in why.why_gap_sets(gather(printed(LUNA_PAPER, gap_rows())))
    said = why.why_gap_sets(gather(gap_rows(methods=(LUNA_PAPER,))))
    assert "concrete-super" in said
    assert "Our LUNA" not in said  # it was not run


def test_in_the_gap_the_printed_numbers_are_put_to_the_same_rule():
    own = partial(why.why_in_gap, score="rmse_gap", place=Place(2, "gap"))
    assert own(gather(gap_rows())).startswith("The printed numbers do not pass this rule either. The paper's LUNA here")
    assert "Not yet measured" not in own(gather(gap_rows(profile="paper")))


def strengths(weak, strong):
    """The paper's LUNA of `gap_rows` with two λ, with other scores."""
    rows = gap_rows(methods=(LUNA_PAPER,))
    return [
        one._replace(
            experiment="luna-strength",
            method=f"{LUNA_PAPER}, λ = {lam:g}",
            settings={"lam": lam},
            scores=one.scores | {name: value + one.scores[name] for name, value in more.items()},
        )
        for lam, more in ((0.1, weak), (10.0, strong))
        for one in rows
    ]


def test_what_strength_does_is_counted_by_the_rule_of_the_claim():
    own = partial(why.why_in_gap, score="rmse_gap", place=Place(2, "gap"))
    assert "What λ does: unabases reproduce luna-strength." in own(gather(gap_rows()))
    better = own(gather([*gap_rows(), *strengths({"rmse_gap": 99.0}, {"rmse_gap": -1.0})]))
    assert "by λ alone (luna-strength): 0 of 6 with λ = 0.1, 6 of 6 with λ = 10." in better
    never = own(gather([*gap_rows(), *strengths({"rmse_gap": 99.0}, {"rmse_gap": 99.0})]))
    assert "0 of 6 with λ = 10; with none of them on yacht-froude, concrete-cement, concrete-super, boston-rm" in never


def test_eurc_by_strength_stands_beside_the_chosen_one():
    told = why.why_gap_sets(gather([*gap_rows(), *strengths({"eurc": -0.6}, {"eurc": 1.0})]))
    assert "By λ alone (luna-strength) the count is 0 of 6 with λ = 0.1, 6 of 6 with λ = 10." in told
    assert "On concrete-super the λ that was chosen there is 1; EURC by λ (luna-strength): -10.0 % with λ = 0.1" in told


def test_few_splits_are_told_from_the_spread_that_the_paper_prints():
    own = partial(why.why_standard, score="rmse", place=Place(6))
    said = own(gather(standard_rows()))
    n = len({one.split for one in standard_rows()})
    assert said.startswith(f"{LUNA_PAPER} was run on {n} splits here, where the paper has 20. Held against the spread")
    far = [
        one._replace(scores=one.scores | {"rmse": 1e6}) if one.method == LUNA_PAPER else one for one in standard_rows()
    ]
    assert "or better on 0 of " in own(gather(far))


def searches(regrets, dataset="hartmann6"):
    return [
        row("bayesopt", dataset, method, 0, seed, {"regret": regret})
        for method, own in regrets.items()
        for seed, regret in enumerate(own)
    ]


def test_searches_that_end_far_above_the_best_are_counted_and_tested():
    said = why.why_searches(gather(searches({LUNA: [0.001, 0.003, 0.12], NLM_MAP: [0.004] * 3})))
    assert "at least 0.1 above the best: LUNA 1 of 3, the others end at 0.002 on average; NLM, MAP 0 of 3." in said
    assert "All baselines together: 0 of 3 (Fisher's exact test against LUNA: p = 1)." in said
    often = why.why_searches(gather(searches({LUNA: [0.5] * 8, NLM_MAP: [0.004] * 8})))
    assert "LUNA 8 of 8; NLM, MAP 0 of 8. All baselines together: 0 of 8" in often
    assert "p = 0.00016" in often  # 2 / binomial(16, 8)


def test_problems_that_were_not_looked_into_are_named():
    fine = searches({LUNA: [0.004] * 3, NLM_MAP: [0.003, 0.004, 0.005]})
    worse = searches({LUNA: [9.0, 9.1, 9.2], NLM_MAP: [7.0, 7.1, 7.2]}, "logistic")
    assert why.why_searches(gather([*fine, *worse])).endswith("What differs on logistic was not measured.")
    assert "was not measured" not in why.why_searches(gather(fine))


def test_hartmann6_has_a_second_minimum_that_far_above_the_best():
    starts = np.random.default_rng(0).uniform(size=(30, 6))
    ends = [minimize(lambda x: float(hartmann6(x)), start, bounds=[(0, 1)] * 6).fun for start in starts]
    levels = np.unique(np.round(ends, 3))
    assert levels[1] - levels[0] == pytest.approx(0.119, abs=0.002)
    assert levels[1] - levels[0] > why.SECOND_BEST


def test_ages_are_told_apart_by_no_method_or_by_some_as_the_rows_say():
    rows = [row("faces", "faces-ages", name, scores={"auroc": 0.5}) for name in (LUNA, NLM_MAP)]
    assert "no method tells those ages from others: AUROC from 0.50 to 0.50 over 2 methods" in why.why_ages(
        gather(rows)
    )
    seen = rows[0]._replace(scores={"auroc": 0.8})
    assert "some method tells those ages from others: AUROC from 0.50 to 0.80" in why.why_ages(gather([seen, rows[1]]))
    assert "AUROC" not in why.why_ages(gather([]))


def test_a_gap_in_which_every_method_errs_more_than_printed_has_other_rows():
    rows = [one._replace(scores={**one.scores, "rmse_gap": 0.01}) for one in gap_rows()]
    assert why._other_rows(gather(rows)) == ""
    worse = [
        one._replace(scores={**one.scores, "rmse_gap": 99.0}) if one.dataset == "boston-ptratio" else one
        for one in rows
    ]
    said = why._other_rows(gather(worse))
    assert said.startswith("On boston-ptratio each of 8 methods has ")
    assert said.endswith(
        "differ from the paper's (which of the rows with equal values are held out decides it: docs/paper-notes.md)."
    )
    single = [one for one in worse if one.method != "GP"] + [one for one in rows if one.method == "GP"]
    assert why._other_rows(gather(single)) == ""
