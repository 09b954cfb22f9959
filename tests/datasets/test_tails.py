"""Tails by hand and by their properties; a tail is what a gap is not."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis.strategies import floats, integers, lists
from numpy.testing import assert_array_equal

from unabases.datasets import gap_splits, load_uci, make_gap, make_tail, split, tail_splits

TABLES = [
    ("yacht", "froude_number", 102, 14),
    ("concrete", "superplasticizer", 344, 204),
    ("boston", "RM", 168, 1),
]  # and the numbers of held-out rows, and of ties


class TestMakeTail:
    def test_by_hand(self):
        #        row   0  1  2  3  4  5  6  7  8 …
        x = np.array([9, 1, 5, 8, 2, 4, 7, 3, 6, 10, 12, 11.0])
        tail = make_tail(x[:, None], x, column=0)
        assert_array_equal(np.sort(x[tail.tail]), [1, 2, 11, 12])
        assert_array_equal(tail.tail, [1, 4, 10, 11])
        assert_array_equal(tail.not_tail, [0, 2, 3, 5, 6, 7, 8, 9])
        assert (tail.borders, tail.n_ties) == ((3.0, 10.0), 0)

    def test_equal_values_stay_in_order_and_are_counted(self):
        x = np.array([1, 1, 1, 2, 3, 4, 5, 6, 6, 6, 6, 7.0])
        tail = make_tail(x[:, None], x, 0)
        assert_array_equal(tail.tail, [0, 1, 10, 11])
        assert (tail.borders, tail.n_ties) == ((1.0, 6.0), 3)

    @given(lists(integers(0, 6), min_size=6, max_size=40), floats(0.2, 0.6))
    def test_parts_are_complete_disjoint_and_ordered(self, values, fraction):
        x = np.array(values, dtype=float)
        tail, not_tail, (low, high), n_ties = make_tail(x[:, None], x, 0, fraction)
        assert sorted([*tail, *not_tail]) == list(range(len(x)))
        assert abs(len(tail) - fraction * len(x)) <= 1
        assert np.all((x[tail] <= low) | (x[tail] >= high))
        assert np.all((x[not_tail] >= low) & (x[not_tail] <= high))
        assert n_ties == sum(v in set(x[not_tail]) for v in x[tail])

    @given(lists(integers(0, 9), min_size=6, max_size=40))
    def test_the_tails_are_what_a_gap_of_the_rest_keeps(self, values):
        x = np.array(values, dtype=float)
        tail = make_tail(x[:, None], x, 0, 1 / 3)
        gap = make_gap(x[:, None], x, 0, 1 - len(tail.tail) / len(x))
        assert_array_equal(tail.tail, gap.not_gap)
        assert_array_equal(tail.not_tail, gap.gap)

    def test_only_the_column_matters_and_may_be_named(self):
        X = pd.DataFrame(np.random.default_rng(0).normal(size=(30, 3)), columns=["a", "b", "c"], index=range(5, 35))
        by_name, by_position = make_tail(X, np.zeros(30), "b"), make_tail(X.to_numpy(), np.zeros(30), 1)
        assert_array_equal(by_name.tail, by_position.tail)
        assert by_name[2:] == by_position[2:]

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ({"column": 2}, "`column` must be 0 to 1, got 2"),
            ({"y": np.zeros(8)}, "9 rows but `y` has 8"),
            ({"X": np.full((9, 2), np.nan)}, "missing values"),
            ({"fraction": 0.0}, "`fraction`"),
            ({"X": np.zeros((2, 2)), "y": np.zeros(2)}, "2 rows are too few for tails of 0.333 of them: 0 rows"),
            ({"X": np.zeros((2, 2)), "y": np.zeros(2), "fraction": 0.9}, "1 rows would be held out .* and 0 kept"),
        ],
    )
    def test_errors_say_what_is_wrong(self, arguments, message):
        with pytest.raises(ValueError, match=message):
            make_tail(**{"X": np.zeros((9, 2)), "y": np.zeros(9), "column": 0, **arguments})

    @pytest.mark.parametrize(("name", "column", "held_out", "n_ties"), TABLES)
    def test_of_real_tables(self, data_directory, name, column, held_out, n_ties):
        data = load_uci(name, data_directory)
        tail = make_tail(data.X, data.y, data.columns.index(column))
        assert (len(tail.tail), tail.n_ties) == (held_out, n_ties)
        assert len(tail.tail) == 2 * round(data.n / 6)


class TestCleanTail:
    @pytest.mark.parametrize(
        ("values", "held_out", "borders"),
        [
            ([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], [0, 1, 10, 11], (2, 9)),  # no ties: as without
            ([0, 1, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11], [0, 10, 11], (1, 9)),  # half and half: kept
            ([1, 1, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11], [0, 1, 2, 10, 11], (3, 9)),  # mostly outside: held out
            ([0, 0, 0, 0, 0, 5, 6, 7, 8, 9, 10, 11], [10, 11], (0, 9)),  # mostly kept: no tail at that end
        ],
    )
    def test_by_hand(self, values, held_out, borders):
        x = np.array(values, dtype=float)
        tail = make_tail(x[:, None], x, 0, clean=True)
        assert_array_equal(tail.tail, held_out)
        assert (tail.borders, tail.n_ties) == (borders, 0)

    @given(lists(integers(0, 12), min_size=6, max_size=60), floats(0.2, 0.6))
    def test_no_value_is_on_both_sides_and_something_is_kept(self, values, fraction):
        x = np.array(values, dtype=float)
        try:
            tail = make_tail(x[:, None], x, 0, fraction, clean=True)
        except ValueError:
            assume(False)
        assert not set(x[tail.tail]) & set(x[tail.not_tail])
        assert sorted([*tail.tail, *tail.not_tail]) == list(range(len(x)))
        low, high = tail.borders
        assert len(tail.not_tail) > 0
        assert np.all((x[tail.tail] < low) | (x[tail.tail] > high))

    def test_a_column_without_clean_tails_is_refused(self):
        with pytest.raises(ValueError, match=r"no clean tails of 0\.333 of the rows: its 2 values repeat too often"):
            make_tail(np.repeat([0.0, 1.0], 6)[:, None], np.zeros(12), 0, clean=True)


def test_splits_keep_the_tails_out_and_divide_the_rest_like_gaps():
    x = np.random.default_rng(0).normal(size=(90, 2))
    parts = tail_splits(pd.DataFrame(x, columns=["a", "b"]), x.sum(axis=1), "b", k=3)
    assert len(parts) == 3
    tail = make_tail(x, x[:, 0], 1)
    for seed, part in enumerate(parts):
        wanted = split(tail.not_tail, seed)
        assert_array_equal(part.X_train, x[wanted.train])
        assert_array_equal(part.X_val, x[wanted.validation])
        assert_array_equal(part.y_test, x[wanted.test].sum(axis=1))
        assert_array_equal(part.X_gap, x[tail.tail])
        assert part.columns == ("a", "b")
    assert [len(v) for v in parts[0][:8]] == [len(v) for v in gap_splits(x, x[:, 0], 1)[0][:8]]
