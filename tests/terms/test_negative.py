import numpy as np
import pytest
from numpy.testing import assert_allclose

from unabases.terms import Bounds, Convex, FunctionPrior, Irrelevant, Monotone, Periodic, Slope, Symmetric, Through
from unabases.terms.negative import negative_of
from unabases.terms.space import Columns, make_space

SPACE = make_space(
    Columns(None, ((0,), (1,)), (False, False)), np.random.default_rng(0).uniform(size=(20, 2)), np.ones(1)
)


def f(X):
    return X[..., 0] ** 2 + X[..., 1]


@pytest.mark.parametrize("term", [Monotone(1), Convex(0), Bounds(-0.5, 4.0), Bounds(lower=-0.5), Bounds(upper=4.0)])
def test_the_negative_of_a_function_obeys_what_is_turned_around(term):
    for one, sign in ((term, 1.0), (negative_of(term), -1.0)):
        for contrasts, least in one.limits(SPACE, 200, np.random.default_rng(0)):
            assert np.all(sign * f(contrasts.X) @ contrasts.weights >= least - 1e-12)
    assert negative_of(negative_of(term)) == term


@pytest.mark.parametrize("term", [Slope(1, 2.0, std=0.1), Through([[0.0, 1.0], [2.0, 1.0]], [1.0, 3.0], std=0.2)])
def test_known_values_change_their_sign(term):
    own, other = (one.known(SPACE, np.random.default_rng(0)) for one in (term, negative_of(term)))
    assert_allclose(own.values, -other.values)
    assert_allclose(own.std, other.std)
    assert negative_of(negative_of(term)) == term


@pytest.mark.parametrize("term", [Symmetric([0, 1]), Periodic(0, 2.0), Irrelevant(1), FunctionPrior(), len])
def test_what_knows_no_sign_stays(term):
    assert negative_of(term) is term
