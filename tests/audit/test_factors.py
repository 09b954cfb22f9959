import numpy as np
import pandas as pd

from unabases.audit.factors import cross, make_factor


def test_numbers_become_ranges_of_values_that_occur():
    new, reference = pd.Series(np.arange(10.0)), pd.Series(np.arange(10.0, 20.0))
    factor = make_factor("x", new, reference, bins=4)
    assert factor.values == [("0 to 4",), ("5 to 9",), ("10 to 14",), ("15 to 19",)]
    assert np.bincount(factor.codes).tolist() == [5, 5, 5, 5]


def test_few_values_stay_values():
    factor = make_factor("x", pd.Series([1.0, 0.0, 1.0]), None, bins=4)
    assert factor.values == [("0",), ("1",)]
    assert not factor.known


def test_missing_is_a_value():
    for column in (pd.Series([1.0, np.nan, 3.0]), pd.Series(["a", None, "b"], dtype=object)):
        factor = make_factor("x", column, None, bins=4)
        assert "(missing)" in [text for (text,) in factor.values]
        assert len(set(factor.codes)) == 3


def test_ties_do_not_make_empty_ranges():
    factor = make_factor("x", pd.Series([0.0] * 50 + [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]), None, bins=5)
    assert np.bincount(factor.codes, minlength=len(factor.values)).min() > 0


def test_a_pair_is_known_where_both_columns_are_and_keeps_its_parents():
    known = make_factor("x", pd.Series(["a", "b"], dtype=object), pd.Series(["b"], dtype=object), bins=4)
    new = make_factor("y", pd.Series(["c", "c"], dtype=object), None, bins=4)
    pair = cross(known, new)
    assert (pair.columns, pair.values, pair.known) == (("x", "y"), [("a", "c"), ("b", "c")], False)
    part = pair.only(np.array([False, True, True]))
    assert part.codes.tolist() == [1]
    assert [parent.codes.tolist() for parent in part.parents] == [[1, 1], [0]]


def test_days_are_written_as_dates_with_a_time_where_they_have_one():
    days = pd.Series([0.0, 1.0, 20773.0, 20774.0, 20774.5])
    assert make_factor("d", days, None, bins=2, days=True).values == [
        ("1970-01-01 to 2026-11-16",),
        ("2026-11-17 to 2026-11-17 12:00:00",),
    ]
    assert make_factor("d", days, None, bins=5, days=True).values[0] == ("1970-01-01",)
