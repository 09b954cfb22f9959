"""Statements about what a function cannot do: no sum falls short for functions that obey, some do for others."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from tests.terms.test_equalities import apply
from unabases.terms import Bounds, Convex, Monotone
from unabases.terms.space import Columns, make_space

RNG = np.random.default_rng(0)
SPACE = make_space(Columns(None, ((0,), (1,)), (False, False)), RNG.uniform(-3, 3, (20, 2)), np.ones(1))
ALONE = make_space(Columns(None, ((0,),), (False,)), RNG.uniform(-3, 3, (20, 1)), np.ones(1))


def short(term, f, space=SPACE):
    """The largest shortfall of a function."""
    limits = term.limits(space, 400, np.random.default_rng(0))
    return max(np.max(least - apply(contrasts, f)) for contrasts, least in limits)


@pytest.mark.parametrize(
    ("term", "obeys", "breaks"),
    [
        (Monotone(1), lambda X: X[:, 1] ** 3 + np.sin(X[:, 0]), lambda X: X[:, 1] ** 2),
        (Monotone(1, increasing=False), lambda X: -np.exp(X[:, 1]), lambda X: X[:, 1] ** 2),
        (Convex(0), lambda X: X[:, 0] ** 2 - X[:, 1] ** 2, lambda X: np.sin(X[:, 0])),
        (Convex(0, convex=False), lambda X: -np.exp(X[:, 0]), lambda X: X[:, 0] ** 3),
        (Bounds(-1, 1), lambda X: np.sin(X[:, 0]), lambda X: 1.01 * np.sin(X[:, 0])),
        (Bounds(lower=0), lambda X: X[:, 0] ** 2, lambda X: X[:, 0]),
    ],
)
def test_functions_that_obey_do_not_fall_short(term, obeys, breaks):
    assert short(term, obeys) < 1e-9
    assert short(term, breaks) > 1e-3


def test_a_single_column_is_asked_evenly_and_finely():
    ((contrasts, _),) = Monotone(0).limits(ALONE, 1, np.random.default_rng(0))
    assert contrasts.X.shape == (399, 2, 1)
    assert_allclose(np.diff(contrasts.X[:, 0, 0]), ALONE.width(0) / 400)


@pytest.mark.parametrize("wrong", [{}, {"lower": 2, "upper": 1}, {"lower": 1, "upper": 1}, {"lower": "0"}])
def test_bounds_that_make_no_sense_are_refused(wrong):
    with pytest.raises(ValueError, match="lower"):
        Bounds(**wrong)
