from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal

from unabases.datasets import from_frame, load_table

HOMES = """rooms,heating,garden,price
3,oil,True,210
5,gas,False,305.5
4,oil,False,250
"""


@pytest.fixture
def homes(tmp_path):
    path = tmp_path / "homes.csv"
    path.write_text(HOMES)
    return path


def written(tmp_path, text, name="t.csv"):
    (tmp_path / name).write_text(text)
    return tmp_path / name


class TestLoad:
    def test_a_csv_file(self, homes):
        data = load_table(homes, "price", units={"price": "1000 EUR"})
        assert data.columns == ("rooms", "heating=gas", "heating=oil", "garden=False", "garden=True")
        assert_array_equal(data.X, [[3, 0, 1, 0, 1], [5, 1, 0, 1, 0], [4, 0, 1, 1, 0]])
        assert_array_equal(data.y, [210, 305.5, 250])
        assert (data.name, data.target, data.target_unit) == ("homes", "price", "1000 EUR")
        assert data.source == str(homes)

    def test_packed_or_with_another_separator(self, homes, tmp_path):
        pd.read_csv(homes).to_csv(tmp_path / "homes.csv.gz", index=False)
        path = written(tmp_path, HOMES.replace(",", ";"), "semicolons.csv")
        expected = load_table(homes, "price").X
        assert_array_equal(load_table(tmp_path / "homes.csv.gz", "price").X, expected)
        assert_array_equal(load_table(path, "price", separator=";").X, expected)
        with pytest.raises(ValueError, match=r"`separator` should be ';'"):
            load_table(path, "price")

    def test_a_parquet_file(self, homes, tmp_path):
        pytest.importorskip("pyarrow")
        frame = pd.read_csv(homes)
        frame["heating"] = frame["heating"].astype("category")
        frame.to_parquet(tmp_path / "homes.parquet")
        data, expected = load_table(tmp_path / "homes.parquet", "price"), load_table(homes, "price")
        assert data.columns == expected.columns
        assert_array_equal(data.X, expected.X)


class TestRefused:
    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("", "is empty"),
            ("a,y\n", "has a header but no rows"),
            ("y\n1\n", "no inputs besides the target 'y'"),
            ("a,b\n1,2\n", "no column 'y'; its columns are a, b"),
            ("a,y\n1,yes\n2,no\n", r"column 'y' of .* must hold numbers, but line 2 has 'yes'"),
            ("a,y\n1,True\n2,False\n", "column 'y' of .* must hold numbers, but line 2 has 'True'"),
            ("a,y,a\n1,2,3\n", "several columns called a"),
            ("a,y\n1,2\ninf,3\n", "column 'a' of .* is infinite or too large .*: line 3 has inf"),
        ],
    )
    def test_tables(self, tmp_path, text, message):
        with pytest.raises(ValueError, match=message):
            load_table(written(tmp_path, text), "y")

    def test_frames(self):
        twice = pd.DataFrame([[1, 2, 3]], columns=["a", "a", "y"])
        with pytest.raises(ValueError, match="several columns called a"):
            from_frame(twice, "y")
        spans = pd.DataFrame({"span": pd.to_timedelta([1, 2], unit="D"), "y": [1, 2]})
        with pytest.raises(
            ValueError, match=r"column 'span' of a DataFrame must hold numbers.* leave the column out with `drop`"
        ):
            from_frame(spans, "y")
        assert from_frame(spans.assign(a=1), "y", drop=["span"]).columns == ("a",)
        with pytest.raises(ValueError, match="no column 'night'"):
            from_frame(spans, "y", drop=["night"])

    def test_too_many_levels(self):
        frame = pd.DataFrame({"id": [f"n{i:02}" for i in range(60)], "y": range(60)})
        with pytest.warns(UserWarning, match="'id' of a DataFrame has 60 levels, such as n00, n01, n02, and none"):
            assert from_frame(frame, "y").columns == ("id=(others)",)
        assert from_frame(frame.assign(id=frame["id"].replace("n59", "n58")), "y", max_levels=60).d == 59


