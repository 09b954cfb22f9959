"""Where statements hold: the columns of a table and the region around its rows."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from unabases.terms.space import Columns, make_space

COLUMNS = Columns(("dose", "drug", "age"), ((0, 1), (2, 3), (4,)), (False, True, False))  # a mark of missing doses
ROWS = np.array([[0.0, 0.0, 1.0, 0.0, 20.0], [10.0, 1.0, 0.0, 1.0, 60.0]])


@pytest.fixture
def space():
    return make_space(COLUMNS, ROWS, np.array([2.0]))


def test_columns_are_found_by_name_and_number():
    assert COLUMNS.find("age") == COLUMNS.find(2) == COLUMNS.find(-1) == 2
    assert COLUMNS.number("age") == 4
    assert COLUMNS.shown_as(0) == "dose"


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda: COLUMNS.find("weight"), "X has dose, drug, age"),
        (lambda: COLUMNS.find(3), "X has 3 columns"),
        (lambda: COLUMNS.number("drug"), "categories"),
        (lambda: COLUMNS._replace(names=None).find("dose"), "no column names"),
    ],
)
def test_a_column_that_is_not_there_or_has_no_order_is_refused(ask, said):
    with pytest.raises(ValueError, match=said):
        ask()


def test_the_region_reaches_a_fifth_beyond_the_rows(space):
    assert_allclose([space.low[0], space.high[0]], [-2.0, 12.0])
    assert_allclose([space.low[4], space.high[4]], [12.0, 68.0])
    assert_allclose(space.width("age"), 56.0)


def test_points_stay_in_the_region_and_categories_stay_those_of_rows(space):
    points = space.points(400, np.random.default_rng(0))
    assert np.all((points >= space.low) & (points <= space.high))
    assert points[:, 0].max() > 11  # beyond the rows
    assert {tuple(levels) for levels in points[:, 2:4]} == {(1.0, 0.0), (0.0, 1.0)}


def test_windows_change_one_column_only_and_its_value_is_there(space):
    windows = space.windows("dose", 3, 500, np.random.default_rng(0))
    assert windows.shape == (3 * 138, 3, 5)  # three lines
    assert np.all((windows[:, :, 0] >= -2.0) & (windows[:, :, 0] <= 12.0))
    assert windows[:, :, 0].min() < -1
    assert windows[:, :, 0].max() > 11
    steps = np.diff(windows[:, :, 0], axis=1)
    assert_allclose(steps[:, 0], steps[:, 1])
    assert_allclose(np.unique(steps.round(9)), np.array([1, 2, 4, 8, 16]) * 14 / 40)
    assert len(np.unique(windows.reshape(-1, 5), axis=0)) == 3 * 40  # they share their points
    assert np.all(windows[:, :, 1] == 0)  # not missing
    assert np.all(np.ptp(windows[:, :, 2:], axis=1) == 0)


def test_places_around_others_are_near_them_and_in_the_region(space):
    here = np.array([[11.9, 0.0, 1.0, 0.0, 40.0]])
    points = space.near(here, 0.02).points(100, np.random.default_rng(0))
    assert np.all((points >= space.low) & (points <= space.high))
    assert np.all(np.abs(points - here) <= 0.02 * 5 * (space.high - space.low))
    assert np.all(points[:, 1:4] == here[:, 1:4])
    windows = space.near(here, 0.02).windows("dose", 2, 100, np.random.default_rng(0))
    assert np.all(np.abs(windows - here)[:, :, 1:] <= 0.02 * 5 * (space.high - space.low)[1:])
    assert windows[:, :, 0].min() < -1.6  # along the whole column


def test_a_column_of_one_value_counts_as_wide():
    space = make_space(Columns(None, ((0,),), (False,)), np.full((3, 1), 4.0), np.ones(1))
    assert_allclose([space.low[0], space.high[0]], [3.5, 4.5])


def test_few_rows_stand_for_many():
    rows = np.arange(1000.0)[:, None]
    space = make_space(Columns(None, ((0,),), (False,)), rows, np.ones(1))
    assert len(space.rows) == 300
    assert_allclose([space.rows[0, 0], space.rows[-1, 0], space.low[0]], [0.0, 999.0, -199.8])
