import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.linalg import solve_triangular

from unabases.linear.triangular import solve_rows, worthwhile_inverse


def factor(k: int) -> np.ndarray:
    A = np.random.default_rng(k).standard_normal((k, 2 * k))
    return np.linalg.cholesky(A @ A.T)


@pytest.mark.parametrize("k", [1, 5, 150])
def test_both_ways_agree_with_scipy(k):
    L, Phi = factor(k), np.random.default_rng(0).standard_normal((8 * k, k))
    inverse = worthwhile_inverse(L, len(Phi))
    assert inverse is not None
    expected = solve_triangular(L, Phi.T, lower=True).T
    assert_allclose(solve_rows(L, Phi), expected, rtol=1e-9, atol=1e-12)
    assert_allclose(solve_rows(L, Phi, inverse), expected, rtol=1e-9, atol=1e-12)


def test_rows_are_kept_unless_they_may_be_overwritten():
    L, Phi = factor(5), np.random.default_rng(0).standard_normal((20, 5))
    before, inverse = Phi.copy(), worthwhile_inverse(L, 40)
    kept = [solve_rows(L, Phi), solve_rows(L, Phi, inverse)]
    assert_array_equal(Phi, before)
    for by, expected in zip((None, inverse), kept, strict=True):
        rows = before.copy()
        found = solve_rows(L, rows, by, overwrite=True)
        assert_array_equal(found, expected)
        assert np.shares_memory(found, rows)


def test_few_rows_do_not_pay_for_an_inverse():
    assert worthwhile_inverse(factor(5), 39) is None


def test_an_inverse_that_rounding_spoils_is_not_used():
    L = np.tril(np.full((40, 40), -1.0), -1) + np.eye(40) * 0.3  # its inverse has numbers of the order of 1e24
    assert worthwhile_inverse(L, 1000) is None


def test_a_singular_factor_has_no_inverse():
    assert worthwhile_inverse(np.diag([1.0, 0.0]), 1000) is None


def test_what_is_above_the_diagonal_does_not_count():
    L = factor(5)
    inverse = worthwhile_inverse(L + np.triu(np.ones((5, 5)), 1), 100)
    assert_allclose(inverse, np.linalg.inv(L), rtol=1e-9, atol=1e-12)
