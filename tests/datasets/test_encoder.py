"""How columns become numbers; tests/datasets/test_schema.py has the rules for tables with a target."""

import datetime
import re
import warnings

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from sklearn.preprocessing import OneHotEncoder

from unabases.datasets.encoder import Column, columns_from, describe_columns, learn_encoder, refuse_unknown

FRAME = pd.DataFrame(
    {
        "rooms": [3.0, np.nan, 5.0, 4.0],
        "heating": ["oil", "gas", None, "oil"],
        "built": pd.to_datetime(["1970-01-03", "1970-01-01", "1970-01-02", None]),
    }
)


def test_columns_of_every_kind_become_the_numbers_that_a_person_would_write():
    encoder = learn_encoder(FRAME, missing="impute")
    names = ["rooms", "rooms=missing", "heating=gas", "heating=oil", "heating=missing", "built", "built=missing"]
    assert list(encoder.columns) == names
    encoded = encoder.encode(FRAME)
    assert_array_equal(encoded.X, [
        [3, 0, 0, 1, 0, 2, 0],
        [4, 1, 1, 0, 0, 0, 0],
        [5, 0, 0, 0, 1, 1, 0],
        [4, 0, 0, 1, 0, 1, 1],
    ])  # fmt: skip
    assert_array_equal(encoded.absent, FRAME.isna())
    assert not encoder.numeric


def test_categories_are_those_of_scikit_learn():
    frame = pd.DataFrame({"a": np.random.default_rng(0).choice(["x", "z", "y"], 30)})
    by_hand = OneHotEncoder(sparse_output=False, handle_unknown="ignore").fit(frame)
    encoder = learn_encoder(frame)
    new = pd.DataFrame({"a": ["z", "new", "x"]})
    assert_array_equal(encoder.encode(frame).X, by_hand.transform(frame))
    assert_array_equal(encoder.encode(new).X, by_hand.transform(new))


def test_hiding_a_value_is_what_a_missing_one_becomes():
    encoder = learn_encoder(FRAME, missing="impute")
    X = encoder.encode(FRAME).X
    for place, name in enumerate(FRAME):
        without = FRAME.assign(**{name: pd.Series([None] * 4, dtype=FRAME[name].dtype)})
        assert_array_equal(encoder.hide(X, place), encoder.encode(without).X)


def test_some_rows_can_be_taken():
    encoded = learn_encoder(FRAME, missing="impute").encode(FRAME)
    some = encoded.take(np.array([2, 0]))
    assert_array_equal(some.X, encoded.X[[2, 0]])
    assert_array_equal(some.absent, encoded.absent[[2, 0]])
    assert some.usable.tolist() == [True, True]


@pytest.mark.parametrize(
    "days",
    [
        pd.Series(pd.date_range("2026-01-01", periods=60)),
        pd.Series(pd.date_range("2026-01-01", periods=60, tz="UTC")),
        pd.Series(pd.date_range("2026-01-01", periods=60).date),
        pd.Series(pd.date_range("2026-01-01", periods=60).strftime("%Y-%m-%d")),
    ],
    ids=["datetime", "zone", "python", "text"],
)
def test_dates_are_days_however_they_are_stored(days):
    encoder = learn_encoder(pd.DataFrame({"day": days}))
    first = (datetime.date(2026, 1, 1) - datetime.date(1970, 1, 1)).days
    assert encoder.inputs[0].kind == "date"
    assert_array_equal(encoder.encode(pd.DataFrame({"day": days})).X[:, 0], first + np.arange(60))
    assert encoder.encode(pd.DataFrame({"day": ["1970-01-02"]})).X.tolist() == [[1.0]]


def test_a_few_dates_written_as_text_are_dates_unless_they_are_called_a_category():
    """With a level for each date, a later one would be unknown."""
    table = pd.DataFrame({"day": ["2026-01-01", "2026-01-02"]})
    assert learn_encoder(table).inputs[0].kind == "date"
    assert learn_encoder(table, categories=["day"]).inputs[0].kind == "category"
    assert learn_encoder(table.astype("category")).inputs[0].kind == "category"


def test_what_is_no_date_is_refused_with_its_row():
    encoder = learn_encoder(pd.DataFrame({"day": pd.to_datetime(["2026-01-01", "2026-01-02"])}))
    with pytest.raises(ValueError, match=r"'day' of new.csv must hold dates such as .*, but row 2 has 'May'"):
        encoder.encode(pd.DataFrame({"day": ["2026-01-01", "May"]}), "new.csv")


@pytest.mark.parametrize("n", [10, 60])
def test_one_wrong_cell_among_dates_is_named(n):
    days = pd.Series(pd.date_range("2026-01-01", periods=n).strftime("%Y-%m-%d"))
    days[7] = "2026-02-30"
    with pytest.raises(ValueError, match=r"'day' of t.csv is mostly dates, but row 8 has '2026-02-30'"):
        learn_encoder(pd.DataFrame({"day": [*days, *days]}), source="t.csv")


