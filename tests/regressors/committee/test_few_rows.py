import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import norm, t

from unabases import UNA
from unabases.regressors.committee.few_rows import heavier_for_few, widen_for_few
from unabases.regressors.committee.heavy_tails import Tails
from unabases.regressors.committee.variances import Variances

CHOSEN = Variances(2.0, np.array([0.5, 0.5]), np.array([0.1, 0.1]), np.array([3.0, 3.0]))


def test_what_was_given_stays_and_many_rows_hardly_change_what_was_chosen():
    some = widen_for_few(CHOSEN, 20, np.array([True, False]))
    assert_allclose(some.sigma2, [0.144, 0.1])
    assert_allclose(some.alpha / some.sigma2, 5.0)  # so that means stay
    assert_array_equal(some.factor, CHOSEN.factor)
    assert_allclose(widen_for_few(CHOSEN, 100_000, np.ones(2, bool)).sigma2, CHOSEN.sigma2, rtol=1e-4)


def test_tails_are_never_lighter_than_the_rows_allow_nor_made_lighter():
    heavy = Tails(np.array([4.0, 1e6]), np.array([0.8, 1.0]), np.array([2.3, 1e6]))
    some = heavier_for_few(heavy, 60, 2)
    assert some is not None
    assert_array_equal(some.df, [4.0, 30.0])
    assert_array_equal(some.far, [2.3, 30.0])
    assert_array_equal(some.factor, heavy.factor)
    assert heavier_for_few(heavy, 10_000, 2) is heavy
    fewest = heavier_for_few(None, 2, 1)
    assert fewest is not None
    assert fewest.df.item() > 2  # a variance there is


def test_intervals_of_a_mean_of_few_numbers_are_about_as_long_as_exact_ones():
    """For n numbers without inputs that matter, the exact interval of one more is Student's, longer by √(1 + 1/n)."""
    n = 30
    exact = t(n - 1).ppf(0.95) * np.sqrt(1 + 1 / n) / norm.ppf(0.95)
    tails = heavier_for_few(None, n, 1)
    assert tails is not None
    df = tails.df.item()
    ours = np.sqrt(widen_for_few(CHOSEN, n, np.ones(2, bool)).sigma2[0] / 0.1)
    ours *= t(df).ppf(0.95) * np.sqrt((df - 2) / df) / norm.ppf(0.95)
    assert 1 < exact < ours < 1.1 * exact  # ours chose more than a mean and a variance


@pytest.mark.parametrize("given", [{}, {"tails": "normal"}, {"sigma2": 0.01}])
def test_a_fit_says_how_much_it_doubts(given):
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, (30, 1))
    model = UNA(max_steps=100, random_state=0, **given).fit(X, X[:, 0] + 0.1 * rng.standard_normal(30))
    if given:
        assert model.tails_ is None
    else:
        assert model.tails_ is not None
        assert model.tails_.df.item() <= 15
