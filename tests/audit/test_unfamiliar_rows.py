import numpy as np
import pytest
from scipy import stats

from unabases.audit import conformal_p_values
from unabases.audit.unfamiliar_rows import RowCounts, judge_rows


def test_p_values_by_hand():
    p = conformal_p_values(np.array([5.0, 2.0, 0.0]), np.array([1.0, 2.0, 3.0]))
    np.testing.assert_allclose(p, [0.25, 0.75, 1.0])


@pytest.mark.parametrize("lift", [0.0, 1.0, 3.0])
def test_rows_are_those_of_benjamini_and_hochberg(lift):
    rng = np.random.default_rng(0)
    reference = rng.normal(size=500)
    std = np.r_[rng.normal(size=200), lift + rng.normal(size=100)].round(2)
    counts = RowCounts(reference)
    for part in np.array_split(std, 7):
        counts.add(part)
    verdict = judge_rows(counts, 0.1)
    expected = stats.false_discovery_control(conformal_p_values(std, reference)) <= 0.1
    assert ((std > verdict.threshold) == expected).all()
    assert verdict.named == expected.sum()


def test_where_nothing_is_unlike_something_is_named_as_rarely_as_stated():
    named = 0
    for seed in range(500):
        rng = np.random.default_rng(seed)
        counts = RowCounts(rng.normal(size=60))
        counts.add(rng.normal(size=40))
        named += judge_rows(counts, 0.1).named > 0
    assert named <= stats.binom.ppf(0.999, 500, 0.1)


def test_the_false_discovery_rate_is_kept():
    shares = []
    for seed in range(200):
        rng = np.random.default_rng(seed)
        std = np.r_[rng.normal(size=150), 3 + rng.normal(size=50)]
        counts = RowCounts(rng.normal(size=200))
        counts.add(std)
        named = std > judge_rows(counts, 0.2).threshold
        shares.append(named[:150].sum() / max(1, named.sum()))
    assert np.mean(shares) <= 0.2 + 3 * np.std(shares) / np.sqrt(200)
    assert np.mean(shares) > 0.05  # and not by naming nothing


def test_no_rows_and_all_rows():
    counts = RowCounts(np.zeros(10))
    assert judge_rows(counts, 0.1).named == 0
    counts.add(np.ones(5))
    assert judge_rows(counts, 0.1).named == 5