@pytest.mark.parametrize("values", [[np.nan, np.nan], [None, None], [pd.NaT, pd.NaT]])
def test_of_a_column_without_values_nothing_is_learned_but_that(values):
    frame = pd.DataFrame({"a": values, "b": [1.0, 2.0]})
    with pytest.warns(UserWarning, match="'a' of the table has no values at all, so nothing is learned"):
        encoder = learn_encoder(frame, missing="impute")
    assert encoder.encode(frame).X.tolist() == [[1.0, 1.0], [1.0, 2.0]]
    later = encoder.encode(pd.DataFrame({"a": [3.5, None], "b": [1.0, 2.0]}))
    assert later.X.tolist() == [[0.0, 1.0], [1.0, 2.0]]
    assert later.unknown.tolist() == [True, False]
    with pytest.raises(ValueError, match="'a' of the table has no values at all; leave it out"):
        learn_encoder(frame)


def test_words_in_a_column_of_numbers_may_be_all_there_is():
    frame = pd.DataFrame({"a": ["unknown", "?"], "b": [1.0, 2.0]})
    with pytest.warns(UserWarning, match="'a' of the table has no values at all"):
        assert learn_encoder(frame, numbers=["a"], missing="impute").columns == ("a=missing", "b")


class TestManyLevels:
    TOWNS = pd.DataFrame({"town": ["b", "a", "c", "b", "d", "c", "b", "e"]})

    def test_the_most_common_ones_have_a_number_and_all_others_share_one(self):
        with pytest.warns(UserWarning, match="has 5 levels, such as a, b, c: more than `max_levels` = 2. The 2 most"):
            encoder = learn_encoder(self.TOWNS, max_levels=2)
        assert encoder.columns == ("town=b", "town=c", "town=(others)")
        later = encoder.encode(pd.DataFrame({"town": ["c", "a", "never seen"]}))
        assert later.X.tolist() == [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, 1.0]]
        assert not later.unknown.any()

    def test_levels_that_occur_once_have_none(self):
        with pytest.warns(UserWarning, match="The 2 most common ones"):
            assert learn_encoder(self.TOWNS, max_levels=4).columns == ("town=b", "town=c", "town=(others)")

    def test_a_missing_one_is_none_of_the_others(self):
        with pytest.warns(UserWarning, match="The 2 most"):
            encoder = learn_encoder(self.TOWNS, max_levels=2, missing="impute")
        assert encoder.encode(pd.DataFrame({"town": [None, "a"]})).X.tolist() == [[0.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
        with pytest.warns(UserWarning, match="The 2 most"):
            encoder = learn_encoder(pd.DataFrame({"town": [*self.TOWNS["town"], None]}), max_levels=2, missing="impute")
        assert encoder.columns == ("town=b", "town=c", "town=(others)", "town=missing")
        assert encoder.encode(pd.DataFrame({"town": [None]})).X.tolist() == [[0.0, 0.0, 0.0, 1.0]]

    def test_of_names_nothing_is_learned(self):
        frame = pd.DataFrame({"name": [f"n{i:02}" for i in range(60)]})
        with pytest.warns(UserWarning, match="has 60 levels, such as n00, n01, n02, and none of them twice"):
            assert learn_encoder(frame).columns == ("name=(others)",)

    def test_declared_categories_count_by_their_rows(self):
        frame = pd.DataFrame({"town": self.TOWNS["town"].astype(pd.CategoricalDtype(list("zedcba")))})
        with pytest.warns(UserWarning, match="The 2 most"):
            assert learn_encoder(frame, max_levels=2).columns == ("town=c", "town=b", "town=(others)")

    def test_numbers_written_otherwise_are_refused(self):
        frame = pd.DataFrame({"price": [f"{i} %" for i in range(60)]})
        with pytest.raises(ValueError, match=r"more than `max_levels` = 50\. It looks like"):
            learn_encoder(frame)


def test_columns_survive_being_described_and_those_of_earlier_files_can_be_read():
    inputs = learn_encoder(FRAME, missing="impute").inputs
    assert columns_from(describe_columns(inputs)) == inputs
    old = {"name": "rooms", "kind": "number", "levels": [], "fill": 2.0}
    assert columns_from([old]) == (Column("rooms", "number", fill=2.0, indicator=False),)


def test_a_level_written_as_25_or_25_0_is_one_level():
    encoder = learn_encoder(pd.DataFrame({"code": ["25", "30", "x"]}), categories=["code"])
    for same in (["25.0", "x"], [25, "x"], [25.0, "x"]):
        encoded = encoder.encode(pd.DataFrame({"code": same}))
        assert_array_equal(encoded.X, [[1, 0, 0], [0, 0, 1]])
        assert not encoded.unknown.any()


def test_columns_of_an_earlier_version_are_read():
    described = describe_columns([Column("a", "number", fill=2.0)])
    described[0].pop("lenient")
    assert columns_from(described) == (Column("a", "number", fill=2.0),)


def test_names_that_are_no_text_are_found_again():
    frame = pd.DataFrame([[1.0, "a"], [2.0, "b"]])
    assert_array_equal(learn_encoder(frame).encode(frame).X, [[1, 1, 0], [2, 0, 1]])


@pytest.mark.parametrize("rows", [[[1.0]], np.ones((1, 1)), {"a": [1.0]}], ids=["list", "array", "dict"])
def test_rows_without_names_are_refused(rows):
    with pytest.raises(ValueError, match="must be a pandas DataFrame"):
        learn_encoder(pd.DataFrame({"a": [1.0, 2.0]})).encode(rows)


def test_text_that_differs_in_all_rows_is_probably_a_name():
    names = pd.DataFrame({"price": [f"{i} euros" for i in range(20)]})
    with pytest.warns(
        UserWarning,
        match=r"'price' of the table has 20 levels, such as 0 euros, 1 euros, 10 euros, and none of them twice",
    ):
        assert learn_encoder(names).columns == ("price=(others)",)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        learn_encoder(names[:19])
        learn_encoder(names, categories=["price"])
        learn_encoder(names.astype("category"))


def test_an_input_that_is_there_twice_is_refused_and_another_column_is_not():
    encoder = learn_encoder(pd.DataFrame({"a": [1.0, 2.0]}))
    with pytest.raises(ValueError, match="several columns called a"):
        encoder.encode(pd.DataFrame([[1.0, 2.0]], columns=["a", "a"]))
    assert encoder.encode(pd.DataFrame([[1.0, 2.0, 3.0]], columns=["a", "b", "b"])).X.tolist() == [[1.0]]


def test_categories_of_arrow_are_categories():
    pa = pytest.importorskip("pyarrow")
    levels = pd.ArrowDtype(pa.dictionary(pa.int32(), pa.string()))
    frame = pd.DataFrame({"heating": pd.Series(["oil", "gas", None, "oil"], dtype=levels)})
    plain = pd.DataFrame({"heating": ["oil", "gas", None, "oil"]})
    encoder, expected = (learn_encoder(each, missing="impute") for each in (frame, plain))
    assert encoder == expected
    np.testing.assert_array_equal(encoder.encode(frame).X, expected.encode(plain).X)


@pytest.mark.parametrize("dtype", [bool, object, "boolean", "bool[pyarrow]", int, float])
def test_truth_values_are_the_levels_one_and_zero(dtype):
    values = np.array([True, False, True])
    encoder = learn_encoder(pd.DataFrame({"sold": values}))
    encoded = encoder.encode(pd.DataFrame({"sold": pd.Series(values).astype(dtype)}))
    assert_array_equal(encoded.X[:, -1], [1, 0, 1])
    assert not encoded.unknown.any()


def test_levels_of_one_and_zero_are_truth_values_only_where_there_are_no_others():
    flags = learn_encoder(pd.DataFrame({"a": [1, 0, 1]}), categories=["a"])
    assert_array_equal(flags.encode(pd.DataFrame({"a": [True, False]})).X, [[0, 1], [1, 0]])
    codes = learn_encoder(pd.DataFrame({"a": [1, 0, 2]}), categories=["a"])
    assert codes.encode(pd.DataFrame({"a": [True, False]})).unknown.all()


@pytest.mark.parametrize("name", [" caf\u00e9", "Caf\u00e9", "cafe\u0301"])
def test_names_that_only_look_the_same_are_shown_by_their_codes(name):
    known = "caf\u00e9"
    with pytest.raises(ValueError, match=re.escape(f"{known!a} (is it now called {name!a}?)")):
        learn_encoder(pd.DataFrame({known: [1.0, 2.0]})).encode(pd.DataFrame({name: [1.0]}))
    with pytest.raises(ValueError, match=re.escape(f"{name!a} looks like it")):
        refuse_unknown([known], ["a", name], "t.csv")


@pytest.mark.parametrize("texts", [["1,5", "2,0", "2,5"] * 4, [f"${i}" for i in range(20)]])
def test_numbers_that_are_written_otherwise_become_levels_with_a_warning_unless_they_are_said_to_be(texts):
    sizes = pd.DataFrame({"size": texts})
    with pytest.warns(UserWarning, match=r"looks like numbers, which are written as 1234.5, but has '(1,5|\$0)'"):
        learned = learn_encoder(sizes)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert learn_encoder(sizes, categories=["size"]) == learn_encoder(sizes.astype("category")) == learned


def test_a_name_that_is_no_text_is_told():
    """A table of a matrix has numbers as names, and these are text here."""
    with pytest.raises(ValueError, match=r"named by text, but 0 is of type int; write '0'\."):
        refuse_unknown([0], ["0", "1"], "the table")
    with pytest.raises(ValueError, match=r"but \('a', 'b'\) is of type tuple\."):
        refuse_unknown([("a", "b")], ["a", "b"], "the table")
