import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal

from tests.tables.conftest import make_homes
from unabases import TableModel
from unabases.datasets import from_frame
from unabases.datasets.schema import learn_schema
from unabases.predictive import Normal
from unabases.regressors import AbstractRegressor


@pytest.fixture(scope="module")
def homes():
    return make_homes()


class Recorder(AbstractRegressor):
    """Remembers the inputs that it was given, for training and for the rows held out."""

    def fit(self, X, y):
        self.seen, self.y = [X.X], [y]
        return self

    def predict_dist(self, X):
        if len(self.seen) == 1:
            self.seen.append(X.X)
        return Normal(np.zeros(len(X.X)), np.ones(len(X.X)), 1.0)


Recorder.__abstractmethods__ = frozenset()  # the others are not needed here


def any_table(seed):
    """A table with columns of every kind, stored in any way; the target numbers its rows."""
    rng = np.random.default_rng(seed)
    n, missing = 80, str(rng.choice(["refuse", "drop", "impute"]))
    frame = pd.DataFrame(
        {
            "whole": pd.Series(rng.integers(-3, 3, n)).astype(str(rng.choice(["int8", "int64", "float32", "Int64"]))),
            "real": rng.normal(size=n),
            "text": rng.choice(["b", "a", "true", "1.0", "1", "07"], n),
            "yes": rng.choice([True, False], n),
            "code": rng.integers(1, 4, n).astype(rng.choice(["int64", "float64", "str"])),
            "kind": pd.Categorical(rng.choice(["x", "y"], n), ["z", "y", "x"]),
            "mixed": pd.Series([1, 1.0, True, "TRUE", "1"] * (n // 5), dtype=object),
        }
    )
    frame = frame.sample(frac=1, axis="columns", random_state=seed)
    if missing != "refuse":
        for name in rng.choice(frame.columns, 3, replace=False):
            column = frame[name].astype(object) if name in ("whole", "yes", "code") else frame[name]
            frame[name] = column.where(rng.random(n) > 0.05)
    frame["y"] = np.arange(float(n))
    if missing == "drop":
        frame.loc[rng.integers(n), "y"] = np.nan
    return frame.set_axis(rng.permutation(n)), {
        "missing": missing,
        "categories": ["code"],
        "drop": ["real"][seed % 2 :],
    }


@pytest.mark.parametrize("seed", range(24))
def test_the_loader_and_the_model_make_the_same_matrix_of_the_same_table(seed):
    frame, rules = any_table(seed)
    data = from_frame(frame, "y", **rules)
    model = TableModel.fit(frame, "y", regressor=Recorder(), random_state=seed, **rules)
    assert model.schema.columns == data.columns
    X, y = np.concatenate(model.regressor.seen), np.concatenate([*model.regressor.y, model.held_out.y])
    assert_array_equal(y[np.argsort(y)], data.y)
    assert_array_equal(X[np.argsort(y)], data.X)
    again = from_frame(frame.astype(object), "y", like=data, missing=rules["missing"])
    assert_array_equal(again.X, data.X)


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
    with pytest.raises(ValueError, match=r"lacks 1 of the 4 input columns: 'heating' \(is it now called 'Heating'\?\)"):
        schema.encode(homes.rename(columns={"heating": "Heating"}), "new.csv")


def test_columns_that_another_separator_parts_are_told(homes):
    schema = learn_schema(homes, "price")
    with pytest.raises(ValueError, match=r"It has rooms;heating. The header looks as if `separator` should be ';'"):
        schema.encode(pd.DataFrame({"rooms;heating": ["3;oil"]}), "new.csv")
    with pytest.raises(ValueError, match=r"It has area\.$"):
        schema.encode(pd.DataFrame({"area": [3.0]}), "new.csv")


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (["3", "many", "5"], r"column 'rooms' of new.csv must hold numbers, but row 2 has 'many' .*\. Correct it\.$"),
        ([3.0, np.inf, 2.0], r"column 'rooms' of new.csv is infinite or too large .* row 2 has inf"),
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
        assert encoded.X[2, :2].tolist() == [gaps["rooms"].median(), 1.0]
        assert encoded.X[:, schema.columns.index("rooms=missing")].sum() == 1
        assert encoded.X[5, schema.columns.index("heating=missing")] == 1
        assert not encoded.unknown.any()

    def test_a_category_that_was_never_missing_takes_it_as_unknown(self, gaps, homes):
        encoded = learn_schema(homes, "price", missing="impute").encode(gaps)
        assert np.flatnonzero(encoded.unknown).tolist() == [5]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"drop": ["roof"]}, "no column 'roof'; its columns are rooms, heating"),
        ({"drop": ["garten"]}, "no column 'garten'; .* Do you mean 'garden'"),
        ({"drop": ["price"]}, "'price' is the target, so it cannot be in `drop`"),
        ({"drop": ["rooms", "heating", "garden", "age"]}, "no inputs besides the target"),
        ({"missing": "guess"}, '"refuse", "drop" or "impute", got \'guess\''),
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
    assert schema.text_columns == ["rooms", "heating", "garden"]


