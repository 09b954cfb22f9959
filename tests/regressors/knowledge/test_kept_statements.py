"""How well statements are kept, and when the data contradict them."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import chi2

from tests.regressors.knowledge.test_obeying_functions import POSTERIOR, features, rises
from unabases import linear
from unabases.regressors.knowledge.kept_statements import (
    Kept,
    MemberFunctions,
    chance_of_limits,
    keeps_limits,
    keeps_values,
    warn_if_contradicted,
)
from unabases.regressors.knowledge.known_values import KnownDesign, Sums
from unabases.regressors.knowledge.obeying_functions import Limits

LIMITS = rises(4, np.random.default_rng(0))
EYE = linear.condition(np.zeros((0, 10)), np.zeros(0), alpha=1.0, sigma2=1.0)  # ten weights, N(0, 1)
RISES = [Limits(Sums(np.stack([np.zeros(10), np.arange(1.0, 11)], axis=1)[:, :, None], np.array([-1.0, 1.0])), 0.0)]
ABOVE_ONE = [Limits(Sums(np.arange(1.0, 11)[:, None, None], np.ones(1)), 1.0)]


def apart(Z):
    """Ten features, of which each is 1 at one place and 0 elsewhere."""
    return (np.arange(1.0, 11) == Z).astype(float)


def functions(*slopes, mean=0.0):
    W = np.array([[slope, 0.0] for slope in slopes])
    return MemberFunctions(features, POSTERIOR._replace(m=np.array([mean, 0.0])), W)


def test_the_share_and_the_size_of_what_is_broken():
    kept = keeps_limits("rises", LIMITS, [functions(1.0, -2.0), functions(3.0, -0.05)])
    assert kept.broken == 0.25  # by 0.2; the last falls by 0.005 only
    assert_allclose(kept.by, (0.2 + 0.005) / 4)


def test_a_slope_far_below_zero_contradicts_what_should_rise():
    agrees, differs = (keeps_limits("rises", LIMITS, [functions(0.0, mean=mean)]).chance for mean in (1.0, -5.0))
    assert agrees == 1.0
    assert differs < 1e-5


def test_values_are_kept_within_two_stds():
    design = KnownDesign(np.array([[1.0, 0.0]]), np.array([[2.0]]), np.array([[0.5]]))
    kept = keeps_values("through", [design], 0, [functions(2.1, 3.5)], 0.3)
    assert kept == Kept("'through'", 0.5, pytest.approx(0.8), 0.3)


def test_a_warning_names_what_is_contradicted():
    with pytest.warns(UserWarning, match="the data contradict Monotone"):
        warn_if_contradicted([Kept("Bounds(0)", 0.0, 0.0, 0.4), Kept("Monotone(0)", 0.0, 0.0, 1e-5)])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_if_contradicted([Kept("Bounds(0)", 0.0, 0.0, 0.01)])


def test_a_warning_says_what_is_not_kept():
    with pytest.warns(UserWarning, match=r"90 % of functions break Through\(0\), by 1.5 standard deviations"):
        warn_if_contradicted([Kept("Through(0)", 0.9, 1.5, 0.4)])


def test_the_opposite_speaks_where_many_inequalities_hold():
    falls = EYE._replace(m=np.full(10, -1.5))
    assert_allclose(chance_of_limits(apart, falls, RISES), np.exp(-0.5 * 10 * 1.5**2))
    assert chi2.sf(10 * 1.5**2, 10) > 1e-2


def test_what_is_neither_speaks_against_both():
    neither = EYE._replace(m=np.array([-4.0, 4.0] * 5))
    assert_allclose(chance_of_limits(apart, neither, RISES), chi2.sf(5 * 16, 5))


def test_a_bound_has_no_opposite():
    low = EYE._replace(m=np.full(10, -1.5))
    assert_allclose(chance_of_limits(apart, low, ABOVE_ONE), chi2.sf(10 * 2.5**2, 10))


def test_what_obeys_is_no_surprise():
    assert chance_of_limits(apart, EYE._replace(m=np.full(10, 2.0)), RISES) == 1.0
