import numpy as np
import pytest

from unabases.regressors.committee.heavy_tails import NORMAL
from unabases.regressors.committee.members import Split
from unabases.regressors.committee.repeat_noise import find_repeat_noise
from unabases.regressors.committee.variances import Moments, Variances
from unabases.regressors.shared.weights import WeightedRows

N = 400


def judged(shared: float, between: float, different: int = 150, odd: int = 0, heavier: bool = True, seed: int = 0):
    """What is found of rows around a function that is 0, which a member with one useless feature knows."""
    rng = np.random.default_rng(seed)
    inputs, own = rng.standard_normal((different, 2)), shared * rng.standard_normal((different, 1))
    which = rng.integers(different, size=N)
    rows = WeightedRows(inputs[which], own[which] + between * rng.standard_normal((N, 1)))
    rows.y[:odd] += 3.0
    split = Split(np.arange(N // 2, N), np.arange(N // 2))
    out = rows.take(split.out)
    zero = np.zeros((len(out.X), 1))
    member = Moments(np.ones((1, 1)), np.zeros((1, 1)), zero, zero[:, 0], out.y, 1, np.ones(len(zero)))
    chosen = Variances(1.0, np.ones(1), np.array([shared**2 + between**2]), np.ones(1))
    return find_repeat_noise([member], [split], rows, chosen, heavier=heavier)


@pytest.mark.parametrize(("shared", "between"), [(1.0, 0.5), (1.0, 0.1), (2.0, 1.0)])
def test_the_share_of_the_noise_between_rows_is_found(shared, between):
    found = judged(shared, between)
    truth = between**2 / (shared**2 + between**2)
    assert truth / 2 < found.share[0] < 2 * truth  # the grid has steps of 1.8


def test_nothing_is_found_where_nothing_is_shared_or_nothing_repeats():
    assert judged(0.0, 1.0) is None
    assert judged(1.0, 0.1, different=10**6) is None


def test_few_rows_that_agree_prove_nothing():
    assert judged(1.0, 0.0, different=20_000) is None


def test_chance_is_no_reason_to_remember():
    """Some hundred tables in which a few rows have the same inputs, and nothing in common."""
    found = [judged(0.0, 1.0, different=2000, seed=seed) for seed in range(1, 121)]
    assert sum(one is not None for one in found) <= 2


def test_copies_are_nearly_exact_and_tails_expect_one_that_is_not():
    found = judged(1.0, 0.0)
    assert found.share[0] < 1e-7
    assert found.df[0] == 3
    careful = judged(1.0, 0.0, heavier=False)
    assert careful.df[0] == NORMAL
    assert careful.share[0] > 1e-3  # as if one of some hundred rows differed


def test_rows_that_differ_now_and_then_are_expected_by_tails():
    found = judged(1.0, 0.05, odd=4)
    assert found.df[0] <= 4
    assert found.share[0] < 0.2
