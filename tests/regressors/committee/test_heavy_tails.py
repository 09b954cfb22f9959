"""Tails chosen on errors whose distribution is known."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import norm, t

from unabases.regressors.committee.heavy_tails import NORMAL, Tails, choose_tails, log_densities
from unabases.regressors.shared.saved_state import SavedState, StateError


@pytest.fixture
def rng():
    return np.random.default_rng(4)


def test_normal_errors_have_no_heavy_tails(rng):
    for n in (5, 50, 500):
        found = choose_tails(rng.standard_normal((n, 1)) ** 2, np.zeros((n, 1)), np.ones((n, 1)))
        assert found is None


def test_the_degrees_of_freedom_and_the_noise_are_found_again(rng):
    n = 4000
    errors = 0.5 * rng.standard_t(4, (n, 1))  # variance 0.25 · 4 / (4 − 2)
    found = choose_tails(errors**2, np.zeros((n, 1)), np.full((n, 1), 0.4))
    assert_array_equal(found.df, [4.0])
    assert_allclose(found.factor * 0.4, 0.5, rtol=0.15)


def test_a_few_outliers_no_longer_widen_the_noise_of_all(rng):
    errors = 0.1 * rng.standard_normal((300, 1))
    errors[:6] += 2.0
    too_large = np.full((300, 1), np.mean(errors**2))
    found = choose_tails(errors**2, np.zeros((300, 1)), too_large)
    assert found.df[0] < 10
    assert found.factor[0] < 1


def test_outputs_are_judged_one_by_one(rng):
    errors = np.stack([rng.standard_normal(800), rng.standard_t(3, 800) / np.sqrt(3)], axis=1)
    found = choose_tails(errors**2, np.zeros((800, 2)), np.ones((800, 2)))
    assert_array_equal(found.df == NORMAL, [True, False])
    assert found.factor[0] == 1.0


def test_epistemic_variance_is_not_taken_for_noise(rng):
    n = 3000
    epistemic = rng.uniform(0, 4, (n, 1))
    errors = np.sqrt(epistemic) * rng.standard_normal((n, 1)) + rng.standard_normal((n, 1))
    assert choose_tails(errors**2, epistemic, np.ones((n, 1))) is None


def test_densities_are_scipys():
    errors, variance = np.array([[0.3], [-2.0]]), np.array([[1.0], [2.0]])
    plain = log_densities(errors**2, variance, variance, None)
    assert_allclose(plain, norm.logpdf(errors, scale=np.sqrt(2 * variance)))
    heavy = log_densities(errors**2, variance, variance, Tails(*np.array([[4.0], [0.5], [4.0]])))
    assert_allclose(heavy, t.logpdf(errors, 4, scale=np.sqrt(1.5 * variance * 2 / 4)))
    df = 1 / (1 / 3 / 4 + 2 / 3 / 2.5)  # two thirds of the variance are epistemic
    mixed = log_densities(errors**2, variance, variance, Tails(*np.array([[4.0], [0.5], [2.5]])))
    assert_allclose(mixed, t.logpdf(errors, df, scale=np.sqrt(1.5 * variance * (df - 2) / df)))


def test_tails_are_those_of_the_noise_on_the_data_and_others_far_away():
    tails = Tails(np.array([20.0, 4.0]), np.ones(2), np.array([3.0, 4.0]))
    ends = tails.at(np.array([[0.0, 0.0], [1e9, 1e9]]), np.ones((2, 2)))
    assert_allclose(ends, [[20.0, 4.0], [3.0, 4.0]], rtol=1e-6)
    assert not tails.alike
    assert tails.of(1).alike


def test_tails_of_early_files_are_the_same_everywhere():
    arrays = {"df": np.array([4.0]), "factor": np.array([0.5])}
    assert_array_equal(Tails.read(SavedState(arrays, {}, p=1)).far, [4.0])
    with pytest.raises(StateError, match="above 2"):
        Tails.read(SavedState(arrays | {"far": np.array([1.5])}, {}, p=1))
