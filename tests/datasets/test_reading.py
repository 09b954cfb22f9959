import contextlib
import sys

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal

from unabases.datasets import load_table
from unabases.datasets.reading import check_directory, is_parquet, read_chunks, read_frame, read_names, write_chunks

FRAME = pd.DataFrame({"a": range(7), "code": [f"0{i}" for i in range(7)], "c": 0.5})


@pytest.fixture(params=["t.csv", "t.csv.gz", "t.parquet"])
def path(request, tmp_path):
    path = tmp_path / request.param
    FRAME.to_parquet(path) if is_parquet(path) else FRAME.to_csv(path, index=False)
    return path


def test_whole_tables_and_pieces_of_them_hold_the_same(path):
    assert read_names(path) == ["a", "code", "c"]
    whole = read_frame(path, text=["code"])
    pd.testing.assert_frame_equal(whole, FRAME, check_dtype=False)
    pieces = list(read_chunks(path, columns=["code", "a"], text=["code"], rows=3))
    assert [list(piece.index) for piece in pieces] == [[0, 1, 2], [3, 4, 5], [6]]
    assert_array_equal(pd.concat(pieces)["code"], FRAME["code"])
    assert set(pieces[0].columns) == {"a", "code"}


@pytest.mark.parametrize("name", ["out.csv", "out.parquet"])
def test_pieces_are_written_as_one_table_or_not_at_all(tmp_path, name):
    with write_chunks(tmp_path / name) as write:
        write(FRAME[:4])
        write(FRAME[4:])
        assert not (tmp_path / name).exists()
    pd.testing.assert_frame_equal(read_frame(tmp_path / name, text=["code"]), FRAME, check_dtype=False)
    with contextlib.suppress(RuntimeError), write_chunks(tmp_path / name) as write:
        write(FRAME[:1])
        raise RuntimeError
    assert len(read_frame(tmp_path / name)) == 7


def test_a_directory_that_does_not_exist_is_told_before_any_work(tmp_path):
    assert check_directory(tmp_path / "t.csv") == tmp_path / "t.csv"
    with pytest.raises(ValueError, match=r"there is no directory .*no; create it first"):
        check_directory(tmp_path / "no" / "t.csv")


def test_parquet_without_pyarrow_names_the_extra(tmp_path, monkeypatch):
    (tmp_path / "t.parquet").write_bytes(b"")
    for module in ("pyarrow", "fastparquet"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ImportError, match=r"needs pyarrow: `pip install 'unabases\[parquet\]'`"):
        load_table(tmp_path / "t.parquet", "y")


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"nowhere\.csv"):
        load_table(tmp_path / "nowhere.csv", "y")


def test_a_long_parquet_file_is_not_kept_in_memory(tmp_path):
    pa = pytest.importorskip("pyarrow")
    frame = pd.DataFrame({"a": np.random.default_rng(0).random(500_000)})
    frame.to_parquet(tmp_path / "long.parquet", row_group_size=10_000)
    before = pa.total_allocated_bytes()
    most = max(pa.total_allocated_bytes() for _ in read_chunks(tmp_path / "long.parquet", columns=["a"]))
    assert most - before < 0.5 * (tmp_path / "long.parquet").stat().st_size
