"""What terms mean: wishes, columns, and values in standardised units."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from unabases import UNA
from unabases.objectives import Term
from unabases.regressors.knowledge.meaning import Scales, columns_of, make_knowledge, numbers_of, read_wish
from unabases.regressors.shared.scaling import Scale
from unabases.terms import Bounds, Diversity, FunctionPrior, Irrelevant, Monotone, Slope, Through
from unabases.terms.space import Columns, make_space

OWN = Term("own", lambda heads, points, key: 0.0)
SPACE = make_space(Columns(None, ((0,), (1,)), (False, False)), np.array([[0.0, 10.0], [4.0, 30.0]]), np.ones(1))
SCALES = Scales(Scale(np.array([2.0, 20.0]), np.array([1.0, 5.0])), Scale(np.array([100.0]), np.array([50.0])))


def test_no_terms_leave_it_to_the_model_whether_heads_follow_and_an_empty_list_is_no_wish():
    assert read_wish(None).prior == FunctionPrior(strength=None)
    assert read_wish([]) == (None, None, ())


def test_statements_are_added_to_the_default_wish_and_other_wishes_replace_it():
    assert read_wish([Monotone(0)]).prior == FunctionPrior()
    assert read_wish([Monotone(0), Diversity()]) == (None, Diversity(), ())
    assert read_wish([OWN]) == (None, None, (OWN,))


@pytest.mark.parametrize(
    ("terms", "said"),
    [
        (Monotone(0), "must be a list"),
        (["monotone"], "neither a term"),
        ([Diversity(), Diversity()], "one `Diversity`"),
    ],
)
def test_what_is_not_a_list_of_terms_is_refused(terms, said):
    with pytest.raises(ValueError, match=said):
        read_wish(terms)


def test_levels_and_differences_have_their_own_units():
    knowledge = make_knowledge([Bounds(50, 200), Monotone(1), Slope(1, 10.0, std=1.0)], SPACE)
    lower, upper = knowledge.limits(Bounds(50, 200), SCALES, 0, 10, np.random.default_rng(0))
    assert (lower.least, upper.least) == (-1.0, -2.0)  # (50 − 100) / 50, and −(200 − 100) / 50
    (rises,) = knowledge.limits(Monotone(1), SCALES, 0, 10, np.random.default_rng(0))
    assert rises.least == 0.0  # the mean of y cancels
    (known,) = knowledge.known(SCALES, np.asarray)
    step = np.diff(known.sums.Z[:, :, 1], axis=1)[:, 0]
    assert_allclose(known.sums.weights[1] * step, 1 / 5)  # per unit of the column, not of its spread
    assert_allclose(known.values, 10.0 / 50)
    assert_allclose(known.std, 1.0 / 50)


def test_a_statement_about_another_output_asks_nothing():
    two = SCALES._replace(y=Scale(np.zeros(2), np.ones(2)))
    knowledge = make_knowledge([Bounds(0, 1, output=1)], SPACE._replace(spread=np.ones(2)))
    assert not knowledge.limits(knowledge.inequalities[0], two, 0, 10, np.random.default_rng(0))
    assert knowledge.limits(knowledge.inequalities[0], two, 1, 10, np.random.default_rng(0))


def test_an_unknown_column_is_refused():
    with pytest.raises(ValueError, match="column 2"):
        make_knowledge([Irrelevant(2)], SPACE)


@pytest.mark.parametrize(("term", "said"), [(Monotone(1), "categories"), (Bounds(0, 1, output=1), "output 1")])
def test_what_cannot_be_asked_is_refused_at_once(term, said):
    space = SPACE._replace(columns=Columns(None, ((0,), (1,)), (False, True)))
    with pytest.raises(ValueError, match=said):
        make_knowledge([term], space)


def test_tables_become_the_numbers_of_the_model():
    table = pd.DataFrame({"dose": [1.0, 2.0, 3.0], "drug": ["A", "B", "A"]})
    model = UNA()
    model._validate_fit(table, np.arange(3.0))
    assert columns_of(model) == (("dose", "drug"), ((0,), (1, 2)), (False, True))
    through = Through({"drug": ["B"], "dose": [5.0]}, 1.0, std=0.1)
    assert numbers_of(model, through.X).tolist() == [[5.0, 0.0, 1.0]]
    with pytest.raises(ValueError, match="lacks the columns drug"):
        numbers_of(model, {"dose": [1.0]})
