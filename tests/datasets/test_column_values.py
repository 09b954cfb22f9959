import numpy as np
import pandas as pd
import pytest

from unabases.datasets.column_values import as_labels, as_numbers, kind_of, name_row


def test_labels_are_the_same_however_they_are_stored():
    same = [pd.Series([True, False]), pd.Series(["true", "FALSE"]), pd.Series([True, False], dtype=object)]
    assert all(as_labels(column).tolist() == ["True", "False"] for column in same)
    assert as_labels(pd.Series([1.0, None, 2.5])).tolist() == ["1", None, "2.5"]
    assert as_labels(pd.Series(["1.0", "-2.00", "1.10", "07", "v1.0"])).tolist() == ["1", "-2", "1.10", "07", "v1.0"]
    assert as_numbers(pd.Series(["1", None]), "t").isna().tolist() == [False, True]


def test_text_booleans_and_categories_are_categories():
    kinds = {"category": [["a"], [True], pd.Categorical([1.0]), [None, True]], "number": [[1], [0.5], [1 + 2j]]}
    for kind, columns in kinds.items():
        assert [kind_of(pd.Series(column)) for column in columns] == [kind] * len(columns)


@pytest.mark.parametrize("dtype", ["int8", "float32", "Int64", "str", "object"])
def test_numbers_are_float64_however_they_are_stored(dtype):
    numbers = as_numbers(pd.Series([1, 2]).astype(dtype), "t")
    assert numbers.dtype == np.float64
    assert numbers.tolist() == [1, 2]


@pytest.mark.parametrize("values", [[True], pd.Categorical([1]), [1 + 2j], pd.to_datetime(["2020-01-01"]), ["one"]])
def test_what_is_no_number_is_refused_with_its_row(values):
    with pytest.raises(ValueError, match="column 'a' of t must hold numbers, but row 1 has"):
        as_numbers(pd.Series(values, name="a"), "t")


def test_rows_are_counted_from_one_or_called_by_their_name():
    assert (name_row(pd.RangeIndex(9), 4), name_row(pd.Index(["x"]), 0)) == ("row 5", "row 'x'")
    assert name_row(pd.Index([2, 7], name="line"), 1) == "line 7"
