"""Features that nearly repeat each other, against exact arithmetic."""

import warnings
from fractions import Fraction

import numpy as np
import pytest
from numpy.testing import assert_allclose

from unabases.linear import IllConditionedWarning, accumulate, condition, condition_on, predict
from unabases.linear.conditioning import equivalent_rows, triangularise, trusted_cholesky


def exact(Phi, y, new, alpha, sigma2):
    """Mean and variance of f at new rows, in rational arithmetic."""
    F = np.vectorize(Fraction, otypes=[object])
    Phi, y, new = F(Phi), F(y), F(new)
    k = Phi.shape[1]
    A = Phi.T @ Phi / Fraction(sigma2) + F(np.eye(k)) / Fraction(alpha)
    table = np.column_stack([A, Phi.T @ y / Fraction(sigma2), new.T])
    for i in range(k):  # Gauss-Jordan; a positive definite matrix needs no pivoting in exact arithmetic
        table[i] = table[i] / table[i, i]
        for j in set(range(k)) - {i}:
            table[j] = table[j] - table[j, i] * table[i]
    return (new @ table[:, k]).astype(float), (new.T * table[:, k + 1 :]).sum(axis=0).astype(float)


def hard_features(name, c):
    rng = np.random.default_rng(3)
    x, z, one, dead = rng.normal(size=12), rng.normal(size=12), np.ones(12), np.zeros(12)
    return {
        "duplicate": np.column_stack([c * x, c * x, one]),
        "duplicate apart": np.column_stack([one, z, c * x, dead, c * x]),
        "nearly duplicate": np.column_stack([x, c * x, c * x + z, z]),
        "mixed scales": np.column_stack([x / c, c * z, one]),
    }[name]


HARD = pytest.mark.parametrize("name", ["duplicate", "duplicate apart", "nearly duplicate", "mixed scales"])


@HARD
@pytest.mark.parametrize(("c", "rtol"), [(1.0, 1e-10), (1e4, 1e-8), (1e8, 1e-6), (1e12, 4e-3)])
def test_hard_features_agree_with_exact_arithmetic(name, c, rtol):
    Phi = hard_features(name, c)
    y = np.sin(np.arange(12.0))
    new = np.concatenate([Phi[:3], np.random.default_rng(4).normal(size=(2, Phi.shape[1]))])
    mean, variance = exact(Phi, y, new, 1.0, 0.25)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        predicted, predicted_variance = predict(condition(Phi, y, alpha=1.0, sigma2=0.25), new)
    assert_allclose((predicted - mean) / np.sqrt(variance), 0, atol=rtol)
    assert_allclose(predicted_variance, variance, rtol=rtol)


@pytest.mark.parametrize("c", [1.0, 1e8, 1e12])
@pytest.mark.parametrize("name", ["duplicate", "duplicate apart"])
def test_statistics_of_duplicated_features_warn_and_stay_right(name, c):
    Phi, y = hard_features(name, c), np.sin(np.arange(12.0))
    mean, variance = exact(Phi, y, Phi, 1.0, 0.25)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        predicted, predicted_variance = predict(condition_on(accumulate(Phi, y), alpha=1.0, sigma2=0.25), Phi)
    assert [w.category for w in caught] == ([] if c == 1.0 else [IllConditionedWarning])
    assert_allclose(predicted, mean, rtol=1e-4, atol=1e-4)
    assert_allclose(predicted_variance, variance, rtol=1e-4)


def test_what_statistics_lost_to_rounding_is_said_and_never_makes_the_model_surer():
    Phi, y = hard_features("nearly duplicate", 1e10), np.sin(np.arange(12.0))
    probe = np.array([[0.0, 1.0, -1.0, 0.0]])  # the difference of the two features that look equal
    variance = exact(Phi, y, probe, 1.0, 0.25)[1]
    with pytest.warns(IllConditionedWarning, match=r"rescale very large ones.*`condition`"):
        posterior = condition_on(accumulate(Phi, y), alpha=1.0, sigma2=0.25)
    assert (predict(posterior, probe)[1] >= variance * (1 - 1e-6)).all()


def test_collinear_features_and_hardly_any_prior_give_a_warning():
    Phi = hard_features("duplicate", 1e12)
    with pytest.warns(IllConditionedWarning, match="smaller `alpha`"):
        posterior = condition(Phi, np.ones(12), alpha=1e12, sigma2=1e-6)
    assert all(np.isfinite(part).all() for part in predict(posterior, Phi))


def test_features_whose_squares_overflow_still_condition():
    Phi, y = 1e200 * np.array([[1.0], [2.0]]), np.array([1.0, 2.0])
    mean, variance = predict(condition(Phi, y, alpha=1.0, sigma2=1.0), Phi)
    assert_allclose(mean, y)
    assert_allclose(variance, np.array([1.0, 4.0]) / 5)


def test_a_cholesky_factor_is_trusted_only_where_the_scaled_matrix_is_well_conditioned():
    scales = np.diag([1.0, 1e12])
    A = scales @ np.array([[2.0, 1.0], [1.0, 2.0]]) @ scales  # a condition number of 1e24, but of 3 once scaled
    L = trusted_cholesky(A)
    assert L is not None
    assert_allclose(L @ L.T, A)
    assert trusted_cholesky(np.array([[1.0, 1.0], [1.0, 1.0 + 1e-13]])) is None
    assert trusted_cholesky(np.array([[1.0, 2.0], [2.0, 1.0]])) is None  # not positive definite
    assert trusted_cholesky(np.array([[np.inf, 0.0], [0.0, 1.0]])) is None


def test_triangular_rows_have_the_same_gram_matrix_and_least_squares():
    rng = np.random.default_rng(0)
    rows, targets = rng.normal(size=(9, 3)), rng.normal(size=9)
    L, m = triangularise(rows, targets)
    assert_allclose(L @ L.T, rows.T @ rows)
    assert np.all(np.diag(L) > 0)
    assert_allclose(m, np.linalg.lstsq(rows, targets)[0])


@pytest.mark.parametrize("n", [2, 4, 30])
def test_equivalent_rows_have_the_statistics_they_are_made_of(n):
    rng = np.random.default_rng(n)
    Phi, y = rng.normal(size=(n, 4)), rng.normal(size=(n, 2))
    rows, targets = equivalent_rows(Phi.T @ Phi, Phi.T @ y)
    assert len(rows) == min(n, 4)
    assert_allclose(rows.T @ rows, Phi.T @ Phi, atol=1e-12)
    assert_allclose(rows.T @ targets, Phi.T @ y, atol=1e-12)
