import datetime
import re
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from unabases.datasets.column_values import (
    as_days,
    as_labels,
    as_numbers,
    far_values,
    kind_of,
    mostly_dates,
    mostly_numbers,
    name_row,
    numbers_if_all,
    show_days,
    written_otherwise,
)


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


@pytest.mark.parametrize(
    "values", [[Decimal(1), Decimal("2.5"), None], [Fraction(1), Fraction(5, 2), None], [1, 2.5, pd.NA]], ids=str
)
def test_numbers_as_objects_are_numbers(values):
    column = pd.Series(values, name="c", dtype=object)
    assert kind_of(column) == "number"
    np.testing.assert_array_equal(as_numbers(column, "t"), [1.0, 2.5, np.nan])


def test_whole_numbers_beyond_64_bits_are_numbers_and_those_beyond_all_floats_are_refused():
    assert as_numbers(pd.Series([2**70, 1], dtype=object, name="c"), "t").tolist() == [2.0**70, 1.0]
    with pytest.raises(ValueError, match="too large to compute with"):
        as_numbers(pd.Series([10**400, 1], dtype=object, name="c"), "t")
    assert numbers_if_all(pd.Series(["1" + 400 * "0", "1", None])).tolist()[:2] == [np.inf, 1.0]
    assert numbers_if_all(pd.Series(["1" + 400 * "0"] * 2)).tolist() == [np.inf, np.inf]
    with pytest.raises(ValueError, match="too large to compute with"):
        as_numbers(pd.Series(["1" + 400 * "0", "1"], name="c"), "t")


def test_dates_of_all_years_are_days_and_shown_again():
    column = pd.Series(["9999-12-31", None, "0001-01-01", "1600-02-29T06:00+06:00"], index=list("abcd"), name="day")
    days = as_days(column, "t.csv")
    assert days.fillna(0.0).to_dict() == {"a": 2932896.0, "b": 0.0, "c": -719162.0, "d": -135081.0}
    assert show_days(days).fillna("").to_dict() == {"a": "9999-12-31", "b": "", "c": "0001-01-01", "d": "1600-02-29"}
    objects = pd.Series([datetime.date(9999, 12, 31), datetime.date(2026, 1, 1)])
    assert as_days(objects, "t.csv").tolist() == [2932896.0, 20454.0]
    assert mostly_dates(pd.Series(["2026-02-28", "9999-12-31", "2026-02-30"])).tolist() == [False, False, True]


def test_text_among_numbers_makes_a_category():
    assert kind_of(pd.Series([1, "2"], dtype=object)) == "category"
    assert kind_of(pd.Series([True, None], dtype=object)) == "category"


@pytest.mark.parametrize("values", [[True], pd.Categorical([1]), [1 + 2j], pd.to_datetime(["2020-01-01"]), ["one"]])
def test_what_is_no_number_is_refused_with_its_row(values):
    with pytest.raises(ValueError, match="column 'a' of t must hold numbers, but row 1 has"):
        as_numbers(pd.Series(values, name="a"), "t")
    with pytest.raises(ValueError, match="Turn it into days"):
        as_numbers(pd.Series(values, name="a"), "t", "Turn it into days.")


def test_rows_are_counted_from_one_or_called_by_their_name():
    assert (name_row(pd.RangeIndex(9), 4), name_row(pd.Index(["x"]), 0)) == ("row 5", "row 'x'")
    assert name_row(pd.Index([2, 7], name="line"), 1) == "line 7"


def test_a_whole_number_is_one_level_however_it_is_written():
    for column in (
        [25, -3],
        [25.0, -3.0],
        ["25", "-3"],
        ["25.0", "-3.00"],
        ["25.", " -3.0 "],
        pd.Categorical([25.0, -3.0]),
    ):
        assert as_labels(pd.Series(column)).tolist() == ["25", "-3"]
    assert as_labels(pd.Series(["-0.0", 0.0, -0.0, 0], dtype=object)).tolist() == ["0"] * 4


