import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal

from tests.tables.conftest import make_homes
from unabases.datasets import from_frame
from unabases.tables import as_labels, as_numbers, learn_schema


def test_a_table_is_encoded_as_the_loader_of_data_sets_does(homes):
    schema = learn_schema(homes, "price")
    expected = from_frame(homes, "price")
    assert schema.columns == expected.columns
    assert_array_equal(schema.encode(homes).X, expected.X)


def test_order_and_further_columns_do_not_matter(homes):
    schema = learn_schema(homes, "price")
    shuffled = homes[["garden", "price", "age", "heating", "rooms"]].assign(note="x")
    assert_array_equal(schema.encode(shuffled).X, schema.encode(homes).X)
    assert_array_equal(schema.encode(shuffled.drop(columns="price")).X, schema.encode(homes).X)


def test_an_unknown_category_is_zero_everywhere_and_counted(homes):
    schema = learn_schema(homes, "price")
    new = homes.head(4).copy()
    new.loc[[1, 3], "heating"] = ["coal", "peat"]
    encoded = schema.encode(new)
    heating = [i for i, name in enumerate(schema.columns) if name.startswith("heating=")]
    assert_array_equal(encoded.unknown, [False, True, False, True])
    assert_array_equal(encoded.X[1, heating], 0)
    assert encoded.X[0, heating].sum() == 1
    assert encoded.unknown_levels == {"heating": {"coal": 1, "peat": 1}}


def test_a_lacking_column_is_named_and_guessed(homes):
    schema = learn_schema(homes, "price")
    with pytest.raises(ValueError, match=r"lacks 1 of the model's 4 columns: 'heating' \(has it become 'Heating'\?\)"):
        schema.encode(homes.rename(columns={"heating": "Heating"}), "new.csv")


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (["3", "many", "5"], r"column 'rooms' of new.csv must hold numbers, but row 2 has 'many'"),
        ([3.0, np.inf, 2.0], r"column 'rooms' of new.csv is infinite in row 2"),
        ([True, False, True], r"column 'rooms' of new.csv must hold numbers, but row 1 has True"),
        (pd.to_datetime(["2020-01-01"] * 3), r"column 'rooms' of new.csv must hold numbers"),
    ],
)
def test_a_wrong_type_is_refused_with_its_row(homes, values, message):
    schema = learn_schema(homes, "price")
    new = homes.head(3).drop(columns="rooms").assign(rooms=values)
    with pytest.raises(ValueError, match=message):
        schema.encode(new, "new.csv")


def test_numbers_written_as_text_are_numbers(homes):
    schema = learn_schema(homes, "price")
    new = homes.head(3).assign(rooms=homes["rooms"].head(3).astype(str))
    assert_array_equal(schema.encode(new).X, schema.encode(homes.head(3)).X)


class TestMissing:
    @pytest.fixture
    def gaps(self, homes):
        frame = homes.head(40).astype({"rooms": float, "garden": object})
        frame.loc[2, "rooms"] = np.nan
        frame.loc[5, "heating"] = None
        return frame

    def test_is_refused_with_row_and_columns(self, gaps, homes):
        schema = learn_schema(homes, "price")
        with pytest.raises(ValueError, match=r"missing values in 2 rows, first in row 3 \(rooms 1, heating 1\)"):
            schema.encode(gaps)

    def test_rows_can_be_left_out(self, gaps, homes):
        encoded = learn_schema(homes, "price", missing="drop").encode(gaps)
        assert np.flatnonzero(~encoded.usable).tolist() == [2, 5]
        assert len(encoded.X) == 38

    def test_values_can_be_filled_with_those_of_training(self, gaps):
        schema = learn_schema(gaps, "price", missing="impute")
        encoded = schema.encode(gaps)
        assert encoded.X[2, 0] == gaps["rooms"].median()
        assert encoded.X[5, schema.columns.index("heating=missing")] == 1
        assert not encoded.unknown.any()

    def test_a_category_that_was_never_missing_takes_it_as_unknown(self, gaps, homes):
        encoded = learn_schema(homes, "price", missing="impute").encode(gaps)
        assert np.flatnonzero(encoded.unknown).tolist() == [5]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"drop": ["roof"]}, "no column 'roof'; its columns are rooms, heating"),
        ({"drop": ["price"]}, "the target 'price' cannot be dropped"),
        ({"drop": ["rooms", "heating", "garden", "age"]}, "no inputs beside the target"),
        ({"missing": "guess"}, '"refuse", "drop" or "impute", got \'guess\''),
        ({"max_levels": 2}, r"'heating' of the table has 3 levels, such as gas, oil, wood: more than `max_levels` = 2"),
    ],
)
def test_what_makes_no_schema_is_refused(homes, options, message):
    with pytest.raises(ValueError, match=message):
        learn_schema(homes, "price", **options)


def test_kept_columns_are_no_inputs_and_codes_can_be_names(homes):
    schema = learn_schema(homes, "price", keep=["garden"], categories=["rooms"])
    assert [column.name for column in schema.inputs] == ["rooms", "heating", "age"]
    assert schema.find("garden").kind == "category"
    assert schema.find("rooms").levels == tuple("1234567")
    assert schema.text() == ["rooms", "heating", "garden"]


def test_labels_are_the_same_however_they_are_stored():
    same = [pd.Series([True, False]), pd.Series(["true", "FALSE"]), pd.Series([True, False], dtype=object)]
    assert all(as_labels(column).tolist() == ["True", "False"] for column in same)
    assert as_labels(pd.Series([1.0, None, 2.5])).tolist() == ["1", None, "2.5"]
    assert as_numbers(pd.Series(["1", None]), "t").isna().tolist() == [False, True]


def test_the_index_of_a_piece_counts_its_rows():
    homes = make_homes(20)
    schema = learn_schema(homes, "price")
    piece = homes.iloc[10:15].astype({"age": object})
    piece.loc[12, "age"] = "old"
    with pytest.raises(ValueError, match="row 13 has 'old'"):
        schema.encode(piece)
