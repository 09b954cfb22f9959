"""Statements about values: their sums vanish, or have the stated value, for functions that obey."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from unabases.terms import Slope, Through
from unabases.terms.space import Columns, make_space

RNG = np.random.default_rng(0)
SPACE = make_space(Columns(None, ((0,), (1,)), (False, False)), RNG.uniform(-3, 3, (20, 2)), np.array([5.0, 1.0]))


def apply(contrasts, f):
    """The sums of a function."""
    m, q, d = contrasts.X.shape
    return f(contrasts.X.reshape(m * q, d)).reshape(m, q) @ contrasts.weights


def test_a_slope_is_that_of_a_line_whatever_else_the_function_does():
    known = Slope(1, value=-2.0, std=0.1).known(SPACE, np.random.default_rng(0))
    assert_allclose(apply(known.contrasts, lambda X: np.sin(X[:, 0]) - 2 * X[:, 1] + 7), known.values[:, 0])
    assert_allclose(known.std, 0.1)


def test_a_slope_of_one_output_says_nothing_about_the_other():
    known = Slope(1, value=-2.0, std=0.1, output=1).known(SPACE, np.random.default_rng(0))
    assert np.all(np.isinf(known.std[:, 0]))
    assert_allclose(known.std[:, 1], 0.1)


def test_values_are_those_at_the_places():
    known = Through([[1.0, 2.0], [3.0, 4.0]], [5.0, 6.0], std=0.5).known(SPACE, np.random.default_rng(0))
    assert_allclose(known.contrasts.X[:, 0], [[1.0, 2.0], [3.0, 4.0]])
    assert_allclose(known.values, [[5.0, 5.0], [6.0, 6.0]])  # of both outputs
    assert_allclose(apply(known.contrasts, lambda X: X[:, 0]), [1.0, 3.0])


def test_tables_and_arrays_become_plain_lists():
    table = pd.DataFrame({"dose": [0.0, 1.0], "drug": ["A", "B"]})
    assert Through(table, np.zeros(2), 1.0) == Through({"dose": [0, 1], "drug": ["A", "B"]}, [0, 0], 1.0)
    assert Through(np.array([1.0, 2.0]), 3, 1.0).X == [[1.0, 2.0]]


def test_each_place_can_have_its_own_std():
    known = Through([[1.0, 2.0], [3.0, 4.0]], 5.0, std=[0.5, 2.0]).known(SPACE, np.random.default_rng(0))
    assert_allclose(known.std, [[0.5, 0.5], [2.0, 2.0]])
    with pytest.raises(ValueError, match="`std` must be a positive number"):
        Through([[1.0, 2.0], [3.0, 4.0]], 5.0, std=[0.5, 0.0])


def test_dates_become_text_that_a_column_of_dates_reads():
    day = pd.Timestamp("2024-05-06")
    table, by_name = Through(pd.DataFrame({"day": [day]}), 0.0, 1.0), Through({"day": [day]}, 0.0, 1.0)
    assert pd.Timestamp(table.X["day"][0]) == pd.Timestamp(by_name.X["day"][0]) == day


def test_a_value_is_needed_for_each_place():
    with pytest.raises(ValueError, match="2 places"):
        Through(np.zeros((2, 2)), [1.0, 2.0, 3.0], 1.0).known(SPACE, np.random.default_rng(0))
