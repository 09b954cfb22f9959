import contextlib

import pandas as pd
import pytest

from unabases.datasets.reading import read_frame
from unabases.datasets.writing import check_directory, write_chunks

FRAME = pd.DataFrame({"a": range(7), "code": [f"0{i}" for i in range(7)], "c": 0.5})


@pytest.mark.parametrize("name", ["out.csv", "out.csv.gz", "out.parquet"])
def test_pieces_are_written_as_one_table_or_not_at_all(tmp_path, name):
    with write_chunks(tmp_path / name) as write:
        write(FRAME[:4])
        write(FRAME[4:])
        assert not (tmp_path / name).exists()
    pd.testing.assert_frame_equal(
        read_frame(tmp_path / name, text=["code"]).reset_index(drop=True), FRAME, check_dtype=False
    )
    with contextlib.suppress(RuntimeError), write_chunks(tmp_path / name) as write:
        write(FRAME[:1])
        raise RuntimeError
    assert len(read_frame(tmp_path / name)) == 7


def test_a_directory_that_does_not_exist_is_told_before_any_work(tmp_path):
    assert check_directory(tmp_path / "t.csv") == tmp_path / "t.csv"
    with pytest.raises(ValueError, match=r"there is no directory .*no; create it first"):
        check_directory(tmp_path / "no" / "t.csv")


@pytest.mark.parametrize("name", ["t.xlsx", "t.JSON", "t.csv.bz2", "t.zip", "t.tsv"])
def test_a_name_that_promises_another_kind_of_file_is_refused(tmp_path, name):
    with pytest.raises(ValueError, match=r"written as CSV .* or Parquet"), write_chunks(tmp_path / name):
        pass
    assert not list(tmp_path.iterdir())


def test_formulas_are_made_harmless_in_csv_files_unless_they_are_wanted(tmp_path):
    frame = pd.DataFrame({"id": ["=1+1", "00000"]})
    for name, keep, expected in (("a.csv", False, "'=1+1"), ("b.csv", True, "=1+1"), ("c.parquet", False, "=1+1")):
        with write_chunks(tmp_path / name, keep_formulas=keep) as write:
            write(frame)
        assert read_frame(tmp_path / name, text=["id"])["id"].tolist() == [expected, "00000"]
