import numpy as np
import pandas as pd
import pytest

from unabases.datasets import chunks_of
from unabases.datasets.chunks import as_chunks

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

FRAME = pd.DataFrame({"a": np.arange(10.0), "kind": list("xyxyxyxyxy"), "id": range(10), "price": np.arange(10.0) ** 2})


def csv(folder):
    FRAME.to_csv(folder / "t.csv", index=False)
    return folder / "t.csv"


def parquet(folder):
    FRAME.to_parquet(folder / "t.parquet")
    return str(folder / "t.parquet")


def parquet_folder(folder):
    (folder / "parts").mkdir()
    for i in (0, 5):
        FRAME.iloc[i : i + 5].to_parquet(folder / "parts" / f"{i}.parquet")
    return folder / "parts"


def arrow_table(folder):
    return pa.Table.from_pandas(FRAME)


def arrow_dataset(folder):
    return pytest.importorskip("pyarrow.dataset").dataset(parquet_folder(folder))


def frame(folder):
    return FRAME


@pytest.mark.parametrize("make", [csv, parquet, parquet_folder, arrow_table, arrow_dataset, frame])
def test_every_source_gives_the_same_rows_as_often_as_wanted(tmp_path, make):
    chunks = chunks_of(make(tmp_path), "price", drop=["id"], rows=4)
    for _ in range(2):
        read = list(chunks)
        assert max(len(chunk.X) for chunk in read) <= 4
        X = pd.concat([chunk.X for chunk in read], ignore_index=True)
        assert X.astype({"kind": object}).equals(FRAME[["a", "kind"]].astype({"kind": object}))
        assert np.concatenate([chunk.y for chunk in read]).tolist() == FRAME["price"].tolist()
    assert chunks.rows == (None if make is csv else 10)


@pytest.mark.parametrize("make", [csv, parquet, parquet_folder, arrow_table, arrow_dataset, frame])
def test_a_column_of_weights_goes_with_the_rows_and_is_no_input(tmp_path, make):
    read = list(chunks_of(make(tmp_path), "price", weight="id", rows=4))
    assert all(list(chunk.X) == ["a", "kind"] for chunk in read)
    assert np.concatenate([chunk.weight for chunk in read]).tolist() == list(range(10))


def test_arrays_have_weights_of_their_length():
    X, weight = np.zeros((10, 2)), np.arange(10.0)
    assert [chunk.weight.tolist() for chunk in chunks_of(X, X[:, 0], weight=weight, rows=6)] == [
        [0, 1, 2, 3, 4, 5],
        [6, 7, 8, 9],
    ]
    with pytest.raises(ValueError, match="`weight` must be an array of 10 numbers"):
        chunks_of(X, X[:, 0], weight=weight[:5])
    with pytest.raises(TypeError, match="`weight` must be the name of a column"):
        chunks_of(FRAME, "price", weight=weight)


def test_arrays_on_disk_are_read_a_piece_at_a_time(tmp_path):
    X = np.memmap(tmp_path / "X", dtype=np.float32, mode="w+", shape=(10, 2))
    X[:] = np.arange(20).reshape(10, 2)
    chunks = chunks_of(X, np.arange(10), rows=4)
    assert [len(chunk.X) for chunk in chunks] == [4, 4, 2]
    assert np.array_equal(np.concatenate([chunk.X for chunk in chunks]), X)


def test_a_generator_can_be_read_again_from_a_file():
    chunks = as_chunks((np.full((2, 1), i), np.full(2, i)) for i in range(3))
    first, second = list(chunks), list(chunks)
    assert [y.tolist() for _, y in first] == [y.tolist() for _, y in second] == [[0, 0], [1, 1], [2, 2]]


@pytest.mark.parametrize(
    ("source", "target", "message"),
    [
        (FRAME, "cost", "no column 'cost'; its columns are a, kind, id, price"),
        (np.zeros((3, 1)), np.zeros(2), "as long as it"),
        (FRAME[["a"]], ["price"], "give the name of the target's column"),
    ],
)
def test_a_wrong_target_is_refused(source, target, message):
    with pytest.raises(ValueError, match=message):
        chunks_of(source, target)


def test_what_is_no_table_is_refused():
    with pytest.raises(TypeError, match="got list"):
        chunks_of([1, 2], "y")
    with pytest.raises(TypeError, match="chunks_of"):
        as_chunks(FRAME)


X2, Y2 = np.zeros((4, 2)), np.zeros(4)
UNLIKE = {
    "a pair that is no list": ((X2, Y2), TypeError, r"number 1 is a ndarray, not a pair. Pass `\[\(X, y\)\]`"),
    "rows without targets": ([(X2, Y2), (X2,)], TypeError, "number 2 is a tuple, not a pair"),
    "fewer targets": ([(X2, Y2), (X2, Y2[1:])], ValueError, "chunk 2 has 4 rows but 3 targets"),
    "another width": (
        [(X2, Y2), (X2[:, :1], Y2)],
        ValueError,
        "chunk 2 has 1 column and .*, but chunk 1 has 2 columns",
    ),
    "more outputs": ([(X2, Y2), (X2, X2)], ValueError, r"y of shape \(n, 2\), but chunk 1 has .* shape \(n\)"),
    "another name": (
        [(FRAME[["a"]], FRAME["price"]), (FRAME[["a"]].set_axis(["b"], axis=1), FRAME["price"])],
        ValueError,
        r"chunk 2 has 1 column \(b\) .* chunk 1 has 1 column \(a\)",
    ),
}


@pytest.mark.parametrize("name", UNLIKE)
def test_chunks_that_are_unlike_the_first_are_refused(name):
    chunks, error, words = UNLIKE[name]
    with pytest.raises(error, match=words):
        list(as_chunks(chunks))


def test_chunks_may_have_any_length_and_none():
    lengths = (1, 3, 0, 4)
    assert [len(chunk.X) for chunk in as_chunks([(X2[:n], Y2[:n]) for n in lengths])] == [*lengths]
