import numpy as np
import pytest
from numpy.testing import assert_array_equal

from unabases.datasets import UCI, load_published_gap, load_standard_split, load_uci


@pytest.mark.parametrize("name", list(UCI))
def test_a_published_gap_holds_out_the_middle(data_directory, name):
    data = load_uci(name, data_directory)
    part = load_published_gap(name, data.columns[0], data_directory)
    assert_array_equal(np.sort(np.concatenate([part.train, part.test])), np.arange(data.n))
    assert_array_equal(part.X_test, data.X[part.test])
    assert_array_equal(part.y_train, data.y[part.train])
    assert abs(len(part.test) - data.n / 3) <= 1
    x_in, x_out = part.X_test[:, 0], part.X_train[:, 0]
    assert np.sum(x_out <= x_in.min()) >= data.n // 3 - 1
    assert np.sum(x_out >= x_in.max()) >= data.n // 3 - 1
    assert not np.any((x_out > x_in.min()) & (x_out < x_in.max()))


def test_a_column_by_name_or_position(data_directory):
    by_name, by_position = (load_published_gap("boston", column, data_directory) for column in ("LSTAT", 12))
    assert_array_equal(by_name.test, by_position.test)
    for column in ("lstat", 13):
        with pytest.raises(ValueError, match=r"LSTAT|0 to 12"):
            load_published_gap("boston", column, data_directory)


@pytest.mark.parametrize("name", list(UCI))
def test_standard_splits_are_a_tenth_each(data_directory, name):
    n_splits = 5 if name == "protein" else 20
    parts = [load_standard_split(name, i, data_directory) for i in (0, n_splits - 1)]
    for part in parts:
        n = len(part.train) + len(part.test)
        assert n == UCI[name].rows
        assert abs(len(part.test) - n / 10) <= 1
        assert not np.intersect1d(part.train, part.test).size
    assert set(parts[0].test) != set(parts[1].test)
    with pytest.raises(ValueError, match=f"0 to {n_splits - 1} for {name}, got {n_splits}"):
        load_standard_split(name, n_splits, data_directory)