class TestMissing:
    FRAME = pd.DataFrame(
        {
            "a": [1.0, np.nan, 3.0, 8.0],
            "b": ["x", "y", None, "x"],
            "c": [1, 2, 3, 4],
            "y": [1.0, 2.0, 3.0, 4.0],
        }
    )

    def test_refused_with_the_count_per_column_and_what_to_do(self):
        with pytest.raises(
            ValueError, match=r"in 2 rows, first in row 2 \(a 1, b 1\).*missing=\"drop\".*missing=\"impute\""
        ):
            from_frame(self.FRAME, "y")

    def test_dropped(self):
        data = from_frame(self.FRAME, "y", missing="drop")
        assert_array_equal(data.frame(), [[1, 1, 1, 1], [8, 1, 4, 4]])
        with pytest.raises(ValueError, match="no rows without missing values"):
            from_frame(self.FRAME[1:3], "y", missing="drop")

    def test_imputed(self):
        data = from_frame(self.FRAME, "y", missing="impute")
        assert data.columns == ("a", "a=missing", "b=x", "b=y", "b=missing", "c")
        assert_array_equal(data.X[:, 0], [1, 3, 3, 8])
        assert_array_equal(data.X[:, 1], [0, 1, 0, 0])
        assert_array_equal(data.X[:, 4], [0, 0, 1, 0])

    def test_a_target_is_never_imputed(self):
        frame = self.FRAME.assign(y=[1, 2, 3, None])
        with pytest.raises(
            ValueError,
            match=r"target 'y' of a DataFrame is missing in 1 row, first in row 4\. A target cannot be filled",
        ):
            from_frame(frame, "y", missing="impute")

    def test_an_empty_column_and_an_unknown_way(self):
        for missing in ("refuse", "drop"):
            with pytest.raises(ValueError, match=r"column 'a' (of a DataFrame )?has no values at all"):
                from_frame(self.FRAME.assign(a=np.nan), "y", missing=missing)

    def test_a_csv_counts_empty_cells(self, tmp_path):
        with pytest.raises(ValueError, match=r"in 2 rows, first in line 3 \(a 2\)"):
            load_table(written(tmp_path, "a,y\n1,1\n,2\nNA,3\n"), "y")


class TestColumns:
    def test_levels_are_sorted_or_as_the_categories_are(self):
        frame = pd.DataFrame({"size": ["s", "l", "m"], "y": [1, 2, 3]})
        assert from_frame(frame, "y").columns == ("size=l", "size=m", "size=s")
        ordered = frame.assign(size=pd.Categorical(frame["size"], ["xs", "s", "m", "l"]))
        assert from_frame(ordered, "y").columns == ("size=xs", "size=s", "size=m", "size=l")

    def test_another_table_gets_the_same_columns(self, homes, tmp_path):
        first = load_table(homes, "price")
        path = written(tmp_path, "price,garden,heating,rooms\n1,True,oil,7\n")
        again = load_table(path, "price", like=first)
        assert again.columns == first.columns
        assert_array_equal(again.X, [[7, 0, 1, 0, 1]])

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("rooms,heating,garden,price\n1,coal,True,2\n", "'heating' of .* has levels that `like` lacks: coal"),
            ("heating,garden,price\noil,True,2\n", "lacks 1 of the 3 input columns: 'rooms'"),
            ("rooms,heating,garden\n1,oil,True\n", "has no column 'price'; its columns are rooms, heating, garden"),
        ],
    )
    def test_a_table_that_does_not_fit_is_refused(self, homes, tmp_path, text, message):
        with pytest.raises(ValueError, match=message):
            load_table(written(tmp_path, text), "price", like=load_table(homes, "price"))

    def test_like_ignores_other_columns_and_fills_with_its_own_medians(self, homes, tmp_path):
        path = written(tmp_path, "rooms,heating,garden,price,x\n,oil,True,2,3\n90,oil,True,2,3\n")
        again = load_table(path, "price", like=load_table(homes, "price"), missing="impute")
        assert_array_equal(again.X, [[4, 0, 1, 0, 1], [90, 0, 1, 0, 1]])

    def test_like_takes_a_data_set_that_was_not_made_from_a_table(self, homes):
        numbers = replace(load_table(homes, "price", drop=["heating", "garden"]), schema=None)
        assert_array_equal(load_table(homes, "price", like=numbers).X, numbers.X)

    def test_numbers_can_be_categories_and_keep_their_zeros(self, tmp_path):
        first = load_table(written(tmp_path, "code,y\n01,1\n02,2\n"), "y", categories=["code"])
        assert first.columns == ("code=01", "code=02")
        again = load_table(written(tmp_path, "code,y\n02,2\n", "again.csv"), "y", like=first)
        assert_array_equal(again.X, [[0, 1]])

    def test_all_kinds_of_numbers(self):
        frame = pd.DataFrame(
            {
                "small": np.array([1, 2], dtype=np.int8),
                "single": np.array([0.5, 0.25], dtype=np.float32),
                "nullable": pd.array([1, 2], dtype="Int64"),
                "yes": pd.array([True, False], dtype="boolean"),
                "y": [1, 2],
            },
            index=[7, 9],
        )
        data = from_frame(frame, "y")
        assert data.columns == ("small", "single", "nullable", "yes=False", "yes=True")
        assert_array_equal(data.X, [[1, 0.5, 1, 0, 1], [2, 0.25, 2, 1, 0]])

    def test_the_frame_given_stays_as_it_was(self):
        frame = pd.DataFrame({"a": [1.0, np.nan], "y": [1, 2]})
        from_frame(frame, "y", missing="impute")
        assert frame["a"].isna().sum() == 1
