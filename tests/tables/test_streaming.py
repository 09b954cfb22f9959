import weakref

import numpy as np
import pandas as pd
import pytest

from tests.tables.conftest import make_homes
from unabases.datasets import reading
from unabases.datasets.reading import read_frame
from unabases.tables.streaming import pieces_for, predict_file, take_row


@pytest.fixture(params=["csv", "parquet"])
def table(request, tmp_path):
    frame = make_homes(50, seed=1)
    frame.insert(0, "id", [f"h{i}" for i in range(50)])
    path = tmp_path / f"new.{request.param}"
    frame.to_csv(path, index=False) if request.param == "csv" else frame.to_parquet(path)
    return frame, path


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_pieces_give_what_the_whole_gives(model, table, tmp_path, suffix):
    frame, path = table
    out = tmp_path / f"out.{suffix}"
    done = predict_file(model, path, out, threshold=3.0, keep=["id"], rows=7)
    written = pd.read_csv(out) if suffix == "csv" else pd.read_parquet(out)
    expected = model.predict(frame)
    assert written["row"].tolist() == list(range(1, 51))
    assert written["id"].tolist() == frame["id"].tolist()
    for name in ("mean", "epistemic_std", "noise_std", "lower", "upper"):
        np.testing.assert_allclose(written[name], expected[name], rtol=1e-6)
    assert (written["defer"] == "yes").tolist() == (expected["epistemic_std"] > 3.0).tolist()
    assert (done.rows, done.deferred) == (50, int((expected["epistemic_std"] > 3.0).sum()))
    assert done.ignored == []


def test_odd_rows_are_deferred_and_told(model, tmp_path):
    frame = make_homes(10).assign(note="x")
    frame.loc[4, "heating"] = "coal"
    frame.to_csv(tmp_path / "new.csv", index=False)
    done = predict_file(model, tmp_path / "new.csv", tmp_path / "out.csv", rows=3)
    assert done.unknown_levels == {"heating": {"coal": 1}}
    assert done.ignored == ["note"]
    assert (pd.read_csv(tmp_path / "out.csv")["defer"] == "yes").tolist() == [i == 4 for i in range(10)]


def test_an_error_in_a_late_row_leaves_no_file(model, tmp_path):
    frame = make_homes(10).astype({"age": object})
    frame.loc[8, "age"] = "old"
    frame.to_csv(tmp_path / "new.csv", index=False)
    (tmp_path / "out.csv").write_text("before")
    with pytest.raises(ValueError, match="line 10 has 'old'"):
        predict_file(model, tmp_path / "new.csv", tmp_path / "out.csv", rows=3)
    assert (tmp_path / "out.csv").read_text() == "before"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["new.csv", "out.csv"]


def test_never_more_than_two_pieces_are_alive(model, tmp_path, monkeypatch):
    make_homes(60).to_csv(tmp_path / "new.csv", index=False)
    alive = []
    original = reading.read_pieces

    def watched(*args, **kwargs):
        pieces = []
        for piece in original(*args, **kwargs):
            pieces.append(weakref.ref(piece.rows))
            alive.append(sum(each() is not None for each in pieces))
            assert len(piece.rows) <= 5
            yield piece

    monkeypatch.setattr("unabases.tables.streaming.read_pieces", watched)
    predict_file(model, tmp_path / "new.csv", tmp_path / "out.csv", rows=5)
    assert len(alive) == 12
    assert max(alive) <= 2


def test_one_row_is_found_in_its_piece(model, table):
    frame, path = table
    row = take_row(model, path, 33)
    assert row["age"].item() == pytest.approx(frame["age"].iloc[33])
    with pytest.raises(ValueError, match="has 50 rows, so there is no row 51"):
        take_row(model, path, 50)


def test_names_are_checked_before_any_row_is_read(model, tmp_path):
    make_homes(5).drop(columns="age").to_csv(tmp_path / "new.csv", index=False)
    with pytest.raises(ValueError, match="lacks 1 of the 4 input columns: 'age'"):
        pieces_for(model, tmp_path / "new.csv")
    make_homes(5).to_csv(tmp_path / "new.csv", index=False)
    with pytest.raises(ValueError, match="has no column 'id'"):
        pieces_for(model, tmp_path / "new.csv", also=["id"])


def test_a_table_without_rows_is_refused(model, tmp_path):
    make_homes(5).head(0).to_csv(tmp_path / "new.csv", index=False)
    with pytest.raises(ValueError, match="no rows"):
        predict_file(model, tmp_path / "new.csv", tmp_path / "out.csv")
    assert not (tmp_path / "out.csv").exists()


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_identifiers_keep_their_text(model, tmp_path, suffix):
    ids = ["00000", "1", "2.0", "NA", " 7", "A9", "=1+1"]
    make_homes(7).assign(id=ids).to_csv(tmp_path / "new.csv", index=False)
    out = tmp_path / f"out.{suffix}"
    predict_file(model, tmp_path / "new.csv", out, keep=["id", "age", "id"], rows=2)
    written = read_frame(out, text=["id"])
    assert list(written)[:4] == ["row", "id", "age", "mean"]
    with_mark = "'=1+1" if suffix == "csv" else "=1+1"
    found = ["missing" if pd.isna(cell) else str(cell) for cell in written["id"]]
    assert found == [*ids[:3], "missing" if suffix == "csv" else "NA", *ids[4:6], with_mark]
    if suffix == "csv":
        assert ",NA," not in out.read_text().splitlines()[3]
        assert out.read_text().splitlines()[4].startswith("4,NA,")
        predict_file(model, tmp_path / "new.csv", out, keep=["id"], keep_formulas=True)
        assert out.read_text().splitlines()[7].startswith("7,=1+1,")


def test_a_column_of_predictions_cannot_be_kept(model, tmp_path):
    make_homes(3).assign(mean=1).to_csv(tmp_path / "new.csv", index=False)
    with pytest.raises(ValueError, match="cannot keep a column called 'mean'"):
        predict_file(model, tmp_path / "new.csv", tmp_path / "out.csv", keep=["mean"])
    assert not (tmp_path / "out.csv").exists()


def test_a_number_beyond_all_reason_is_refused_with_its_line(model, tmp_path):
    make_homes(6).assign(age=[1, 2, 3, 1e40, 5, 6]).to_csv(tmp_path / "new.csv", index=False)
    with pytest.raises(ValueError, match=r"'age' of .* lies between .* in training, but line 5 has 1e\+40"):
        predict_file(model, tmp_path / "new.csv", tmp_path / "out.csv", rows=2)
