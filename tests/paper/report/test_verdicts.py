"""When two results agree, at the edges of the rule."""

import math

import pytest

from unabases.paper.methods import LUNA_PAPER
from unabases.paper.report.paper_values import PaperValue, paper_value
from unabases.paper.report.rows import Summary
from unabases.paper.report.scores import QUANTITIES
from unabases.paper.report.verdicts import SIGNS, Aims, allowed_difference, compare_with_paper

LOWER, HIGHER, NEITHER = QUANTITIES["rmse"], QUANTITIES["log_likelihood"], QUANTITIES["epistemic"]
CELL = PaperValue(6, LUNA_PAPER, "boston", "", 3.0, 0.4, 0.005)


def verdict(mean, std=0.3, cell=CELL, quantity=LOWER, n=10, failed=0):
    found = compare_with_paper(Summary(mean, std, n, failed), cell, quantity)
    return None if found is None else found.word


def test_the_allowed_difference_is_the_combined_spread_and_the_rounding():
    assert allowed_difference(0.3, CELL) == pytest.approx(math.sqrt(0.3**2 + 0.405**2) + 0.005)


@pytest.mark.parametrize("side", [-1, 1])
def test_agreement_ends_at_the_allowed_difference(side):
    allowed = allowed_difference(0.3, CELL)
    assert verdict(3.0 + side * allowed * 0.999) == "agrees"
    assert verdict(3.0 + side * allowed) == "agrees"
    assert verdict(3.0 + side * allowed * 1.001) == ("worse" if side > 0 else "better")


@pytest.mark.parametrize(("quantity", "above", "below"), [(LOWER, "worse", "better"), (HIGHER, "better", "worse")])
def test_the_direction_depends_on_the_quantity(quantity, above, below):
    assert verdict(9.0, quantity=quantity) == above
    assert verdict(-9.0, quantity=quantity) == below


def test_more_eurc_is_better():
    assert verdict(3.0, 0.1, paper_value(1, LUNA_PAPER, "yacht-froude"), QUANTITIES["eurc"]) == "better"


def test_a_result_that_varies_wildly_does_not_agree_with_everything():
    assert verdict(50.0, std=100.0) == "worse"
    assert verdict(3.0 + 2 * 0.405, std=100.0) == "agrees"


def test_rounding_alone_is_no_difference():
    cell = paper_value(6, LUNA_PAPER, "kin8nm")
    assert (cell.mean, cell.std) == (0.08, 0.0)
    assert verdict(0.0749, 0.0, cell) == "agrees"
    assert verdict(0.0851, 0.0, cell) == "agrees"
    assert verdict(0.0951, 0.0, cell) == "worse"


def test_epistemic_uncertainty_is_not_comparable_if_nothing_says_what_it_should_be():
    assert verdict(3.1, quantity=NEITHER) == "agrees"
    found = compare_with_paper(Summary(9.0, 0.1, 10), CELL, NEITHER)
    assert found.word == "not comparable"
    assert "neither" in found.why


def epistemic_verdict(ours, here, there):
    return compare_with_paper(Summary(ours, 0.1, 10), CELL, NEITHER, (here, there))


def test_epistemic_uncertainty_is_held_against_the_error_and_the_process():
    there = Aims(error=5.0, noise=0.0, process=1.0)  # the paper's 3.0 is 0.6 of its error, three times the process
    assert epistemic_verdict(9.0, Aims(10.0, 0.0, 8.0), there).word == "better"
    assert epistemic_verdict(9.0, Aims(100.0, 0.0, 1.0), there).word == "worse"
    mixed = epistemic_verdict(9.0, Aims(10.0, 0.0, 1.0), there)
    assert mixed.word == "mixed"
    assert "with the noise 0.90 of the error (0.60 in the paper)" in mixed.why
    assert mixed.why.endswith("9.00 of a Gaussian process's (3.00 in the paper)")
    assert epistemic_verdict(9.0, Aims(10.0, 0.0, None), there).word == "better"  # the process itself
    assert epistemic_verdict(3.1, Aims(100.0, 0.0, 1.0), there).word == "agrees"


def test_noise_counts_as_a_part_of_the_error():
    assert Aims(error=5.0, noise=3.0, process=None).ratios(4.0) == [1.0]


def test_one_run_may_agree_and_is_never_better():
    single = Summary(9.0, math.nan, 1)
    assert compare_with_paper(single, CELL, LOWER).word == "one run"
    assert compare_with_paper(single._replace(mean=0.1), CELL, LOWER).word == "one run"
    assert compare_with_paper(single._replace(mean=3.3), CELL, LOWER).word == "agrees"


def test_every_word_has_a_sign_of_its_own():
    assert len(set(SIGNS.values())) == len(SIGNS) == 6


def test_cells_that_the_paper_does_not_give_are_not_comparable():
    assert (
        verdict(-2.0, cell=paper_value(3, "Vanilla ensemble", "boston-rm", "gap"), quantity=HIGHER) == "not comparable"
    )
    assert verdict(-2.5, cell=paper_value(5, LUNA_PAPER, "boston"), quantity=HIGHER) == "not comparable"


def test_what_was_not_run_has_no_verdict_and_what_failed_says_so():
    assert verdict(math.nan, math.nan, n=0) is None
    found = compare_with_paper(Summary(math.nan, math.nan, 0, 4), CELL, LOWER)
    assert found.word == "not comparable"
    assert "4" in found.why
