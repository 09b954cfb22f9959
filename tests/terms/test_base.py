"""What all statements share."""

import pytest

from unabases.terms import Bounds, Convex, Monotone, Slope, Symmetric
from unabases.terms.base import check_number


def test_a_statement_speaks_of_all_outputs_or_of_one():
    assert Bounds(0, 1).outputs(3) == [0, 1, 2]
    assert Bounds(0, 1, output=-1).outputs(3) == [2]
    with pytest.raises(ValueError, match="output 3, but y has 3"):
        Bounds(0, 1, output=3).outputs(3)


@pytest.mark.parametrize("column", [1.5, None, True, ["dose"]])
def test_what_cannot_be_a_column_is_refused(column):
    with pytest.raises(ValueError, match="`column`"):
        Monotone(column)


@pytest.mark.parametrize("columns", ["ab", 3, ["a"], ["a", "a"]])
def test_what_cannot_be_several_columns_is_refused(columns):
    with pytest.raises(ValueError, match="`columns`"):
        Symmetric(columns)


@pytest.mark.parametrize("value", [0.0, -1, float("nan"), "1", True])
def test_a_positive_number_is_asked_for(value):
    with pytest.raises(ValueError, match="`std` must be a positive number"):
        check_number("std", value, positive=True)


def test_a_sign_is_not_taken_for_true():
    with pytest.raises(ValueError, match="`increasing` must be True or False"):
        Monotone("dose", "-")
    with pytest.raises(ValueError, match="`convex` must be True or False"):
        Convex("dose", "-")


@pytest.mark.parametrize("output", ["yield", 0.5, True])
def test_what_cannot_be_an_output_is_refused(output):
    for make in (lambda: Bounds(0, 1, output), lambda: Monotone(0, True, output), lambda: Slope(0, 1.0, 1.0, output)):
        with pytest.raises(ValueError, match="`output`"):
            make()
