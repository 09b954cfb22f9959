"""Statements that hold for every function of what is shown."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from unabases.terms import Additive, Irrelevant, Periodic, Symmetric
from unabases.terms.space import Columns
from unabases.terms.views import view_of

INCOMPLETE = Columns(("a", "b"), ((0, 1), (2,)), (False, False))  # values of a are missing here and there
COLUMNS = Columns(("a", "b", "kind", "hour"), ((0,), (1,), (2, 3), (4,)), (False, False, True, False))
RNG = np.random.default_rng(0)
X = RNG.uniform(0, 10, (7, 5))


def test_without_statements_everything_is_shown():
    assert view_of([], COLUMNS) is None


def test_an_irrelevant_column_is_not_shown_with_any_of_its_levels():
    assert_allclose(view_of([Irrelevant("kind")], COLUMNS)(X), X[:, [0, 1, 4]])


def test_a_periodic_column_looks_the_same_after_a_period():
    view, later = view_of([Periodic("hour", 24)], COLUMNS), X.copy()
    later[:, 4] += 48
    assert_allclose(view(later), view(X), atol=1e-12)
    later[:, 4] += 5
    assert not np.allclose(view(later), view(X))


def test_symmetric_columns_can_change_places():
    view, swapped = view_of([Symmetric(["a", "b"])], COLUMNS), X[:, [1, 0, 2, 3, 4]]
    assert_allclose(view(swapped), view(X))
    assert_allclose(np.sort(view(X)[:, :2], axis=1), np.sort(X[:, :2], axis=1))


@pytest.mark.parametrize(
    ("terms", "parts"),
    [
        ([Additive(["a"])], (0, 1, 1, 1, 1)),
        ([Additive(["b", "kind"])], (2, 0, 1, 1, 2)),  # the levels of a category stay together
        ([Additive(["b"]), Additive(["a"])], (0, 1, 2, 2, 2)),
        ([Additive()], (0, 1, 2, 2, 3)),
        ([Additive(), Irrelevant("b")], (0, 1, 1, 2)),
        ([Additive(), Symmetric(["a", "b"])], (2, 2, 0, 0, 1)),
        ([Additive(["hour"]), Periodic("hour", 24)], (1, 1, 1, 1, 0, 0)),
        ([Additive(["a"]), *(Irrelevant(other) for other in ("b", "kind", "hour"))], None),  # nothing to add it to
    ],
)
def test_columns_that_add_are_parts_of_their_own(terms, parts):
    view = view_of(terms, COLUMNS)
    assert view.parts == parts
    assert view(X).shape[1] == (1 if parts is None else len(parts))


def test_rows_are_not_changed():
    before = X.copy()
    view_of([Symmetric(["a", "b"]), Irrelevant("hour")], COLUMNS)(X)
    assert_allclose(X, before)


@pytest.mark.parametrize(
    ("terms", "said"),
    [
        ([Irrelevant("a"), Symmetric(["a", "b"])], "the column a is in several"),
        ([Periodic("kind", 2)], "categories"),
        ([Irrelevant(i) for i in range(4)], "nothing to learn from"),
        ([Additive(["a"]), Irrelevant("a")], "the column a is in `Additive`, and in"),
        ([Additive(["a"]), Symmetric(["a", "b"])], "the column a is in `Additive`, and in"),
    ],
)
def test_what_makes_no_sense_is_refused(terms, said):
    with pytest.raises(ValueError, match=said):
        view_of(terms, COLUMNS)


def test_a_period_is_positive():
    with pytest.raises(ValueError, match="`period`"):
        Periodic("hour", 0)


def test_columns_with_missing_values_cannot_change_places():
    with pytest.raises(ValueError, match="'a' is in `Symmetric` and has missing values"):
        view_of([Symmetric(["a", "b"])], INCOMPLETE)
