"""Rows that are left out: where they lie, how many they are, and that ties stay together."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from unabases.regressors.shared.left_out import leave_folds_out, leave_slabs_out, one_of_each, stay_together

RNG = np.random.default_rng(0)


def rng():
    return np.random.default_rng(1)


def test_slabs_of_one_column_are_found_by_sorting():
    x = RNG.permutation(60) * 10.0
    rank = np.argsort(np.argsort(x))
    middle, outer, left, right = (slab.rows for slab in leave_slabs_out(x[:, None], 9, rng()))
    assert_array_equal(middle, (rank >= 20) & (rank < 40))
    assert_array_equal(outer, (rank < 10) | (rank >= 50))
    assert_array_equal(left, (rank >= 10) & (rank < 30))
    assert_array_equal(right, (rank >= 30) & (rank < 50))


def test_in_turn_the_middle_and_the_ends_along_columns_and_directions():
    X = RNG.normal(size=(90, 3)) * [1, 1000, 1e-3]
    slabs = leave_slabs_out(X, 8, rng(), ["a", "b", "c"])
    assert [slab.kind for slab in slabs] == ["slab"] * 8
    assert [slab.where.split(" of ")[0] for slab in slabs] == ["middle third", "outer sixths"] * 4
    assert [slab.where.endswith("a random direction") for slab in slabs] == [False, False, True, True] * 2
    assert [int(slab.rows.sum()) for slab in slabs] == [30] * 8
    along = X[:, "abc".index(slabs[0].where[-1])]
    inside = slabs[0].rows
    assert along[inside].min() > np.sort(along[~inside])[29]
    assert along[inside].max() < np.sort(along[~inside])[30]


def test_units_do_not_matter_to_random_directions():
    X = RNG.normal(size=(50, 2))
    for one, other in zip(leave_slabs_out(X, 4, rng()), leave_slabs_out(X * [1e6, 1e-6] + 3, 4, rng()), strict=True):
        assert_array_equal(one.rows, other.rows)


@pytest.mark.parametrize("values", [5, 7, 12])
def test_rows_with_the_same_value_stay_together(values):
    X = RNG.integers(values, size=(100, 2)).astype(float)
    for slab in leave_slabs_out(X, 2, rng()):
        column = X[:, int(slab.where[-1])]
        assert not set(column[slab.rows]) & set(column[~slab.rows])


def test_constant_and_binary_columns_and_gaps_in_the_table_are_not_cut():
    good = RNG.normal(size=60)
    X = np.column_stack([np.ones(60), good > 0, np.where(good > 2, np.nan, RNG.normal(size=60)), good])
    X[0, 2] = np.nan
    slabs = leave_slabs_out(X, 4, rng())
    assert [slab.where.split(" of ")[1] for slab in slabs] == ["column 3"] * 4
    assert leave_slabs_out(X[:, :3], 4, rng()) == []


def test_a_column_in_which_one_value_prevails_gives_fewer_slabs():
    x = np.where(np.arange(100) < 94, 0.0, np.arange(100.0))
    assert {slab.where for slab in leave_slabs_out(x[:, None], 4, rng())} == {"outer sixths of column 0"}


@pytest.mark.parametrize(("n", "slabs"), [(19, 0), (20, 4)])
def test_slabs_start_at_twenty_rows(n, slabs):
    assert len(leave_slabs_out(np.arange(float(n))[:, None], 4, rng())) == slabs


def test_folds_hold_every_row_once():
    folds = leave_folds_out(23, 4, rng())
    assert_array_equal(np.sum([fold.rows for fold in folds], axis=0), np.ones(23))
    assert {int(fold.rows.sum()) for fold in folds} == {5, 6}
    assert [fold.where for fold in folds] == [f"fold {k} of 4" for k in (1, 2, 3, 4)]


@pytest.mark.parametrize(("n", "asked", "made"), [(10, 0, 0), (10, 1, 0), (5, 10, 2), (3, 2, 0)])
def test_folds_are_two_at_least_or_none(n, asked, made):
    assert len(leave_folds_out(n, asked, rng())) == made


def repeated(different: int, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows with some different inputs, each with a target of its own."""
    which = RNG.integers(different, size=n)
    return RNG.normal(size=(different, 2))[which], RNG.normal(size=(n, 1))


def test_rows_with_the_same_inputs_are_in_the_same_fold_where_they_are_the_exception():
    X, y = repeated(200, 150)
    together = stay_together(X, y)
    for fold in leave_folds_out(150, 5, rng(), together=together):
        assert not {*map(tuple, X[fold.rows])} & {*map(tuple, X[~fold.rows])}
        assert 15 <= fold.rows.sum() <= 45
    _, by_row = np.unique(X, axis=0, return_inverse=True)
    assert len({*zip(together.tolist(), by_row.tolist(), strict=True)}) == together.max() + 1 == by_row.max() + 1


def test_rows_of_a_design_stand_alone_unless_all_of_them_are_copies():
    X, y = repeated(20, 150)
    assert_array_equal(stay_together(X, y), np.arange(150))
    assert stay_together(X, X[:, :1]).max() + 1 == len(np.unique(X, axis=0))
    assert_array_equal(stay_together(np.sign(X[:, :1]), 0 * y), np.arange(150))  # two inputs make no folds


def test_rows_without_repeats_are_left_out_as_ever():
    X = RNG.normal(size=(40, 2))
    together = stay_together(X, X)
    assert_array_equal(together, np.arange(40))
    for one, other in zip(leave_folds_out(40, 3, rng()), leave_folds_out(40, 3, rng(), together=together), strict=True):
        assert_array_equal(one.rows, other.rows)


def test_one_of_each_that_stay_together():
    assert_array_equal(one_of_each(np.array([3, 1, 0, 2, 4]), np.array([0, 1, 0, 1, 2])), [3, 0, 4])
