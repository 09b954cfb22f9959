import numpy as np
import pandas as pd
import pytest
from scipy.stats import chisquare

from unabases.datasets.row_sample import RowSample, hash_rows


def sampled(chunks, size=50, seed=0):
    sample = RowSample(size, seed)
    for X, y in chunks:
        sample.add(X, y)
    return sample.result()


def numbers_in(n, rows):
    """Rows that are their own numbers, in chunks."""
    X = np.arange(float(n))[:, None]
    return [(X[i : i + rows], X[i : i + rows, 0]) for i in range(0, n, rows)]


@pytest.mark.parametrize("rows", [1, 7, 64, 1000])
def test_the_sample_does_not_depend_on_the_chunks(rows):
    found, whole = sampled(numbers_in(1000, rows)), sampled(numbers_in(1000, 1000))
    assert found.numbers.tolist() == whole.numbers.tolist() == sorted(found.numbers)
    assert found.X[:, 0].tolist() == found.y.tolist() == found.numbers.tolist()
    assert len(found.numbers) == 50
    assert found.seen == 1000


def test_the_sample_is_the_rows_with_the_smallest_hashes():
    smallest = np.sort(np.argsort(hash_rows(0, 1000, seed=3))[:50])
    assert sampled(numbers_in(1000, 100), seed=3).numbers.tolist() == smallest.tolist()


def test_every_part_of_a_table_has_the_same_chance():
    counts = np.zeros(10)
    for seed in range(40):
        counts += np.bincount(sampled(numbers_in(1000, 1000), seed=seed).numbers // 100, minlength=10)
    assert chisquare(counts).pvalue > 0.001


def test_few_rows_are_all_kept_in_their_order():
    found = sampled(numbers_in(30, 7))
    assert found.numbers.tolist() == list(range(30))


def test_samples_of_two_halves_merge_into_that_of_the_whole():
    chunks = numbers_in(1000, 100)
    first, second = RowSample(50), RowSample(50)
    for i, (X, y) in enumerate(chunks):
        (first if i < 4 else second).add(X, y, first=100 * i)
    assert second.merge(first).result().numbers.tolist() == sampled(chunks).numbers.tolist()


def test_parts_of_a_known_whole_pass_on_few_rows():
    parts = [RowSample(50, of=10_000) for _ in range(10)]
    for i, part in enumerate(parts):
        part.add(np.arange(1000.0)[:, None] + 1000 * i, first=1000 * i)
    assert sum(len(part.result().numbers) for part in parts) < 3 * 50
    merged = parts[0]
    for part in parts[1:]:
        merged.merge(part)
    assert merged.result().numbers.tolist() == sampled(numbers_in(10_000, 1000)).numbers.tolist()


def test_what_is_rare_is_kept_beside_the_sample():
    frame = pd.DataFrame({"a": np.arange(5000.0), "kind": ["usual"] * 5000})
    frame.loc[4321, "kind"], frame.loc[17, "a"] = "rare", np.nan
    found = sampled([(frame.iloc[i : i + 500], np.zeros(500)) for i in range(0, 5000, 500)], size=20)
    assert {17, 4321} <= set(found.numbers.tolist())
    assert len(found.X) == len(found.y) == len(found.numbers) <= 23
    assert set(found.X["kind"]) == {"usual", "rare"}
    assert found.X["a"].isna().sum() == 1


def test_an_array_with_a_missing_value_keeps_its_row():
    X = np.ones((2000, 2))
    X[1234, 1] = np.nan
    assert 1234 in sampled([(X, np.zeros(2000))], size=10).numbers


def test_no_rows_are_refused():
    with pytest.raises(ValueError, match="no rows"):
        RowSample(5).result()
