"""Whether data speak against what a model is shown: a wrong statement is doubted, a right one is not."""

import numpy as np
import pytest

from unabases.regressors.knowledge.doubted_views import chances_of_shown
from unabases.regressors.knowledge.meaning import make_knowledge
from unabases.regressors.shared.weights import WeightedRows
from unabases.terms import Additive, Bounds, FunctionPrior, Irrelevant, Periodic, Symmetric
from unabases.terms.space import Columns, make_space

RNG = np.random.default_rng(0)
X = RNG.uniform(-2, 2, (40, 3))
F = np.sin(2 * X[:, 0]) + np.sin(2 * X[:, 1]) + X[:, 0] * X[:, 1]  # the first two columns can change places
Y = (F + 0.2 * RNG.standard_normal(40))[:, None]


def chances(terms, y=Y, weight=None):
    space = make_space(Columns(None, ((0,), (1,), (2,)), (False,) * 3), X, y.std(axis=0))
    return chances_of_shown(make_knowledge(terms, space), WeightedRows(X, y, weight))


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (Symmetric([0, 1]), Symmetric([0, 2])),
        (Irrelevant(2), Irrelevant(1)),
        (Periodic(0, 2 * np.pi), Periodic(0, 1.0)),
        (FunctionPrior(length_scale={0: 1.0, 1: 1.0}), FunctionPrior(length_scale=0.1, amplitude=0.1)),
    ],
)
def test_what_is_wrong_is_doubted_and_what_is_right_is_not(right, wrong):
    y = np.sin(X[:, [0]]) + 0.1 * RNG.standard_normal((40, 1)) if isinstance(right, Periodic) else Y
    assert chances([right], y)[repr(right)] > 0.1
    assert chances([wrong], y)[repr(wrong)] < 1e-3


def test_columns_that_interact_are_not_taken_for_a_sum():
    added = Y + np.sin(2 * X[:, [2]])
    assert chances([Additive([2])], added)[repr(Additive([2]))] > 0.1
    assert chances([Additive([1])], added)[repr(Additive([1]))] < 1e-3


def test_of_several_statements_the_wrong_one_is_doubted():
    found = chances([Irrelevant(1), Irrelevant(2), Bounds(-9, 9)])
    assert list(found) == [repr(Irrelevant(1)), repr(Irrelevant(2))]  # an inequality is put to another test
    assert found[repr(Irrelevant(1))] < 1e-3 < 0.1 < found[repr(Irrelevant(2))]


def test_outputs_and_weights_count():
    once = chances([Irrelevant(1)])[repr(Irrelevant(1))]
    twice = chances([Irrelevant(1)], np.hstack([Y, Y]))[repr(Irrelevant(1))]
    np.testing.assert_allclose(np.log(twice), 2 * np.log(once))
    few = np.where(np.arange(40) < 8, 1.0, 1e-6)
    assert chances([Irrelevant(1)], weight=few)[repr(Irrelevant(1))] > once


def test_nothing_is_fitted_where_nothing_can_be_doubted():
    assert chances([FunctionPrior(), Bounds(-9, 9)]) == {}
