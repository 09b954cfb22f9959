"""Targets are met or missed by the numbers of their rows."""

import pytest

from tests.paper.report.claims.checks import changed
from tests.paper.report.synthetic import honesty_rows
from unabases.paper.methods import GP, LUNA, NLM_MAP, UNA
from unabases.paper.report.accuracy_targets import MEETS, MISSES, NOT_RUN, check_target
from unabases.paper.report.honesty_targets import PUBLISHED, RECOMMENDED, TARGETS

BLIND, RATIO, COVERED, COVERED_SHAPES, GAP_RANK, TAIL_RANK = TARGETS[:6]
MAP, COVERAGE, FAR_BEHIND, GAP_PUBLISHED, TAIL_PUBLISHED, LUNA_BLIND = TARGETS[6:]


def verdict(target, rows):
    return check_target(target, rows, RECOMMENDED).verdict


def on(dataset, method=UNA, **scores):
    """Rows in which a method has other scores on the data sets of a name."""
    rows = honesty_rows()
    return [r._replace(scores=r.scores | scores) if r.method == method and dataset in r.dataset else r for r in rows]


@pytest.mark.parametrize(
    ("target", "dataset", "score", "good", "bad"),
    [
        (BLIND, "rbf-1", "epistemic_ratio_outside", 0.31, 0.29),
        (BLIND, "matern-1", "epistemic_ratio_gap", 0.31, 0.29),
        (RATIO, "drawn", "epistemic_ratio_gap", 0.71, 0.69),
        (RATIO, "drawn", "epistemic_ratio_outside", 1.99, 2.01),
        (COVERED, "drawn", "epistemic_coverage_90_gap", 0.86, 0.84),
        (COVERED, "drawn", "epistemic_coverage_90_outside", 0.81, 0.79),
        (COVERED_SHAPES, "step", "epistemic_coverage_90_outside", 0.46, 0.44),  # that of GP is 0.45
        (GAP_RANK, "gap", "crps_gap", 1.05, 1.15),  # that of GP is 1.1
        (GAP_RANK, "gap", "log_likelihood_gap", 9.0, -9.0),
        (TAIL_RANK, "tail", "crps_tail", 1.05, 1.15),
        (MAP, "yacht", "log_likelihood", -0.34, -0.36),  # that of NLM, MAP is -0.3
        (COVERAGE, "-", "coverage_90", 0.92, 0.94),
        (COVERAGE, "-gap-", "coverage_90_gap", 0.86, 0.84),
        (COVERAGE, "-tail-", "coverage_90_tail", 0.99, 0.84),
        (FAR_BEHIND, "yacht-gap", "log_likelihood_gap", -1.5, -1.7),  # that of GP is -0.6
        (FAR_BEHIND, "boston-tail", "log_likelihood_tail", -3.5, -3.7),
        (GAP_PUBLISHED, "yacht", "log_likelihood_gap", PUBLISHED["_gap"]["yacht"], PUBLISHED["_gap"]["yacht"] - 0.01),
        (TAIL_PUBLISHED, "boston", "log_likelihood_tail", PUBLISHED["_tail"]["boston"], -3.54),
    ],
)
def test_a_target_is_missed_beyond_its_limit(target, dataset, score, good, bad):
    assert verdict(target, on(dataset, **{score: good})) == MEETS
    assert verdict(target, on(dataset, **{score: bad})) == MISSES


def test_luna_has_a_target_of_its_own():
    assert verdict(LUNA_BLIND, on("drawn", LUNA, epistemic_ratio_gap=0.31, epistemic_ratio_outside=0.1)) == MEETS
    assert verdict(LUNA_BLIND, on("rbf", LUNA, epistemic_ratio_gap=0.29)) == MISSES


def test_the_worst_case_is_named():
    found = check_target(BLIND, on("rbf-1", epistemic_ratio_outside=0.2), RECOMMENDED)
    assert found.evidence == "1 of 4 below; least 0.20 (drawn-rbf-1-long-noisy 0, outside)"
    found = check_target(FAR_BEHIND, on("yacht-gap", log_likelihood_gap=-3.0), RECOMMENDED)
    assert "in gaps 1 of 3, at most 2.40 (yacht-gap-4)" in found.evidence


def test_a_failed_fit_of_the_recommended_one_misses_and_those_of_others_do_not():
    rows = honesty_rows()
    own = next(i for i, row in enumerate(rows) if row.method == UNA)
    other = next(i for i, row in enumerate(rows) if row.method == GP)
    broken = [row._replace(failed="DivergedError: NaN") if i == own else row for i, row in enumerate(rows)]
    assert verdict(COVERAGE, broken) == MISSES
    broken = [row._replace(failed="DivergedError: NaN") if i == other else row for i, row in enumerate(rows)]
    assert verdict(COVERAGE, broken) == MEETS


@pytest.mark.parametrize("target", TARGETS)
def test_without_rows_nothing_is_decided(target):
    assert verdict(target, []) == NOT_RUN
    needed = LUNA if target == LUNA_BLIND else RECOMMENDED
    assert verdict(target, [row for row in honesty_rows() if row.method != needed]) == NOT_RUN
    tiny = [row._replace(profile="tiny") for row in honesty_rows()]
    assert verdict(target, tiny) == NOT_RUN


def test_comparisons_need_the_other_method():
    assert verdict(MAP, [row for row in honesty_rows() if row.method != NLM_MAP]) == NOT_RUN
    assert verdict(COVERED_SHAPES, [row for row in honesty_rows() if row.method != GP]) == NOT_RUN
    assert verdict(COVERED_SHAPES, changed(honesty_rows(), GP, epistemic_coverage_90_gap=0.95)) == MISSES