@pytest.mark.parametrize("value", [[1, 2], b"x", {"a": 1}, np.ones(2)])
def test_a_cell_with_several_values_or_bytes_is_refused(value):
    column = pd.Series(["a", value], name="tags", dtype=object)
    with pytest.raises(ValueError, match="'tags' of t must hold one value in each cell, but row 2 has"):
        as_labels(column, "t")


def test_the_first_five_wrong_cells_are_named():
    column = pd.Series(["1", *"abcdefg"], name="a", index=pd.Index(range(2, 10), name="line"))
    with pytest.raises(ValueError, match=r"line 3 has 'a', .*, line 7 has 'e' and 2 more"):
        as_numbers(column, "t")


@pytest.mark.parametrize("value", [np.inf, -1e300, 1e151])
def test_numbers_whose_square_is_infinite_are_refused_with_their_cell(value):
    assert as_numbers(pd.Series([1e149, 1.0]), "t").tolist() == [1e149, 1.0]
    with pytest.raises(ValueError, match=f"too large to compute with .*: row 2 has {re.escape(repr(value))}"):
        as_numbers(pd.Series([1.0, value], name="a"), "t")


@pytest.mark.parametrize(
    ("cells", "found"),
    [
        (["31", "42", "unknown", "25"], [2]),
        (["1", "2", "x", None, "y", "3"], [2, 4]),
        (["1", "2", "3"], None),  # all are numbers
        (["1", "1", "1", "a", "b"], None),  # fewer different numbers than others
        (["1", "2", "a", "a", "a"], None),  # fewer numbers than others
        (["a", "b"], None),
    ],
)
def test_a_column_that_is_mostly_numbers_is_noticed(cells, found):
    other = mostly_numbers(pd.Series(cells, dtype="str"))
    assert (None if other is None else np.flatnonzero(other).tolist()) == found


def test_far_values_are_far_by_the_scale_of_the_others():
    ordinary = np.random.default_rng(0).normal(size=200)
    for values, far in (
        (ordinary, 0),
        (np.exp(3 * ordinary), 0),  # a long tail is no mistake
        (1e-200 * ordinary, 0),
        (np.append(ordinary, [1e9, np.nan]), 1),
        (np.append(np.zeros(200), [1.0, 2.0, 3.0]), 0),  # mostly zero
        (np.append(np.zeros(200), [1.0, 2.0, 3.0, 1e12]), 1),
        (np.ones(20), 0),
        (np.full(3, np.nan), 0),
    ):
        assert far_values(pd.Series(values)).sum() == far


def test_letters_with_an_accent_are_the_same_however_they_are_coded():
    assert as_labels(pd.Series(["Z\u00fcrich", "Zu\u0308rich"])).nunique() == 1


@pytest.mark.parametrize(
    ("texts", "what"),
    [
        (["1,5", "2,0", "3,25"], "numbers"),
        (["1,000", "25,000", "1,250,000"], "numbers"),
        (["1 000", "2\u202f500", "30"], "numbers"),
        (["10%", "20 %", "30%"], "numbers"),
        (["$1.50", "$2", "$3"], "numbers"),
        (["\u22121", "\u22122", "3"], "numbers"),
        (["01.02.2026", "17.11.2026", "3.4.2026"], "dates"),
        (["1/31/2026", "12/1/2026", "2/2/2026"], "dates"),
        (["1", "2", "3"], None),
        (["1,5", "2,0"], None),
        (["1-5", "6-10", "11-20"], None),
        (["1.2.3", "1.2.4", "2.0.0"], None),
        (["gas", "oil", "1,5"], None),
    ],
)
def test_numbers_and_dates_that_are_written_otherwise_are_noticed(texts, what):
    found = written_otherwise(pd.Series(texts))
    assert found is None if what is None else found is not None and found.startswith(what)
