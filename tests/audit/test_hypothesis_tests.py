import numpy as np
import pytest
from scipy import stats

from unabases.audit.hypothesis_tests import _above_others, _holm


def test_the_contrast_is_mann_whitneys():
    rng = np.random.default_rng(0)
    std = rng.exponential(size=60).round(1)  # with ties
    codes = rng.integers(0, 3, 60)
    z = _above_others(std, codes, 3, np.zeros(60, dtype=np.int64))
    for code in range(3):
        inside, outside = std[codes == code], std[codes != code]
        expected = stats.mannwhitneyu(inside, outside, alternative="greater", method="asymptotic").pvalue
        assert stats.norm.sf(z[code]) == pytest.approx(expected, rel=1e-9)


def test_a_group_without_others_has_no_contrast():
    z = _above_others(np.arange(4.0), np.array([0, 0, 1, 1]), 2, np.array([0, 0, 1, 1]))
    assert np.isneginf(z).all()


def test_holm_by_hand():
    np.testing.assert_allclose(_holm(np.array([0.04, 0.01, 0.03, 0.5])), [0.09, 0.04, 0.09, 0.5])
