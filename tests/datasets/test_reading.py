import sys

import pandas as pd
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
