"""A claim that does not hold says what differs, with the numbers that show it."""

import numpy as np
import pytest
from scipy.optimize import minimize

from tests.paper.report.synthetic import restart_rows, row, transfer_rows
from unabases.datasets import hartmann6
from unabases.paper.methods import LUNA, NLM_MAP, NLM_MLE
from unabases.paper.report.claims.checked import CLAIMS
from unabases.paper.report.claims.differences import SECOND_BEST, what_differs
from unabases.paper.report.rows import gather

SAID_BY = {"MLE over restarts": "training-length", "Marginal likelihood over restarts": "restarts"}


def test_without_rows_a_reason_still_says_what_to_run():
    for name, experiment in SAID_BY.items():
        assert f"unabases reproduce {experiment}" in what_differs(name, gather([]))
    assert what_differs("MAP's prior", gather([])) == ""
    assert all(isinstance(what_differs(claim.name, gather([])), str) for claim in CLAIMS)


def test_few_and_many_steps_are_counted_by_the_number_of_features():
    rows = [
        row("training-length", "cubic-gap", f"{NLM_MLE}, 50 and {k} units, {steps} steps", 0, seed, {"eurc": change})
        for k, change in ((5, 0.2), (50, 3.0))
        for steps in (30, 10_000)
        for seed in range(4)
    ]
    said = what_differs("MLE over restarts", gather(rows))
    assert "from 30 to 10,000 steps, with 5 features 0 of 4, with 50 features 4 of 4" in said


def test_the_worst_and_the_best_prior_variance_are_named():
    rows = [
        one._replace(scores={"eurc": 0.0}) if (one.dataset, one.method) == ("marginal-1", "α = 10") else one
        for one in restart_rows()
    ]
    said = what_differs("Marginal likelihood over restarts", gather(rows))
    assert "from 0 of 5 with γ = 1 and α = 10 to 3 of 5 with γ = 1 and α = 0.1" in said


def test_differences_in_transfer_are_held_against_the_spread():
    assert "At 0 of 5 sizes" in what_differs("Transfer", gather(transfer_rows()))


def test_searches_in_the_second_best_minimum_are_counted():
    regrets = {LUNA: [0.001, 0.003, 0.12], NLM_MAP: [0.004] * 3}
    rows = [
        row("bayesopt", "hartmann6", method, 0, seed, {"regret": regret})
        for method, own in regrets.items()
        for seed, regret in enumerate(own)
    ]
    said = what_differs("Hartmann6", gather(rows))
    assert "LUNA 1 of 3, the others 0.002 on average; NLM, MAP 0 of 3" in said


def test_hartmann6_has_a_second_minimum_that_far_above_the_best():
    starts = np.random.default_rng(0).uniform(size=(30, 6))
    ends = [minimize(lambda x: float(hartmann6(x)), start, bounds=[(0, 1)] * 6).fun for start in starts]
    levels = np.unique(np.round(ends, 3))
    assert levels[1] - levels[0] == pytest.approx(0.119, abs=0.002)
    assert levels[1] - levels[0] > SECOND_BEST
