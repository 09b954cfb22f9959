import os
import sys
from decimal import Decimal
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.parquet
import pytest
from numpy.testing import assert_array_equal

from unabases.datasets import load_table
from unabases.datasets.reading import is_parquet, read_frame, read_names, read_pieces

FRAME = pd.DataFrame({"a": range(7), "code": [f"0{i}" for i in range(7)], "c": 0.5})


@pytest.fixture(params=["t.csv", "t.csv.gz", "t.parquet"])
def path(request, tmp_path):
    path = tmp_path / request.param
    FRAME.to_parquet(path) if is_parquet(path) else FRAME.to_csv(path, index=False)
    return path


def test_whole_tables_and_pieces_of_them_hold_the_same(path):
    assert read_names(path) == ["a", "code", "c"]
    whole = read_frame(path, text=["code"])
    pd.testing.assert_frame_equal(whole.reset_index(drop=True), FRAME, check_dtype=False)
    pieces = [piece.rows for piece in read_pieces(path, columns=["code", "a"], text=["code"], rows=3)]
    first = 0 if is_parquet(path) else 2  # rows from 0, or lines
    assert [[label - first for label in piece.index] for piece in pieces] == [[0, 1, 2], [3, 4, 5], [6]]
    assert_array_equal(pd.concat(pieces)["code"], FRAME["code"])
    assert set(pieces[0].columns) == {"a", "code"}


def test_parquet_without_pyarrow_names_the_extra(tmp_path, monkeypatch):
    (tmp_path / "t.parquet").write_bytes(b"")
    for module in ("pyarrow", "fastparquet"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ImportError, match=r"needs pyarrow: `pip install 'unabases\[parquet\]'`"):
        load_table(tmp_path / "t.parquet", "y")


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"nowhere\.csv"):
        load_table(tmp_path / "nowhere.csv", "y")


def test_copies_are_what_the_file_has(tmp_path):
    text = "id,a\n00000,1\nNA,2\n 7,3\n1e5,4\n"
    (tmp_path / "t.csv").write_text(text)
    (piece,) = read_pieces(tmp_path / "t.csv", columns=["a", "id"], copy=["id"])
    assert piece.copies["id"].tolist() == ["00000", "NA", " 7", "1e5"]
    assert piece.rows["id"].isna().tolist() == [False, True, False, False]
    whole = pd.DataFrame({"id": pd.array([2**60 + 1, None, 3], dtype="Int64"), "a": 1.0})
    whole.to_parquet(tmp_path / "t.parquet")
    pieces = list(read_pieces(tmp_path / "t.parquet", columns=["a"], copy=["id"], rows=2))
    assert [value for piece in pieces for value in piece.copies["id"]] == [2**60 + 1, pd.NA, 3]
    assert len({piece.copies["id"].dtype for piece in pieces}) == 1


def test_a_column_is_of_numbers_if_all_of_its_cells_are(tmp_path):
    (tmp_path / "t.csv").write_text("a,b,c,d\n1, 2.5,x,123456789012345678901234567890\nNA,-1e3,4,\n")
    frame = read_frame(tmp_path / "t.csv", text=["b"])
    assert frame["a"].tolist()[0] == 1.0
    assert frame["b"].tolist() == [" 2.5", "-1e3"]
    assert frame["c"].tolist() == ["x", "4"]
    assert frame["d"].tolist()[0] == 123456789012345678901234567890.0
    assert list(frame.index) == [2, 3]


def test_row_numbers_that_pandas_stores_are_no_column_and_decimals_are_numbers(tmp_path):
    frame = pd.DataFrame({"a": [Decimal("1.5"), Decimal("2.5")]}, index=[5, 3])
    frame.to_parquet(tmp_path / "t.parquet")
    assert read_names(tmp_path / "t.parquet") == ["a"]
    assert read_frame(tmp_path / "t.parquet")["a"].sum() == 4.0


def test_what_is_no_file_of_a_table_is_refused(tmp_path):
    (tmp_path / "t.parquet").write_bytes(b"PAR1 and then nothing")
    with pytest.raises(ValueError, match=r"t\.parquet is not a Parquet file, is cut short or damaged"):
        read_names(tmp_path / "t.parquet")
    for address in ("https://example.org/t.csv", "s3://bucket/t.parquet"):
        with pytest.raises(FileNotFoundError, match=f"{address} is an address; .* download it first"):
            read_names(Path(address))
    with pytest.raises(IsADirectoryError, match="is a directory; expected a table"):
        read_names(tmp_path)
    os.mkfifo(tmp_path / "pipe.csv")
    with pytest.raises(ValueError, match="is no ordinary file"):
        read_names(tmp_path / "pipe.csv")
    for place, name in ((1, ""), (2, " ")):
        frame = pd.DataFrame([[1.0, 2.0]], columns=["", "a"] if place == 1 else ["a", name])
        for path in (tmp_path / "nameless.csv", tmp_path / "nameless.parquet"):
            frame.to_parquet(path) if is_parquet(path) else frame.to_csv(path, index=False)
            with pytest.raises(ValueError, match=f"column {place} of .* has no name"):
                read_frame(path)
    twice = pyarrow.table([[1.0], [2.0]], names=["a", "a"])
    pyarrow.parquet.write_table(twice, tmp_path / "twice.parquet")
    with pytest.raises(ValueError, match="several columns called a"):
        read_frame(tmp_path / "twice.parquet")


def test_a_long_parquet_file_is_not_kept_in_memory(tmp_path):
    pa = pytest.importorskip("pyarrow")
    frame = pd.DataFrame({"a": np.random.default_rng(0).random(500_000)})
    frame.to_parquet(tmp_path / "long.parquet", row_group_size=10_000)
    before = pa.total_allocated_bytes()
    most = max(pa.total_allocated_bytes() for _ in read_pieces(tmp_path / "long.parquet", columns=["a"]))
    assert most - before < 0.5 * (tmp_path / "long.parquet").stat().st_size
