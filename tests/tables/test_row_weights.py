"""A column of weights leaves the table, with the rows that do not count."""

import numpy as np
import pandas as pd
import pytest

from unabases.tables.row_weights import take_weights

HOMES = pd.DataFrame({"rooms": [3, 5, 4], "count": ["2", "0", "0.5"], "price": [210.0, 305.0, 260.0]}, index=[7, 8, 9])


def test_weights_go_with_their_rows():
    table = take_weights(HOMES, "count")
    assert table.frame.to_dict("list") == {"rooms": [3, 4], "price": [210.0, 260.0]}
    assert table.of(table.frame.iloc[[1]]).tolist() == [0.5]
    assert table.of(table.frame.iloc[::-1]).tolist() == [0.5, 2.0]


def test_without_a_column_each_row_counts_once():
    table = take_weights(HOMES, None)
    assert table.frame is HOMES
    assert table.of(HOMES) is None


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ([1.0, -1.0, 2.0], "column 'count' of t.csv cannot be weights: .* below 0"),
        ([1.0, np.nan, 2.0], "NaN or infinite; use 0 to leave a row out"),
        ([0.0, 0.0, 0.0], "zero for all rows"),
        (["1", "many", "2"], "many"),
    ],
)
def test_what_cannot_be_weights_is_refused_by_name(values, said):
    with pytest.raises(ValueError, match=said):
        take_weights(HOMES.assign(count=values), "count", "t.csv")


def test_an_unknown_column_is_refused_with_the_known_ones():
    with pytest.raises(ValueError, match=r"'counts'; its columns are rooms, count, price.* Do you mean 'count'"):
        take_weights(HOMES, "counts")