def test_rows_left_out_teach_nothing():
    """A category that occurs only in rows with missing values is one that the model has never seen."""
    frame = make_homes(30)
    frame.loc[3, ["heating", "age"]] = ["coal", np.nan]
    schema = learn_schema(frame, "price", missing="drop")
    assert schema.find("heating").levels == ("gas", "oil", "wood")
    assert schema.encode(frame.fillna({"age": 1.0})).unknown_levels == {"heating": {"coal": 1}}


def test_a_level_for_missing_values_comes_last_and_moves_no_other():
    frame = make_homes(30)
    frame["heating"] = pd.Categorical(frame["heating"].where(frame.index != 3), ["wood", "gas", "oil", "sun"])
    schema = learn_schema(frame, "price", missing="impute")
    assert schema.find("heating").levels == ("wood", "gas", "oil", "sun", "missing")


def test_levels_that_are_written_in_two_ways_are_one():
    frame = make_homes(30).assign(heating=pd.Categorical(["TRUE", True, "oil"] * 10, ["TRUE", True, "oil"]))
    schema = learn_schema(frame, "price")
    assert schema.find("heating").levels == ("True", "oil")
    assert schema.encode(frame).X[:3, schema.columns.index("heating=True")].tolist() == [1, 1, 0]


def test_the_index_of_a_piece_counts_its_rows():
    homes = make_homes(20)
    schema = learn_schema(homes, "price")
    piece = homes.iloc[10:15].astype({"age": object})
    piece.loc[12, "age"] = "old"
    with pytest.raises(ValueError, match="row 13 has 'old'"):
        schema.encode(piece)


class TestMostlyNumbers:
    @pytest.fixture
    def ages(self, homes):
        frame = homes.head(40).astype({"age": str})
        frame.loc[[3, 7], "age"] = ["unknown", "?"]
        return frame

    def test_is_asked_about_with_its_cells(self, ages):
        with pytest.raises(
            ValueError,
            match=r"'age' of t.csv is mostly numbers, but row 4 has 'unknown', row 8 has '\?'.*--number.*--category",
        ):
            learn_schema(ages, "price", source="t.csv")

    def test_other_text_can_count_as_missing_now_and_later(self, ages, homes):
        schema = learn_schema(ages, "price", numbers=["age"], missing="impute")
        assert schema.find("age").kind == "number"
        encoded = schema.encode(ages)
        assert encoded.X[:, schema.columns.index("age=missing")].sum() == 2
        assert schema.encode(homes.head(2).assign(age=["1", "lost"])).absent.sum() == 1
        with pytest.raises(ValueError, match=r"missing values in 2 rows, first in row 4 \(age 2\)"):
            learn_schema(ages, "price", numbers=["age"]).encode(ages)

    def test_rows_left_out_for_it_teach_nothing(self, ages):
        ages.loc[3, "heating"] = "coal"
        schema = learn_schema(ages, "price", numbers=["age"], missing="drop")
        assert schema.find("heating").levels == ("gas", "oil", "wood")

    def test_it_can_be_a_category(self, ages):
        schema = learn_schema(ages, "price", categories=["age"])
        assert {"unknown", "?"} < set(schema.find("age").levels)
        with pytest.raises(ValueError, match="'age' is in `categories` and in `numbers`"):
            learn_schema(ages, "price", categories=["age"], numbers=["age"])

    def test_a_kept_column_may_be_anything(self, ages):
        assert learn_schema(ages, "price", keep=["age"]).find("age").kind == "category"


def test_a_date_far_from_all_others_is_told_as_it_is_written():
    days = pd.date_range("2026-01-01", periods=60).strftime("%Y-%m-%d").tolist()
    frame = pd.DataFrame({"day": ["9999-12-31", *days], "price": np.arange(61.0)})
    with pytest.warns(UserWarning, match=r"'day' of t.csv has dates .* far .*: row 1 has '9999-12-31'"):
        learn_schema(frame, "price", source="t.csv")


@pytest.mark.parametrize("column", ["age", "price"])
def test_a_number_far_from_all_others_is_told_with_its_cell(homes, column):
    frame = homes.astype({column: float})
    frame.loc[9, column] = 1e12
    with pytest.warns(UserWarning, match=f"'{column}' of t.csv has numbers .* far .*: row 10 has 1000000000000.0"):
        learn_schema(frame, "price", source="t.csv")
